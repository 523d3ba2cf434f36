/* SPDX-License-Identifier: MIT */
/** @file
 * What policies are made of: counting and pairing; only gate/policy.c and its
 * parts use it.
 */
#ifndef SG_GATE_POLICY_PARTS_H
#define SG_GATE_POLICY_PARTS_H

#include "base/arena.h"
#include "gate/judgement.h"
#include "sluice/error.h"

/** @return whether it counted in the base. */
bool sg_judged_was_open(const struct sg_judged *judged);
/** @return whether it counts in the tested tree. */
bool sg_judged_is_open(const struct sg_judged *judged);
/** @return whether it counts, and did not before: it is new, or is no longer
 * accepted. */
bool sg_judged_is_added(const struct sg_judged *judged);

/** @return the rule; "" if the tool names none. */
const char *sg_judged_rule(const struct sg_judged *judged);

/** @return negative, 0, positive: by tool and rule. */
int sg_judged_order(const struct sg_judged *a, const struct sg_judged *b);

/** Count one more. The names in @p count stay. */
void sg_count_add(struct sg_judged_count *count,
		  const struct sg_judged *judged);

/** Fill in the counts of @p judgement from @p judged, @p count pointers in the
 * order of tools and rules; they are in @p arena. SL_ENOMEM. */
enum sl_code sg_count_all(struct sg_judgement *judgement,
			  struct sg_judged *const *judged, size_t count,
			  struct sl_arena *arena) SL_MUST_CHECK;

/** Pair new and fixed ones of @p judged, @p count pointers to those of one
 * policy, tool and rule: those of one function first, then those of one file,
 * then others, each nearest first. Sets is_swap and swapped. SL_ENOMEM. */
enum sl_code sg_swaps_find(struct sg_judged *const *judged,
			   size_t count) SL_MUST_CHECK;

#endif
