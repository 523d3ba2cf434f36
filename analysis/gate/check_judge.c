/* SPDX-License-Identifier: MIT */
/* The findings of both sides held against each other, and the judgement. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gate/check_judge.h"
#include "gate/check_keys.h"
#include "gate/key.h"
#include "gate/policy.h"
#include "store/seen.h"

static enum sl_code no_memory(struct sl_error *error)
{
	return SL_FAIL(error, SL_ENOMEM, "no memory to judge");
}

/* ---- matching ---------------------------------------------------------- */

/* Whether what an analyzer no longer says would still be said. */
struct seeing {
	struct sg_judging *judging;
	struct sg_gate_side *base;
	const struct sg_map *map;
	enum sl_code code;
	struct sl_error *error;
};

/* @return whether the unit that showed a finding is still looked at so that it
 * would. One that is gone leaves it to others with the same file. */
static bool is_looked_for(const struct seeing *seeing,
			  const struct sg_kept_finding *old, size_t tool)
{
	struct sg_check *check = seeing->judging->check;
	const struct sg_gate_tree *tested = seeing->judging->tested.tree;
	const struct sg_gate_unit *then =
		sg_side_unit(check, seeing->base, old->result);
	const char *source;
	bool is_gone = true;

	if (!then || tool >= check->tool_count)
		return true;
	source = sg_map_place(seeing->map, then->unit->source, 1).path;
	for (size_t at = 0; source && at < tested->count; at++) {
		const struct sg_gate_unit *now = &tested->rows[at];

		if (strcmp(now->unit->source, source) != 0)
			continue;
		is_gone = false;
		if (sg_check_looks_as_before(check, then, now, tool,
					     old->finding.rule))
			return true;
	}
	return is_gone;
}

static bool was_analysed(const void *context, size_t old_at)
{
	/* the reach is made when it is first asked for */
	struct seeing *seeing = *(struct seeing *const *)context;
	struct sg_judging *judging = seeing->judging;
	const struct sg_kept_finding *old = &seeing->base->findings[old_at];
	const char *path = old->finding.path;
	size_t tool = sg_side_tool(judging->check, seeing->base, old->result);
	unsigned flags = 0;

	if (path)
		path = sg_map_place(seeing->map, path, old->finding.line).path;
	if (!path || !old->result)
		return true; /* the file is gone; or our own scan tells */
	if (!sg_snapshot_find(judging->tested.tree->snapshot, path))
		return true;
	if (seeing->code == SL_OK)
		seeing->code =
			sg_side_reaches(judging->check, &judging->tested, path,
					tool, &flags, seeing->error);
	return seeing->code == SL_OK && flags == SG_REACH_SEEN &&
	       is_looked_for(seeing, old, tool);
}

static enum sl_code match_base(struct sg_judging *judging, size_t at,
			       struct sl_error *error)
{
	struct sg_gate_side *base = &judging->bases[at];
	struct seeing seeing = { .judging = judging,
				 .base = base,
				 .error = error };
	struct seeing *const context = &seeing;
	struct sg_match_input input = {
		.olds = base->sightings,
		.old_count = base->count,
		.news = judging->tested.sightings,
		.new_count = judging->tested.count,
		.was_analysed = was_analysed,
		.context = &context,
	};
	enum sl_code code =
		sg_snapshot_map(judging->tested.tree->snapshot,
				base->tree->snapshot, &input.map, error);

	if (code != SL_OK)
		return code;
	seeing.map = input.map;
	code = sg_match_init(&judging->matches[at], &input);
	judging->matched += code == SL_OK;
	if (code != SL_OK)
		return SL_FAIL(error, code, "too many findings to match");
	return seeing.code;
}

/* ---- loading both sides ------------------------------------------------ */

static void unload(struct sg_judging *judging)
{
	for (size_t at = 0; at < judging->matched; at++)
		sg_match_finish(&judging->matches[at]);
	judging->matched = 0;
	sg_side_unload(&judging->tested);
	for (size_t at = 0; at < judging->check->base_count; at++)
		sg_side_unload(&judging->bases[at]);
}

static enum sl_code load(struct sg_judging *judging, struct sl_error *error)
{
	struct sg_check *check = judging->check;
	enum sl_code code =
		sg_side_load(check, &judging->tested, &check->tested, error);

	if (code == SL_OK)
		code = sg_side_accept(check, &judging->tested, check->after,
				      error);
	for (size_t at = 0; code == SL_OK && at < check->base_count; at++) {
		code = sg_side_load(check, &judging->bases[at],
				    &check->bases[at], error);
		if (code == SL_OK && at == 0)
			code = sg_baseline_apply(check, &judging->bases[at],
						 error);
		if (code == SL_OK)
			code = sg_side_accept(check, &judging->bases[at],
					      check->before, error);
		if (code == SL_OK)
			code = match_base(judging, at, error);
	}
	return code;
}

