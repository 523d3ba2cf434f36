/* SPDX-License-Identifier: MIT */
/* The engine from outside: made, started, waited for, stopped, read. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "pipeline/engine_private.h"

static bool init_worker(struct sl_engine *engine, unsigned id, size_t drops)
{
	struct sl_worker *worker = &engine->workers[id];

	worker->engine = engine;
	worker->id = id;
	/* Some more keep workers off each other's cache lines. */
	worker->busy =
		calloc(engine->settings.host_count + 2, sizeof(*worker->busy));
	worker->part_drops = calloc(drops + 8, sizeof(*worker->part_drops));
	return worker->busy && worker->part_drops;
}

static bool init_workers(struct sl_engine *engine)
{
	unsigned count = engine->settings.workers;
	size_t bytes = count * sizeof(*engine->workers);
	size_t drops = 0;

	engine->workers = aligned_alloc(2 * SL_CACHE_LINE, bytes);
	if (!engine->workers)
		return false;
	memset(engine->workers, 0, bytes);
	for (size_t at = 0; at < engine->settings.host_count; at++)
		if (engine->settings.hosts[at]->drop_count > drops)
			drops = engine->settings.hosts[at]->drop_count;
	for (unsigned id = 0; id < count; id++)
		if (!init_worker(engine, id, drops))
			return false;
	return true;
}

static enum sl_code init_parcels(struct sl_engine *engine,
				 struct sl_error *error)
{
	unsigned count = engine->settings.tokens;

	engine->parcels = aligned_alloc(2 * SL_CACHE_LINE,
					count * sizeof(*engine->parcels));
	if (!engine->parcels)
		return SL_FAIL(error, SL_ENOMEM, "no memory for %u chunks",
			       count);
	memset(engine->parcels, 0, count * sizeof(*engine->parcels));
	for (unsigned at = 0; at < count; at++) {
		struct sl_parcel *parcel = &engine->parcels[at];
		enum sl_code code =
			sl_parcel_init(parcel, &engine->settings.shape, error);

		if (code != SL_OK)
			return code;
		parcel->split = calloc(1, sizeof(*parcel->split));
		if (!parcel->split)
			return SL_FAIL(error, SL_ENOMEM,
				       "no memory for %u chunks", count);
	}
	return SL_OK;
}

static void share_out_tokens(struct sl_engine *engine)
{
	for (unsigned at = 0; at < engine->settings.tokens; at++) {
		engine->parcels[at].worker = at % engine->settings.workers;
		sl_engine_put_token(engine, &engine->parcels[at]);
	}
}

static bool init_gates(struct sl_engine *engine)
{
	engine->gates = calloc(engine->plan.gates, sizeof(*engine->gates));
	for (unsigned at = 0; engine->gates && at < engine->plan.gates; at++)
		if (!sl_gate_init(&engine->gates[at], engine->settings.tokens))
			return false;
	return engine->gates;
}

static enum sl_code init_sync(struct sl_engine *engine, struct sl_error *error)
{
	pthread_condattr_t monotonic;
	int code;

	engine->stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (engine->stop_fd < 0)
		return SL_FAIL(error, SL_EIO, "cannot make an eventfd: %s",
			       strerror(errno));
	code = pthread_condattr_init(&monotonic);
	if (!code)
		code = pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	if (!code)
		code = pthread_mutex_init(&engine->lock, NULL);
	if (!code)
		code = pthread_cond_init(&engine->work, NULL);
	if (!code)
		code = pthread_cond_init(&engine->done, &monotonic);
	if (code)
		return SL_FAIL(error, SL_ENOMEM, "cannot make a lock: %s",
			       strerror(code));
	pthread_condattr_destroy(&monotonic);
	return SL_OK;
}

static enum sl_code init(struct sl_engine *engine, struct sl_error *error)
{
	const struct sl_engine_settings *settings = &engine->settings;
	enum sl_code code = init_sync(engine, error);

