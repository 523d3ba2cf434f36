/* SPDX-License-Identifier: MIT */
/** @file
 * A run's links counted by rule and severity, as they are made: SQLite would
 * sort all of them to group them.
 */
#ifndef SG_STORE_COUNTS_H
#define SG_STORE_COUNTS_H

#include "match/match.h"
#include "store/seen.h"
#include "store/sightings.h"
#include "store/sql.h"

/** Of one rule and severity. */
struct sg_count {
	int64_t rule; /**< id */
	int severity; /**< a step, as in the table severities */
	int64_t verdicts[4]; /**< by enum sg_verdict */
	int64_t suppressed; /**< new or same, and accepted by the report */
};

/** A zeroed one is empty. */
struct sg_counts {
	struct sg_count *rows; /**< owned */
	size_t count, room;
	struct sg_seen seen; /**< numbers of rows, from 1 */
};

/** Count a link with verdict @p verdict, to what @p row says. @return SL_OK;
 * SL_ENOMEM. */
enum sl_code sg_counts_add(struct sg_counts *counts,
			   const struct sg_sighting_row *row,
			   enum sg_verdict verdict) SL_MUST_CHECK;

/** Store them as those of run @p run, whose links and suppressions are in the
 * store: what the tracked file accepts is counted too. */
enum sl_code sg_counts_write(const struct sg_counts *counts,
			     struct sg_store *store, int64_t run,
			     struct sl_error *error) SL_MUST_CHECK;

void sg_counts_finish(struct sg_counts *counts);

#endif
