/* SPDX-License-Identifier: MIT */
/* What counts, where, and how often. */
#include <string.h>

#include "gate/policy_parts.h"

bool sg_judged_was_open(const struct sg_judged *judged)
{
	if (!judged->counts || judged->verdict == SG_NEW)
		return false;
	return judged->verdict == SG_SAME ? !judged->accepted_before
					  : !judged->accepted;
}

bool sg_judged_is_open(const struct sg_judged *judged)
{
	return judged->counts && !judged->accepted &&
	       judged->verdict != SG_FIXED;
}

bool sg_judged_is_added(const struct sg_judged *judged)
{
	return sg_judged_is_open(judged) && !sg_judged_was_open(judged);
}

const char *sg_judged_rule(const struct sg_judged *judged)
{
	return judged->finding.rule ? judged->finding.rule : "";
}

int sg_judged_order(const struct sg_judged *a, const struct sg_judged *b)
{
	int order = strcmp(a->finding.tool, b->finding.tool);

	return order ? order : strcmp(sg_judged_rule(a), sg_judged_rule(b));
}

void sg_count_add(struct sg_judged_count *count, const struct sg_judged *judged)
{
	bool before = sg_judged_was_open(judged);
	bool after = sg_judged_is_open(judged);

	count->before += before;
	count->after += after;
	count->added += after && !before;
	count->fixed += before && !after;
	count->unknown += before && after && judged->verdict == SG_UNKNOWN;
}

/* @return whether @p judged is the first of its tool, or of its rule. */
static bool begins(struct sg_judged *const *judged, size_t at, bool of_rule)
{
	if (!at)
		return true;
	return of_rule ? sg_judged_order(judged[at - 1], judged[at]) != 0
		       : strcmp(judged[at - 1]->finding.tool,
				judged[at]->finding.tool) != 0;
}

enum sl_code sg_count_all(struct sg_judgement *judgement,
			  struct sg_judged *const *judged, size_t count,
			  struct sl_arena *arena)
{
	struct sg_judged_count *counts, *tool = NULL, *rule = NULL;
	size_t needed = 1, used = 1;

	for (size_t at = 0; at < count; at++)
		needed += (size_t)begins(judged, at, false) +
			  (size_t)begins(judged, at, true);
	counts = sl_arena_alloc(arena, needed * sizeof(*counts));
	if (!counts)
		return SL_ENOMEM;
	for (size_t at = 0; at < count; at++) {
		if (begins(judged, at, false)) {
			tool = &counts[used++];
			tool->tool = judged[at]->finding.tool;
		}
		if (begins(judged, at, true)) {
			rule = &counts[used++];
			rule->tool = judged[at]->finding.tool;
			rule->rule = sg_judged_rule(judged[at]);
		}
		sg_count_add(&counts[0], judged[at]);
		sg_count_add(tool, judged[at]);
		sg_count_add(rule, judged[at]);
	}
	judgement->counts = counts;
	judgement->count_count = used;
	return SL_OK;
}
