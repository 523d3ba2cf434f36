/* SPDX-License-Identifier: MIT */
/** @file
 * One run of an analyzer, or of a compiler, for a check: from the command to
 * what it came to.
 */
#ifndef SG_GATE_CHECK_JOBS_H
#define SG_GATE_CHECK_JOBS_H

#include "gate/check_parts.h"

/** Stands for the compiler among the numbers of tools. */
#define SG_GATE_COMPILER SIZE_MAX

/** In the check's arena. */
struct sg_gate_job {
	struct sg_gate_job *next; /**< of the same unit */
	struct sg_check *check;
	struct sg_gate_tree *tree;
	struct sg_gate_unit *row; /**< NULL: it runs once for all */
	size_t tool; /**< its number; SG_GATE_COMPILER */
	struct sg_command command;
	const char *out, *err, *report; /**< files */
	struct sg_job_result result; /**< once it has ended */
};

/** Make the job that compiles @p row, or that runs a tool on it (or, with a
 * NULL row, on all of @p tree), and add it to @p jobs. */
enum sl_code sg_gate_job_add(struct sg_check *check, struct sg_gate_tree *tree,
			     struct sg_gate_unit *row, size_t tool,
			     struct sg_jobs *jobs,
			     struct sl_error *error) SL_MUST_CHECK;

/** An sg_job_fn: when the last job of a unit has ended, its results are kept,
 * and what went wrong becomes troubles. */
enum sl_code sg_gate_job_ended(void *context, const struct sg_job *job,
			       const struct sg_job_result *result,
			       struct sl_error *error);

/** Keep what a tool has reported, with the key @p key, within sg_kept_begin().
 * If its run did not do its work, that is a trouble, and result->failed. */
enum sl_code sg_gate_job_keep(const struct sg_gate_job *job, struct sg_hash key,
			      struct sg_gate_result *result,
			      struct sl_error *error) SL_MUST_CHECK;

/** @return why the run did not do its work, in the arena; NULL: it did. */
const char *sg_gate_job_failure(const struct sg_gate_job *job);

/** The last lines that it said, in the arena; NULL: none. */
const char *sg_gate_job_words(const struct sg_gate_job *job);

/** Keep what runs for all units came to, behind the end of all jobs. */
enum sl_code sg_gate_jobs_settle(struct sg_check *check,
				 struct sl_error *error) SL_MUST_CHECK;

#endif
