/* SPDX-License-Identifier: MIT */
/* One phase: a mark at each end, samples between them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "power/session_private.h"

/* /proc/stat counts hundredths of a second: fewer than ten tell no share. */
#define USE_NS INT64_C(100000000)

/** A phase on its way. */
struct measuring {
	struct sl_phase *phase; /* in the report */
	int64_t began_ns, used_ns;
	double until_s; /* since it began; 0: until the application ends */
	struct sl_energy_mark first, last;
	struct sl_look before, after;
	struct sl_processes before_all, after_all;
	struct sl_cpus then, now; /* for the histogram */
};

static void finish(struct measuring *measuring)
{
	sl_energy_mark_finish(&measuring->first);
	sl_energy_mark_finish(&measuring->last);
	sl_look_finish(&measuring->before);
	sl_look_finish(&measuring->after);
	sl_processes_finish(&measuring->before_all);
	sl_processes_finish(&measuring->after_all);
	sl_cpus_finish(&measuring->then);
	sl_cpus_finish(&measuring->now);
}

/* Which bin each CPU was in since the last time. */
static void sample_use(struct sl_session *session, struct measuring *measuring)
{
	struct sl_cpus swapped = measuring->then;
	int64_t now_ns = sl_clock_ns();

	if (now_ns - measuring->used_ns < USE_NS ||
	    sl_cpus_read(&measuring->now, session->settings->root, NULL) !=
		    SL_OK)
		return;
	for (size_t at = 0; measuring->then.count && at < measuring->now.count;
	     at++) {
		double busy =
			sl_cpus_busy(&measuring->then, &measuring->now, at);

		if (busy >= 0)
			measuring->phase->use[(size_t)fmin(
				SL_USE_BINS - 1, busy * SL_USE_BINS)]++;
	}
	measuring->then = measuring->now;
	measuring->now = swapped;
	measuring->used_ns = now_ns;
}

static enum sl_code sample(struct sl_session *session,
			   struct measuring *measuring,
			   struct sl_energy_mark *mark, struct sl_error *error)
{
	enum sl_code code = sl_energy_mark(session->energy, mark, error);

	if (code == SL_OK)
		code = sl_phase_sample(measuring->phase, mark,
				       measuring->began_ns, error);
	return code;
}

/* @p all: NULL where no application runs. */
static enum sl_code look(struct sl_session *session, struct sl_look *look,
			 struct sl_processes *all,
			 struct sl_temperatures *temperatures,
			 struct sl_error *error)
{
	const char *root = session->settings->root;
	enum sl_code code = sl_temperatures_read(root, temperatures, error);

	if (code == SL_OK)
		code = sl_look_take(look, root, error);
	/* that nothing is known of processes is no failure */
	if (code == SL_OK && all)
		code = sl_processes_read(root, all, error) == SL_ENOMEM
			       ? SL_ENOMEM
			       : SL_OK;
	return code;
}

/* The slow looks first: what follows the mark is the phase. */
static enum sl_code begin(struct sl_session *session,
			  struct measuring *measuring, struct sl_error *error)
{
	struct sl_phase *phase = measuring->phase;
	struct timespec now;
	/* an active phase may start it: what it does is told from before */
	bool runs = session->app.pid || phase->kind == SL_PHASE_ACTIVE;
	enum sl_code code = look(session, &measuring->before,
				 runs ? &measuring->before_all : NULL,
				 &phase->before, error);

	clock_gettime(CLOCK_REALTIME, &now);
	phase->started = (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
	if (code == SL_OK && phase->kind == SL_PHASE_ACTIVE &&
	    session->app.pid && session->work.kind != SL_WORK_NONE) {
		sl_work_seek(&session->work, &session->app);
		code = sl_work_begin(&session->work, error);
	}
	measuring->began_ns = sl_clock_ns();
	if (code == SL_OK)
		code = sample(session, measuring, &measuring->first, error);
	if (code == SL_OK && phase->kind == SL_PHASE_ACTIVE &&
	    !session->app.pid)
		code = sl_session_start(session, error);
	return code;
}

/* Sample until time is up or the application ends, as the phase wants it. */
static enum sl_code run(struct sl_session *session, struct measuring *measuring,
			struct sl_error *error)
{
	struct sl_phase *phase = measuring->phase;
	int64_t step_ns = (int64_t)(session->sample_s * 1e9);
	int64_t until_ns = measuring->until_s > 0
				   ? measuring->began_ns +
					     (int64_t)(measuring->until_s * 1e9)
				   : INT64_MAX;
	bool mind_app = phase->kind == SL_PHASE_ACTIVE || phase->running;

