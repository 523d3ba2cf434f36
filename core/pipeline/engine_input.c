/* SPDX-License-Identifier: MIT */
/* The engine's input: cutting, one worker at a time, and where it ends. */
#include <errno.h>
#include <poll.h>
#include <string.h>

#include "base/clock.h"
#include "pipeline/engine_private.h"
#include "pipeline/probes.h"

/* The measured region begins now. With the lock held. */
static void restart_clock(struct sl_engine *engine)
{
	memset(engine->concurrency_ns, 0,
	       (engine->settings.workers + 1) *
		       sizeof(*engine->concurrency_ns));
	engine->busy_since = sl_clock_ns();
	atomic_store(&engine->started_ns, engine->busy_since);
}

/* Before it does, whom it concerns may take his time: the lock is held at entry
 * and exit, and free meanwhile. Nobody else cuts. */
static void tell_begin(struct sl_engine *engine)
{
	if (!engine->settings.begins)
		return;
	pthread_mutex_unlock(&engine->lock);
	engine->settings.begins(engine->settings.context);
	pthread_mutex_lock(&engine->lock);
}

void sl_engine_lower_stop(struct sl_engine *engine, uint64_t sequence)
{
	uint64_t known = atomic_load(&engine->stop_after);

	while (sequence < known &&
	       !atomic_compare_exchange_weak(&engine->stop_after, &known,
					     sequence)) {
	}
	/* Nobody wants the input that the cutter may be waiting for. */
	sl_engine_wake_cutter(engine);
}

bool sl_engine_stopping(const struct sl_engine *engine)
{
	return atomic_load_explicit(&engine->stop, memory_order_relaxed) ||
	       atomic_load_explicit(&engine->stop_after,
				    memory_order_relaxed) != SL_NEVER;
}

/* Take the next chunk off the input. @return whether there is one. */
static bool cut(struct sl_worker *worker, struct sl_parcel *parcel, bool *end)
{
	struct sl_engine *engine = worker->engine;
	struct sl_host *host = engine->settings.hosts[0];
	struct sl_error error = { .code = SL_OK };
	struct sl_plan_step step = { .host = host, .run = host->source->cut };
	struct sl_stopwatch watch;
	enum sl_code code;

	parcel->sampled = engine->settings.sample_cpu &&
			  sl_cpu_sampler_takes(&engine->sampler, sl_clock_ns());
	watch = sl_stopwatch_start(parcel->sampled);
	engine->cut_ns = watch.wall_ns;
	engine->cut_waited_ns = 0;
	parcel->cut_ns = engine->cut_ns;
	sl_chunk_bind(&parcel->chunk, &step, worker->id);
	parcel->chunk.drops = parcel->host.tally + host->tally + SL_TALLY_DROPS;
	parcel->chunk.drop_count = (uint32_t)host->drop_count;
	code = step.run(host->state, &parcel->chunk, &error);
	sl_engine_stop_watch(worker, &watch, engine->cut_waited_ns, host);
	parcel->cut_ns = engine->cut_ns;
	if (code == SL_ESTOPPED)
		code = SL_END;
	if (code != SL_OK)
		*end = true;
	if (code == SL_OK || code == SL_END)
		return code == SL_OK || parcel->chunk.bytes_used;
	sl_error_complete(&error, code);
	sl_chunk_note_failure(&parcel->chunk, SL_BEHIND_ALL, 0, host, &error);
	sl_engine_lower_stop(engine, parcel->chunk.sequence);
	return true;
}

bool sl_engine_can_cut(const struct sl_engine *engine)
{
	return !engine->cutting && engine->free &&
	       (!engine->input_done || engine->flush_pending);
}

void sl_engine_put_token(struct sl_engine *engine, struct sl_parcel *parcel)
{
	struct sl_worker *worker = &engine->workers[parcel->worker];

	parcel->next = worker->free;
	worker->free = parcel;
	engine->free++;
}

/* Rather one of the worker's own. */
static struct sl_parcel *take_token(struct sl_worker *worker)
{
	struct sl_engine *engine = worker->engine;
	struct sl_worker *owner = worker;
	struct sl_parcel *parcel;

	for (unsigned at = 0; !owner->free; at++)
		owner = &engine->workers[at];
	parcel = owner->free;
	owner->free = parcel->next;
	engine->free--;
	engine->in_flight++;
	sl_parcel_reset(parcel, engine->settings.shape.tally_size);
	parcel->chunk.sequence = engine->next_sequence++;
	return parcel;
}

static void input_ends(struct sl_engine *engine)
{
	engine->input_done = true;
	engine->flush_pending = engine->can_flush &&
				atomic_load(&engine->stop_after) == SL_NEVER;
}

struct sl_parcel *sl_engine_next_cut(struct sl_worker *worker)
{
	struct sl_engine *engine = worker->engine;
	struct sl_parcel *parcel = take_token(worker);
	bool end = sl_engine_stopping(engine);
	bool some = false;

	if (engine->flush_pending) {
		engine->flush_pending = false;
		parcel->flush = true;
		parcel->cut_ns = sl_clock_ns();
		return parcel;
	}
	engine->cutting = true;
	if (!atomic_load_explicit(&engine->started_ns, memory_order_relaxed)) {
		tell_begin(engine);
		restart_clock(engine);
		sl_probe_run_start();
	}
	pthread_mutex_unlock(&engine->lock);
	if (!end)
		some = cut(worker, parcel, &end);
	pthread_mutex_lock(&engine->lock);
	engine->cutting = false;
	if (end)
		input_ends(engine);
	if (some)
		return parcel;
	engine->next_sequence--;
	engine->in_flight--;
	sl_engine_put_token(engine, parcel);
	return NULL;
}

/* Waiting for input is no work, and a chunk is not late before its bytes are
 * there; nor does a run begin before its first. */
static void note_wait(struct sl_engine *engine, int change)
{
	pthread_mutex_lock(&engine->lock);
	if (change > 0 && engine->next_sequence == 1)
		tell_begin(engine);
	sl_engine_account(engine, change);
	if (change < 0) {
		engine->wait_from_ns = engine->busy_since;
	} else {
		engine->cut_ns = engine->busy_since;
		engine->cut_waited_ns +=
			engine->busy_since - engine->wait_from_ns;
		if (engine->next_sequence == 1)
			restart_clock(engine);
	}
	pthread_mutex_unlock(&engine->lock);
}

enum sl_code sl_engine_wait_readable(struct sl_engine *engine, int fd,
				     struct sl_error *error)
{
	struct pollfd fds[2] = {
		{ .fd = fd, .events = POLLIN },
		{ .fd = engine->stop_fd, .events = POLLIN },
	};
	int ready;

	note_wait(engine, -1);
	do
		ready = poll(fds, 2, -1);
	while (ready < 0 && errno == EINTR);
	note_wait(engine, 1);

	if (ready < 0)
		return SL_FAIL(error, SL_EIO, "cannot wait for input: %s",
			       strerror(errno));
	return fds[1].revents ? SL_ESTOPPED : SL_OK;
}
