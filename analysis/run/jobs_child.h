/* SPDX-License-Identifier: MIT */
/** @file
 * One process of run/jobs.h: how it is born and how it is buried.
 */
#ifndef SG_RUN_JOBS_CHILD_H
#define SG_RUN_JOBS_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "run/jobs.h"

/** @return a copy of the environment for children: no GIT_*, nothing that makes
 * a compiler write files of its own accord, LC_ALL=C, @p temp as TMPDIR if it
 * is not NULL. Owned, one allocation; its other strings are borrowed from the
 * environment. NULL: no memory. */
char **sg_child_environment(const char *temp);

/** Start the process of @p job, a leader of a group of its own. SL_END: it
 * cannot be run; *reason is errno. SL_EIO: the system refused, or the folder or
 * a file cannot be made. */
enum sl_code sg_child_start(const struct sg_job *job, char *const *environment,
			    pid_t *child, int *reason,
			    struct sl_error *error) SL_MUST_CHECK;

/** Look for the end of @p child, or wait for it. Whatever of its group lives
 * on then is killed, and waited for as far as it is ours to wait for. *about:
 * what waitid() tells. @return false: it runs. */
bool sg_child_reap(pid_t child, bool wait, siginfo_t *about);

/** Kill a group. */
void sg_child_kill(pid_t child);

#endif
