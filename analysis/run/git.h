/* SPDX-License-Identifier: MIT */
/** @file
 * git as a program: a command and its output, or a conversation.
 *
 * What it says on standard error is dropped. It inherits the environment, so
 * that GIT_DIR and the like hold, but what would change how diffs are printed,
 * and takes no locks that it can do without. Objects are what they are,
 * whatever `git replace` says.
 */
#ifndef SG_RUN_GIT_H
#define SG_RUN_GIT_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "sluice/buffer.h"
#include "sluice/defs.h"
#include "sluice/error.h"

/** A git that runs. */
struct sg_git {
	pid_t child; /**< -1: none */
	FILE *from; /**< owned; its standard output */
	int to; /**< owned; its standard input, a socket; -1: /dev/null */
};

/** Start "git -C FOLDER ARGUMENT...". @p arguments: NULL at the end; borrowed
 * for the call. @p talks: it is going to be asked. SL_EIO: it cannot be run;
 * SL_ENOMEM. */
enum sl_code sg_git_start(struct sg_git *git, const char *folder,
			  const char *const *arguments, bool talks,
			  struct sl_error *error) SL_MUST_CHECK;

/** How a git is to be run. A zeroed one is as usual. */
struct sg_git_settings {
	bool talks; /**< it is going to be asked */
	bool tells; /**< its output and what it says on standard error come
			 together */
	const char *const *environment; /**< borrowed for the call; "NAME=VALUE"
					     that replace what it inherits; NULL
					     at the end; NULL: none */
};

/** As sg_git_start(). */
enum sl_code sg_git_start_with(struct sg_git *git, const char *folder,
			       const char *const *arguments,
			       const struct sg_git_settings *settings,
			       struct sl_error *error) SL_MUST_CHECK;

/** Write to its input; a git that is gone raises no signal. @return false: it
 * does not listen. */
bool sg_git_ask(struct sg_git *git, const char *text,
		size_t length) SL_MUST_CHECK;

/** Close its input: it knows all. */
void sg_git_hush(struct sg_git *git);

/** Append the rest of its output to @p out, with a NUL behind it. */
enum sl_code sg_git_rest(struct sg_git *git, struct sl_buffer *out,
			 struct sl_error *error) SL_MUST_CHECK;

/** Close its output and wait for its end. @return its exit status; -1: it did
 * not end by itself, or none ran. */
int sg_git_stop(struct sg_git *git);

/** Run a command to its end and append its output to @p out, with a NUL behind
 * it. *status: as sg_git_stop(). */
enum sl_code sg_git_run(const char *folder, const char *const *arguments,
			struct sl_buffer *out, int *status,
			struct sl_error *error) SL_MUST_CHECK;

/** Run a command that prints a line. *line: owned, without its newline; NULL:
 * it failed, or printed something else. */
enum sl_code sg_git_line(const char *folder, const char *const *arguments,
			 char **line, struct sl_error *error) SL_MUST_CHECK;

#endif