bool sg_judging_is_known(const struct sg_judging *judging, size_t at,
			 size_t *base)
{
	for (*base = 0; *base < judging->matched; ++*base)
		if (judging->matches[*base].news[at].partner != SG_NO_PARTNER)
			return true;
	return false;
}

/* ---- units that would know --------------------------------------------- */

/* A finding that seems new in a file that did not change may be one that other
 * units have been showing all along: these are asked, too. A file that is not
 * tracked is the same for all trees. */
static bool is_unchanged(const struct sg_check *check, const char *path)
{
	const struct sg_snapshot_file *now =
		sg_snapshot_find(check->tested.snapshot, path);

	if (!now)
		return true;
	for (size_t at = 0; at < check->base_count; at++) {
		const struct sg_snapshot_file *then =
			sg_snapshot_find(check->bases[at].snapshot, path);

		if (then && sg_hash_equal(now->content, then->content))
			return true;
	}
	return false;
}

static enum sl_code widen(struct sg_judging *judging, bool *widened,
			  struct sl_error *error)
{
	struct sg_check *check = judging->check;
	const char *last = NULL;
	enum sl_code code = SL_OK;

	*widened = false;
	for (size_t at = 0;
	     code == SL_OK && check->base_count && at < judging->tested.count;
	     at++) {
		const char *path = judging->tested.findings[at].finding.path;
		size_t base;

		if (!path || (last && strcmp(last, path) == 0) ||
		    sg_judging_is_known(judging, at, &base) ||
		    !is_unchanged(check, path))
			continue;
		last = path;
		code = sg_check_want_readers(
			check, &check->tested,
			sg_snapshot_find(check->tested.snapshot, path), widened,
			error);
	}
	if (*widened)
		sg_check_want_twins(check);
	return code;
}

/* Where all that is missing is in the store, counts are those of all units. */
static enum sl_code take_all_if_kept(struct sg_check *check,
				     struct sl_error *error)
{
	bool whole;
	enum sl_code code = sg_check_look_up_all(check, &whole, error);

	if (code != SL_OK || !whole)
		return code;
	check->judgement.is_whole = true;
	for (size_t at = 0; at < check->tested.count; at++)
		check->tested.rows[at].wanted = true;
	sg_check_want_twins(check);
	return SL_OK;
}

static enum sl_code load_enough(struct sg_judging *judging,
				struct sl_error *error)
{
	struct sg_check *check = judging->check;
	bool widened = true;
	enum sl_code code = SL_OK;

	if (!check->judgement.is_whole && !check->tested.failed)
		code = take_all_if_kept(check, error);
	while (code == SL_OK && widened) {
		code = load(judging, error);
		if (code == SL_OK)
			code = widen(judging, &widened, error);
		if (code == SL_OK && widened) {
			unload(judging);
			code = sg_check_analyse(check, error);
		}
	}
	return code;
}

/* ---- limits ------------------------------------------------------------ */

static enum sl_code add_limit(struct sg_check *check, const char *unit,
			      size_t tool, struct sl_error *error)
{
	const struct sg_trouble trouble = {
		.limited = true,
		.unit = unit,
		.tool = check->tools[tool].analyzer->name,
		.why = "it gave up on a part; what it no longer shows there "
		       "still counts",
	};

	return sg_check_trouble(check, &trouble, error);
}

static enum sl_code list_limits(struct sg_check *check, struct sl_error *error)
{
	const struct sg_gate_tree *tree = &check->tested;
	enum sl_code code = SL_OK;

	for (size_t at = 0; at < tree->count; at++)
		for (size_t tool = 0;
		     code == SL_OK && tree->rows[at].wanted &&
		     tree->rows[at].affected && tool < check->tool_count;
		     tool++)
			if (tree->rows[at].results[tool].id &&
			    tree->rows[at].results[tool].state ==
				    SG_RUN_LIMITED)
				code = add_limit(check,
						 tree->rows[at].unit->source,
						 tool, error);
	for (size_t tool = 0; code == SL_OK && tool < check->tool_count; tool++)
		if (tree->once[tool].id &&
		    tree->once[tool].state == SG_RUN_LIMITED)
			code = add_limit(check, NULL, tool, error);
	return code;
}

/* ---- the outcome ------------------------------------------------------- */

/* @return whether an older tree tells of a unit, or none was a parent's. */
static bool is_told_by_history(const struct sg_check *check, const char *unit)
{
	const struct sg_gate_tree *base = &check->bases[0];

	for (size_t at = 0; unit && at < base->count; at++)
		if (strcmp(base->rows[at].unit->source, unit) == 0 &&
		    base->rows[at].has_history)
			return true;
	return false;
}

