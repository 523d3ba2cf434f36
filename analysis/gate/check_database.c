/* SPDX-License-Identifier: MIT */
/* Where the units of a tree come from: a compile_commands.json, in the tree or
 * outside of it, or patterns of sources. */
#include <stdlib.h>
#include <string.h>

#include "gate/check_parts.h"
#include "gate/pattern.h"
#include "run/file.h"
#include "run/path.h"
#include "run/units_response.h"

static enum sl_code no_memory(struct sl_error *error)
{
	return SL_FAIL(error, SL_ENOMEM, "no memory for units");
}

/* ---- the database ------------------------------------------------------ */

/* *name: of the database from the root, or absolute. */
static enum sl_code name_database(struct sg_check *check, const char **name,
				  struct sl_error *error)
{
	const char *build = check->config.build;
	bool is_root = strcmp(build, ".") == 0 || !*build;

	*name = is_root ? "compile_commands.json"
			: sl_arena_printf(&check->arena,
					  "%s/compile_commands.json", build);
	return *name ? SL_OK : no_memory(error);
}

/* A database in the tree itself is that of its revision. */
static enum sl_code parse_tracked(struct sg_check *check,
				  struct sg_gate_tree *tree, const char *name,
				  bool *is_tracked, struct sl_error *error)
{
	const char *text = NULL;
	size_t length;
	enum sl_code code = SL_OK;

	if (*name != '/')
		code = sg_snapshot_text(tree->snapshot, name, &text, &length,
					error);
	*is_tracked = text != NULL;
	if (code != SL_OK || !text)
		return code;
	tree->units = &tree->own_units;
	return sg_units_parse(&tree->own_units, text, length, name,
			      check->settings.root, error);
}

/* One outside of the trees serves all. */
static enum sl_code parse_loose(struct sg_check *check, const char *name,
				struct sl_error *error)
{
	const char *root = check->settings.root;
	struct sl_buffer text = { .data = NULL };
	const char *path = *name == '/' ? name
					: sl_arena_printf(&check->arena,
							  "%s/%s", root, name);
	enum sl_code code;

	if (check->units.units)
		return SL_OK;
	if (!path)
		return no_memory(error);
	code = sg_file_read(path, SIZE_MAX, &text, error);
	if (code == SL_EIO)
		code = SL_FAIL(
			error, SL_EINVAL,
			"there is no %s, which says how the code is "
			"compiled: cmake -B BUILD "
			"-DCMAKE_EXPORT_COMPILE_COMMANDS=ON (or bear -- "
			"make) writes one; \"build\" in %s says where it "
			"is",
			sl_path_tail(name), SG_CONFIG_NAME);
	if (code == SL_OK)
		code = sg_units_parse(&check->units, text.data, text.used, name,
				      root, error);
	free(text.data);
	return code;
}

/* ---- without a database ------------------------------------------------ */

static bool is_listed(const struct sg_config *config, const char *path)
{
	for (const char *const *at = config->sources; *at; at++)
		if (sg_pattern_fits(*at, path))
			return true;
	return false;
}

static enum sl_code list_sources(struct sg_check *check,
				 struct sg_gate_tree *tree,
				 struct sl_error *error)
{
	const struct sg_config *config = &check->config;
	size_t count;
	const struct sg_snapshot_file *files =
		sg_snapshot_files(tree->snapshot, &count);
	enum sl_code code = SL_OK;

	for (size_t at = 0; code == SL_OK && at < count; at++)
		if (sg_language_of(files[at].path) != SG_LANGUAGE_OTHER &&
		    is_listed(config, files[at].path))
			code = sg_units_add(&tree->own_units, files[at].path,
					    check->settings.root,
					    config->compiler, config->flags,
					    error);
	sg_units_sort(&tree->own_units);
	tree->units = &tree->own_units;
	return code;
}

/* ---- sources that have other names now --------------------------------- */

/* @return the unit of the database that compiles @p source; NULL: none. */
static const struct sg_unit *unit_of(const struct sg_units *units,
				     const char *source)
{
	for (size_t at = 0; at < units->count; at++)
		if (strcmp(units->units[at].source, source) == 0)
			return &units->units[at];
	return NULL;
}

/* @return one whose source is in the same folder; NULL: none. */
static const struct sg_unit *neighbour_of(const struct sg_units *units,
					  const char *source)
{
	size_t length = (size_t)(sg_path_name(source) - source);

	for (size_t at = 0; at < units->count; at++) {
		const char *other = units->units[at].source;

		if (strncmp(other, source, length) == 0 &&
		    !strchr(other + length, '/') &&
		    units->units[at].language == sg_language_of(source))
			return &units->units[at];
	}
	return NULL;
}

/* A unit that compiles @p source as @p like is compiled. */
static enum sl_code add_like(struct sg_check *check, struct sg_units *units,
			     const struct sg_unit *like, const char *source,
			     struct sl_error *error)
{
	const char *root = check->settings.root;
	const char *old = sg_path_join(root, like->source, &check->arena);
	const char **words = sl_arena_alloc(
		&check->arena, (like->argument_count + 1) * sizeof(*words));
	struct sg_unit *made;

