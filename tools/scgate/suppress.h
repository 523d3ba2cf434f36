/* SPDX-License-Identifier: MIT */
/** @file
 * What scgate suppress is told, and what it says.
 */
#ifndef SCGATE_SUPPRESS_H
#define SCGATE_SUPPRESS_H

#include <stdbool.h>

#include "gate/suppressions.h"
#include "report/rows.h"
#include "store/show.h"

/** All borrowed; NULL: not given. */
struct suppress_settings {
	int64_t finding;
	const char *place; /**< PATH:LINE[:RULE] in the place of a number */
	const char *reason, *until, *run, *file, *db;
	bool is_list, is_removal, is_all;
	const struct sg_rows_writer *writer; /**< of the list */
};

/** Write the entries of the file @p path to standard output. */
enum sl_code suppress_list(const struct suppress_settings *settings,
			   const char *path,
			   struct sl_error *error) SL_MUST_CHECK;

/** Say on standard output what was written to @p path. @p is_change: instead of
 * an older entry. */
enum sl_code suppress_tell(const struct suppress_settings *settings,
			   const struct sg_finding *said, bool is_change,
			   const char *path,
			   struct sl_error *error) SL_MUST_CHECK;

#endif
