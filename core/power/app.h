/* SPDX-License-Identifier: MIT */
/** @file
 * The application that is measured: a command of ours, or a process that runs
 * already.
 *
 * A command gets a process group of its own, no standard input, and standard
 * error in place of standard output, which is the report's. It dies with the
 * thread that started it. When it is stopped its group ends, and with
 * sl_app_remove_orphans() every orphan that came to this process, which is a
 * subreaper: nothing is left.
 * Another's process is watched, never ended.
 */
#ifndef SL_POWER_APP_H
#define SL_POWER_APP_H

#include <stdbool.h>
#include <sys/types.h>

#include "sluice/error.h"

/** A zeroed one is no application. */
struct sl_app {
	pid_t pid; /**< 0: there is none; the group's too, if it is ours */
	bool ours;
	int pidfd; /**< readable when it has ended */
	int out; /**< its standard output, if it was asked for; -1 */
	bool ended; /**< it was seen to */
	int status; /**< of wait(), if it is ours and has ended */
};

/** Make orphans ours. Once, before the first start. */
enum sl_code sl_app_adopt_orphans(struct sl_error *error) SL_MUST_CHECK;

/** Whether a command can be found and is executable, as the shell would look
 * for it. SL_EIO: it is not, with the reason. */
enum sl_code sl_app_check(const char *command,
			  struct sl_error *error) SL_MUST_CHECK;

/** Start a command. @p output: read its standard output from app->out.
 * SL_EIO: it cannot start, with the reason. */
enum sl_code sl_app_start(struct sl_app *app, char *const *command, bool output,
			  struct sl_error *error) SL_MUST_CHECK;

/** Watch a process of another's. SL_EIO: there is none. */
enum sl_code sl_app_watch(struct sl_app *app, pid_t pid,
			  struct sl_error *error) SL_MUST_CHECK;

/** app->pidfd is readable: see how it ended. */
void sl_app_reap(struct sl_app *app);

/** End it, if it is ours, with its group, and forget it: SIGTERM, after @p
 * grace_ms SIGKILL. */
void sl_app_stop(struct sl_app *app, int grace_ms);

/** End every child that this process has, orphans that it adopted too. */
void sl_app_remove_orphans(void);

/** Describe how a command ended, "exit code 3", "signal 11". */
void sl_app_describe(int status, char *text, size_t size);

#endif
