/* SPDX-License-Identifier: MIT */
/** @file
 * What the engine's files share.
 *
 * `lock` guards all fields but the atomic ones and those of a worker that say
 * so. It is taken about three times a chunk, never for a packet, and never
 * while a plugin runs.
 */
#ifndef SL_PIPELINE_ENGINE_PRIVATE_H
#define SL_PIPELINE_ENGINE_PRIVATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "pipeline/engine.h"
#include "pipeline/gate.h"

/** A list of parcels, first in first out. */
struct sl_parcel_list {
	struct sl_parcel *head, *tail;
};

/** A step of one chunk that several workers share; see split.c. */
struct sl_split {
	atomic_uint next; /**< first position that nobody has taken */
	unsigned count, piece; /**< positions in all, and at a time */
	unsigned active; /**< workers in it */
	unsigned gone; /**< of those that are through */
	bool offered; /**< it stands in the engine's list */
	struct sl_parcel *next_offer;
};

struct sl_worker {
	struct sl_engine *engine;
	unsigned id;
	pthread_t thread;
	bool started;
	struct sl_parcel_list ready; /**< released at a gate, carried by it */
	atomic_bool told; /**< there is something to do, while it looks */
	struct sl_parcel *free; /**< tokens that it carried last, whose memory
				     is in its core's cache; last in, first
				     out */
	struct sl_busy *busy; /**< by instance; written by the worker alone */
	/* Its face of a chunk that it shares, and what that counts into. */
	struct sl_chunk part;
	struct sl_chunk_private part_host;
	uint64_t *part_drops;
} SL_ALIGNED(2 * SL_CACHE_LINE);

struct sl_engine {
	struct sl_engine_settings settings; /**< hosts are borrowed */
	struct sl_plan plan;
	struct sl_gate *gates;
	struct sl_parcel *parcels; /**< all of them */
	struct sl_worker *workers;
	bool can_flush;

	atomic_bool stop;
	int stop_fd; /**< eventfd: readable once no more input is wanted */
	_Atomic uint64_t stop_after; /**< chunks behind this one do no work */
	atomic_uint sleeping; /**< written under the lock */
	_Atomic uint64_t *totals;
	_Atomic int64_t *step_cost; /**< by step: ns a packet x 256 */

	pthread_mutex_t lock;
	pthread_cond_t work; /**< there is something to do, or all is done */
	pthread_cond_t done;
	unsigned free; /**< tokens, in the workers' lists */
	struct sl_parcel *offers; /**< chunks whose step can be shared */
	struct sl_worker *looking; /**< has nothing to do, and is awake */
	bool cutting, input_done, flush_pending, finished;
	unsigned in_flight, alive;
	uint64_t next_sequence;

	/* Busy workers over time. */
	unsigned busy;
	int64_t busy_since;
	int64_t *concurrency_ns;
	_Atomic int64_t started_ns; /**< first cut; 0: not yet */
	int64_t cut_ns; /**< the cutter's: when its bytes were there */
	int64_t cut_waited_ns; /**< the cutter's: time without work */
	int64_t wait_from_ns; /**< the cutter's: when its wait began */
	struct sl_cpu_sampler sampler; /**< the cutter's */
	_Atomic uint64_t chunks; /**< through; written inside the sink's gate */
	struct sl_histogram latency; /**< the same */
	struct sl_engine_result result; /**< how it ended */

	/* The reader's own, see sl_engine_result(). */
	struct sl_busy_sum *busy_read; /**< by instance, all workers */
	uint64_t *totals_read;
	int64_t *concurrency_read;
	struct sl_engine_result result_read;
};

/** What a worker's thread does; the argument is a struct sl_worker. */
void *sl_engine_work(void *worker);
void *sl_engine_work_serially(void *worker);

/** A worker starts or stops being busy. Call with the lock held. */
void sl_engine_account(struct sl_engine *engine, int change);

/** There is something to do. Call with the lock held.
 * @return whether somebody must be woken for it, once the lock is free. */
bool sl_engine_tell(struct sl_engine *engine);

/** Chunks behind @p sequence pass on without work. Thread-safe. */
void sl_engine_lower_stop(struct sl_engine *engine, uint64_t sequence);

/** End the wait for input, now and for good. Async-signal-safe. */
void sl_engine_wake_cutter(struct sl_engine *engine);

/** With the lock held: a token is free. */
void sl_engine_put_token(struct sl_engine *engine, struct sl_parcel *parcel);

/** With the lock held: whether somebody may cut. */
bool sl_engine_can_cut(const struct sl_engine *engine);

/** Cut, with the lock held at entry and exit. @return a parcel to carry;
 * NULL: the input held no more. */
struct sl_parcel *sl_engine_next_cut(struct sl_worker *worker);

/** Run @p parcel's step, perhaps with the help of others.
 * @return whether the step is complete and the parcel still the caller's. */
bool sl_split_run(struct sl_worker *worker, struct sl_parcel *parcel);

/** With the lock held: join a step that was offered. @return NULL if none
 * was. */
struct sl_parcel *sl_split_join(struct sl_worker *worker);

/** Work on the pieces of a joined step.
 * @return whether this completed the step: the parcel is now the caller's. */
bool sl_split_help(struct sl_worker *worker, struct sl_parcel *parcel);

/** A step that began with sl_stopwatch_start() ends; so long the worker was at
 * work for instance @p host. */
static inline void sl_engine_stop_watch(struct sl_worker *worker,
					const struct sl_stopwatch *watch,
					int64_t waited_ns,
					const struct sl_host *host)
{
	uint64_t *const *words = worker->engine->settings.busy_words;
	int64_t ns =
		sl_stopwatch_stop(watch, waited_ns, &worker->busy[host->id]);

	if (words && words[host->id])
		__atomic_fetch_add(words[host->id], (uint64_t)ns,
				   __ATOMIC_RELAXED);
}

/** Whether the work of @p parcel still counts. */
static inline bool sl_engine_wants(const struct sl_engine *engine,
				   const struct sl_parcel *parcel)
{
	return parcel->chunk.sequence <=
	       atomic_load_explicit(&engine->stop_after, memory_order_relaxed);
}

#endif
