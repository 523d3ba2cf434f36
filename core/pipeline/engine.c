/* SPDX-License-Identifier: MIT */
/* The engine: what a worker does with a chunk, and what it does next. */
#include "base/clock.h"
#include "pipeline/engine_private.h"
#include "pipeline/probes.h"

/* About half of what it takes to wake a thread on another CPU. */
#define LOOK_NS 30000

/* The other half of this core may have it. */
#if defined(__x86_64__)
#define RELAX() __builtin_ia32_pause()
#elif defined(__aarch64__)
#define RELAX() __asm__ volatile("yield")
#else
#define RELAX() ((void)0)
#endif

static void push(struct sl_parcel_list *list, struct sl_parcel *parcel)
{
	parcel->next = NULL;
	if (list->tail)
		list->tail->next = parcel;
	else
		list->head = parcel;
	list->tail = parcel;
}

static struct sl_parcel *pop(struct sl_parcel_list *list)
{
	struct sl_parcel *parcel = list->head;

	if (parcel) {
		list->head = parcel->next;
		if (!list->head)
			list->tail = NULL;
	}
	return parcel;
}

void sl_engine_account(struct sl_engine *engine, int change)
{
	int64_t now = sl_clock_ns();

	if (engine->busy_since)
		engine->concurrency_ns[engine->busy] +=
			now - engine->busy_since;
	engine->busy_since = now;
	engine->busy = (unsigned)((int)engine->busy + change);
}

bool sl_engine_tell(struct sl_engine *engine)
{
	struct sl_worker *looking = engine->looking;

	if (!looking ||
	    atomic_load_explicit(&looking->told, memory_order_relaxed))
		return atomic_load(&engine->sleeping);
	atomic_store_explicit(&looking->told, true, memory_order_relaxed);
	return false;
}

/* ---- one chunk -------------------------------------------------------- */

static void step_is_over(struct sl_worker *worker, struct sl_parcel *parcel)
{
	struct sl_engine *engine = worker->engine;

	sl_step_end(&engine->plan.steps[parcel->step], parcel);
	if (parcel->host.failed_at != SL_NEVER)
		sl_engine_lower_stop(engine, parcel->chunk.sequence);
}

static void add_totals(struct sl_engine *engine, const uint64_t *tally)
{
	for (size_t at = 0; at < engine->settings.shape.tally_size; at++) {
		uint64_t total = atomic_load_explicit(&engine->totals[at],
						      memory_order_relaxed);

		atomic_store_explicit(&engine->totals[at], total + tally[at],
				      memory_order_relaxed);
	}
}

/* Behind the sink, still inside its gate: so in order, and one at a time. */
static void settle(struct sl_engine *engine, struct sl_parcel *parcel)
{
	if (!sl_engine_wants(engine, parcel))
		return;
	add_totals(engine, parcel->host.tally);
	if (engine->settings.settled)
		engine->settings.settled(engine->settings.context);
	if (!parcel->flush) {
		SL_BUSY_ADD(engine->chunks, 1);
		sl_histogram_add(&engine->latency,
				 (uint64_t)(sl_clock_ns() - parcel->cut_ns));
	}
	if (parcel->host.failed_at == SL_NEVER)
		return;
	pthread_mutex_lock(&engine->lock);
	engine->result.failed = true;
	engine->result.error = parcel->host.error;
	engine->result.failed_by = parcel->host.failed_by;
	engine->result.failed_at = parcel->host.failed_at;
	engine->input_done = true;
	pthread_mutex_unlock(&engine->lock);
}

/* Run the step at which the parcel stands. @return whether it is complete and
 * still ours. */
static bool run_step(struct sl_worker *worker, struct sl_parcel *parcel)
{
	struct sl_engine *engine = worker->engine;
	const struct sl_plan_step *step = &engine->plan.steps[parcel->step];
	struct sl_stopwatch watch;
	bool ours;

	if (!sl_engine_wants(engine, parcel) ||
	    (parcel->flush && step->host->source))
		return true;
	watch = sl_stopwatch_start(parcel->sampled);
	sl_step_begin(step, &parcel->chunk, worker->id);
	ours = sl_split_run(worker, parcel);
	if (ours)
		step_is_over(worker, parcel);
	sl_engine_stop_watch(worker, &watch, 0, step->host);
	return ours;
}

