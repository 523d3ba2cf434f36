/* SPDX-License-Identifier: MIT */
/* Those that count are put in the order of policies, tools and rules; then each
 * policy looks at its part. */
#include "gate/policy.h"

#include <inttypes.h>
#include <stdlib.h>

#include "gate/policy_parts.h"

struct judging {
	struct sg_judgement *judgement;
	struct sl_arena *arena;
	struct sg_judged **judged; /* owned; those that count */
	size_t count;
	const char **objections; /* in the arena; NULL at the end */
	size_t objection_count, objection_room;
};

/* Those of one policy, or of one of its rules. */
struct part {
	struct sg_judged **judged; /* borrowed */
	size_t count;
	struct sg_judged_count tally;
};

/* ---- objections -------------------------------------------------------- */

static enum sl_code add_objection(struct judging *judging, const char *text)
{
	if (!text)
		return SL_ENOMEM;
	if (judging->objection_count + 1 >= judging->objection_room) {
		size_t room = judging->objection_room * 2 + 8;
		const char **more =
			sl_arena_alloc(judging->arena, room * sizeof(*more));

		if (!more)
			return SL_ENOMEM;
		for (size_t at = 0; at < judging->objection_count; at++)
			more[at] = judging->objections[at];
		judging->objections = more;
		judging->objection_room = room;
	}
	judging->objections[judging->objection_count++] = text;
	judging->objections[judging->objection_count] = NULL;
	return SL_OK;
}

#define OBJECT(judging, ...) \
	add_objection((judging), sl_arena_printf((judging)->arena, __VA_ARGS__))

/* "1 finding is", "3 findings are" */
static const char *findings_are(int64_t count)
{
	return count == 1 ? "finding is" : "findings are";
}

/* ---- parts ------------------------------------------------------------- */

static struct part part_of(struct sg_judged **judged, size_t count)
{
	struct part part = { .judged = judged, .count = count };

	for (size_t at = 0; at < count; at++)
		sg_count_add(&part.tally, judged[at]);
	return part;
}

/* @return the part of the rule that begins at @p from. */
static struct part rule_at(const struct part *part, size_t from)
{
	size_t to = from + 1;

	while (to < part->count &&
	       sg_judged_order(part->judged[from], part->judged[to]) == 0)
		to++;
	return part_of(part->judged + from, to - from);
}

static void object_to_added(const struct part *part)
{
	for (size_t at = 0; at < part->count; at++)
		part->judged[at]->is_objected |=
			sg_judged_is_added(part->judged[at]);
}

/* ---- policies ---------------------------------------------------------- */

static enum sl_code judge_zero(struct judging *judging, const struct part *part)
{
	for (size_t at = 0; at < part->count; at++)
		part->judged[at]->is_objected =
			sg_judged_is_open(part->judged[at]);
	if (!part->tally.after)
		return SL_OK;
	return OBJECT(judging, "zero: %" PRId64 " %s there, and none may be",
		      part->tally.after, findings_are(part->tally.after));
}

static enum sl_code judge_no_new(struct judging *judging,
				 const struct part *part)
{
	const char *why = judging->judgement->is_merge
				  ? "no-new, as for all merges"
				  : "no-new";
	int64_t added = 0, again;
	enum sl_code code = SL_OK;

	object_to_added(part);
	for (size_t at = 0; at < part->count; at++)
		added += part->judged[at]->is_objected &&
			 part->judged[at]->verdict == SG_NEW;
	again = part->tally.added - added;
	if (added)
		code = OBJECT(judging, "%s: %" PRId64 " %s new", why, added,
			      findings_are(added));
	if (code == SL_OK && again)
		code = OBJECT(judging, "%s: %" PRId64 " %s no longer accepted",
			      why, again, findings_are(again));
	return code;
}

static enum sl_code object_to_rule(struct judging *judging,
				   const struct part *rule, const char *why)
{
	const struct sg_judged *first = rule->judged[0];
	const char *name = sg_judged_rule(first);

	object_to_added(rule);
	return OBJECT(judging,
		      "%s: the count of %s %s rose from %" PRId64
		      " to %" PRId64,
		      why, first->finding.tool, *name ? name : "(no rule)",
		      rule->tally.before, rule->tally.after);
}

/* Where a total rises, that of a rule does; it is told of several. */
static enum sl_code judge_no_raise(struct judging *judging,
				   const struct part *part, const char *why)
{
	size_t risen = 0;
	enum sl_code code = SL_OK;

	for (size_t from = 0; from < part->count;) {
		const struct part rule = rule_at(part, from);

		risen += rule.tally.after > rule.tally.before;
		from += rule.count;
	}
	if (risen > 1 && part->tally.after > part->tally.before)
		code = OBJECT(judging,
			      "%s: the count rose from %" PRId64 " to %" PRId64,
			      why, part->tally.before, part->tally.after);
	for (size_t from = 0; from < part->count && code == SL_OK;) {
		const struct part rule = rule_at(part, from);

		if (rule.tally.after > rule.tally.before)
			code = object_to_rule(judging, &rule, why);
		from += rule.count;
	}
	return code;
}

