/* SPDX-License-Identifier: MIT */
/** @file
 * A check: whether a change makes the code worse (docs/decisions/0008).
 *
 *     sg_check_run(&settings, store, &check, error);
 *     sg_check_judgement(check)               what it came to
 *     sg_check_destroy(check);
 *
 * Nothing of the repository changes: no file, index, object or ref. What runs,
 * runs in a folder of $TMPDIR, which is removed at the end; those that killed
 * checks left behind are removed by the next one. SIGINT, SIGTERM and SIGHUP
 * are held back meanwhile: they kill the analyzers, and end the check with
 * SL_ESTOPPED. One thread at a time.
 */
#ifndef SG_GATE_CHECK_H
#define SG_GATE_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "gate/judgement.h"
#include "run/jobs.h"
#include "store/store.h"

enum sg_check_mode {
	SG_CHECK_STAGED, /**< the index against HEAD */
	SG_CHECK_WORKTREE, /**< the files as they are against HEAD */
	SG_CHECK_BASE, /**< a commit against its merge base with another */
};

/** What to check. All borrowed until the destroy. */
struct sg_check_settings {
	const char *root; /**< of the work tree; absolute, normalised */
	enum sg_check_mode mode;
	const char *base; /**< of SG_CHECK_BASE: the other commit */
	const char *head; /**< of SG_CHECK_BASE; NULL: HEAD */
	const enum sg_policy *policy; /**< NULL: the configuration's */
	bool alone; /**< hold it against nothing, by its own configuration */
	bool whole; /**< analyse all units, not the affected ones alone */
	bool no_budget; /**< take as long as it takes */
	unsigned jobs; /**< 0: as the configuration says */
	/** As in struct sg_jobs_settings. */
	void (*progress)(void *context, size_t done, size_t all,
			 const struct sg_job *job);
	void *context;
	struct sl_problems *problems; /**< gets what is wrong with the
					   configuration */
	int *signal_number; /**< gets which one came, with SL_ESTOPPED */
};

struct sg_check;

/** Do it. SL_OK: there is a judgement, which may be that it cannot be told.
 * SL_EINVAL: it cannot be asked so: no or a bad configuration, no such commit,
 * a shallow clone, an index with conflicts; the message says what helps.
 * SL_EIO: the system refused. SL_ESTOPPED; SL_ENOMEM. @p check: owned by the
 * caller. */
enum sl_code sg_check_run(const struct sg_check_settings *settings,
			  struct sg_store *store, struct sg_check **check,
			  struct sl_error *error) SL_MUST_CHECK;
void sg_check_destroy(struct sg_check *check); /**< takes NULL */

/** Borrowed from the check. */
const struct sg_judgement *sg_check_judgement(const struct sg_check *check);

/** The text of a file of the tested tree, as sg_source_fn; the context is the
 * check. */
enum sl_code sg_check_source(void *check, const char *path, const char **text,
			     size_t *length, struct sl_error *error);

#endif