/* A parcel that leaves a gate lets the next one in: it goes back to the worker
 * that carried it, in whose cache it is, unless another is idle. */
static void leave_gate(struct sl_engine *engine, struct sl_gate *gate,
		       uint64_t sequence)
{
	struct sl_parcel *next = sl_gate_leave(gate, sequence);
	bool wake;

	if (!next)
		return;
	pthread_mutex_lock(&engine->lock);
	push(&engine->workers[next->worker].ready, next);
	wake = sl_engine_tell(engine);
	pthread_mutex_unlock(&engine->lock);
	if (wake)
		pthread_cond_signal(&engine->work);
}

static void give_back(struct sl_engine *engine, struct sl_parcel *parcel)
{
	pthread_mutex_lock(&engine->lock);
	sl_engine_put_token(engine, parcel);
	engine->in_flight--;
	if (parcel->flush_more && !engine->result.failed)
		engine->flush_pending = true;
	pthread_mutex_unlock(&engine->lock);
}

/* Carry a parcel as far as it goes: to a gate where it is early, into a step
 * that others finish, or to the end. `inside`: it stands in front of a gate
 * and has been let in already. */
static void carry(struct sl_worker *worker, struct sl_parcel *parcel,
		  bool inside)
{
	struct sl_engine *engine = worker->engine;
	uint64_t sequence = parcel->chunk.sequence;

	parcel->worker = worker->id;
	while (parcel->step < engine->plan.count) {
		const struct sl_plan_step *step =
			&engine->plan.steps[parcel->step];
		struct sl_gate *gate = &engine->gates[step->gate];

		if (step->serial && !inside &&
		    !sl_gate_enter(gate, sequence, parcel))
			return;
		inside = false;
		if (!run_step(worker, parcel))
			return;
		parcel->step++;
		if (parcel->step == engine->plan.count)
			settle(engine, parcel);
		if (step->serial)
			leave_gate(engine, gate, sequence);
	}
	give_back(engine, parcel);
}

/* ---- a worker --------------------------------------------------------- */

/* What a worker found to do. */
struct job {
	struct sl_parcel *parcel;
	bool inside; /* it was released at a gate */
	bool help; /* it is in the middle of a step that others share */
};

static struct sl_parcel *take_ready(struct sl_worker *worker)
{
	struct sl_engine *engine = worker->engine;
	struct sl_parcel *parcel = pop(&worker->ready);

	for (unsigned at = 0; !parcel && at < engine->settings.workers; at++)
		parcel = pop(&engine->workers[at].ready);
	return parcel;
}

/* With the lock held. */
static bool is_over(const struct sl_engine *engine)
{
	return engine->input_done && !engine->flush_pending &&
	       !engine->cutting && !engine->in_flight;
}

/* With the lock held: what is oldest first. A new cut comes before helping,
 * because whole chunks need no joining. */
static struct job find_job(struct sl_worker *worker)
{
	struct sl_engine *engine = worker->engine;
	struct job job = { NULL, false, false };

	job.parcel = take_ready(worker);
	job.inside = job.parcel;
	while (!job.parcel && sl_engine_can_cut(engine))
		job.parcel = sl_engine_next_cut(worker);
	if (!job.parcel) {
		job.parcel = sl_split_join(worker);
		job.help = job.parcel;
	}
	return job;
}

/* With the lock held. */
static bool more_to_do(const struct sl_engine *engine)
{
	return sl_engine_can_cut(engine) || engine->offers;
}

static void do_job(struct sl_worker *worker, struct job job)
{
	struct sl_engine *engine = worker->engine;
	const struct sl_plan_step *step;
	struct sl_stopwatch watch;
	bool complete;

	if (!job.help) {
		carry(worker, job.parcel, job.inside);
		return;
	}
	step = &engine->plan.steps[job.parcel->step];
	watch = sl_stopwatch_start(job.parcel->sampled);
	complete = sl_split_help(worker, job.parcel);
	if (complete)
		step_is_over(worker, job.parcel);
	sl_engine_stop_watch(worker, &watch, 0, step->host);
	if (complete) {
		job.parcel->step++;
		carry(worker, job.parcel, false);
	}
}

