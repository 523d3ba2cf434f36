/* SPDX-License-Identifier: MIT */
/* By which rules a check judges: those of a parent, not of the change itself.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/problems.h"
#include "gate/check_parts.h"
#include "gate/entry.h"
#include "gate/key.h"
#include "run/path.h"
#include "run/tree.h"

enum { LINKS_MAX = 8 };

/* ---- the configuration ------------------------------------------------- */

/* The files as they are, for a configuration that is not committed yet. */
static enum sl_code read_loose(struct sg_check *check, const char **text,
			       size_t *length, struct sl_error *error)
{
	struct sg_tree *files = NULL;
	const char *found = NULL;
	enum sl_code code =
		sg_tree_open(check->settings.root, NULL, &files, error);

	*text = NULL;
	if (code == SL_OK)
		code = sg_tree_text(files, SG_CONFIG_NAME, &found, length,
				    error);
	if (code == SL_OK && found) {
		*text = sl_arena_text(&check->arena, found, *length);
		if (!*text)
			code = SL_FAIL(error, SL_ENOMEM,
				       "no memory for a configuration");
	}
	sg_tree_close(files);
	return code;
}

static enum sl_code parse(struct sg_check *check, struct sg_gate_tree *from,
			  const char *text, size_t length,
			  struct sl_error *error)
{
	const char *name = from ? sl_arena_printf(&check->arena, "%s of %s",
						  SG_CONFIG_NAME, from->name)
				: SG_CONFIG_NAME;
	enum sl_code code;

	if (!name)
		return SL_FAIL(error, SL_ENOMEM,
			       "no memory for a configuration");
	code = sg_config_parse(&check->config, text, length, name,
			       check->settings.problems, error);
	check->has_config = code == SL_OK;
	return code;
}

enum sl_code sg_check_follow(struct sg_check *check,
			     const struct sg_gate_tree *tree, const char *path,
			     const struct sg_snapshot_file **file,
			     struct sl_error *error)
{
	const char *target, *joined;
	enum sl_code code;

	*file = sg_snapshot_find(tree->snapshot, path);
	for (int links = 0; *file && (*file)->mode == 0120000; links++) {
		code = sg_snapshot_target(tree->snapshot, (*file)->path,
					  &target, error);
		if (code != SL_OK)
			return code;
		if (links == LINKS_MAX || !target || *target == '/') {
			*file = NULL;
			return SL_OK;
		}
		joined = sl_arena_printf(&check->arena, "%s/../%s",
					 (*file)->path, target);
		joined = joined ? sg_path_join("/", joined, &check->arena)
				: NULL;
		if (!joined)
			return SL_FAIL(error, SL_ENOMEM,
				       "no memory for a configuration");
		*file = sg_snapshot_find(tree->snapshot, joined + 1);
	}
	return SL_OK;
}

/* Try a tree; *found: it has a configuration, and it is read. */
static enum sl_code try_tree(struct sg_check *check, struct sg_gate_tree *tree,
			     bool *found, struct sl_error *error)
{
	const struct sg_snapshot_file *file;
	const char *text = NULL;
	size_t length;
	enum sl_code code =
		sg_check_follow(check, tree, SG_CONFIG_NAME, &file, error);

	*found = false;
	if (code == SL_OK && file)
		code = sg_snapshot_text(tree->snapshot, file->path, &text,
					&length, error);
	if (code != SL_OK || !text)
		return code;
	code = parse(check, tree, text, length, error);
	*found = code == SL_OK;
	check->lawgiver = tree;
	return code;
}

/* A parent whose configuration is broken cannot be asked: else nobody could
 * ever mend it. */
static enum sl_code try_base(struct sg_check *check, struct sg_gate_tree *base,
			     bool *found, struct sl_error *error)
{
	struct sl_problems *problems = check->settings.problems;
	enum sl_code code = try_tree(check, base, found, error);

	if (code != SL_EINVAL || !problems->count)
		return code;
	sl_problems_finish(problems);
	return sg_check_note(check, error,
			     "the %s of %s is broken, so the one that comes "
			     "with the change holds",
			     SG_CONFIG_NAME, base->name);
}

/* What breaks the gate for the next change is told of this one, and keeps it
 * from passing. */