	if (!old || !words)
		return no_memory(error);
	for (size_t at = 0; at < like->argument_count; at++) {
		const char *whole = sg_path_join(
			like->directory, like->arguments[at], &check->arena);

		words[at] = like->arguments[at];
		if (whole && strcmp(whole, old) == 0)
			words[at] = sg_path_join(root, source, &check->arena);
		if (!whole || !words[at])
			return no_memory(error);
	}
	made = &units->units[units->count++];
	*made = *like;
	made->source = sl_arena_printf(&check->arena, "%s", source);
	made->arguments = words;
	made->hash = sg_unit_hash(made, NULL);
	return made->source ? SL_OK : no_memory(error);
}

static enum sl_code add_gone(struct sg_check *check, struct sg_units *units,
			     const struct sg_file_change *change,
			     struct sl_error *error)
{
	const struct sg_unit *like = NULL;

	if (!change->old_path ||
	    (change->new_path &&
	     strcmp(change->new_path, change->old_path) == 0) ||
	    sg_language_of(change->old_path) == SG_LANGUAGE_OTHER ||
	    sg_units_have(&check->units, change->old_path))
		return SL_OK;
	if (change->new_path)
		like = unit_of(&check->units, change->new_path);
	if (!like)
		like = neighbour_of(&check->units, change->old_path);
	return like ? add_like(check, units, like, change->old_path, error)
		    : SL_OK;
}

/* Give a tree a copy of the units outside of trees, with room for more. */
static enum sl_code copy_loose(struct sg_check *check,
			       struct sg_gate_tree *tree, size_t more,
			       struct sl_error *error)
{
	struct sg_units *own = &tree->own_units;

	own->units = calloc(check->units.count + more + 1, sizeof(*own->units));
	if (!own->units)
		return no_memory(error);
	own->count = check->units.count;
	own->alias = check->units.alias;
	own->root = check->units.root;
	if (own->count)
		memcpy(own->units, check->units.units,
		       own->count * sizeof(*own->units));
	tree->units = own;
	return SL_OK;
}

/* A database outside of the trees is that of today: it names sources as they
 * are called now. What a base had under another name, or has no more, is
 * compiled as its successor is, or its neighbours are. */
static enum sl_code add_older_names(struct sg_check *check,
				    struct sg_gate_tree *tree,
				    struct sl_error *error)
{
	struct sg_units *own = &tree->own_units;
	const struct sg_map *map;
	enum sl_code code = sg_snapshot_map(check->tested.snapshot,
					    tree->snapshot, &map, error);

	if (code == SL_OK)
		code = copy_loose(check, tree, map->count, error);
	if (code != SL_OK)
		return code;
	for (size_t at = 0; code == SL_OK && at < map->count; at++)
		code = add_gone(check, own, &map->changes[at], error);
	sg_units_sort(own);
	return code;
}

/* ---- response files ---------------------------------------------------- */

enum { RESPONSE_MAX = 1 << 24 };

struct reading {
	struct sg_check *check;
	const struct sg_gate_tree *tree;
	struct sl_buffer text; /* of a file outside of the tree */
};

/* One that the tree has is that of its revision, as all of it is; others are
 * written by builds. */
static enum sl_code read_response(void *context, const char *path,
				  const char **text, size_t *length,
				  struct sl_error *error)
{
	struct reading *reading = context;
	const char *below = sg_path_below(reading->check->settings.root, path);
	const struct sg_snapshot_file *file = NULL;
	enum sl_code code = SL_OK;

	*text = NULL;
	if (below)
		code = sg_check_follow(reading->check, reading->tree, below,
				       &file, error);
	if (code != SL_OK)
		return code;
	if (file)
		return sg_snapshot_text(reading->tree->snapshot, file->path,
					text, length, error);
	reading->text.used = 0;
	code = sg_file_read(path, RESPONSE_MAX, &reading->text, NULL);
	*text = code == SL_OK ? reading->text.data : NULL;
	*length = reading->text.used;
	return code == SL_ENOMEM ? no_memory(error) : SL_OK;
}

static enum sl_code expand(struct sg_check *check, struct sg_gate_tree *tree,
			   struct sl_error *error)
{
	struct reading reading = { .check = check, .tree = tree };
	enum sl_code code = SL_OK;

	if (tree->units != &tree->own_units) {
		if (!sg_units_have_responses(tree->units))
			return SL_OK;
		code = copy_loose(check, tree, 0, error);
	}
	if (code == SL_OK)
		code = sg_units_expand(&tree->own_units, read_response,
				       &reading, error);
	free(reading.text.data);
	return code;
}

/* ---- all of them ------------------------------------------------------- */

static enum sl_code list_compiled(struct sg_check *check,
				  struct sg_gate_tree *tree,
				  struct sl_error *error)
{
	const char *name;
	bool is_tracked = false;
	enum sl_code code = name_database(check, &name, error);

	if (code == SL_OK)
		code = parse_tracked(check, tree, name, &is_tracked, error);
	if (code != SL_OK || is_tracked)
		return code;
	tree->units = &check->units;
	code = parse_loose(check, name, error);
	return code == SL_OK && tree->is_base
		       ? add_older_names(check, tree, error)
		       : code;
}

enum sl_code sg_check_find_units(struct sg_check *check,
				 struct sg_gate_tree *tree,
				 struct sl_error *error)
{
	enum sl_code code = check->config.build
				    ? list_compiled(check, tree, error)
				    : list_sources(check, tree, error);

	return code == SL_OK ? expand(check, tree, error) : code;
}
