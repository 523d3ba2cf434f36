/* SPDX-License-Identifier: MIT */
/** @file
 * Both sides of a check, while it is judged.
 */
#ifndef SG_GATE_CHECK_JUDGE_H
#define SG_GATE_CHECK_JUDGE_H

#include "gate/check_side.h"

struct sg_judging {
	struct sg_check *check;
	struct sg_gate_side tested;
	struct sg_gate_side bases[SG_BASES_MAX];
	struct sg_match matches[SG_BASES_MAX]; /**< with each base */
	size_t matched; /**< how many of these there are */
};

/** @return whether finding @p at of the tested tree is in a base; *base: in
 * which. */
bool sg_judging_is_known(const struct sg_judging *judging, size_t at,
			 size_t *base);

/** Make check->judged of both sides. */
enum sl_code sg_judging_list(struct sg_judging *judging,
			     struct sl_error *error) SL_MUST_CHECK;

/** Take out of a base what its baseline does not have, if there is a baseline:
 * it was never accepted, so it counts as new. An entry that stands for nothing
 * in the base excuses nothing. SL_EINVAL: the baseline was made by other
 * versions of the tools. */
enum sl_code sg_baseline_apply(struct sg_check *check,
			       struct sg_gate_side *base,
			       struct sl_error *error) SL_MUST_CHECK;

#endif
