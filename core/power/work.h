/* SPDX-License-Identifier: MIT */
/** @file
 * The work that an application did: a number that it writes to a file, or a
 * counter that it publishes (sluice/counter.h).
 *
 * A file holds what was done since the application started, and may be written
 * again and again. What an earlier run left in it does not count. A counter is
 * one of the application's processes; its file is held open, so that its last
 * value can be read after the application has ended.
 */
#ifndef SL_POWER_WORK_H
#define SL_POWER_WORK_H

#include <stdbool.h>
#include <sys/stat.h>

#include "power/app.h"
#include "sluice/counter.h"
#include "sluice/error.h"

enum sl_work_kind { SL_WORK_NONE, SL_WORK_FILE, SL_WORK_COUNTER };

/** A zeroed one is no work. */
struct sl_work {
	enum sl_work_kind kind;
	const char *what; /**< the path, or NAME; borrowed */
	char program[SL_COUNTER_PROGRAM]; /**< "": any */
	char unit[SL_COUNTER_UNIT]; /**< "": unknown, or not yet */
	int notify; /**< inotify: counter files appear; -1 */
	struct stat before; /**< of the file, when the application started */
	bool was_there;
	struct sl_counter_reader *reader; /**< owned; NULL: not found yet */
	double begin; /**< value where the measurement began */
};

/** Take "file:PATH", "counter:NAME", "PROGRAM/NAME" or one of these without the
 * word: what exists or begins with '/' or '.' is a file. NULL: no work. Fails
 * with SL_EINVAL. */
enum sl_code sl_work_init(struct sl_work *work, const char *text,
			  struct sl_error *error) SL_MUST_CHECK;
void sl_work_finish(struct sl_work *work);

/** Before the application starts: forget the last one. */
enum sl_code sl_work_arm(struct sl_work *work,
			 struct sl_error *error) SL_MUST_CHECK;

/** Look for the counter, if it is one and was not found yet; when work->notify
 * is readable, and now and then. @return whether there is nothing to look for
 * any more. */
bool sl_work_seek(struct sl_work *work, const struct sl_app *app);

/** The value now. SL_END: there is none yet. */
enum sl_code sl_work_value(struct sl_work *work, double *value,
			   struct sl_error *error) SL_MUST_CHECK;

/** The measurement begins now. What was done before does not count. */
enum sl_code sl_work_begin(struct sl_work *work,
			   struct sl_error *error) SL_MUST_CHECK;
/** It ends now: set @p done. A work that cannot be read is an error. */
enum sl_code sl_work_end(struct sl_work *work, double *done,
			 struct sl_error *error) SL_MUST_CHECK;

#endif
