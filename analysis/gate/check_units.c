/* SPDX-License-Identifier: MIT */
/* The units of each tree, and what they may depend on. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gate/check_parts.h"
#include "gate/key.h"
#include "run/includes.h"
#include "run/list.h"
#include "run/tree.h"

static enum sl_code no_memory(struct sl_error *error)
{
	return SL_FAIL(error, SL_ENOMEM, "no memory for units");
}

/* ---- closures ---------------------------------------------------------- */

/* What was scanned, until it can be written at once. */
struct scanning {
	struct sg_check *check;
	struct sg_gate_tree *tree;
	struct sl_arena arena; /* of one answer */
	struct sl_buffer scan;
	struct scanned {
		struct scanned *next;
		struct sg_hash key;
		const char *text;
	} * scanned; /* in the check's arena */
};

static enum sl_code scan_now(struct scanning *scanning, struct sg_hash key,
			     const struct sg_snapshot_file *file,
			     const char **scan, struct sl_error *error)
{
	struct sl_arena *arena = &scanning->check->arena;
	struct scanned *scanned = sl_arena_alloc(arena, sizeof(*scanned));
	const char *text;
	size_t length;
	enum sl_code code = sg_snapshot_text(scanning->tree->snapshot,
					     file->path, &text, &length, error);

	scanning->scan.used = 0;
	if (code == SL_OK && text)
		code = sg_includes_scan(text, length, &scanning->scan, error);
	if (code != SL_OK)
		return code;
	*scan = sl_arena_text(arena,
			      scanning->scan.data ? scanning->scan.data : "",
			      scanning->scan.used);
	if (!*scan || !scanned)
		return no_memory(error);
	*scanned = (struct scanned){ scanning->scanned, key, *scan };
	scanning->scanned = scanned;
	return SL_OK;
}

static enum sl_code look_or_scan(void *context,
				 const struct sg_snapshot_file *file,
				 const char **scan, struct sl_error *error)
{
	struct scanning *scanning = context;
	struct sg_key key;
	enum sl_code code;

	sg_key_init(&key, "includes");
	sg_key_number(&key, SG_INCLUDES_VERSION);
	sg_key_hash(&key, file->content);
	sl_arena_clear(&scanning->arena);
	code = sg_kept_note(scanning->check->store, key.hash, &scanning->arena,
			    scan, error);
	if (code != SL_OK || *scan)
		return code;
	return scan_now(scanning, key.hash, file, scan, error);
}

static enum sl_code write_scans(struct scanning *scanning,
				struct sl_error *error)
{
	struct sg_store *store = scanning->check->store;
	enum sl_code code;

	if (!scanning->scanned)
		return SL_OK;
	code = sg_kept_begin(store, NULL, NULL, error);
	for (const struct scanned *at = scanning->scanned; code == SL_OK && at;
	     at = at->next)
		code = sg_kept_put_note(store, at->key, at->text, error);
	if (code != SL_OK) {
		sg_store_abandon(store);
		return code;
	}
	return sg_kept_commit(store, error);
}

enum sl_code sg_check_scan(struct sg_check *check, struct sg_gate_tree *tree,
			   const struct sg_snapshot_file *file,
			   const char **scan, struct sl_error *error)
{
	struct scanning scanning = { .check = check, .tree = tree };
	const char *found = NULL;
	enum sl_code code = look_or_scan(&scanning, file, &found, error);

	if (code == SL_OK) {
		*scan = sl_arena_printf(&check->arena, "%s",
					found ? found : "");
		if (!*scan)
			code = no_memory(error);
	}
	free(scanning.scan.data);
	sl_arena_finish(&scanning.arena);
	return code;
}

/* ---- rows -------------------------------------------------------------- */

static bool is_header(const char *path)
{
	static const char *const endings[] = { ".h",   ".hh",  ".hpp", ".hxx",
					       ".h++", ".inc", ".inl", ".ipp",
					       ".tcc", ".tpp", ".def" };
	size_t length = strlen(path);

	for (size_t at = 0; at < sizeof(endings) / sizeof(endings[0]); at++) {
		size_t own = strlen(endings[at]);

		if (length > own &&
		    strcmp(path + length - own, endings[at]) == 0)
			return true;
	}
	return false;
}

bool sg_check_is_code(const char *path)
{
	return sg_language_of(path) != SG_LANGUAGE_OTHER || is_header(path);
}

/* Headers that a command has its analyzer include; other files that it names
 * are those of the configuration. */
static enum sl_code add_forced(struct sg_check *check,
			       const struct sg_unit *unit,
			       const struct sg_analyzer *analyzer,
			       struct sg_list *list, struct sl_error *error)
{
	const char *const *names;
	size_t count;
	enum sl_code code = sg_unit_forced(unit, analyzer, &check->arena,
					   &names, &count, error);

