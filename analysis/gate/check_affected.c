/* SPDX-License-Identifier: MIT */
/* Which units a change can have made better or worse: those that no other tree
 * of the check has just so. */
#include <stdlib.h>
#include <string.h>

#include "gate/check_parts.h"
#include "gate/key.h"
#include "match/tokens.h"

static enum sl_code no_memory(struct sl_error *error)
{
	return SL_FAIL(error, SL_ENOMEM, "no memory for units");
}

/* ---- units ------------------------------------------------------------- */

/* A unit as it is looked for in another tree. */
struct identity {
	struct sg_hash hash;
	size_t row;
};

static struct sg_hash identity_of(const struct sg_gate_unit *row)
{
	struct sg_key key;

	sg_key_init(&key, "unit");
	sg_key_text(&key, row->unit->source);
	sg_key_hash(&key, row->flags);
	sg_key_hash(&key, row->closure);
	return key.hash;
}

static int order_identities(const void *a, const void *b)
{
	const struct identity *left = a, *right = b;

	return sg_hash_order(left->hash, right->hash);
}

/* The rows of a tree by identity; owned. */
static struct identity *sorted(const struct sg_gate_tree *tree)
{
	struct identity *rows = calloc(tree->count + 1, sizeof(*rows));

	if (!rows)
		return NULL;
	for (size_t at = 0; at < tree->count; at++)
		rows[at] =
			(struct identity){ identity_of(&tree->rows[at]), at };
	if (tree->count)
		qsort(rows, tree->count, sizeof(*rows), order_identities);
	return rows;
}

/* Walk both in step: what one has alone is affected, what both have is a pair.
 * A row of the tested tree is unaffected as soon as one base has it. */
static void pair(struct sg_check *check, struct sg_gate_tree *base,
		 const struct identity *news, const struct identity *olds)
{
	size_t new_at = 0, old_at = 0;

	while (old_at < base->count) {
		struct sg_gate_unit *old = &base->rows[olds[old_at].row];
		int order = new_at < check->tested.count
				    ? sg_hash_order(news[new_at].hash,
						    olds[old_at].hash)
				    : 1;

		if (order < 0) {
			new_at++;
			continue;
		}
		if (order == 0) {
			old->twin = news[new_at].row;
			check->tested.rows[old->twin].affected = false;
			new_at++;
		} else {
			old->affected = true;
		}
		old_at++;
	}
}

static enum sl_code compare_units(struct sg_check *check,
				  struct sl_error *error)
{
	struct identity *news = sorted(&check->tested);
	enum sl_code code = news ? SL_OK : no_memory(error);

	for (size_t at = 0; at < check->tested.count; at++)
		check->tested.rows[at].affected = true;
	for (size_t at = 0; code == SL_OK && at < check->base_count; at++) {
		struct identity *olds = sorted(&check->bases[at]);

		if (olds)
			pair(check, &check->bases[at], news, olds);
		else
			code = no_memory(error);
		free(olds);
	}
	free(news);
	return code;
}

/* Of a merge, what a parent alone has matters only where the merge has
 * something of its own. */
static bool is_of_interest(const struct sg_check *check,
			   const struct sg_gate_unit *row)
{
	if (check->base_count < 2)
		return true;
	for (size_t at = 0; at < check->tested.count; at++)
		if (check->tested.rows[at].affected &&
		    strcmp(check->tested.rows[at].unit->source,
			   row->unit->source) == 0)
			return true;
	return false;
}

static void want_affected(struct sg_check *check)
{
	for (size_t at = 0; at < check->tested.count; at++)
		check->tested.rows[at].wanted = check->tested.rows[at].affected;
	for (size_t base = 0; base < check->base_count; base++)
		for (size_t at = 0; at < check->bases[base].count; at++) {
			struct sg_gate_unit *row = &check->bases[base].rows[at];

			row->wanted =
				row->affected && is_of_interest(check, row);
		}
}

/* ---- files ------------------------------------------------------------- */

/* @return whether some base has the file just so. */
static bool is_inherited(const struct sg_check *check,
			 const struct sg_snapshot_file *file)
{
	for (size_t at = 0; at < check->base_count; at++) {
		const struct sg_snapshot_file *old =
			sg_snapshot_find(check->bases[at].snapshot, file->path);

		if (old && sg_hash_equal(old->content, file->content))
			return true;
	}
	return false;
}

