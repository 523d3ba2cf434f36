/* SPDX-License-Identifier: MIT */
/* The protocol, from the first settling to the last baseline. */
#include "power/session.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "power/session_private.h"

enum { GRACE_MS = 5000, SAMPLES_A_WINDOW = 30 };

/* While we wait for something that nobody tells us of. */
#define SEEK_S 0.02
/* Where no command ends a phase and nobody said how long. */
#define BASELINE_S 30.0
#define SAMPLE_MIN_S 0.02
#define SAMPLE_MAX_S 1.0
#define SAMPLE_RUN_S 0.25

double sl_session_baseline_s(const struct sl_session_settings *settings)
{
	if (settings->baseline_s > 0)
		return settings->baseline_s;
	return settings->window_s > 0 ? settings->window_s : BASELINE_S;
}

double sl_session_sample_s(const struct sl_session_settings *settings)
{
	if (settings->sample_s > 0)
		return settings->sample_s;
	if (settings->window_s <= 0)
		return SAMPLE_RUN_S;
	return fmin(SAMPLE_MAX_S,
		    fmax(SAMPLE_MIN_S, settings->window_s / SAMPLES_A_WINDOW));
}

double sl_session_expected_s(const struct sl_session_settings *settings)
{
	double pair_s = settings->settle_s + sl_session_baseline_s(settings);
	double runs = settings->repeats;
	double active_s = settings->window_s;

	if (settings->trigger == SL_TRIGGER_AFTER)
		active_s += settings->after_s;
	return settings->look_s + pair_s +
	       runs * (active_s + pair_s * (settings->idle_command ? 2 : 1));
}

enum sl_code sl_session_ended(const struct sl_session *session,
			      const char *when, struct sl_error *error)
{
	char how[64];

	if (!session->app.ours)
		return SL_FAIL(error, SL_EIO, "process %ld ended %s",
			       (long)session->app.pid, when);
	sl_app_describe(session->app.status, how, sizeof(how));
	return SL_FAIL(error, SL_EIO, "the command ended %s, with %s", when,
		       how);
}

/* ---- the application -------------------------------------------------- */

static pid_t find_named(const struct sl_session_settings *settings)
{
	struct sl_processes all = { 0 };
	pid_t found = 0;

	if (sl_processes_read(settings->root, &all, NULL) == SL_OK)
		for (size_t at = 0; at < all.count && !found; at++)
			if (strcmp(all.list[at].name, settings->name) == 0)
				found = all.list[at].pid;
	sl_processes_finish(&all);
	return found;
}

/* It may not be there yet. */
static enum sl_code await_name(struct sl_session *session, pid_t *pid,
			       struct sl_error *error)
{
	enum sl_code code = SL_OK;

	sl_session_part(session, "wait for the process", -1);
	while (code == SL_OK && !(*pid = find_named(session->settings))) {
		enum sl_wake wake;

		code = sl_session_wait(session, sl_clock_ns() + 200000000,
				       false, &wake, error);
	}
	return code;
}

enum sl_code sl_session_start(struct sl_session *session,
			      struct sl_error *error)
{
	const struct sl_session_settings *settings = session->settings;
	pid_t pid = settings->pid;
	enum sl_code code = sl_work_arm(&session->work, error);

	if (code == SL_OK)
		code = sl_work_arm(&session->start, error);
	if (code != SL_OK)
		return code;
	session->line_came = false;
	session->part_used = 0;
	if (settings->command)
		return sl_app_start(&session->app, settings->command,
				    settings->trigger == SL_TRIGGER_LINE,
				    error);
	if (!pid)
		code = await_name(session, &pid, error);
	return code == SL_OK ? sl_app_watch(&session->app, pid, error) : code;
}

void sl_session_stop(struct sl_session *session)
{
	bool ours = session->app.pid && session->app.ours;

	sl_app_stop(&session->app, GRACE_MS);
	if (ours)
		sl_app_remove_orphans();
}

/* ---- when it becomes active ------------------------------------------- */