	if (code == SL_OK)
		code = sl_plan_init(&engine->plan, settings->hosts,
				    settings->host_count, error);
	if (code == SL_OK)
		code = init_parcels(engine, error);
	if (code != SL_OK)
		return code;
	for (unsigned at = 0; at < engine->plan.count; at++)
		engine->can_flush |= engine->plan.steps[at].flush;
	engine->totals =
		calloc(settings->shape.tally_size, sizeof(*engine->totals));
	engine->step_cost =
		calloc(engine->plan.count, sizeof(*engine->step_cost));
	engine->concurrency_ns =
		calloc(settings->workers + 1, sizeof(*engine->concurrency_ns));
	engine->concurrency_read = calloc(settings->workers + 1,
					  sizeof(*engine->concurrency_read));
	engine->busy_read =
		calloc(settings->host_count, sizeof(*engine->busy_read));
	engine->totals_read = calloc(settings->shape.tally_size,
				     sizeof(*engine->totals_read));
	if (!engine->totals || !engine->step_cost || !engine->concurrency_ns ||
	    !engine->concurrency_read || !engine->busy_read ||
	    !engine->totals_read || !init_gates(engine) ||
	    !init_workers(engine))
		return SL_FAIL(error, SL_ENOMEM, "no memory for %u workers",
			       settings->workers);
	share_out_tokens(engine);
	atomic_store(&engine->stop_after, SL_NEVER);
	return SL_OK;
}

enum sl_code sl_engine_create(struct sl_engine **engine,
			      const struct sl_engine_settings *settings,
			      struct sl_error *error)
{
	enum sl_code code;

	*engine = calloc(1, sizeof(**engine));
	if (!*engine)
		return SL_FAIL(error, SL_ENOMEM, "no memory for the engine");
	(*engine)->settings = *settings;
	(*engine)->stop_fd = -1;
	code = init(*engine, error);
	if (code != SL_OK) {
		sl_engine_destroy(*engine);
		*engine = NULL;
	}
	return code;
}

void sl_engine_destroy(struct sl_engine *engine)
{
	if (!engine)
		return;
	for (unsigned at = 0; engine->workers && at < engine->settings.workers;
	     at++) {
		struct sl_worker *worker = &engine->workers[at];

		if (worker->started)
			pthread_join(worker->thread, NULL);
		free(worker->busy);
		free(worker->part_drops);
	}
	free(engine->workers);
	for (unsigned at = 0; engine->gates && at < engine->plan.gates; at++)
		sl_gate_finish(&engine->gates[at]);
	free(engine->gates);
	for (unsigned at = 0; engine->parcels && at < engine->settings.tokens;
	     at++) {
		free(engine->parcels[at].split);
		sl_parcel_finish(&engine->parcels[at]);
	}
	free(engine->parcels);
	sl_plan_finish(&engine->plan);
	free(engine->totals_read);
	free(engine->busy_read);
	free(engine->concurrency_read);
	free(engine->concurrency_ns);
	free(engine->step_cost);
	free(engine->totals);
	pthread_cond_destroy(&engine->done);
	pthread_cond_destroy(&engine->work);
	pthread_mutex_destroy(&engine->lock);
	if (engine->stop_fd >= 0)
		close(engine->stop_fd);
	free(engine);
}

enum sl_code sl_engine_start(struct sl_engine *engine, struct sl_error *error)
{
	void *(*run)(void *) = engine->settings.serial ? sl_engine_work_serially
						       : sl_engine_work;
	int code = 0;

	pthread_mutex_lock(&engine->lock);
	engine->alive = engine->settings.workers;
	engine->busy = engine->settings.workers;
	engine->busy_since = sl_clock_ns();
	for (unsigned at = 0; !code && at < engine->settings.workers; at++) {
		struct sl_worker *worker = &engine->workers[at];

		code = pthread_create(&worker->thread, NULL, run, worker);
		worker->started = !code;
		if (code) {
			/* Those that run find nothing to do and leave. */
			engine->input_done = true;
			engine->alive = at;
			engine->finished = !at;
		}
	}
	pthread_mutex_unlock(&engine->lock);
	if (code)
		return SL_FAIL(error, SL_ENOMEM, "cannot start a thread: %s",
			       strerror(code));
	return SL_OK;
}

