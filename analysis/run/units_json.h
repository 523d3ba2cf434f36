/* SPDX-License-Identifier: MIT */
/** @file
 * The rows of a compile_commands.json.
 */
#ifndef SG_RUN_UNITS_JSON_H
#define SG_RUN_UNITS_JSON_H

#include <stdint.h>

#include "base/arena.h"
#include "sluice/defs.h"
#include "sluice/error.h"

/** A row as it stands there. All in the reader's arena. */
struct sg_unit_row {
	const char *directory, *file;
	const char *const *arguments; /**< NULL at the end; at least one */
	size_t argument_count;
	int64_t line; /**< where it begins, from 1 */
};

/** Takes a row. What it returns other than SL_OK ends the reading. */
typedef enum sl_code sg_unit_row_fn(void *context,
				    const struct sg_unit_row *row,
				    struct sl_error *error);

/** Read the rows of @p text, of any length; other members of them are skipped.
 * Bytes that are no UTF-8 stay what they are: paths can be so. SL_EINVAL: it is
 * no database, or a row lacks something; the error has the line of the input.
 * SL_ENOMEM; what @p take returned. */
enum sl_code sg_unit_rows_read(const char *text, size_t length,
			       struct sl_arena *arena, sg_unit_row_fn *take,
			       void *context,
			       struct sl_error *error) SL_MUST_CHECK;

#endif