static enum sl_code judge_must_reduce(struct judging *judging,
				      const struct part *part)
{
	const char *why = sg_policy_names[SG_POLICY_MUST_REDUCE];
	enum sl_code code = judge_no_raise(judging, part, why);

	/* one that rose is objected to already */
	if (code == SL_OK && judging->judgement->changes_code &&
	    part->tally.before && part->tally.after == part->tally.before)
		code = OBJECT(judging,
			      "%s: code changed, and the count stayed at "
			      "%" PRId64,
			      why, part->tally.after);
	return code;
}

static enum sl_code judge(struct judging *judging, const struct part *part)
{
	switch (part->judged[0]->policy) {
	case SG_POLICY_ZERO:
		return judge_zero(judging, part);
	case SG_POLICY_NO_NEW:
		return judge_no_new(judging, part);
	case SG_POLICY_MUST_REDUCE:
		return judge_must_reduce(judging, part);
	case SG_POLICY_NO_RAISE:
		break;
	}
	return judge_no_raise(judging, part,
			      sg_policy_names[SG_POLICY_NO_RAISE]);
}

/* ---- what counts ------------------------------------------------------- */

static enum sg_policy policy_of(const struct sg_judgement *judgement,
				const struct sg_config *config,
				const enum sg_policy *forced, const char *path)
{
	enum sg_policy policy =
		forced ? *forced : sg_config_policy(config, path);

	return judgement->is_merge && policy != SG_POLICY_ZERO
		       ? SG_POLICY_NO_NEW
		       : policy;
}

static void prepare(struct judging *judging, const struct sg_config *config,
		    const enum sg_policy *forced)
{
	struct sg_judgement *judgement = judging->judgement;

	for (size_t at = 0; at < judgement->judged_count; at++) {
		struct sg_judged *judged = &judgement->judged[at];
		const struct sg_finding *finding = &judged->finding;

		if (judged->entry_is_new && !config->new_suppressions)
			judged->accepted = false;
		judged->policy =
			policy_of(judgement, config, forced, finding->path);
		judged->counts =
			finding->severity == SG_SEVERITY_UNKNOWN ||
			finding->severity >=
				sg_config_lowest(config, finding->path);
		judged->is_swap = judged->is_objected = false;
		judged->swapped = NULL;
		if (judged->counts)
			judging->judged[judging->count++] = judged;
	}
}

/* ---- order ------------------------------------------------------------- */

static int compare_rules(const void *a, const void *b)
{
	const struct sg_judged *one = *(struct sg_judged *const *)a;
	const struct sg_judged *two = *(struct sg_judged *const *)b;
	int order = sg_judged_order(one, two);

	return order ? order : one < two ? -1 : one > two;
}

static int compare_policies(const void *a, const void *b)
{
	enum sg_policy one = (*(struct sg_judged *const *)a)->policy;
	enum sg_policy two = (*(struct sg_judged *const *)b)->policy;

	return one == two ? compare_rules(a, b) : one < two ? -1 : 1;
}

static enum sl_code find_swaps(const struct part *part)
{
	enum sl_code code = SL_OK;

	for (size_t from = 0; from < part->count && code == SL_OK;) {
		const struct part rule = rule_at(part, from);

		code = sg_swaps_find(rule.judged, rule.count);
		from += rule.count;
	}
	return code;
}

static enum sl_code judge_all(struct judging *judging)
{
	enum sl_code code = SL_OK;

	qsort(judging->judged, judging->count, sizeof(*judging->judged),
	      compare_policies);
	for (size_t from = 0, to; from < judging->count && code == SL_OK;
	     from = to) {
		struct part part;

		for (to = from + 1; to < judging->count; to++)
			if (judging->judged[to]->policy !=
			    judging->judged[from]->policy)
				break;
		part = part_of(judging->judged + from, to - from);
		code = find_swaps(&part);
		if (code == SL_OK)
			code = judge(judging, &part);
	}
	return code;
}

static enum sl_code finish(struct judging *judging)
{
	struct sg_judgement *judgement = judging->judgement;
	static const char *const none[] = { NULL };

	qsort(judging->judged, judging->count, sizeof(*judging->judged),
	      compare_rules);
	judgement->objections = none;
	if (judging->objection_count)
		judgement->objections = judging->objections;
	if (judging->objection_count && judgement->outcome != SG_INCOMPLETE)
		judgement->outcome = SG_REJECTED;
	return sg_count_all(judgement, judging->judged, judging->count,
			    judging->arena);
}

enum sl_code sg_policy_apply(struct sg_judgement *judgement,
			     const struct sg_config *config,
			     const enum sg_policy *forced,
			     struct sl_arena *arena)
{
	struct judging judging = {
		.judgement = judgement,
		.arena = arena,
		.judged = calloc(judgement->judged_count + 1,
				 sizeof(*judging.judged)),
	};
	enum sl_code code = SL_ENOMEM;

	if (judging.judged) {
		prepare(&judging, config, forced);
		code = judge_all(&judging);
	}
	if (code == SL_OK)
		code = finish(&judging);
	free(judging.judged);
	return code;
}
