/* SPDX-License-Identifier: MIT */
/** @file
 * All that the store knows of one finding, as one run has it.
 */
#ifndef SG_STORE_SHOW_H
#define SG_STORE_SHOW_H

#include <stddef.h>
#include <stdint.h>

#include "gate/suppressions.h"
#include "read/finding.h"
#include "sluice/defs.h"
#include "store/store.h"

/** What became of a finding in a run. */
struct sg_shown_run {
	int64_t run; /**< its id */
	const char *verdict; /**< same, new, fixed, unknown */
};

/** All texts are borrowed from it; NULL: not given. */
struct sg_shown {
	int64_t finding; /**< its number */
	int64_t run; /**< the run that the rest is of */
	const char *verdict; /**< in that run: same, new, fixed, unknown */
	const char *run_commit;
	/** Of the run that saw it at its place: its source is there. */
	const char *seen_commit, *seen_root;
	int64_t run_time; /**< seconds since 1970, UTC */
	/** What the tool said; of a fixed or unknown one, when it last did.
	 * `suppressed` is the report's word. `units` and `repeats` are those
	 * of all results of the run that have it. */
	struct sg_finding said;
	/** Of its fingerprint; zero: it is bare, or of another version. */
	struct sg_hash line_hash, window_hash;
	int64_t first_time; /**< of the run that first had it, as run_time */
	int64_t first_run; /**< that run; 0: it was pruned */
	const char *first_commit;
	const struct sg_shown_run *history; /**< the oldest run first */
	size_t history_count;
	/** The entry that the run held against it, as the tracked file had it
	 * then, without function and hashes; NULL: none. */
	const struct sg_suppression *entry;
	const char *entry_state; /**< active, expired; NULL: no entry */
};

/** Tell of @p finding as @p run has it; 0: the last run that tells of it.
 * SL_EINVAL: there is no such finding, or the run does not tell of it; *error
 * says which was the last. @p shown: owned, for sg_shown_destroy(). */
enum sl_code sg_store_show(struct sg_store *store, int64_t finding, int64_t run,
			   struct sg_shown **shown,
			   struct sl_error *error) SL_MUST_CHECK;
void sg_shown_destroy(struct sg_shown *shown); /**< takes NULL */

/** How many there are with the rule, path, line, function and words of a
 * finding, in its run. */
struct sg_equals {
	int64_t findings; /**< open ones without an entry, itself too */
	int64_t entries; /**< that the run held against others, of its words */
};

/** Count what cannot be told from @p shown by the words of an entry. */
enum sl_code sg_store_equals(struct sg_store *store,
			     const struct sg_shown *shown,
			     struct sg_equals *equals,
			     struct sl_error *error) SL_MUST_CHECK;

#endif
