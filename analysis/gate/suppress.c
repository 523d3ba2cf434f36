/* SPDX-License-Identifier: MIT */
/* Which entry a finding has. Two findings on one line can have the same words:
 * an entry excuses one of them, and which is settled when a run is imported. */
#include "gate/suppress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

const char *sg_today(char text[SG_DAY_TEXT])
{
	time_t now = time(NULL);
	struct tm parts;

	if (!gmtime_r(&now, &parts) ||
	    !strftime(text, SG_DAY_TEXT, "%Y-%m-%d", &parts))
		snprintf(text, SG_DAY_TEXT, "9999-12-31");
	return text;
}

struct sg_suppression sg_suppression_of(const struct sg_shown *shown)
{
	const struct sg_finding *said = &shown->said;

	return (struct sg_suppression){
		.path = said->path,
		.tool = said->tool,
		.rule = said->rule ? said->rule : "",
		.function = said->function,
		.message = said->message,
		.line = said->path ? said->line : 0,
		.line_hash = shown->line_hash,
		.window_hash = shown->window_hash,
	};
}

static bool is_same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

/* The store does not keep an entry's function. */
static bool has_words(const struct sg_suppression *entry,
		      const struct sg_suppression *words)
{
	return is_same(entry->path, words->path) &&
	       is_same(entry->tool, words->tool) &&
	       is_same(entry->rule, words->rule) &&
	       entry->line == words->line &&
	       is_same(entry->message, words->message);
}

/* The one that the run held against the finding; @return the count: it is no
 * longer there. Of several with the same words, that of the same reason. */
static size_t find_held(const struct sg_suppressions *list,
			const struct sg_suppression *held)
{
	size_t count = sg_suppressions_count(list);
	size_t found = count;

	for (size_t at = 0; at < count; at++) {
		const struct sg_suppression *entry =
			sg_suppressions_at(list, at);

		if (!has_words(entry, held))
			continue;
		if (is_same(entry->reason, held->reason))
			return at;
		found = at;
	}
	return found;
}

enum sl_code sg_suppressions_find(const struct sg_suppressions *list,
				  const struct sg_shown *shown,
				  const struct sg_equals *equals, size_t *at,
				  struct sl_error *error)
{
	const struct sg_suppression words = sg_suppression_of(shown);
	size_t count = sg_suppressions_count(list);
	int64_t findings = equals->findings;
	int64_t free_ones = -equals->entries;
	size_t last = count;

	if (shown->entry) {
		*at = find_held(list, shown->entry);
		if (*at < count)
			return SL_OK;
		findings++;
	}
	for (size_t entry = 0; entry < count; entry++)
		if (has_words(sg_suppressions_at(list, entry), &words)) {
			free_ones++;
			last = entry;
		}
	*at = free_ones > 0 ? last : count;
	if (free_ones <= 0 || free_ones >= findings)
		return SL_OK;
	return SL_FAIL(error, SL_EINVAL,
		       "finding %" PRId64 " is one of %" PRId64
		       " equal ones, and there are entries for %" PRId64
		       ": import a run first, to see which they are about",
		       shown->finding, findings, free_ones);
}

enum sl_code sg_suppressions_put(struct sg_suppressions *list, size_t at,
				 const struct sg_suppression *entry,
				 struct sl_error *error)
{
	const struct sg_suppression *old = NULL;

	if (at < sg_suppressions_count(list))
		old = sg_suppressions_at(list, at);
	if (old && is_same(old->reason, entry->reason) &&
	    is_same(old->until, entry->until))
		return SL_FAIL(error, SL_EINVAL,
			       "it is suppressed already, for this reason, by "
			       "line %" PRId64 " of the file",
			       old->position);
	if (old)
		sg_suppressions_remove(list, at);
	return sg_suppressions_add(list, entry, error);
}
