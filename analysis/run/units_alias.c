/* SPDX-License-Identifier: MIT */
/* The other name of a root. */
#include "run/units_alias.h"

#include <string.h>
#include <sys/stat.h>

#include "run/path.h"
#include "run/remap.h"

static bool is_same(const char *path, const struct stat *root)
{
	struct stat about;

	return stat(path, &about) == 0 && about.st_dev == root->st_dev &&
	       about.st_ino == root->st_ino;
}

/* @return whether @p path, or a folder above it, is the root: it is cut to
 * that. */
static bool cut_to_root(char *path, const struct stat *root)
{
	for (;;) {
		char *slash = strrchr(path, '/');

		if (is_same(path, root))
			return true;
		if (!slash || slash == path)
			return false;
		*slash = '\0';
	}
}

/* *name: NULL: there is none, or no memory. Units stand in few folders, one
 * after the other. */
static enum sl_code find_name(struct sg_units *units, const char *root,
			      const char **name, struct sl_error *error)
{
	const char *last = NULL;
	struct stat about;

	*name = NULL;
	if (stat(root, &about) != 0)
		return SL_OK;
	for (size_t at = 0; at < units->count; at++) {
		const char *folder = units->units[at].directory;
		char *copy;

		if (sg_path_below(root, folder) ||
		    (last && strcmp(last, folder) == 0))
			continue;
		last = folder;
		copy = sl_arena_text(&units->arena, folder, strlen(folder));
		if (!copy)
			return SL_FAIL(error, SL_ENOMEM,
				       "no memory for a unit");
		if (cut_to_root(copy, &about)) {
			*name = copy;
			return SL_OK;
		}
	}
	return SL_OK;
}

static enum sl_code rename_unit(struct sg_unit *unit,
				const struct sg_exported *names,
				struct sl_arena *arena, struct sl_error *error)
{
	const char **words = sl_arena_alloc(arena, (unit->argument_count + 1) *
							   sizeof(*words));
	const char *below;

	unit->directory = sg_remap_absolute(unit->directory, names, arena);
	below = sg_path_below(names->root, unit->source);
	if (*unit->source == '/' && below && *below)
		unit->source = below;
	for (size_t at = 0; words && at < unit->argument_count; at++) {
		words[at] = sg_remap_text(unit->arguments[at], names, arena);
		if (!words[at])
			words = NULL;
	}
	if (!words || !unit->directory)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a unit");
	unit->arguments = words;
	return SL_OK;
}

enum sl_code sg_units_rename(struct sg_units *units, const char *root,
			     struct sl_error *error)
{
	struct sg_exported names = { .folder = root };
	enum sl_code code = find_name(units, root, &names.root, error);

	if (code != SL_OK || !names.root || strcmp(names.root, "/") == 0)
		return code;
	units->alias = names.root;
	units->root = sl_arena_text(&units->arena, root, strlen(root));
	if (!units->root)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a unit");
	for (size_t at = 0; code == SL_OK && at < units->count; at++)
		code = rename_unit(&units->units[at], &names, &units->arena,
				   error);
	return code;
}
