/* SPDX-License-Identifier: MIT */
/** @file
 * The engine: drives chunks through a plan, serially or on every core.
 *
 * Parallel: a worker carries a chunk as far as it can. At a gate where it is
 * early the chunk is parked and the worker leaves for other work: a chunk that
 * was released to it, a new cut, or a part of somebody's long step. Only when
 * there is none does it sleep. A chunk, even emptied, passes every gate and
 * the sink, where its token (the parcel itself) goes back to the pool; so two
 * tokens are enough for any number of workers.
 *
 * Serial: one thread, one parcel, the same steps in a loop.
 */
#ifndef SL_PIPELINE_ENGINE_H
#define SL_PIPELINE_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include "pipeline/busy.h"
#include "pipeline/histogram.h"
#include "pipeline/steps.h"

struct sl_engine;

struct sl_engine_settings {
	struct sl_host *const *hosts; /**< borrowed: source, stages, sink */
	size_t host_count;
	unsigned workers, tokens; /**< at least 1 */
	bool serial;
	bool look; /**< a worker without work may stay awake for a moment: every
			worker has a CPU */
	struct sl_parcel_shape shape;
	/** Called when a chunk is through and counted, one at a time, in
	 * order, on some worker. May be NULL. */
	void (*settled)(void *context);
	/** The measured region begins, or ends. The first comes again if what
	 * came of the input so far was no more than a wait for it. Each on some
	 * worker, without the lock: it may take its time. May be NULL. */
	void (*begins)(void *context);
	void (*ends)(void *context);
	void *context; /**< of all three */
	bool sample_cpu; /**< take the CPU time of some steps */
	uint64_t *const *busy_words; /**< by instance: a counter of ns at work,
					  for others to read; may be NULL */
};

/** What is known of a run, in the end or on its way. */
struct sl_engine_result {
	bool finished; /**< if not, how it ends is not known: the next four */
	bool failed;
	struct sl_error error; /**< of the first failure in input order */
	const struct sl_host *failed_by;
	uint64_t failed_at; /**< input index; SL_NEVER and near: none */
	uint64_t chunks;
	int64_t elapsed_ns;
	struct sl_histogram latency; /**< ns, of chunks from cut to the end */
	const uint64_t *totals; /**< tallies added up; borrowed */
	const struct sl_busy_sum *busy; /**< by instance; borrowed */
	const int64_t *concurrency_ns; /**< [0 .. workers]; borrowed */
};

enum sl_code sl_engine_create(struct sl_engine **engine,
			      const struct sl_engine_settings *settings,
			      struct sl_error *error) SL_MUST_CHECK;
void sl_engine_destroy(struct sl_engine *engine);

enum sl_code sl_engine_start(struct sl_engine *engine,
			     struct sl_error *error) SL_MUST_CHECK;

/** As sl_pipeline_wait(). */
bool sl_engine_wait(struct sl_engine *engine, int timeout_ms);

/** End the input. Async-signal-safe. */
void sl_engine_stop(struct sl_engine *engine);

/** Whether it was told to. */
bool sl_engine_stopped(const struct sl_engine *engine);

/** Whether it wants no more input: told so, or failed. */
bool sl_engine_stopping(const struct sl_engine *engine);

/** For a source that must wait for its input: see sl_host_wait_readable(). */
enum sl_code sl_engine_wait_readable(struct sl_engine *engine, int fd,
				     struct sl_error *error);

/** Thread-safe: counters of the chunks that are through. */
uint64_t sl_engine_total(const struct sl_engine *engine, size_t tally);
int64_t sl_engine_elapsed_ns(struct sl_engine *engine);

/** The figures so far, or after the wait all of them. From one thread at a
 * time; borrowed until the next call. */
const struct sl_engine_result *sl_engine_result(struct sl_engine *engine);

#endif
