/* SPDX-License-Identifier: MIT */
/** @file
 * The steps of a pipeline: what a chunk goes through, in a row.
 */
#ifndef SL_PIPELINE_STEPS_H
#define SL_PIPELINE_STEPS_H

#include <stdbool.h>
#include <stdint.h>

#include "pipeline/chunk.h"

/** One step. The last one of a plan is the sink's write. */
struct sl_plan_step {
	struct sl_host *host; /**< borrowed */
	sl_step *run; /**< NULL: only to keep the order, or to flush */
	bool serial; /**< one chunk at a time, in input order */
	bool first, last; /**< of its instance */
	bool divisible; /**< may be run on parts of a chunk */
	bool parse; /**< a failure keeps the packets that are there */
	bool flush; /**< afterwards, a flushing chunk collects what is held */
	unsigned gate; /**< serial: which */
};

struct sl_plan {
	struct sl_plan_step *steps; /**< owned */
	unsigned count, gates;
};

/** Lay out the steps of @p count instances, the source first and the sink
 * last. */
enum sl_code sl_plan_init(struct sl_plan *plan, struct sl_host *const *hosts,
			  size_t count, struct sl_error *error) SL_MUST_CHECK;
void sl_plan_finish(struct sl_plan *plan);

/** Let @p chunk see the state of @p step's instance on @p worker. */
void sl_chunk_bind(struct sl_chunk *chunk, const struct sl_plan_step *step,
		   unsigned worker);

/** What comes before the step proper: counts, zeroed scratch, binding. */
void sl_step_begin(const struct sl_plan_step *step, struct sl_chunk *chunk,
		   unsigned worker);

/** Call the step on a chunk, or a part of one, bound to it. */
void sl_step_call(const struct sl_plan_step *step, struct sl_chunk *chunk);

/** What comes after: flush, compaction, failures, emissions, counts. */
void sl_step_end(const struct sl_plan_step *step, struct sl_parcel *parcel);

#endif
