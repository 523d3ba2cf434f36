/* SPDX-License-Identifier: MIT */
/* Whether a machine is quiet enough to measure on, and if not, who disturbs. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "power/session.h"
#include "power/sleep.h"

/* What would show as 0 causes nothing. */
#define CPU_SHOWN 0.005
#define WAKEUPS_SHOWN 0.5

/* ": NAME (PID) 12 % of a CPU, ..." */
static void name_active(struct sl_quiet *quiet, size_t used)
{
	size_t at;

	for (at = 0; at < quiet->active_count && at < 3; at++) {
		const struct sl_activity *one = &quiet->active[at];

		if (one->cpu < CPU_SHOWN)
			break;
		snprintf(quiet->reason + used, sizeof(quiet->reason) - used,
			 "%s %s (%ld) %.0f %% of a CPU", at ? "," : ":",
			 one->name, (long)one->pid, 100 * one->cpu);
		used += strlen(quiet->reason + used);
	}
	if (at == 0)
		snprintf(quiet->reason + used, sizeof(quiet->reason) - used,
			 ", none by a process that is there now");
}

static void name_waking(struct sl_quiet *quiet, size_t used)
{
	for (size_t at = 0; at < quiet->waking_count && at < 3; at++) {
		const struct sl_activity *one = &quiet->waking[at];

		if (one->wakeups_s < WAKEUPS_SHOWN)
			break;
		snprintf(quiet->reason + used, sizeof(quiet->reason) - used,
			 "%s %s (%ld) %.0f wakeups/s", at ? "," : ":",
			 one->name, (long)one->pid, one->wakeups_s);
		used += strlen(quiet->reason + used);
	}
}

static void judge(const struct sl_session_settings *settings,
		  struct sl_quiet *quiet)
{
	const struct sl_idle *idle = &quiet->idle;
	size_t used;

	quiet->quiet = true;
	quiet->reason[0] = '\0';
	/* NAN, what is not known, compares false */
	if (idle->busy > settings->quiet_busy) {
		quiet->quiet = false;
		snprintf(quiet->reason, sizeof(quiet->reason),
			 "the CPUs are %.1f %% busy, %.1f %% are allowed",
			 100 * idle->busy, 100 * settings->quiet_busy);
		name_active(quiet, strlen(quiet->reason));
	}
	if (idle->timer_ms < settings->quiet_timer_ms) {
		used = strlen(quiet->reason);
		snprintf(quiet->reason + used, sizeof(quiet->reason) - used,
			 "%sthe timer rings every %.2f ms, not under %.2f ms "
			 "is normal",
			 quiet->quiet ? "" : "; ", idle->timer_ms,
			 settings->quiet_timer_ms);
		quiet->quiet = false;
		name_waking(quiet, strlen(quiet->reason));
	}
}

enum sl_code sl_session_quiet(const struct sl_session_settings *settings,
			      int cancel_fd, struct sl_report *report,
			      struct sl_error *error)
{
	struct sl_quiet *quiet = &report->quiet;
	struct sl_look before = { 0 }, after = { 0 };
	struct sl_processes then = { 0 }, now = { 0 };
	bool known = sl_processes_read(settings->root, &then, NULL) == SL_OK;
	enum sl_code code = sl_look_take(&before, settings->root, error);

	if (code == SL_OK)
		code = sl_sleep(settings->look_s, cancel_fd, error);
	if (code == SL_OK)
		code = sl_look_take(&after, settings->root, error);
	known = known && sl_processes_read(settings->root, &now, NULL) == SL_OK;
	if (code == SL_OK && known) {
		quiet->active_count =
			sl_processes_active(&then, &now, SL_BY_CPU, getpid(),
					    quiet->active, SL_ACTIVE_SHOWN);
		quiet->waking_count = sl_processes_active(
			&then, &now, SL_BY_WAKEUPS, getpid(), quiet->waking,
			SL_ACTIVE_SHOWN);
	}
	if (code == SL_OK) {
		sl_look_between(&before, &after, &quiet->idle);
		judge(settings, quiet);
	}
	sl_look_finish(&before);
	sl_look_finish(&after);
	sl_processes_finish(&then);
	sl_processes_finish(&now);
	return code;
}