	sample_use(session, measuring);
	for (int64_t next_ns = measuring->began_ns + step_ns;;
	     next_ns += step_ns) {
		enum sl_wake wake;
		enum sl_code code = sl_session_wait(
			session, next_ns < until_ns ? next_ns : until_ns,
			mind_app, &wake, error);

		if (code != SL_OK)
			return code;
		if (wake == SL_WAKE_APP) {
			phase->whole = true;
			return SL_OK;
		}
		if (sl_clock_ns() >= until_ns)
			return SL_OK;
		code = sample(session, measuring, &measuring->last, error);
		if (code != SL_OK)
			return code;
		sample_use(session, measuring);
		if (phase->kind == SL_PHASE_ACTIVE)
			sl_work_seek(&session->work, &session->app);
		while (next_ns + step_ns < sl_clock_ns())
			next_ns += step_ns; /* we were late */
	}
}

static enum sl_code take_work(struct sl_session *session,
			      struct sl_phase *phase, struct sl_error *error)
{
	struct sl_report *report = session->report;
	enum sl_code code;

	if (phase->kind != SL_PHASE_ACTIVE ||
	    session->work.kind == SL_WORK_NONE)
		return SL_OK;
	sl_work_seek(&session->work, &session->app);
	code = sl_work_end(&session->work, &phase->work, error);
	memcpy(report->work_unit, session->work.unit,
	       sizeof(report->work_unit));
	return code;
}

static enum sl_code end(struct sl_session *session, struct measuring *measuring,
			struct sl_error *error)
{
	struct sl_phase *phase = measuring->phase;
	enum sl_code code = sample(session, measuring, &measuring->last, error);

	phase->elapsed_s = (double)(sl_clock_ns() - measuring->began_ns) * 1e-9;
	if (code == SL_OK)
		code = take_work(session, phase, error);
	if (code == SL_OK)
		code = look(session, &measuring->after,
			    session->app.pid ? &measuring->after_all : NULL,
			    &phase->after, error);
	return code;
}

static enum sl_code set_figures(struct sl_session *session,
				struct measuring *measuring,
				struct sl_error *error)
{
	struct sl_phase *phase = measuring->phase;
	enum sl_code code = sl_energy_sum(session->energy, &measuring->first,
					  &measuring->last, &phase->sum, error);

	for (size_t at = 0; code == SL_OK && at < session->report->domain_count;
	     at++)
		code = sl_energy_between(session->energy, at, &measuring->first,
					 &measuring->last, &phase->domains[at],
					 error);
	if (phase->sum.valid)
		phase->elapsed_s = phase->sum.seconds;
	sl_look_between(&measuring->before, &measuring->after, &phase->idle);
	phase->app_wakeups_s =
		session->app.pid ? sl_processes_wakeups(&measuring->before_all,
							&measuring->after_all,
							session->app.pid,
							!session->app.ours)
				 : NAN;
	return code;
}

/* A command that failed has done no work that counts. */
static enum sl_code check_end(struct sl_session *session,
			      const struct sl_phase *phase,
			      struct sl_error *error)
{
	if (!phase->whole)
		return SL_OK;
	if (phase->kind != SL_PHASE_ACTIVE)
		return sl_session_ended(session, "in its idle phase", error);
	if (session->app.ours && session->app.status != 0)
		return sl_session_ended(session, "while it was measured",
					error);
	return SL_OK;
}

enum sl_code sl_session_measure(struct sl_session *session,
				enum sl_phase_kind kind, struct sl_error *error)
{
	struct measuring measuring = {
		.phase = sl_report_add(session->report),
		.until_s = kind == SL_PHASE_ACTIVE
				   ? session->settings->window_s
				   : sl_session_baseline_s(session->settings),
	};
	enum sl_code code;

	if (!measuring.phase)
		return SL_FAIL(error, SL_ENOMEM, "no memory");
	measuring.phase->kind = kind;
	measuring.phase->repeat = session->repeat;
	measuring.phase->running = kind == SL_PHASE_IDLE && session->app.pid;
	sl_session_part(session, sl_phase_word(kind),
			measuring.until_s > 0 ? measuring.until_s : -1);
	code = begin(session, &measuring, error);
	if (code == SL_OK)
		code = run(session, &measuring, error);
	if (code == SL_OK)
		code = check_end(session, measuring.phase, error);
	if (code == SL_OK)
		code = end(session, &measuring, error);
	if (code == SL_OK)
		code = set_figures(session, &measuring, error);
	finish(&measuring);
	if (code != SL_OK)
		sl_report_drop(session->report);
	else if (session->hooks->phase)
		session->hooks->phase(session->hooks->context, measuring.phase);
	return code;
}