/* *is_seen: some unit may include the file. */
static enum sl_code is_included(struct sg_check *check,
				const struct sg_snapshot_file *file,
				bool *is_seen, struct sl_error *error)
{
	const struct sg_gate_tree *tree = &check->tested;
	size_t count;
	size_t number =
		(size_t)(file - sg_snapshot_files(tree->snapshot, &count));
	enum sl_code code = SL_OK;

	*is_seen = false;
	for (size_t at = 0; code == SL_OK && !*is_seen && at < tree->count;
	     at++) {
		struct sg_closure closure;

		code = sg_closures_of(tree->closures,
				      tree->rows[at].unit->source, NULL, 0,
				      &closure, error);
		for (size_t in = 0; code == SL_OK && in < closure.count; in++)
			*is_seen |=
				closure.files[in] == number && !closure.whole;
	}
	return code;
}

/* A source that changed, and that nobody compiles or includes, is one that
 * nobody looked at. */
static enum sl_code find_orphans(struct sg_check *check, struct sl_error *error)
{
	size_t count;
	const struct sg_snapshot_file *files =
		sg_snapshot_files(check->tested.snapshot, &count);
	enum sl_code code = SL_OK;

	for (size_t at = 0; code == SL_OK && at < count; at++) {
		bool is_seen;
		const struct sg_trouble trouble = {
			.unit = files[at].path,
			.why = check->config.build
				       ? "the change touches it, but "
					 "compile_commands.json does not name "
					 "it: configure the build anew, or "
					 "exclude it"
				       : "the change touches it, but it is "
					 "none of \"sources\": add it there, "
					 "or exclude it",
		};

		if (sg_language_of(files[at].path) == SG_LANGUAGE_OTHER ||
		    (files[at].mode & 0170000) != 0100000 ||
		    sg_units_have(check->tested.units, files[at].path) ||
		    sg_config_excludes(&check->config, files[at].path) ||
		    is_inherited(check, &files[at]))
			continue;
		code = is_included(check, &files[at], &is_seen, error);
		if (code == SL_OK && !is_seen)
			code = sg_check_trouble(check, &trouble, error);
	}
	return code;
}

/* A unit that the database has no longer, though its source stays, is one that
 * nobody looks at any more. */
static enum sl_code find_dropped(struct sg_check *check, struct sl_error *error)
{
	const struct sg_gate_tree *base = &check->bases[0];
	enum sl_code code = SL_OK;

	for (size_t at = 0;
	     code == SL_OK && check->base_count && at < base->count; at++) {
		const char *source = base->rows[at].unit->source;
		const struct sg_trouble trouble = {
			.unit = source,
			.why = "the change takes it out of "
			       "compile_commands.json, but leaves it there",
		};

		if (base->rows[at].is_guess ||
		    sg_units_have(check->tested.units, source) ||
		    !sg_snapshot_find(check->tested.snapshot, source))
			continue;
		code = sg_check_trouble(check, &trouble, error);
	}
	return code;
}

/* What a filter makes of a file may include and silence what its text in the
 * commit does not. */
static enum sl_code find_filtered(struct sg_check *check,
				  struct sl_error *error)
{
	enum sl_code code = SL_OK;

	for (size_t at = 0; code == SL_OK && at < check->tested.count; at++) {
		const struct sg_gate_unit *row = &check->tested.rows[at];
		const struct sg_trouble trouble = {
			.unit = row->unit->source,
			.why = !row->filtered
				       ? ""
				       : sl_arena_printf(
						 &check->arena,
						 "%s goes through a filter of "
						 "git's (filter= in "
						 ".gitattributes), so the "
						 "commit does not tell its "
						 "text: exclude the unit, or "
						 "take the filter away",
						 row->filtered),
		};

		if (row->filtered && row->affected)
			code = sg_check_trouble(check, &trouble, error);
	}
	return code;
}

/* What a submodule holds is no part of the tree. */
static enum sl_code note_submodules(struct sg_check *check,
				    struct sl_error *error)
{
	size_t count;
	const struct sg_snapshot_file *files =
		sg_snapshot_files(check->tested.snapshot, &count);
	enum sl_code code = SL_OK;

