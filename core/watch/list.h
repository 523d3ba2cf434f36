/* SPDX-License-Identifier: MIT */
/** @file
 * The programs that publish counters in a folder, each with what is known of
 * it; and which of them is looked at.
 *
 * Files stay open, so that the last figures of a program that ends and removes
 * its file can still be read. Not thread-safe.
 */
#ifndef SL_WATCH_LIST_H
#define SL_WATCH_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "watch/program.h"

/** So many at once; programs that have ended make room for others. */
#define SL_WATCH_PROGRAMS 64

struct sl_watch_item {
	struct sl_watch_program program;
	struct sl_counter_reader *reader; /**< owned */
	char *path; /**< owned */
};

/** Zeroed, with the first three set or not, it is ready. */
struct sl_watch_list {
	const char *folder; /**< borrowed; NULL: the user's */
	const char *name; /**< only programs called so; NULL: all */
	int64_t process; /**< only this one; 0: all */
	struct sl_watch_item *items[SL_WATCH_PROGRAMS]; /**< owned */
	size_t count;
	size_t chosen; /**< below count, if that is not 0 */
	bool picked; /**< by the user: nothing else is chosen by itself */
	size_t unreadable; /**< files that are no counter files or cannot be
				read */
	char why[512]; /**< of the last of them, with its name */
	size_t left_out; /**< programs that there was no room for */
};

/** Read all counters anew, and look for programs that have come. Without one
 * picked, the newest pipeline that runs is chosen, else the newest program; a
 * pipeline that was chosen stays so when it ends. SL_EIO: the folder cannot be
 * read; SL_ENOMEM. */
enum sl_code sl_watch_refresh(struct sl_watch_list *list,
			      struct sl_error *error) SL_MUST_CHECK;

/** Look at the next one, or with -1 the one before. */
void sl_watch_choose(struct sl_watch_list *list, int step);

/** The program that is looked at, or NULL. */
struct sl_watch_program *sl_watch_chosen(struct sl_watch_list *list);

void sl_watch_list_finish(struct sl_watch_list *list);

#endif
