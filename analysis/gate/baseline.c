/* SPDX-License-Identifier: MIT */
/* The baseline, written and held against what is really there. */
#include "gate/baseline.h"

#include <stdlib.h>
#include <string.h>

#include "gate/accept.h"
#include "gate/check_judge.h"

#define TOOL_LINE "# tool "

static enum sl_code no_memory(struct sl_error *error)
{
	return SL_FAIL(error, SL_ENOMEM, "no memory for a baseline");
}

/* ---- tools ------------------------------------------------------------- */

/* "# tool NAME: VERSION" */
static const char *tool_line(struct sg_check *check,
			     const struct sg_gate_tool *tool)
{
	return sl_arena_printf(&check->arena, TOOL_LINE "%s: %s\n",
			       tool->analyzer->name,
			       tool->version ? tool->version : "unknown");
}

/* Other tools find other things: they cannot be counted against these. */
static enum sl_code check_tools(struct sg_check *check,
				struct sg_suppressions *list,
				struct sl_error *error)
{
	const char *top = sg_suppressions_top(list);

	for (size_t at = 0; at < check->tool_count; at++) {
		const char *line = tool_line(check, &check->tools[at]);

		if (!line)
			return no_memory(error);
		if (!strstr(top, line))
			return SL_FAIL(error, SL_EINVAL,
				       "%s was not made by this %s (%s): "
				       "scgate baseline write makes it anew; "
				       "commit it by itself",
				       check->config.baseline,
				       check->tools[at].analyzer->name,
				       check->tools[at].version
					       ? check->tools[at].version
					       : "unknown version");
	}
	return SL_OK;
}

/* ---- applying ---------------------------------------------------------- */

/* Keep what has an entry. */
static void keep_accepted(struct sg_gate_side *side)
{
	size_t kept = 0;

	for (size_t at = 0; at < side->count; at++) {
		if (side->entries[at] == SIZE_MAX)
			continue;
		side->findings[kept] = side->findings[at];
		side->sightings[kept] = side->sightings[at];
		side->entries[kept++] = SIZE_MAX;
	}
	side->count = kept;
}

static enum sl_code apply(struct sg_check *check, struct sg_gate_side *base,
			  struct sg_suppressions *list, struct sl_error *error)
{
	enum sl_code code = SL_OK;

	if (!sg_suppressions_count(list) && !*sg_suppressions_top(list))
		code = sg_check_note(check, error,
				     "%s has no %s, so nothing is known before "
				     "the change: scgate baseline write",
				     check->lawgiver->name,
				     check->config.baseline);
	else
		code = check_tools(check, list, error);
	if (code == SL_OK)
		code = sg_side_accept(check, base, list, error);
	if (code == SL_OK)
		keep_accepted(base);
	return code;
}

enum sl_code sg_baseline_apply(struct sg_check *check,
			       struct sg_gate_side *base,
			       struct sl_error *error)
{
	struct sg_suppressions *list = NULL;
	enum sl_code code;

	if (!check->config.baseline)
		return SL_OK;
	code = sg_check_read_entries(check, check->lawgiver,
				     check->config.baseline, &list, error);
	if (code == SL_OK)
		code = apply(check, base, list, error);
	sg_suppressions_destroy(list);
	return code;
}

/* ---- writing ----------------------------------------------------------- */

static enum sl_code write_top(struct sg_check *check,
			      struct sg_suppressions *list,
			      struct sl_error *error)
{
	const char *top = "# What was there when the gate was set up; made by "
			  "scgate baseline write.\n";

	for (size_t at = 0; top && at < check->tool_count; at++) {
		const char *line = tool_line(check, &check->tools[at]);

		top = line ? sl_arena_printf(&check->arena, "%s%s", top, line)
			   : NULL;
	}
	return top ? sg_suppressions_set_top(list, top, error)
		   : no_memory(error);
}

static enum sl_code add(struct sg_suppressions *list,
			const struct sg_judged *judged, struct sl_error *error)
{
	const struct sg_finding *finding = &judged->finding;
	const struct sg_suppression entry = {
		.path = finding->path,
		.tool = finding->tool,
		.rule = finding->rule ? finding->rule : "",
		.function = finding->function,
		.message = finding->message,
		.line = finding->path ? finding->line : 0,
		.line_hash = judged->line_hash,
		.window_hash = judged->window_hash,
		.reason = "baseline",
	};

	return sg_suppressions_add(list, &entry, error);
}

enum sl_code sg_baseline_write(struct sg_check *check, const char *path,
			       size_t *count, struct sl_error *error)
{
	const struct sg_judgement *judgement = &check->judgement;
	struct sg_suppressions *list = sg_suppressions_create();
	enum sl_code code = list ? SL_OK : no_memory(error);

	*count = 0;
	if (code == SL_OK)
		code = write_top(check, list, error);
	for (size_t at = 0; code == SL_OK && at < judgement->judged_count;
	     at++) {
		const struct sg_judged *judged = &judgement->judged[at];

		if (judged->accepted ||
		    (judged->verdict != SG_SAME && judged->verdict != SG_NEW))
			continue;
		code = add(list, judged, error);
		++*count;
	}
	if (code == SL_OK)
		code = sg_suppressions_write(list, path, error);
	sg_suppressions_destroy(list);
	return code;
}

const char *sg_baseline_path(const struct sg_check *check)
{
	return check->config.baseline;
}