	for (size_t at = 0; code == SL_OK && at < count; at++)
		if (files[at].mode == 0160000 &&
		    !is_inherited(check, &files[at]))
			code = sg_check_note(
				check, error,
				"this change moves the submodule %s; what is "
				"new in there was not judged",
				files[at].path);
	return code;
}

/* ---- tokens ------------------------------------------------------------ */

static enum sl_code hash_tokens(struct sg_snapshot *snapshot, const char *path,
				struct sg_hash *hash, struct sl_error *error)
{
	struct sg_source source;
	struct sg_key key;
	const char *text;
	size_t length;
	enum sl_code code =
		sg_snapshot_text(snapshot, path, &text, &length, error);

	sg_key_init(&key, "tokens");
	*hash = key.hash;
	if (code != SL_OK || !text)
		return code;
	if (sg_source_init(&source, text, length) != SL_OK)
		return no_memory(error);
	for (size_t at = 0; at < source.token_count; at++)
		sg_key_bytes(&key, text + source.tokens[at].offset,
			     source.tokens[at].length);
	sg_source_finish(&source);
	*hash = key.hash;
	return SL_OK;
}

static enum sl_code compare_tokens(struct sg_check *check, const char *path,
				   struct sl_error *error)
{
	struct sg_hash now, then;
	enum sl_code code =
		hash_tokens(check->tested.snapshot, path, &now, error);

	if (code == SL_OK)
		code = hash_tokens(check->bases[0].snapshot, path, &then,
				   error);
	if (code == SL_OK && !sg_hash_equal(now, then))
		check->judgement.changes_code = true;
	return code;
}

static bool differs(const struct sg_check *check, const char *path)
{
	const struct sg_snapshot_file *now =
		sg_snapshot_find(check->tested.snapshot, path);
	const struct sg_snapshot_file *then =
		sg_snapshot_find(check->bases[0].snapshot, path);

	return !now || !then || !sg_hash_equal(now->content, then->content);
}

/* Of the files that affected units may depend on, each once: a header is in the
 * closures of many. */
static enum sl_code look_at_tree(struct sg_check *check,
				 struct sg_gate_tree *tree,
				 struct sl_error *error)
{
	enum sl_code code = SL_OK;
	size_t file_count;
	const struct sg_snapshot_file *files =
		sg_snapshot_files(tree->snapshot, &file_count);
	bool *seen = sl_arena_alloc(&check->arena, file_count * sizeof(*seen));

	if (!seen)
		return no_memory(error);
	for (size_t at = 0; code == SL_OK && at < tree->count; at++) {
		struct sg_closure closure;

		if (!tree->rows[at].affected || check->judgement.changes_code)
			continue;
		code = sg_check_closure(check, tree, tree->rows[at].unit,
					&closure, error);
		for (size_t file = 0; code == SL_OK && file < closure.count &&
				      !check->judgement.changes_code;
		     file++) {
			const char *path = files[closure.files[file]].path;

			if (!seen[closure.files[file]] && differs(check, path))
				code = compare_tokens(check, path, error);
			seen[closure.files[file]] = true;
		}
	}
	return code;
}

static enum sl_code look_at_code(struct sg_check *check, struct sl_error *error)
{
	enum sl_code code;

	if (!check->base_count) {
		check->judgement.changes_code = true;
		return SL_OK;
	}
	code = look_at_tree(check, &check->tested, error);
	return code == SL_OK ? look_at_tree(check, &check->bases[0], error)
			     : code;
}

enum sl_code sg_check_compare(struct sg_check *check, struct sl_error *error)
{
	enum sl_code code = compare_units(check, error);

	if (code != SL_OK)
		return code;
	want_affected(check);
	code = sg_check_want_unexcused(check, error);
	if (code == SL_OK)
		code = find_orphans(check, error);
	if (code == SL_OK)
		code = find_dropped(check, error);
	if (code == SL_OK)
		code = find_filtered(check, error);
	if (code == SL_OK)
		code = note_submodules(check, error);
	if (code == SL_OK)
		code = sg_check_note_flags(check, error);
	if (code == SL_OK)
		code = sg_check_note_unread(check, error);
	return code == SL_OK ? look_at_code(check, error) : code;
}