static enum sl_code say_broken(struct sg_check *check,
			       struct sl_problems *problems,
			       struct sl_error *error)
{
	char *first = problems->count ? sl_problems_text(problems, 0) : NULL;
	const struct sg_trouble trouble = {
		.unit = SG_CONFIG_NAME,
		.why = sl_arena_printf(&check->arena,
				       "the change breaks it: %s",
				       first ? first : error->message),
	};

	free(first);
	check->breaks_config = true;
	return sg_check_trouble(check, &trouble, error);
}

static enum sl_code check_own(struct sg_check *check, struct sl_error *error)
{
	struct sl_problems problems = { .rows = NULL };
	struct sg_config own;
	const char *text;
	size_t length;
	enum sl_code code = sg_snapshot_text(
		check->tested.snapshot, SG_CONFIG_NAME, &text, &length, error);

	if (code != SL_OK || !text)
		return code;
	code = sg_config_parse(&own, text, length, SG_CONFIG_NAME, &problems,
			       error);
	if (code == SL_OK)
		sg_config_finish(&own);
	else if (code == SL_EINVAL)
		code = say_broken(check, &problems, error);
	sl_problems_finish(&problems);
	return code;
}

static enum sl_code use_own(struct sg_check *check, struct sl_error *error)
{
	bool found;
	const char *text;
	size_t length = 0;
	enum sl_code code = try_tree(check, &check->tested, &found, error);

	if (code != SL_OK)
		return code;
	if (found && check->notes.count)
		return SL_OK; /* it is said why */
	if (found)
		return sg_check_note(
			check, error,
			"%s%s %s, so the one that comes with the change holds",
			check->base_count ? check->bases[0].name
					  : "there is no ",
			check->base_count ? " has no" : "parent with a",
			SG_CONFIG_NAME);
	code = read_loose(check, &text, &length, error);
	if (code != SL_OK)
		return code;
	if (!text)
		return SL_FAIL(error, SL_EINVAL,
			       "there is no %s: scgate init writes one",
			       SG_CONFIG_NAME);
	check->lawgiver = &check->tested;
	code = parse(check, NULL, text, length, error);
	if (code == SL_OK)
		code = sg_check_note(check, error,
				     "%s is not committed yet: commit it, so "
				     "that it holds for everybody",
				     SG_CONFIG_NAME);
	return code;
}

static enum sl_code find_config(struct sg_check *check, struct sl_error *error)
{
	bool found = false;
	enum sl_code code = SL_OK;

	for (size_t at = 0; code == SL_OK && !found && at < check->base_count;
	     at++)
		code = try_base(check, &check->bases[at], &found, error);
	return code == SL_OK && !found ? use_own(check, error) : code;
}

/* ---- files that steer -------------------------------------------------- */

/* *is: the tested tree has another content of @p path than the one whose rules
 * hold. */
static enum sl_code is_edited(struct sg_check *check, const char *path,
			      bool *is, struct sl_error *error)
{
	const struct sg_snapshot_file *now, *then;
	enum sl_code code =
		sg_check_follow(check, &check->tested, path, &now, error);

	if (code == SL_OK)
		code = sg_check_follow(check, check->lawgiver, path, &then,
				       error);
	if (code == SL_OK)
		*is = now && then ? !sg_hash_equal(now->content, then->content)
				  : now != then;
	return code;
}

static enum sl_code note_edit(struct sg_check *check, const char *path,
			      struct sl_error *error)
{
	bool is = false;
	enum sl_code code = path ? is_edited(check, path, &is, error) : SL_OK;

	if (code != SL_OK || !is)
		return code;
	return sg_check_note(check, error,
			     "this change edits %s; it is judged by that of %s",
			     path, check->lawgiver->name);
}

/* ---- suppressions ------------------------------------------------------ */

enum sl_code sg_check_read_entries(struct sg_check *check,
				   struct sg_gate_tree *tree, const char *name,
				   struct sg_suppressions **list,
				   struct sl_error *error)
{
	const struct sg_snapshot_file *file = NULL;
	const char *text = NULL, *path;
	size_t length = 0;
	enum sl_code code = sg_check_make_temp(check, error);

	if (code == SL_OK && tree)
		code = sg_check_follow(check, tree, name, &file, error);
	if (code == SL_OK && file)
		code = sg_snapshot_text(tree->snapshot, file->path, &text,
					&length, error);
	if (code != SL_OK)
		return code;
	path = sg_check_new_file(check, "entries");
	if (!path)
		return SL_FAIL(error, SL_ENOMEM, "no memory for suppressions");
	if (text)
		code = sg_check_write(path, text, length, error);
	if (code == SL_OK)
		code = sg_suppressions_read(path, list, error);
	if (code == SL_EINVAL)
		sl_error_at(error, name, error->input_line);
	return code;
}