bool sl_engine_wait(struct sl_engine *engine, int timeout_ms)
{
	struct timespec until;
	int code = 0;
	bool finished;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += timeout_ms / 1000;
	until.tv_nsec += timeout_ms % 1000 * 1000000L;
	if (until.tv_nsec >= 1000000000) {
		until.tv_sec++;
		until.tv_nsec -= 1000000000;
	}
	pthread_mutex_lock(&engine->lock);
	while (!engine->finished && code != ETIMEDOUT)
		code = timeout_ms < 0
			       ? pthread_cond_wait(&engine->done, &engine->lock)
			       : pthread_cond_timedwait(&engine->done,
							&engine->lock, &until);
	finished = engine->finished;
	pthread_mutex_unlock(&engine->lock);
	return finished;
}

void sl_engine_wake_cutter(struct sl_engine *engine)
{
	const uint64_t one = 1;
	int kept = errno;
	ssize_t unused;

	unused = write(engine->stop_fd, &one, sizeof(one));
	(void)unused; /* it fails only when the counter is full: woken */
	errno = kept;
}

void sl_engine_stop(struct sl_engine *engine)
{
	atomic_store(&engine->stop, true);
	sl_engine_wake_cutter(engine);
}

bool sl_engine_stopped(const struct sl_engine *engine)
{
	return atomic_load(&engine->stop);
}

uint64_t sl_engine_total(const struct sl_engine *engine, size_t tally)
{
	return atomic_load_explicit(&engine->totals[tally],
				    memory_order_relaxed);
}

int64_t sl_engine_elapsed_ns(struct sl_engine *engine)
{
	int64_t started = atomic_load(&engine->started_ns);

	return started ? sl_clock_ns() - started : 0;
}

/* With the lock held. What is still open of the time counts up to now. */
static void read_concurrency(struct sl_engine *engine)
{
	struct sl_engine_result *result = &engine->result_read;
	int64_t now = sl_clock_ns();

	memcpy(engine->concurrency_read, engine->concurrency_ns,
	       (engine->settings.workers + 1) *
		       sizeof(*engine->concurrency_ns));
	result->concurrency_ns = engine->concurrency_read;
	if (engine->finished)
		return;
	result->elapsed_ns = sl_engine_elapsed_ns(engine);
	if (result->elapsed_ns && now > engine->busy_since)
		engine->concurrency_read[engine->busy] +=
			now - engine->busy_since;
}

static void read_busy(struct sl_engine *engine)
{
	size_t hosts = engine->settings.host_count;

	memset(engine->busy_read, 0, hosts * sizeof(*engine->busy_read));
	for (unsigned id = 0; id < engine->settings.workers; id++)
		for (size_t at = 0; at < hosts; at++)
			sl_busy_sum_add(&engine->busy_read[at],
					&engine->workers[id].busy[at]);
}

const struct sl_engine_result *sl_engine_result(struct sl_engine *engine)
{
	struct sl_engine_result *result = &engine->result_read;

	pthread_mutex_lock(&engine->lock);
	memset(result, 0, sizeof(*result));
	if (engine->finished)
		*result = engine->result;
	result->finished = engine->finished;
	read_concurrency(engine);
	pthread_mutex_unlock(&engine->lock);

	for (size_t at = 0; at < engine->settings.shape.tally_size; at++)
		engine->totals_read[at] = sl_engine_total(engine, at);
	read_busy(engine);
	result->totals = engine->totals_read;
	result->busy = engine->busy_read;
	result->chunks =
		atomic_load_explicit(&engine->chunks, memory_order_relaxed);
	sl_histogram_read(&engine->latency, &result->latency);
	return result;
}
