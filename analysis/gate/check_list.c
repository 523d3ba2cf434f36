/* SPDX-License-Identifier: MIT */
/* Findings of both sides become the list that policies and writers look at. */
#include <stdlib.h>
#include <string.h>

#include "gate/check_judge.h"
#include "gate/identity.h"
#include "gate/suppress.h"

static enum sl_code no_memory(struct sl_error *error)
{
	return SL_FAIL(error, SL_ENOMEM, "no memory to judge");
}

/* ---- acceptance -------------------------------------------------------- */

static bool holds_today(const struct sg_suppression *entry)
{
	char today[SG_DAY_TEXT];

	return !entry->until || strcmp(entry->until, sg_today(today)) >= 0;
}

/* @return the entry that accepts the finding, if it holds; NULL. */
static const struct sg_suppression *entry_of(const struct sg_gate_side *side,
					     size_t at,
					     const struct sg_suppressions *list)
{
	const struct sg_suppression *entry;

	if (side->entries[at] == SIZE_MAX)
		return NULL;
	entry = sg_suppressions_at(list, side->entries[at]);
	return holds_today(entry) ? entry : NULL;
}

static void accept(struct sg_judged *judged, const struct sg_gate_side *side,
		   size_t at, const struct sg_suppressions *list)
{
	const struct sg_suppression *entry = entry_of(side, at, list);

	judged->accepted = entry || side->findings[at].finding.suppressed;
	if (entry) {
		judged->reason = entry->reason;
		judged->until = entry->until;
	}
}

/* An entry follows its finding when that moves or its function is renamed. Of
 * what is new it excuses only that which it names: its own may be long gone.
 * *names: it does. */
static enum sl_code is_named(const struct sg_suppression *entry,
			     const struct sg_kept_finding *found, bool *names,
			     struct sl_error *error)
{
	const struct sg_words words = {
		.tool = entry->tool,
		.rule = entry->rule,
		.function = entry->function,
		.message = entry->message,
	};
	const char *path = found->finding.path;
	struct sg_fingerprint own;

	*names = !entry->path || (path && strcmp(entry->path, path) == 0);
	if (!*names || !entry->function)
		return SL_OK;
	if (sg_fingerprint_init(&own, &words, NULL, 0) != SL_OK)
		return no_memory(error);
	*names = sg_hash_equal(own.function, found->fingerprint.function);
	return SL_OK;
}

/* ---- the list ---------------------------------------------------------- */

/* A finding on its way into the list. */
struct listed {
	struct sg_judged judged;
	const struct sg_kept_finding *kept;
};

static enum sl_code list_tested(struct sg_judging *judging, size_t at,
				struct listed *listed, struct sl_error *error)
{
	struct sg_check *check = judging->check;
	struct sg_gate_side *side = &judging->tested;
	struct sg_judged *judged = &listed->judged;
	size_t base;
	bool is_known = sg_judging_is_known(judging, at, &base);
	enum sl_code code = SL_OK;

	if (!is_known && side->findings[at].occurrence)
		code = sg_kept_events(check->store, &check->arena,
				      &side->findings[at], error);
	listed->kept = &side->findings[at];
	*judged = (struct sg_judged){
		.finding = side->findings[at].finding,
		.verdict = is_known ? SG_SAME : SG_NEW,
	};
	accept(judged, side, at, check->after);
	if (code == SL_OK && !is_known && judged->reason) {
		bool names;

		code = is_named(
			sg_suppressions_at(check->after, side->entries[at]),
			listed->kept, &names, error);
		if (code == SL_OK && !names) {
			judged->accepted = judged->finding.suppressed;
			judged->reason = judged->until = NULL;
		}
	}
	judged->entry_is_new = judged->reason && check->base_count &&
			       check->entry_is_new[side->entries[at]];
	if (is_known) {
		const struct sg_gate_side *old = &judging->bases[base];
		size_t was = judging->matches[base].news[at].partner;

		judged->was_path = old->findings[was].finding.path;
		judged->was_line = old->findings[was].finding.line;
		judged->accepted_before = entry_of(old, was, check->before) ||
					  old->findings[was].finding.suppressed;
	}
	return code;
}

/* Of a merge, only what the first parent had can be called fixed. */
static size_t list_gone(struct sg_judging *judging, struct listed *listed)
{
	const struct sg_match *match = &judging->matches[0];
	const struct sg_gate_side *side = &judging->bases[0];
	size_t count = 0;

	for (size_t at = 0; at < side->count; at++) {
		if (match->olds[at].partner != SG_NO_PARTNER)
			continue;
		listed[count].kept = &side->findings[at];
		listed[count].judged = (struct sg_judged){
			.finding = side->findings[at].finding,
			.verdict = match->olds[at].verdict,
		};
		accept(&listed[count++].judged, side, at,
		       judging->check->before);
	}
	return count;
}

static int order(const void *a, const void *b)
{
	const struct listed *left = a, *right = b;
	int by_place =
		sg_finding_order(&left->judged.finding, &right->judged.finding);

	return by_place
		       ? by_place
		       : (left->judged.verdict > right->judged.verdict) -
				 (left->judged.verdict < right->judged.verdict);
}

static enum sl_code copy_all(struct sg_check *check, struct listed *listed,
			     size_t count, struct sl_error *error)
{
	check->judged = calloc(count + 1, sizeof(*check->judged));
	if (!check->judged)
		return no_memory(error);
	if (count)
		qsort(listed, count, sizeof(*listed), order);
	for (size_t at = 0; at < count; at++) {
		const struct sg_fingerprint *fingerprint =
			&listed[at].kept->fingerprint;
		struct sg_judged *judged = &check->judged[at];

		*judged = listed[at].judged;
		judged->line_hash = fingerprint->line;
		judged->window_hash = fingerprint->window;
		judged->identity =
			sg_identity_key(fingerprint, judged->finding.path);
	}
	check->judgement.judged_count = count;
	return sg_identities_part(check->judged, count) == SL_OK
		       ? SL_OK
		       : no_memory(error);
}

enum sl_code sg_judging_list(struct sg_judging *judging, struct sl_error *error)
{
	size_t count = judging->tested.count;
	struct listed *listed =
		calloc(count + judging->bases[0].count + 1, sizeof(*listed));
	enum sl_code code = listed ? SL_OK : no_memory(error);

	for (size_t at = 0; code == SL_OK && at < count; at++)
		code = list_tested(judging, at, &listed[at], error);
	if (code == SL_OK && judging->matched)
		count += list_gone(judging, listed + count);
	if (code == SL_OK)
		code = copy_all(judging->check, listed, count, error);
	free(listed);
	return code;
}
