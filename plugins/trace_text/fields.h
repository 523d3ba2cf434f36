/* SPDX-License-Identifier: MIT */
/** @file
 * The `fields` option: which column of a line is what.
 */
#ifndef TRACE_TEXT_FIELDS_H
#define TRACE_TEXT_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

#include "sluice/host.h"

enum field {
	FIELD_NONE, /**< "-": a column of no interest */
	FIELD_NIC,
	FIELD_DST,
	FIELD_SRC,
	FIELD_DPORT,
	FIELD_SPORT,
	FIELD_PROTOCOL,
	FIELD_COUNT,
};

enum { FIELDS_MAX = 16 };

#define FIELDS_DEFAULT "nic dst src dport sport protocol"

struct fields {
	enum field of[FIELDS_MAX];
	size_t count;
};

/** Parse @p text. What is wrong goes to sl_problem() of @p host, under the
 * option "fields": every field but "-" may be there once, and must be for @p
 * all; without, one column at least. */
void fields_parse(struct fields *fields, const char *text, bool all,
		  struct sl_host *host);

/** @return what a column is called in messages: "source port". */
const char *field_title(enum field field);

#endif
