/* SPDX-License-Identifier: MIT */
/* Sharing one chunk's step among workers that would otherwise sleep.
 *
 * Chunk bounds must not depend on the number of workers, so at the end of the
 * input, or with few chunks, workers run out of chunks while others are deep
 * in one. A long divisible step is therefore run in pieces, and its owner
 * offers the rest of them once somebody sleeps. Whoever is the last to leave a
 * shared step carries the chunk on; nobody waits for anybody.
 */
#include <string.h>

#include "base/clock.h"
#include "pipeline/engine_private.h"

/* Shorter steps are not worth a wake across CPUs (some 66 us). */
#define WORTH_SHARING_NS 400000
#define PIECE_NS 100000
#define UNKNOWN_PIECE 64

/* ns x 256 so that cheap packets do not round to nothing. */
static void learn_cost(struct sl_engine *engine, unsigned step, int64_t ns,
		       unsigned packets)
{
	if (packets)
		atomic_store_explicit(&engine->step_cost[step],
				      ns * 256 / packets, memory_order_relaxed);
}

/* @return packets a piece; 0: run the step as a whole. */
static unsigned piece_size(const struct sl_worker *worker,
			   const struct sl_parcel *parcel)
{
	const struct sl_engine *engine = worker->engine;
	const struct sl_plan_step *step = &engine->plan.steps[parcel->step];
	unsigned count = parcel->chunk.count;
	int64_t cost;

	if (!step->divisible || engine->settings.workers < 2 || count < 2)
		return 0;
	cost = atomic_load_explicit(&engine->step_cost[parcel->step],
				    memory_order_relaxed);
	if (!cost)
		return UNKNOWN_PIECE;
	if (cost * count / 256 < WORTH_SHARING_NS)
		return 0;
	return cost / 256 >= PIECE_NS ? 1 : (unsigned)(PIECE_NS * 256LL / cost);
}

/* The worker's own face of the chunk: same arrays, own counters. */
static void make_part(struct sl_worker *worker, const struct sl_parcel *parcel)
{
	const struct sl_plan_step *step =
		&worker->engine->plan.steps[parcel->step];
	struct sl_chunk *part = &worker->part;

	*part = parcel->chunk;
	part->part = worker->id + 1;
	part->gone = 0;
	part->host = &worker->part_host;
	part->drops = worker->part_drops;
	worker->part_host.failed_at = SL_NEVER;
	worker->part_host.whole_failed = false;
	memset(worker->part_drops, 0,
	       step->host->drop_count * sizeof(*worker->part_drops));
	sl_chunk_bind(part, step, worker->id);
}

static void offer(struct sl_engine *engine, struct sl_parcel *parcel)
{
	pthread_mutex_lock(&engine->lock);
	parcel->split->offered = true;
	parcel->split->next_offer = engine->offers;
	engine->offers = parcel;
	pthread_mutex_unlock(&engine->lock);
	pthread_cond_signal(&engine->work);
}

static void withdraw(struct sl_engine *engine, struct sl_parcel *parcel)
{
	struct sl_parcel **at = &engine->offers;

	if (!parcel->split->offered)
		return;
	while (*at != parcel)
		at = &(*at)->split->next_offer;
	*at = parcel->split->next_offer;
	parcel->split->offered = false;
}

/* Take pieces until none is left. The owner offers the rest to sleepers. */
static void take_pieces(struct sl_worker *worker, struct sl_parcel *parcel,
			bool owner)
{
	struct sl_engine *engine = worker->engine;
	const struct sl_plan_step *step = &engine->plan.steps[parcel->step];
	struct sl_split *split = parcel->split;
	bool offered = false;
	unsigned packets = 0;
	int64_t start = sl_clock_ns();

	make_part(worker, parcel);
	for (;;) {
		unsigned from = atomic_fetch_add_explicit(
			&split->next, split->piece, memory_order_relaxed);

		if (from >= split->count)
			break;
		worker->part.order = parcel->chunk.order + from;
		worker->part_host.offset = from;
		worker->part.count = split->count - from < split->piece
					     ? split->count - from
					     : split->piece;
		if (owner && !offered &&
		    split->count - from > 2 * split->piece &&
		    atomic_load_explicit(&engine->sleeping,
					 memory_order_relaxed)) {
			offer(engine, parcel);
			offered = true;
		}
		packets += worker->part.count;
		sl_step_call(step, &worker->part);
	}
	learn_cost(engine, parcel->step, sl_clock_ns() - start, packets);
}

/* Add this worker's part to the whole. @return whether it was the last. */
static bool leave(struct sl_worker *worker, struct sl_parcel *parcel)
{
	struct sl_engine *engine = worker->engine;
	const struct sl_plan_step *step = &engine->plan.steps[parcel->step];
	struct sl_chunk *chunk = &parcel->chunk;
	bool last;

	pthread_mutex_lock(&engine->lock);
	withdraw(engine, parcel);
	parcel->split->gone += worker->part.gone;
	for (size_t at = 0; at < step->host->drop_count; at++)
		chunk->drops[at] += worker->part_drops[at];
	if (worker->part_host.failed_at != SL_NEVER)
		sl_chunk_note_failure(chunk, worker->part_host.failed_at,
				      worker->part_host.failed_position,
				      step->host, &worker->part_host.error);
	chunk->host->whole_failed |= worker->part_host.whole_failed;
	last = --parcel->split->active == 0;
	if (last)
		chunk->gone = parcel->split->gone;
	pthread_mutex_unlock(&engine->lock);
	return last;
}

bool sl_split_run(struct sl_worker *worker, struct sl_parcel *parcel)
{
	struct sl_engine *engine = worker->engine;
	const struct sl_plan_step *step = &engine->plan.steps[parcel->step];
	struct sl_split *split = parcel->split;
	unsigned piece = piece_size(worker, parcel);

	if (!piece) {
		int64_t start = sl_clock_ns();
		unsigned count = parcel->chunk.count;

		sl_step_call(step, &parcel->chunk);
		if (step->divisible)
			learn_cost(engine, parcel->step, sl_clock_ns() - start,
				   count);
		return true;
	}
	split->piece = piece;
	split->count = parcel->chunk.count;
	split->gone = 0;
	split->active = 1;
	atomic_store_explicit(&split->next, 0, memory_order_relaxed);
	take_pieces(worker, parcel, true);
	return leave(worker, parcel);
}

struct sl_parcel *sl_split_join(struct sl_worker *worker)
{
	struct sl_parcel *parcel = worker->engine->offers;

	if (parcel)
		parcel->split->active++;
	return parcel;
}

bool sl_split_help(struct sl_worker *worker, struct sl_parcel *parcel)
{
	take_pieces(worker, parcel, false);
	return leave(worker, parcel);
}