/* Its value now; 0 as long as there is none. */
static double start_value(struct sl_session *session)
{
	double value = 0;

	sl_work_seek(&session->start, &session->app);
	if (sl_work_value(&session->start, &value, NULL) != SL_OK)
		return 0;
	return value;
}

static enum sl_code await_counter(struct sl_session *session,
				  struct sl_error *error)
{
	double first = session->app.ours ? 0 : start_value(session);
	enum sl_wake wake = SL_WAKE_TIME;
	enum sl_code code = SL_OK;

	while (code == SL_OK && wake != SL_WAKE_APP &&
	       start_value(session) <= first)
		code = sl_session_wait(session,
				       sl_clock_ns() + (int64_t)(SEEK_S * 1e9),
				       true, &wake, error);
	if (code == SL_OK && wake == SL_WAKE_APP)
		return sl_session_ended(session, "before its counter rose",
					error);
	return code;
}

static enum sl_code await_line(struct sl_session *session,
			       struct sl_error *error)
{
	enum sl_wake wake;
	enum sl_code code;

	session->awaits_line = true;
	code = sl_session_wait(session, INT64_MAX, true, &wake, error);
	session->awaits_line = false;
	if (code == SL_OK && wake == SL_WAKE_APP)
		return sl_session_ended(session, "before its line came", error);
	return code;
}

static enum sl_code await_active(struct sl_session *session,
				 struct sl_error *error)
{
	const struct sl_session_settings *settings = session->settings;

	switch (settings->trigger) {
	case SL_TRIGGER_AFTER:
		return sl_session_settle(session, "wait for the start",
					 settings->after_s, true, error);
	case SL_TRIGGER_LINE:
		sl_session_part(session, "wait for the line", -1);
		return await_line(session, error);
	case SL_TRIGGER_COUNTER:
		sl_session_part(session, "wait for the counter", -1);
		return await_counter(session, error);
	case SL_TRIGGER_NONE:
		break;
	}
	return SL_OK;
}

/* ---- phases ----------------------------------------------------------- */

/* Let it be idle, by a command of the user's. */
static enum sl_code make_idle(struct sl_session *session,
			      struct sl_error *error)
{
	struct sl_app app = session->app, helper;
	enum sl_code code;
	enum sl_wake wake;
	char how[64];

	code = sl_app_start(&helper, session->settings->idle_command, false,
			    error);
	if (code != SL_OK)
		return code;
	session->app = helper;
	sl_session_part(session, "idle command", -1);
	code = sl_session_wait(session, INT64_MAX, true, &wake, error);
	helper = session->app;
	session->app = app;
	if (code == SL_OK && helper.status != 0) {
		sl_app_describe(helper.status, how, sizeof(how));
		code = SL_FAIL(error, SL_EIO, "the idle command ended with %s",
			       how);
	}
	sl_app_stop(&helper, 0);
	return code;
}

static enum sl_code rest(struct sl_session *session, enum sl_phase_kind kind,
			 bool mind_app, struct sl_error *error)
{
	enum sl_code code =
		sl_session_settle(session, "settle",
				  session->settings->settle_s, mind_app, error);

	return code == SL_OK ? sl_session_measure(session, kind, error) : code;
}

static enum sl_code idle(struct sl_session *session, struct sl_error *error)
{
	bool ours = session->app.ours;
	enum sl_code code = SL_OK;

	if (session->settings->idle_command) {
		if (session->app.ended)
			return sl_session_ended(session, "before it was idle",
						error);
		code = make_idle(session, error);
		if (code == SL_OK)
			code = rest(session, SL_PHASE_IDLE, true, error);
	} else if (ours || session->app.ended) {
		sl_session_stop(session);
		return rest(session, SL_PHASE_IDLE, false, error);
	} else {
		return rest(session, SL_PHASE_IDLE, true, error);
	}
	sl_session_stop(session);
	return code;
}

static enum sl_code run_once(struct sl_session *session, struct sl_error *error)
{
	enum sl_code code = SL_OK;

