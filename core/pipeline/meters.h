/* SPDX-License-Identifier: MIT */
/** @file
 * The meters of a pipeline: opened before all else, read by one thread, marked
 * where the measured region begins and ends.
 */
#ifndef SL_PIPELINE_METERS_H
#define SL_PIPELINE_METERS_H

#include <pthread.h>
#include <stdbool.h>

#include "pipeline/busy.h"
#include "pipeline/instance.h"
#include "pipeline/shares.h"
#include "sluice/energy.h"

struct sl_meters {
	/* Of the configuration. */
	int64_t period_ns; /**< 0: as the meters allow */
	int64_t idle_window_ns; /**< 0: none */
	double idle_power_w; /**< NaN: not given */

	struct sl_host *hosts; /**< owned; once open, without their plugins */
	size_t count;
	struct sl_energy *energy; /**< owned; NULL: there are no meters */
	struct sl_idle_power idle;

	pthread_mutex_t lock; /**< guards begin, begun and ended, and `end`
				   until then */
	bool locked; /**< there is a lock */
	struct sl_energy_mark begin, end;
	bool begun, ended;
	struct sl_energy_mark fresh; /**< the cutter's */
	struct sl_energy_mark now; /**< the one's who asks for the figures */
	struct sl_energy_mark seen, before; /**< the sampling thread's */

	struct sl_energy_stats stats;
	struct sl_share_words words;
	struct sl_domain_stats *domains; /**< owned */
};

/** Make the instances of `meters`. What is wrong goes to the pipeline's
 * problems; the code is for memory alone. */
enum sl_code sl_meters_wire(struct sl_pipeline *pipeline,
			    struct sl_error *error) SL_MUST_CHECK;

/** Open them all. SL_EIO: one cannot be used, or nothing of it; SL_EINVAL: its
 * options do not fit together, or its file is written by another. */
enum sl_code sl_meters_open(struct sl_pipeline *pipeline,
			    struct sl_error *error) SL_MUST_CHECK;

/** Start the thread that samples. */
enum sl_code sl_meters_start(struct sl_pipeline *pipeline,
			     struct sl_error *error) SL_MUST_CHECK;

/** Take the power of the idle machine, if the configuration wants it measured:
 * it takes that long. SL_ESTOPPED: told to stop meanwhile. */
enum sl_code sl_meters_watch_idle(struct sl_pipeline *pipeline,
				  struct sl_error *error) SL_MUST_CHECK;

/** The measured region begins, perhaps once more, and ends; from any thread. */
void sl_meters_begin(struct sl_pipeline *pipeline);
void sl_meters_end(struct sl_pipeline *pipeline);

/** What flowed in the measured region, up to @p to if it has not ended: of
 * domain @p at, or their sum. It always sets *span. */
void sl_meters_between(struct sl_meters *meters, size_t at,
		       const struct sl_energy_mark *to,
		       struct sl_energy_span *span);
void sl_meters_sum(struct sl_meters *meters, const struct sl_energy_mark *to,
		   struct sl_energy_span *span);

/** Fill meters->stats, reading the meters anew while the region lasts, and the
 * energy and CPU time of the instances. */
void sl_meters_fill(struct sl_pipeline *pipeline,
		    const struct sl_busy_sum *busy);

/** End the thread, close the meters. After the engine. */
void sl_meters_finish(struct sl_pipeline *pipeline);

#endif
