/* SPDX-License-Identifier: MIT */
/* The findings of one tree, and what its units reach. */
#include "gate/check_side.h"

#include <stdlib.h>
#include <string.h>

#include "gate/accept.h"
#include "gate/check_keys.h"

static enum sl_code no_memory(struct sl_error *error)
{
	return SL_FAIL(error, SL_ENOMEM, "no memory for findings");
}

/* ---- loading ----------------------------------------------------------- */

static enum sl_code list_results(const struct sg_check *check,
				 const struct sg_gate_tree *tree, int64_t **ids,
				 size_t *count, struct sl_error *error)
{
	size_t room = (tree->count + 1) * (check->tool_count + 1);

	*count = 0;
	*ids = malloc(room * sizeof(**ids));
	if (!*ids)
		return no_memory(error);
	for (size_t at = 0; at < tree->count; at++)
		for (size_t tool = 0;
		     tree->rows[at].wanted && tool < check->tool_count; tool++)
			if (tree->rows[at].results[tool].id)
				(*ids)[(*count)++] =
					tree->rows[at].results[tool].id;
	for (size_t tool = 0; tool < check->tool_count; tool++)
		if (tree->once[tool].id)
			(*ids)[(*count)++] = tree->once[tool].id;
	return SL_OK;
}

/* Nor is it a defect of the code that a tool gave up on a part of it: that is
 * told as a limit. */
static void drop_unjudged(const struct sg_check *check,
			  struct sg_gate_side *side)
{
	size_t kept = 0;

	for (size_t at = 0; at < side->count; at++) {
		const struct sg_finding *finding = &side->findings[at].finding;

		if (!sg_rule_gives_up(finding->rule) &&
		    (!finding->path ||
		     !sg_config_excludes(&check->config, finding->path)))
			side->findings[kept++] = side->findings[at];
	}
	side->count = kept;
}

static enum sl_code make_sightings(struct sg_gate_side *side,
				   struct sl_error *error)
{
	side->sightings = calloc(side->count + 1, sizeof(*side->sightings));
	side->entries = malloc((side->count + 1) * sizeof(*side->entries));
	if (!side->sightings || !side->entries)
		return no_memory(error);
	for (size_t at = 0; at < side->count; at++) {
		const struct sg_kept_finding *kept = &side->findings[at];

		side->entries[at] = SIZE_MAX;
		side->sightings[at] = (struct sg_sighting){
			.path = kept->finding.path,
			.line = kept->finding.line,
			.column = kept->finding.column,
			.fingerprint = kept->fingerprint,
		};
	}
	return SL_OK;
}

enum sl_code sg_side_load(struct sg_check *check, struct sg_gate_side *side,
			  struct sg_gate_tree *tree, struct sl_error *error)
{
	int64_t *ids;
	size_t count;
	enum sl_code code = list_results(check, tree, &ids, &count, error);

	*side = (struct sg_gate_side){ .tree = tree };
	if (code == SL_OK)
		code = sg_kept_load(check->store, ids, count, &check->arena,
				    &side->findings, &side->count, error);
	free(ids);
	if (code != SL_OK)
		return code;
	drop_unjudged(check, side);
	if (check->config.inline_suppressions == SG_INLINE_FORBID)
		code = sg_side_add_inline(check, side, error);
	return code == SL_OK ? make_sightings(side, error) : code;
}

void sg_side_unload(struct sg_gate_side *side)
{
	free(side->findings);
	free(side->sightings);
	free(side->entries);
	free(side->reach.flags);
	*side = (struct sg_gate_side){ .tree = NULL };
}

/* ---- reach ------------------------------------------------------------- */

static unsigned flags_of(const struct sg_gate_unit *row, size_t tool)
{
	const struct sg_gate_result *result = &row->results[tool];

	return result->id && result->state == SG_RUN_COMPLETE ? SG_REACH_SEEN
							      : SG_REACH_BLIND;
}

static enum sl_code mark_row(struct sg_check *check, struct sg_gate_side *side,
			     const struct sg_gate_unit *row,
			     struct sl_error *error)
{
	struct sg_reach *reach = &side->reach;
	struct sg_closure closure;
	enum sl_code code =
		sg_check_closure(check, side->tree, row->unit, &closure, error);

	for (size_t tool = 0; code == SL_OK && tool < reach->tools; tool++) {
		unsigned flags = flags_of(row, tool);

		if (!sg_check_is_for(&check->tools[tool], row) ||
		    check->tools[tool].analyzer->once)
			continue;
		for (size_t at = 0; at < closure.count; at++)
			reach->flags[closure.files[at] * reach->tools + tool] |=
				(unsigned char)flags;
	}
	return code;
}