	if (session->repeat == 1 || session->settings->idle_command)
		code = rest(session, SL_PHASE_BASELINE, false, error);
	if (code == SL_OK && (session->settings->trigger != SL_TRIGGER_NONE ||
			      !session->settings->command)) {
		code = sl_session_start(session, error);
		if (code == SL_OK)
			code = await_active(session, error);
	}
	if (code == SL_OK)
		code = sl_session_measure(session, SL_PHASE_ACTIVE, error);
	return code == SL_OK ? idle(session, error) : code;
}

static enum sl_code run_all(struct sl_session *session, struct sl_error *error)
{
	const struct sl_session_settings *settings = session->settings;
	enum sl_code code = SL_OK;

	for (session->repeat = 1;
	     code == SL_OK && session->repeat <= settings->repeats;
	     session->repeat++)
		code = run_once(session, error);
	if (code == SL_OK && settings->idle_command && settings->command)
		code = rest(session, SL_PHASE_BASELINE, false, error);
	return code;
}

/* ---- before and after ------------------------------------------------- */

static enum sl_code compile_line(struct sl_session *session,
				 struct sl_error *error)
{
	const char *text = session->settings->line;
	char why[128];
	int reason;

	if (session->settings->trigger != SL_TRIGGER_LINE)
		return SL_OK;
	reason = regcomp(&session->line, text, REG_EXTENDED | REG_NOSUB);
	if (reason) {
		regerror(reason, &session->line, why, sizeof(why));
		return SL_FAIL(error, SL_EINVAL,
			       "\"%s\" is no regular expression: %s",
			       sl_path_tail(text), why);
	}
	session->has_line = true;
	return SL_OK;
}

static enum sl_code init_work(struct sl_session *session,
			      struct sl_error *error)
{
	const struct sl_session_settings *settings = session->settings;
	enum sl_code code = sl_work_init(&session->work, settings->work, error);

	if (code == SL_OK)
		code = sl_work_init(&session->start,
				    settings->trigger == SL_TRIGGER_COUNTER
					    ? settings->counter
					    : NULL,
				    error);
	if (code == SL_OK && session->start.kind == SL_WORK_FILE)
		code = SL_FAIL(error, SL_EINVAL, "\"%s\" is no counter",
			       sl_path_tail(settings->counter));
	return code;
}

enum sl_code sl_session_check(const struct sl_session_settings *settings,
			      struct sl_error *error)
{
	struct sl_session session = { .settings = settings };
	struct sl_app app = { .pidfd = -1, .out = -1 };
	enum sl_code code = SL_OK;

	if (settings->command)
		code = sl_app_check(settings->command[0], error);
	else if (settings->pid)
		code = sl_app_watch(&app, settings->pid, error);
	sl_app_stop(&app, 0);
	if (code == SL_OK)
		code = init_work(&session, error);
	if (code == SL_OK)
		code = compile_line(&session, error);
	if (session.has_line)
		regfree(&session.line);
	return code;
}

static enum sl_code prepare(struct sl_session *session, struct sl_error *error)
{
	enum sl_code code = init_work(session, error);

	if (code == SL_OK)
		code = compile_line(session, error);
	if (code == SL_OK)
		code = sl_app_adopt_orphans(error);
	if (code == SL_OK)
		code = sl_energy_start(session->energy, session->sample_s,
				       error);
	return code;
}

enum sl_code sl_session_run(const struct sl_session_settings *settings,
			    struct sl_energy *energy, int cancel_fd,
			    const struct sl_session_hooks *hooks,
			    struct sl_report *report, struct sl_error *error)
{
	struct sl_session session = {
		.settings = settings,
		.energy = energy,
		.hooks = hooks,
		.report = report,
		.cancel_fd = cancel_fd,
		.sample_s = sl_session_sample_s(settings),
		.app = { .pidfd = -1, .out = -1 },
		.work = { .notify = -1 },
		.start = { .notify = -1 },
		.what = "",
	};
	enum sl_code code = prepare(&session, error);

	if (code == SL_OK)
		code = run_all(&session, error);
	sl_session_stop(&session);
	sl_energy_stop(energy);
	sl_work_finish(&session.work);
	sl_work_finish(&session.start);
	if (session.has_line)
		regfree(&session.line);
	return code;
}