	for (size_t at = 0; code == SL_OK && at < count; at++)
		if (!analyzer || sg_check_is_code(names[at]))
			sg_list_add(list, names[at]);
	return code;
}

enum sl_code sg_check_closure(struct sg_check *check,
			      const struct sg_gate_tree *tree,
			      const struct sg_unit *unit,
			      struct sg_closure *closure,
			      struct sl_error *error)
{
	struct sg_list list = { .arena = &check->arena };
	const char *const *forced;
	enum sl_code code = add_forced(check, unit, NULL, &list, error);

	for (const struct sg_analyzer *const *at = check->config.analyzers;
	     code == SL_OK && *at; at++)
		code = add_forced(check, unit, *at, &list, error);
	forced = sg_list_words(&list);
	if (code == SL_OK && !forced)
		code = no_memory(error);
	return code == SL_OK
		       ? sg_closures_of(tree->closures, unit->source, forced,
					list.count, closure, error)
		       : code;
}

static enum sl_code fill_row(struct sg_check *check, struct sg_gate_tree *tree,
			     struct sg_gate_unit *row,
			     const struct sg_unit *unit, struct sl_error *error)
{
	struct sg_closure closure;
	enum sl_code code =
		sg_check_closure(check, tree, unit, &closure, error);

	if (code != SL_OK)
		return code;
	row->unit = unit;
	row->flags = sg_unit_hash(unit, check->settings.root);
	row->closure = closure.hash;
	sg_check_add_filters(check, tree, &closure, &row->closure);
	row->filtered = sg_check_filtered(tree, &closure);
	row->twin = SIZE_MAX;
	row->is_guess = tree->is_base && tree->units == &tree->own_units &&
			check->units.count &&
			!sg_units_have(&check->units, unit->source);
	row->results = sl_arena_alloc(
		&check->arena, (check->tool_count + 1) * sizeof(*row->results));
	return row->results ? SL_OK : no_memory(error);
}

/* Units that the tree has, and that somebody wants to hear of. */
static bool is_analysed(const struct sg_check *check,
			const struct sg_gate_tree *tree,
			const struct sg_unit *unit)
{
	return unit->language != SG_LANGUAGE_OTHER && *unit->source != '/' &&
	       sg_snapshot_find(tree->snapshot, unit->source) &&
	       !sg_config_excludes(&check->config, unit->source);
}

/* @return whether the source is among the rows already, and once is enough. */
static bool is_variant(const struct sg_check *check,
		       const struct sg_gate_tree *tree,
		       const struct sg_unit *unit)
{
	return !check->config.variants && tree->count &&
	       strcmp(tree->rows[tree->count - 1].unit->source, unit->source) ==
		       0;
}

static enum sl_code make_rows(struct sg_check *check, struct sg_gate_tree *tree,
			      struct sl_error *error)
{
	enum sl_code code = SL_OK;

	tree->rows = calloc(tree->units->count + 1, sizeof(*tree->rows));
	tree->once = sl_arena_alloc(&check->arena, (check->tool_count + 1) *
							   sizeof(*tree->once));
	if (!tree->rows || !tree->once)
		return no_memory(error);
	for (size_t at = 0; code == SL_OK && at < tree->units->count; at++) {
		const struct sg_unit *unit = &tree->units->units[at];

		if (is_analysed(check, tree, unit) &&
		    !is_variant(check, tree, unit))
			code = fill_row(check, tree, &tree->rows[tree->count++],
					unit, error);
	}
	return code;
}

enum sl_code sg_check_list_tree(struct sg_check *check,
				struct sg_gate_tree *tree,
				struct sl_error *error)
{
	struct scanning scanning = { .check = check, .tree = tree };
	enum sl_code code = sg_check_find_units(check, tree, error);

	if (code == SL_OK)
		code = sg_closures_create(&tree->closures, tree->snapshot,
					  look_or_scan, &scanning, error);
	if (code == SL_OK)
		code = sg_check_find_filters(check, tree, error);
	if (code == SL_OK)
		code = make_rows(check, tree, error);
	if (code == SL_OK)
		code = write_scans(&scanning, error);
	free(scanning.scan.data);
	sl_arena_finish(&scanning.arena);
	return code;
}

enum sl_code sg_check_list_units(struct sg_check *check, struct sl_error *error)
{
	enum sl_code code = sg_check_list_tree(check, &check->tested, error);

	for (size_t at = 0; code == SL_OK && at < check->base_count; at++)
		code = sg_check_list_tree(check, &check->bases[at], error);
	return code;
}