/* What a base could not tell matters only where something might be new. */
static void decide(struct sg_check *check)
{
	struct sg_judgement *judgement = &check->judgement;
	bool has_new = false, base_failed = false, failed = false;

	for (size_t at = 0; at < judgement->judged_count; at++)
		has_new |= judgement->judged[at].verdict == SG_NEW;
	for (size_t at = 0; at < check->trouble_count; at++) {
		const struct sg_trouble *trouble = &check->troubles[at];

		if (trouble->limited ||
		    (check->breaks_config && !trouble->tool && trouble->unit &&
		     strcmp(trouble->unit, SG_CONFIG_NAME) == 0))
			continue;
		base_failed |= trouble->in_base &&
			       !is_told_by_history(check, trouble->unit);
		failed |= !trouble->in_base;
	}
	judgement->outcome =
		failed || (base_failed && has_new) ? SG_INCOMPLETE : SG_PASS;
}

/* The first that is objected to, a new one if there is one. */
static const struct sg_judged *
first_objected(const struct sg_judgement *judgement)
{
	const struct sg_judged *first = NULL;

	for (size_t at = 0; at < judgement->judged_count; at++) {
		const struct sg_judged *judged = &judgement->judged[at];

		if (judged->is_objected && judged->verdict == SG_NEW)
			return judged;
		if (judged->is_objected && !first)
			first = judged;
	}
	return first;
}

/* ":RULE" if PATH:LINE alone names several findings; a rule that a shell would
 * not take as a word is left out. */
static const char *rule_of(struct sg_check *check,
			   const struct sg_judged *judged)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789-_.,+=:/@%";
	const struct sg_judgement *judgement = &check->judgement;
	const struct sg_finding *finding = &judged->finding;
	size_t there = 0;

	for (size_t at = 0; at < judgement->judged_count; at++) {
		const struct sg_finding *other = &judgement->judged[at].finding;

		there += other->path && other->line == finding->line &&
			 strcmp(other->path, finding->path) == 0;
	}
	if (there < 2 || !finding->rule || !*finding->rule ||
	    finding->rule[strspn(finding->rule, plain)])
		return "";
	return sl_arena_printf(&check->arena, ":%s", finding->rule);
}

static enum sl_code add_suppress_step(struct sg_check *check,
				      const struct sg_judged *judged,
				      struct sl_error *error)
{
	const char *rule = rule_of(check, judged);

	if (!rule)
		return no_memory(error);
	return sg_check_step(
		check, error,
		"or, if it is a false positive: scgate suppress %s:%" PRId64
		"%s --reason TEXT, %scommit %s %s",
		judged->finding.path, judged->finding.line, rule,
		check->config.new_suppressions ? "and " : "",
		check->config.suppressions,
		check->config.new_suppressions ? "with it"
					       : "by itself, then this change");
}

static enum sl_code add_steps(struct sg_check *check, struct sl_error *error)
{
	const struct sg_judgement *judgement = &check->judgement;
	const struct sg_judged *first = first_objected(judgement);
	enum sl_code code = SL_OK;

	if (check->ran_out)
		return sg_check_step(
			check, error,
			"scgate check --staged --no-budget takes the time it "
			"needs and fills the cache; then commit again "
			"(hook_budget in %s)",
			SG_CONFIG_NAME);
	if (judgement->outcome == SG_INCOMPLETE)
		return sg_check_step(check, error,
				     "nothing was judged: mend what is said "
				     "above, then check again");
	if (judgement->outcome != SG_REJECTED || !first)
		return SL_OK;
	code = sg_check_step(check, error,
			     first->verdict == SG_NEW ? "fix what is new"
						      : "fix what is open");
	if (code == SL_OK && first->finding.path)
		code = add_suppress_step(check, first, error);
	return code;
}

static enum sl_code conclude(struct sg_judging *judging, struct sl_error *error)
{
	struct sg_check *check = judging->check;
	struct sg_judgement *judgement = &check->judgement;
	enum sl_code code = list_limits(check, error);

	if (code == SL_OK)
		code = sg_judging_list(judging, error);
	if (code != SL_OK)
		return code;
	judgement->judged = check->judged;
	judgement->troubles = check->troubles;
	judgement->trouble_count = check->trouble_count;
	decide(check);
	if (sg_policy_apply(judgement, &check->config, check->settings.policy,
			    &check->arena) != SL_OK)
		return no_memory(error);
	/* judged by the parent's it may be rejected, but not pass */
	if (check->breaks_config && judgement->outcome == SG_PASS)
		judgement->outcome = SG_INCOMPLETE;
	code = add_steps(check, error);
	judgement->notes = check->notes.rows;
	judgement->steps = check->steps.rows;
	return code;
}

enum sl_code sg_check_judge(struct sg_check *check, struct sl_error *error)
{
	struct sg_judging judging = { .check = check };
	enum sl_code code = SL_OK;

	if (check->has_tools)
		code = load_enough(&judging, error);
	if (code == SL_OK)
		code = conclude(&judging, error);
	unload(&judging);
	return code;
}
