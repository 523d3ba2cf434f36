/* SPDX-License-Identifier: MIT */
/** @file
 * The protocol: settle, baseline, application active, settle, application idle,
 * again and again. It sleeps in the kernel between the samples.
 *
 *     settle, baseline                      before the first run
 *     active                                the command, or a window of it
 *     settle, idle                          with an idle command: while the
 *                                           application runs; else after its
 *                                           end, where idle is the next
 *                                           baseline as well
 *     settle, baseline                      with an idle command
 *
 * A run that ends before its window is measured whole.
 */
#ifndef SL_POWER_SESSION_H
#define SL_POWER_SESSION_H

#include <stdbool.h>
#include <sys/types.h>

#include "power/report.h"
#include "sluice/energy.h"
#include "sluice/error.h"

enum sl_trigger {
	SL_TRIGGER_NONE, /**< active from the application's start on */
	SL_TRIGGER_AFTER, /**< some seconds later */
	SL_TRIGGER_LINE, /**< when it has printed a line */
	SL_TRIGGER_COUNTER, /**< when its counter rises */
};

/** All texts are borrowed. */
struct sl_session_settings {
	const char *root; /**< of /sys and /proc, for what is observed */
	double settle_s, window_s; /**< window 0: the whole run */
	double baseline_s; /**< of the other phases; 0: the window, or 30 s */
	double sample_s; /**< between samples; 0: chosen */
	unsigned repeats;
	char *const *command; /**< NULL: a process that runs */
	pid_t pid; /**< of it; 0: the one that is called `name` */
	const char *name;
	enum sl_trigger trigger;
	double after_s;
	const char *line; /**< an extended regular expression */
	const char *counter;
	char *const *idle_command; /**< NULL: none */
	const char *work; /**< see sl_work_init(); NULL: none */
	double quiet_busy; /**< share of the CPUs that may be busy */
	double quiet_timer_ms; /**< shortest timer period */
	double look_s; /**< how long to look whether all is quiet */
};

/** Where a session is. */
struct sl_step {
	const char *what; /**< "settle", "baseline", ... */
	unsigned repeat, repeats;
	double left_s; /**< of this part; negative: until the command ends */
};

/** Whoever watches. Each may be NULL. */
struct sl_session_hooks {
	void (*step)(void *context,
		     const struct sl_step *step); /**< about once
						       a second */
	void (*phase)(void *context, const struct sl_phase *phase); /**< it is
								 finished */
	void *context;
};

/** What can be known to fail before anything is measured. SL_EINVAL, SL_EIO. */
enum sl_code sl_session_check(const struct sl_session_settings *settings,
			      struct sl_error *error) SL_MUST_CHECK;

/** @return seconds of a phase that is not active. */
double sl_session_baseline_s(const struct sl_session_settings *settings);

/** @return seconds between two samples. */
double sl_session_sample_s(const struct sl_session_settings *settings);

/** @return seconds that the session takes; the runs of the command come on top
 * of it where the window is the whole run, and what it takes until it is
 * active. */
double sl_session_expected_s(const struct sl_session_settings *settings);

/** Look for settings->look_s whether the machine is quiet; sets report->quiet.
 * Until then @p cancel_fd, readable, ends it: SL_ESTOPPED. */
enum sl_code sl_session_quiet(const struct sl_session_settings *settings,
			      int cancel_fd, struct sl_report *report,
			      struct sl_error *error) SL_MUST_CHECK;

/** Run the protocol; the phases that were finished are in the report, whatever
 * happens. @p energy has its meters open and was not started. No child is left.
 * SL_ESTOPPED: cancelled; SL_EINVAL: settings; SL_EIO: the application cannot
 * start, failed or ended too early; SL_ENOMEM. */
enum sl_code sl_session_run(const struct sl_session_settings *settings,
			    struct sl_energy *energy, int cancel_fd,
			    const struct sl_session_hooks *hooks,
			    struct sl_report *report,
			    struct sl_error *error) SL_MUST_CHECK;

#endif
