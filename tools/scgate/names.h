/* SPDX-License-Identifier: MIT */
/** @file
 * How runs are named on the command line.
 */
#ifndef SCGATE_NAMES_H
#define SCGATE_NAMES_H

#include "store/store.h"

/** Refuse to call a run what means another one, so that it could never be
 * asked for. @p name: may be NULL. @return -1: go on; else the exit code, and
 * all is said. */
int scgate_check_name(const char *command, const char *name);

/** Find the run that @p text means: what sg_store_run_named() knows; else what
 * git, in the current folder, knows as a commit. Of several runs of a commit it
 * is the last, which is said on standard error as from @p command. SL_EINVAL:
 * there is none. */
enum sl_code scgate_find_run(const char *command, struct sg_store *store,
			     const char *text, int64_t *run,
			     struct sl_error *error) SL_MUST_CHECK;

/** Say on standard error "run 9 (cppcheck-xml, complete) against run 7", and
 * @p end; of the base also what differs of that. @p base: 0: the one that the
 * run was held against when it was imported, if any. */
enum sl_code scgate_say_runs(struct sg_store *store, int64_t run, int64_t base,
			     const char *end,
			     struct sl_error *error) SL_MUST_CHECK;

/** Say on standard error if run @p run is incomplete: what it does not have may
 * be there all the same. */
enum sl_code scgate_warn_of(const char *command, struct sg_store *store,
			    int64_t run, struct sl_error *error) SL_MUST_CHECK;

#endif