static enum sl_code read_entries(struct sg_check *check,
				 struct sg_gate_tree *tree,
				 struct sg_suppressions **list,
				 struct sl_error *error)
{
	return sg_check_read_entries(check, tree, check->config.suppressions,
				     list, error);
}

bool sg_check_has_entry(const struct sg_suppressions *list,
			const struct sg_suppression *entry)
{
	for (size_t at = 0; at < sg_suppressions_count(list); at++) {
		const struct sg_suppression *other =
			sg_suppressions_at(list, at);

		if (sg_entry_order(entry, other) == 0 &&
		    sg_hash_equal(entry->line_hash, other->line_hash))
			return true;
	}
	return false;
}

static enum sl_code compare_entries(struct sg_check *check, size_t *added,
				    struct sl_error *error)
{
	size_t count = sg_suppressions_count(check->after);
	bool *is_new = sl_arena_alloc(&check->arena, count + 1);

	*added = 0;
	if (!is_new)
		return SL_FAIL(error, SL_ENOMEM, "no memory for suppressions");
	for (size_t at = 0; at < count; at++) {
		is_new[at] = !sg_check_has_entry(
			check->before, sg_suppressions_at(check->after, at));
		*added += is_new[at];
	}
	check->entry_is_new = is_new;
	return SL_OK;
}

/* Where the parent does not allow that a change excuses itself, its entries
 * hold, and no others. */
static enum sl_code read_suppressions(struct sg_check *check,
				      struct sl_error *error)
{
	bool has_law = check->lawgiver->is_base, edited;
	size_t added;
	enum sl_code code =
		read_entries(check, check->base_count ? &check->bases[0] : NULL,
			     &check->before, error);

	if (code == SL_OK)
		code = read_entries(check, &check->tested, &check->after,
				    error);
	if (code == SL_OK)
		code = compare_entries(check, &added, error);
	if (code != SL_OK || !has_law || check->config.new_suppressions)
		return code;
	code = is_edited(check, check->config.suppressions, &edited, error);
	if (code != SL_OK || !edited)
		return code;
	sg_suppressions_destroy(check->after);
	check->after = NULL;
	code = read_entries(check, check->lawgiver, &check->after, error);
	if (code == SL_OK)
		code = compare_entries(check, &added, error);
	if (code == SL_OK)
		code = note_edit(check, check->config.suppressions, error);
	return code;
}

/* ---- nothing to judge -------------------------------------------------- */

static bool is_same_tree(const struct sg_gate_tree *a,
			 const struct sg_gate_tree *b)
{
	size_t count, others;
	const struct sg_snapshot_file *files =
		sg_snapshot_files(a->snapshot, &count);
	const struct sg_snapshot_file *other =
		sg_snapshot_files(b->snapshot, &others);

	if (count != others)
		return false;
	for (size_t at = 0; at < count; at++)
		if (strcmp(files[at].path, other[at].path) != 0 ||
		    !sg_hash_equal(files[at].content, other[at].content))
			return false;
	return true;
}

/* "passed" is easily taken for a word about what was edited. */
static enum sl_code note_empty(struct sg_check *check, struct sl_error *error)
{
	if (check->settings.mode != SG_CHECK_STAGED || check->base_count != 1 ||
	    !is_same_tree(&check->tested, &check->bases[0]))
		return SL_OK;
	return sg_check_note(check, error,
			     "nothing is staged: git add stages, and "
			     "--worktree checks the files as they are");
}

/* ---- all of them ------------------------------------------------------- */

enum sl_code sg_check_read_rules(struct sg_check *check, struct sl_error *error)
{
	enum sl_code code = find_config(check, error);

	if (code == SL_OK && check->lawgiver->is_base)
		code = check_own(check, error);
	if (code == SL_OK && check->lawgiver->is_base)
		code = note_edit(check, SG_CONFIG_NAME, error);
	if (code == SL_OK && check->lawgiver->is_base)
		code = note_edit(check, check->config.baseline, error);
	if (code == SL_OK)
		code = read_suppressions(check, error);
	if (code == SL_OK)
		code = note_empty(check, error);
	return code;
}
