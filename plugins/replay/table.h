/* SPDX-License-Identifier: MIT */
/** @file
 * A recording: a CSV file (RFC 4180, the separator a comma) of one line of
 * names and then numbers, time in one column, joules or watts in others.
 */
#ifndef REPLAY_TABLE_H
#define REPLAY_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "sluice/error.h"
#include "sluice/option.h"

/** A column that is a domain. */
struct column {
	char name[64];
	size_t cell; /**< which cell of a line, from 0 */
	bool is_watts; /**< otherwise joules */
};

struct table {
	struct column *columns; /**< owned */
	size_t column_count;
	double *times; /**< owned; s, rising */
	double *values; /**< owned; row by row, NAN where a cell is empty */
	size_t row_count, row_capacity;
};

/** Which columns count. All borrowed. */
struct table_choice {
	const char *time; /**< the name of the column of times */
	const struct sl_list *joules, *watts; /**< names; both empty: every
						   column that ends in joules,
						   _j, watts or _w */
};

/** Read the text of a file; @p text is cut into pieces. SL_EINVAL: "line 7:
 * ..."; a zeroed table comes back then. */
enum sl_code table_init(struct table *table, char *text,
			const struct table_choice *choice,
			struct sl_error *error) SL_MUST_CHECK;
void table_finish(struct table *table);

/** The last row at or before @p time. @return its index; 0 before the first. */
size_t table_row_at(const struct table *table, double time);

#endif