static void mark_once(struct sg_gate_side *side, size_t files, size_t tool)
{
	const struct sg_gate_result *result = &side->tree->once[tool];
	unsigned flags = result->id && result->state == SG_RUN_COMPLETE
				 ? SG_REACH_SEEN
				 : SG_REACH_BLIND;

	for (size_t at = 0; at < files; at++)
		side->reach.flags[at * side->reach.tools + tool] |=
			(unsigned char)flags;
}

static enum sl_code make_reach(struct sg_check *check,
			       struct sg_gate_side *side,
			       struct sl_error *error)
{
	size_t files;
	enum sl_code code = SL_OK;

	(void)sg_snapshot_files(side->tree->snapshot, &files);
	side->reach.tools = check->tool_count;
	side->reach.flags = calloc(files + 1, check->tool_count + 1);
	if (!side->reach.flags)
		return no_memory(error);
	for (size_t at = 0; code == SL_OK && at < side->tree->count; at++)
		if (side->tree->rows[at].wanted)
			code = mark_row(check, side, &side->tree->rows[at],
					error);
	for (size_t tool = 0; tool < check->tool_count; tool++)
		if (check->tools[tool].analyzer->once)
			mark_once(side, files, tool);
	side->reach.is_made = code == SL_OK;
	return code;
}

enum sl_code sg_side_reaches(struct sg_check *check, struct sg_gate_side *side,
			     const char *path, size_t tool, unsigned *flags,
			     struct sl_error *error)
{
	const struct sg_snapshot_file *file =
		sg_snapshot_find(side->tree->snapshot, path);
	size_t files, at;
	const struct sg_snapshot_file *all =
		sg_snapshot_files(side->tree->snapshot, &files);
	enum sl_code code =
		side->reach.is_made ? SL_OK : make_reach(check, side, error);

	*flags = 0;
	if (code != SL_OK || !file || tool >= side->reach.tools)
		return code;
	at = (size_t)(file - all);
	*flags = side->reach.flags[at * side->reach.tools + tool];
	return SL_OK;
}

size_t sg_side_tool(const struct sg_check *check,
		    const struct sg_gate_side *side, int64_t id)
{
	const struct sg_gate_tree *tree = side->tree;

	for (size_t tool = 0; tool < check->tool_count; tool++)
		if (tree->once[tool].id == id)
			return tool;
	for (size_t at = 0; at < tree->count; at++)
		for (size_t tool = 0;
		     tree->rows[at].wanted && tool < check->tool_count; tool++)
			if (tree->rows[at].results[tool].id == id)
				return tool;
	return SIZE_MAX;
}

const struct sg_gate_unit *sg_side_unit(const struct sg_check *check,
					const struct sg_gate_side *side,
					int64_t id)
{
	const struct sg_gate_tree *tree = side->tree;

	for (size_t at = 0; at < tree->count; at++)
		for (size_t tool = 0;
		     tree->rows[at].wanted && tool < check->tool_count; tool++)
			if (tree->rows[at].results[tool].id == id)
				return &tree->rows[at];
	return NULL;
}

/* ---- entries ----------------------------------------------------------- */

/* An entry may only excuse a finding if its own would be here, were it still
 * there: else it would excuse another one that looks like it. */
static enum sl_code is_in_scope(struct sg_check *check,
				struct sg_gate_side *side,
				const struct sg_suppression *entry, bool *is_in,
				struct sl_error *error)
{
	unsigned flags = 0;
	enum sl_code code = SL_OK;

	*is_in = check->judgement.is_whole || !entry->path;
	for (size_t tool = 0;
	     code == SL_OK && !*is_in && tool < check->tool_count; tool++) {
		code = sg_side_reaches(check, side, entry->path, tool, &flags,
				       error);
		*is_in = flags != 0;
	}
	/* one of a file that this change renames goes with it */
	if (code == SL_OK && !*is_in && !side->tree->is_base &&
	    check->base_count)
		*is_in =
			!sg_snapshot_find(side->tree->snapshot, entry->path) &&
			sg_snapshot_find(check->bases[0].snapshot, entry->path);
	return code;
}

enum sl_code sg_side_accept(struct sg_check *check, struct sg_gate_side *side,
			    const struct sg_suppressions *list,
			    struct sl_error *error)
{
	size_t count = sg_suppressions_count(list);
	size_t *found = calloc(count + 1, sizeof(*found));
	bool *in_scope = calloc(count + 1, sizeof(*in_scope));
	enum sl_code code = found && in_scope ? SL_OK : no_memory(error);

	for (size_t at = 0; code == SL_OK && at < count; at++)
		code = is_in_scope(check, side, sg_suppressions_at(list, at),
				   &in_scope[at], error);
	if (code == SL_OK)
		code = sg_suppressions_match(list, in_scope, side->sightings,
					     side->count, found, error);
	for (size_t at = 0; code == SL_OK && at < count; at++)
		if (found[at] != SG_NO_FINDING)
			side->entries[found[at]] = at;
	free(found);
	free(in_scope);
	return code;
}
