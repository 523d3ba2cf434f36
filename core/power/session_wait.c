/* SPDX-License-Identifier: MIT */
/* Waiting: asleep in the kernel until time is up, the application ends or
 * prints its line, or somebody cancels. */
#define _GNU_SOURCE /* ppoll() */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "power/session_private.h"

#define STEP_NS INT64_C(1000000000)

enum { CANCEL, APP, OUTPUT, COUNTERS, WATCHED };

void sl_session_part(struct sl_session *session, const char *what,
		     double seconds)
{
	session->what = what;
	session->part_ends_ns =
		seconds < 0 ? 0 : sl_clock_ns() + (int64_t)(seconds * 1e9);
	session->told_ns = 0;
}

static void tell(struct sl_session *session, int64_t now_ns)
{
	const struct sl_session_hooks *hooks = session->hooks;
	struct sl_step step = {
		.what = session->what,
		.repeat = session->repeat,
		.repeats = session->settings->repeats,
		.left_s = -1,
	};

	if (!hooks->step || now_ns - session->told_ns < STEP_NS)
		return;
	if (session->part_ends_ns)
		step.left_s = (double)(session->part_ends_ns - now_ns) * 1e-9;
	if (session->part_ends_ns && step.left_s < 0)
		step.left_s = 0;
	session->told_ns = now_ns;
	hooks->step(hooks->context, &step);
}

/* ---- the application's output ----------------------------------------- */

static void end_line(struct sl_session *session)
{
	session->part[session->part_used] = '\0';
	if (session->has_line &&
	    regexec(&session->line, session->part, 0, NULL, 0) == 0)
		session->line_came = true;
	session->part_used = 0;
}

static void take_output(struct sl_session *session, const char *bytes,
			size_t count)
{
	for (size_t at = 0; at < count; at++) {
		if (bytes[at] == '\n' || session->part_used == SL_LINE_ROOM - 1)
			end_line(session);
		if (bytes[at] != '\n')
			session->part[session->part_used++] = bytes[at];
	}
}

/* Pass on what it printed; whether that can be done is its reader's matter. */
static void drain_output(struct sl_session *session)
{
	char bytes[4096];
	ssize_t got;

	while ((got = read(session->app.out, bytes, sizeof(bytes))) > 0) {
		take_output(session, bytes, (size_t)got);
		for (ssize_t at = 0; at < got;) {
			ssize_t put = write(STDERR_FILENO, bytes + at,
					    (size_t)(got - at));

			if (put <= 0)
				break;
			at += put;
		}
	}
	if (got == 0) {
		close(session->app.out);
		session->app.out = -1;
	}
}

/* ---- waiting ---------------------------------------------------------- */

static int64_t next_wake_ns(const struct sl_session *session, int64_t until_ns)
{
	int64_t step_ns = session->told_ns + STEP_NS;

	if (session->hooks->step && (step_ns < until_ns))
		return step_ns;
	return until_ns;
}

static void sleep_for(struct pollfd *fds, int64_t ns)
{
	struct timespec timeout = { ns / 1000000000, (long)(ns % 1000000000) };

	if (ppoll(fds, WATCHED, &timeout, NULL) <= 0)
		for (int at = 0; at < WATCHED; at++)
			fds[at].revents = 0;
}

enum sl_code sl_session_wait(struct sl_session *session, int64_t until_ns,
			     bool mind_app, enum sl_wake *wake,
			     struct sl_error *error)
{
	*wake = SL_WAKE_TIME;
	for (;;) {
		struct sl_app *app = &session->app;
		bool alive = app->pid && !app->ended;
		struct pollfd fds[WATCHED] = {
			[CANCEL] = { session->cancel_fd, POLLIN, 0 },
			[APP] = { alive ? app->pidfd : -1, POLLIN, 0 },
			[OUTPUT] = { app->pid ? app->out : -1, POLLIN, 0 },
			[COUNTERS] = { session->work.reader
					       ? -1
					       : session->work.notify,
				       POLLIN, 0 },
		};
		int64_t now_ns = sl_clock_ns();
		int64_t left_ns = next_wake_ns(session, until_ns) - now_ns;

		if (mind_app && app->pid && app->ended) {
			*wake = SL_WAKE_APP;
			return SL_OK;
		}
		sleep_for(fds, left_ns > 0 ? left_ns : 0);
		if (fds[CANCEL].revents)
			return SL_FAIL(error, SL_ESTOPPED, "cancelled");
		if (fds[OUTPUT].revents)
			drain_output(session);
		if (fds[COUNTERS].revents)
			sl_work_seek(&session->work, app);
		if (fds[APP].revents)
			sl_app_reap(app);
		if (session->awaits_line && session->line_came) {
			*wake = SL_WAKE_LINE;
			return SL_OK;
		}
		now_ns = sl_clock_ns();
		tell(session, now_ns);
		if (now_ns >= until_ns && !(mind_app && app->ended))
			return SL_OK;
	}
}

enum sl_code sl_session_settle(struct sl_session *session, const char *what,
			       double seconds, bool mind_app,
			       struct sl_error *error)
{
	enum sl_wake wake;
	enum sl_code code;

	sl_session_part(session, what, seconds);
	code = sl_session_wait(session, session->part_ends_ns, mind_app, &wake,
			       error);
	if (code == SL_OK && wake == SL_WAKE_APP)
		return sl_session_ended(session, "while it was to settle",
					error);
	return code;
}
