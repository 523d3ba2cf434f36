/* SPDX-License-Identifier: MIT */
/** @file
 * The findings of one tree of a check.
 */
#ifndef SG_GATE_CHECK_SIDE_H
#define SG_GATE_CHECK_SIDE_H

#include "gate/check_parts.h"

/** What is known of the files of a tree, by their number in the snapshot. */
struct sg_reach {
	unsigned char *flags; /**< owned; SG_REACH_* of [file * tools + tool] */
	size_t tools;
	bool is_made;
};

enum {
	SG_REACH_SEEN = 1, /**< a unit with it was analysed, and wholly */
	SG_REACH_BLIND = 2, /**< one was not, or the tool gave up on a part */
};

/** A zeroed one is empty. */
struct sg_gate_side {
	struct sg_gate_tree *tree;
	struct sg_kept_finding *findings; /**< owned; in order */
	struct sg_sighting *sightings; /**< owned; as many */
	size_t *entries; /**< owned; which entry accepts each; SIZE_MAX: none */
	size_t count;
	struct sg_reach reach;
};

/** Load what wanted units and analyzers of all of @p tree have, without what is
 * excluded, and with inline suppressions where they are findings. */
enum sl_code sg_side_load(struct sg_check *check, struct sg_gate_side *side,
			  struct sg_gate_tree *tree,
			  struct sl_error *error) SL_MUST_CHECK;
void sg_side_unload(struct sg_gate_side *side);

/** Match @p list with the findings; those whose files no wanted unit reaches
 * are left alone. */
enum sl_code sg_side_accept(struct sg_check *check, struct sg_gate_side *side,
			    const struct sg_suppressions *list,
			    struct sl_error *error) SL_MUST_CHECK;

/** *flags: what analyzer @p tool knows of a file; 0: nothing. */
enum sl_code sg_side_reaches(struct sg_check *check, struct sg_gate_side *side,
			     const char *path, size_t tool, unsigned *flags,
			     struct sl_error *error) SL_MUST_CHECK;

/** @return the number of the analyzer that made result @p id of the tree;
 * SIZE_MAX: none. */
size_t sg_side_tool(const struct sg_check *check,
		    const struct sg_gate_side *side, int64_t id);

/** @return the unit that result @p id of the tree is of; NULL: none. */
const struct sg_gate_unit *sg_side_unit(const struct sg_check *check,
					const struct sg_gate_side *side,
					int64_t id);

/** Append findings of inline suppressions (gate/check_inline.c). */
enum sl_code sg_side_add_inline(struct sg_check *check,
				struct sg_gate_side *side,
				struct sl_error *error) SL_MUST_CHECK;

#endif
