/* SPDX-License-Identifier: MIT */
/** @file
 * Which findings of a run are those of its base.
 *
 * Old and new findings are paired one to one, as multisets: of three equal
 * ones where two were, one is new. Old places are first mapped to the new tree
 * (map.h). Then, in this order, each step with what the ones before left:
 *
 *     1  K1 at the mapped line
 *     2  rule and masked message at the mapped line
 *     3  K1, the nearest first, min(old, new) pairs
 *     4  K3, the nearest first, min(old, new) pairs
 *     5  K2, min(old, new) pairs in the order of paths and lines
 *     6  K4, where it is unique on both sides
 *
 * In steps 3 and 4 the nearest get partners, but no two pairs of equal keys
 * cross. A path in a key is the mapped one. A line that the diff replaced has
 * no mapped line in steps 1 and 2, and for distances stands about where its
 * replacement is. Among candidates of step 1 one whose very words are
 * unchanged goes first. Bare fingerprints, which know no source, meet only
 * bare ones, and only in steps 2 and 4.
 *
 * What stays unmatched is *new* among the new; among the old *fixed* if its
 * rule and all its units were analysed healthily, else *unknown*. An old
 * finding is unknown, too, if a finding of the same K3 is left that it could
 * not be compared with, because only one of the two is bare.
 *
 * The result depends on what the findings are, not on their order. Findings
 * that are equal in all fields should have been folded before.
 */
#ifndef SG_MATCH_MATCH_H
#define SG_MATCH_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "match/fingerprint.h"
#include "match/map.h"
#include "sluice/defs.h"
#include "sluice/error.h"

/** A finding as the matcher sees it. */
struct sg_sighting {
	const char *path; /**< borrowed; repo-relative, of its own tree; NULL:
			       no place */
	int64_t line, column; /**< from 1; 0: not given */
	struct sg_fingerprint fingerprint;
};

enum sg_step {
	SG_STEP_NONE = 0, /**< not matched */
	SG_STEP_LINE, /**< 1 */
	SG_STEP_MESSAGE_AT_LINE, /**< 2 */
	SG_STEP_NEAREST_LINE, /**< 3 */
	SG_STEP_NEAREST_IN_FUNCTION, /**< 4 */
	SG_STEP_MOVED, /**< 5 */
	SG_STEP_SURROUNDINGS, /**< 6 */
};

enum sg_verdict {
	SG_SAME,
	SG_NEW,
	SG_FIXED,
	SG_UNKNOWN,
};

#define SG_NO_PARTNER UINT32_MAX

struct sg_match_row {
	uint32_t partner; /**< an index into the other side; SG_NO_PARTNER */
	enum sg_step step; /**< that paired them */
	enum sg_verdict verdict;
};

struct sg_match {
	struct sg_match_row *olds; /**< owned; one an old finding */
	struct sg_match_row *news; /**< owned; one a new finding */
	size_t old_count, new_count;
	size_t counts[4]; /**< of pairs, new, fixed and unknown ones; by enum
			       sg_verdict */
};

/** The two runs. All borrowed, for the call. */
struct sg_match_input {
	const struct sg_sighting *olds;
	size_t old_count; /**< less than UINT32_MAX */
	const struct sg_sighting *news;
	size_t new_count;
	const struct sg_map *map; /**< NULL: the trees do not differ */
	/** Whether the rule and all units of old finding @p old_at were
	 * analysed healthily in the new run. NULL: nothing was. */
	bool (*was_analysed)(const void *context, size_t old_at);
	const void *context; /**< for it */
};

/** Match. O(n log n) in time, linear in memory; thread-safe.
 * @return SL_OK; SL_ENOMEM; SL_EINVAL: too many findings. After a failure
 * there is nothing to finish. */
enum sl_code sg_match_init(struct sg_match *match,
			   const struct sg_match_input *input) SL_MUST_CHECK;
void sg_match_finish(struct sg_match *match);

/** @return "same", "new", "fixed", "unknown". */
const char *sg_verdict_text(enum sg_verdict verdict);

/** @return what a step went by, in a few words: "same line of code",
 * "moved to another file", ...; "" for SG_STEP_NONE. */
const char *sg_step_text(enum sg_step step);

#endif
