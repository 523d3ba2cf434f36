/* SPDX-License-Identifier: MIT */
/** @file
 * A row of an answer: what a query hands on, and what writers write down.
 */
#ifndef SG_STORE_ROW_H
#define SG_STORE_ROW_H

#include <stddef.h>
#include <stdint.h>

#include "sluice/error.h"

enum sg_field_kind {
	SG_FIELD_NULL,
	SG_FIELD_INTEGER,
	SG_FIELD_REAL,
	SG_FIELD_TEXT, /**< UTF-8; invalid bytes may be in what others wrote */
	SG_FIELD_BLOB, /**< bytes */
};

struct sg_field {
	enum sg_field_kind kind;
	int64_t integer;
	double real;
	const char *text; /**< of text and blob: borrowed; behind it stands a
			       NUL, and others may be in it */
	size_t length; /**< in bytes, without that NUL */
};

/** All borrowed, until the callback returns. */
struct sg_row {
	const char *const *names; /**< of the columns; the same in each row */
	const struct sg_field *fields;
	size_t count; /**< of both */
};

/** Takes a row; must not call the store. An answer without rows is told of its
 * columns by one call whose `fields` is NULL: so every answer's first call has
 * that form, rows follow. What it returns other than SL_OK ends the answer. */
typedef enum sl_code sg_row_fn(void *context, const struct sg_row *row,
			       struct sl_error *error);

#endif