/* To wake a sleeper takes longer than most waits at a gate or for a cut. So one
 * worker at a time stays awake before it sleeps, and watches a word of its own
 * that whoever has something for it writes. With the lock held at entry and
 * exit, and free meanwhile. */
static void look_a_while(struct sl_worker *worker)
{
	struct sl_engine *engine = worker->engine;
	int64_t until = sl_clock_ns() + LOOK_NS;

	engine->looking = worker;
	atomic_store_explicit(&worker->told, false, memory_order_relaxed);
	sl_engine_account(engine, -1);
	pthread_mutex_unlock(&engine->lock);
	while (!atomic_load_explicit(&worker->told, memory_order_relaxed) &&
	       sl_clock_ns() < until)
		RELAX();
	pthread_mutex_lock(&engine->lock);
	sl_engine_account(engine, 1);
	engine->looking = NULL;
}

static void sleep_a_while(struct sl_engine *engine)
{
	atomic_fetch_add(&engine->sleeping, 1);
	sl_engine_account(engine, -1);
	pthread_cond_wait(&engine->work, &engine->lock);
	sl_engine_account(engine, 1);
	atomic_fetch_sub(&engine->sleeping, 1);
}

static void end_sink(struct sl_engine *engine)
{
	const struct sl_host *sink =
		engine->settings.hosts[engine->settings.host_count - 1];
	struct sl_error error = { .code = SL_OK };
	enum sl_code code;

	code = sink->sink->end ? sink->sink->end(sink->state, &error) : SL_OK;
	if (code == SL_OK || engine->result.failed)
		return;
	sl_error_complete(&error, code);
	engine->result.failed = true;
	engine->result.error = error;
	engine->result.failed_by = sink;
	engine->result.failed_at = SL_NEVER;
}

/* The last worker to leave ends the run. */
static void finish(struct sl_engine *engine)
{
	int64_t started;

	pthread_mutex_lock(&engine->lock);
	sl_engine_account(engine, 0);
	started = atomic_load(&engine->started_ns);
	engine->result.elapsed_ns = started ? engine->busy_since - started : 0;
	pthread_mutex_unlock(&engine->lock);
	sl_probe_run_end();
	if (engine->settings.ends)
		engine->settings.ends(engine->settings.context);
	end_sink(engine);
	pthread_mutex_lock(&engine->lock);
	engine->finished = true;
	pthread_mutex_unlock(&engine->lock);
	pthread_cond_broadcast(&engine->done);
}

void *sl_engine_work(void *argument)
{
	struct sl_worker *worker = argument;
	struct sl_engine *engine = worker->engine;
	bool looked = false, last;

	pthread_mutex_lock(&engine->lock);
	while (!is_over(engine)) {
		struct job job = find_job(worker);

		if (job.parcel) {
			bool wake =
				more_to_do(engine) && sl_engine_tell(engine);

			pthread_mutex_unlock(&engine->lock);
			if (wake)
				pthread_cond_signal(&engine->work);
			do_job(worker, job);
			looked = false;
			pthread_mutex_lock(&engine->lock);
		} else if (is_over(engine)) {
			break;
		} else if (!looked && engine->settings.look &&
			   !engine->looking) {
			look_a_while(worker);
			looked = true;
		} else {
			sleep_a_while(engine);
			looked = false;
		}
	}
	last = --engine->alive == 0;
	pthread_mutex_unlock(&engine->lock);
	pthread_cond_broadcast(&engine->work);
	if (last)
		finish(engine);
	return NULL;
}

/* The plain loop. */
void *sl_engine_work_serially(void *argument)
{
	struct sl_worker *worker = argument;
	struct sl_engine *engine = worker->engine;

	pthread_mutex_lock(&engine->lock);
	while (!is_over(engine)) {
		struct sl_parcel *parcel = sl_engine_can_cut(engine)
						   ? sl_engine_next_cut(worker)
						   : NULL;

		if (!parcel)
			continue;
		pthread_mutex_unlock(&engine->lock);
		for (; parcel->step < engine->plan.count; parcel->step++)
			run_step(worker, parcel);
		settle(engine, parcel);
		give_back(engine, parcel);
		pthread_mutex_lock(&engine->lock);
	}
	pthread_mutex_unlock(&engine->lock);
	finish(engine);
	return NULL;
}
