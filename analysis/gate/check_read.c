/* SPDX-License-Identifier: MIT */
/* What units read, and what they do not: changes that nobody looked at, and
 * files that only this machine has. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "gate/check_parts.h"
#include "run/git.h"
#include "run/path.h"

static enum sl_code no_memory(struct sl_error *error)
{
	return SL_FAIL(error, SL_ENOMEM, "no memory for units");
}

/* ---- files that units may read ----------------------------------------- */

/* Where a computed #include may lead to, all but what is no code by its name.
 */
static bool is_prose(const char *path)
{
	static const char *const endings[] = { ".md",   ".txt",   ".rst",
					       ".adoc", ".html",  ".py",
					       ".sh",   ".yml",   ".yaml",
					       ".json", ".cmake", ".conf" };
	size_t length = strlen(path);

	for (size_t at = 0; at < sizeof(endings) / sizeof(endings[0]); at++) {
		size_t own = strlen(endings[at]);

		if (length > own &&
		    strcmp(path + length - own, endings[at]) == 0)
			return true;
	}
	return false;
}

/* What units may include is code, whatever it is called. */
enum sl_code sg_check_find_read(struct sg_check *check,
				struct sg_gate_tree *tree,
				struct sl_error *error)
{
	size_t count;
	const struct sg_snapshot_file *files =
		sg_snapshot_files(tree->snapshot, &count);
	bool *read;
	enum sl_code code = SL_OK;

	if (tree->read)
		return SL_OK;
	read = sl_arena_alloc(&check->arena, count + 1);
	if (!read)
		return no_memory(error);
	for (size_t at = 0; code == SL_OK && at < tree->count; at++) {
		struct sg_closure closure;

		code = sg_check_closure(check, tree, tree->rows[at].unit,
					&closure, error);
		for (size_t in = 0; code == SL_OK && in < closure.count; in++)
			read[closure.files[in]] |=
				!closure.whole ||
				!is_prose(files[closure.files[in]].path);
	}
	tree->read = read;
	return code;
}

enum sl_code sg_check_want_readers(struct sg_check *check,
				   struct sg_gate_tree *tree,
				   const struct sg_snapshot_file *wanted,
				   bool *widened, struct sl_error *error)
{
	size_t count;
	const struct sg_snapshot_file *files =
		sg_snapshot_files(tree->snapshot, &count);
	size_t file = wanted ? (size_t)(wanted - files) : SIZE_MAX;
	enum sl_code code = SL_OK;

	for (size_t at = 0; code == SL_OK && at < tree->count; at++) {
		struct sg_closure closure;
		bool reads = !wanted;

		if (tree->rows[at].wanted)
			continue;
		if (wanted)
			code = sg_check_closure(check, tree,
						tree->rows[at].unit, &closure,
						error);
		for (size_t in = 0;
		     code == SL_OK && !reads && in < closure.count; in++)
			reads = closure.files[in] == file;
		tree->rows[at].wanted = reads;
		*widened |= reads;
	}
	return code;
}

/* ---- headers that none reads ------------------------------------------- */

static bool is_changed(const struct sg_check *check,
		       const struct sg_snapshot_file *file)
{
	for (size_t at = 0; at < check->base_count; at++) {
		const struct sg_snapshot_file *old =
			sg_snapshot_find(check->bases[at].snapshot, file->path);

		if (old && sg_hash_equal(old->content, file->content))
			return false;
	}
	return true;
}

/* Of sources it is told as a trouble. */
static enum sl_code note_unread(struct sg_check *check, struct sl_error *error)
{
	size_t count;
	const struct sg_snapshot_file *files =
		sg_snapshot_files(check->tested.snapshot, &count);
	enum sl_code code = SL_OK;

	for (size_t at = 0; code == SL_OK && at < count; at++) {
		if ((files[at].mode & 0170000) != 0100000 ||
		    !sg_check_is_code(files[at].path) ||
		    sg_language_of(files[at].path) != SG_LANGUAGE_OTHER ||
		    sg_config_excludes(&check->config, files[at].path) ||
		    !is_changed(check, &files[at]))
			continue;
		code = sg_check_find_read(check, &check->tested, error);
		if (code == SL_OK && !check->tested.read[at])
			code = sg_check_note(check, error,
					     "not judged: %s is read by no "
					     "unit",
					     files[at].path);
	}
	return code;
}

/* ---- what git would ignore --------------------------------------------- */

enum { LOOSE_MAX = 200, ASKED_MAX = 300 };

/* Paths below the root, in `paths`; those that git ignores go away. */
static enum sl_code drop_ignored(struct sg_check *check, struct sg_list *paths,
				 struct sl_error *error)
{
	static const char *const command[] = { "check-ignore", "-z", "--stdin",
					       NULL };
	struct sl_buffer said = { .data = NULL };
	struct sg_git git;
	size_t kept = 0;
	enum sl_code code =
		sg_git_start(&git, check->settings.root, command, true, error);

	if (code != SL_OK)
		return code;
	/* it may answer before it has heard all: what it says fits in a pipe */
	for (size_t at = 0; at < paths->count; at++)
		if (strlen(paths->words[at]) < ASKED_MAX &&
		    !sg_git_ask(&git, paths->words[at],
				strlen(paths->words[at]) + 1))
			break;
	sg_git_hush(&git);
	code = sg_git_rest(&git, &said, error);
	(void)sg_git_stop(&git);
	for (size_t at = 0; code == SL_OK && at < paths->count; at++) {
		bool is_ignored = false;

		for (size_t from = 0; !is_ignored && from < said.used;
		     from += strlen(said.data + from) + 1)
			is_ignored =
				strcmp(said.data + from, paths->words[at]) == 0;
		if (!is_ignored)
			paths->words[kept++] = paths->words[at];
	}
	paths->count = kept;
	free(said.data);
	return code;
}

/* @return whether a path below the root is in the folder of the build. */
static bool is_built(const struct sg_check *check, const char *path)
{
	const char *build = check->config.build;
	const char *below = build && *build == '/'
				    ? sg_path_below(check->settings.root, build)
				    : build;
	size_t length = below ? strlen(below) : 0;

	while (length && below[length - 1] == '/')
		length--;
	return length && strcmp(below, ".") != 0 &&
	       strncmp(path, below, length) == 0 && path[length] == '/';
}

static bool has(const struct sg_list *list, const char *word)
{
	for (size_t at = 0; at < list->count; at++)
		if (strcmp(list->words[at], word) == 0)
			return true;
	return false;
}

/* ---- files that were forgotten ----------------------------------------- */

static bool was_read(const struct sg_check *check, const char *path)
{
	for (size_t base = 0; base < check->base_count; base++)
		for (size_t at = 0; at < check->bases[base].count; at++)
			if (has(&check->bases[base].rows[at].loose, path))
				return true;
	return false;
}

/* What a change makes a unit read that is not part of it, nor of what builds
 * make: git's own list of what to ignore tells these apart. */
static enum sl_code list_forgotten(struct sg_check *check,
				   struct sg_list *paths,
				   struct sl_error *error)
{
	for (size_t at = 0; at < check->tested.count; at++) {
		const struct sg_gate_unit *row = &check->tested.rows[at];

		for (size_t in = 0; row->affected && in < row->loose.count &&
				    paths->count < LOOSE_MAX;
		     in++)
			if (!is_built(check, row->loose.words[in]) &&
			    !has(paths, row->loose.words[in]) &&
			    !was_read(check, row->loose.words[in]))
				sg_list_add(paths, row->loose.words[in]);
	}
	if (paths->failed)
		return no_memory(error);
	return paths->count ? drop_ignored(check, paths, error) : SL_OK;
}

enum sl_code sg_check_find_forgotten(struct sg_check *check,
				     struct sl_error *error)
{
	struct sg_list paths = { .arena = &check->arena };
	enum sl_code code;

	if (check->settings.mode == SG_CHECK_WORKTREE)
		return SL_OK;
	code = list_forgotten(check, &paths, error);
	for (size_t at = 0; code == SL_OK && at < check->tested.count; at++) {
		const struct sg_gate_unit *row = &check->tested.rows[at];

		for (size_t in = 0; code == SL_OK && in < paths.count; in++) {
			struct sg_trouble trouble = {
				.unit = row->unit->source
			};

			if (!row->affected ||
			    !has(&row->loose, paths.words[in]))
				continue;
			trouble.why = sl_arena_printf(
				&check->arena,
				"it reads %s, which is not tracked: git add "
				"it, or, if a build makes it, let .gitignore "
				"name it",
				paths.words[in]);
			code = sg_check_trouble(check, &trouble, error);
			break; /* one is enough */
		}
	}
	return code;
}

/* ---- sources that were forgotten --------------------------------------- */

static bool is_there(const struct sg_check *check, const char *path)
{
	char whole[4096];
	struct stat about;
	size_t length = strlen(check->settings.root), more = strlen(path);

	if (length + more + 2 > sizeof(whole))
		return false;
	memcpy(whole, check->settings.root, length);
	whole[length] = '/';
	memcpy(whole + length + 1, path, more + 1);
	return stat(whole, &about) == 0;
}

/* It may be work to come, so nothing is held up. */
static enum sl_code note_untracked(struct sg_check *check,
				   struct sl_error *error)
{
	const struct sg_units *units = check->tested.units;
	struct sg_list paths = { .arena = &check->arena };
	enum sl_code code = SL_OK;

	if (check->settings.mode == SG_CHECK_WORKTREE)
		return SL_OK;
	for (size_t at = 0; at < units->count && paths.count < LOOSE_MAX;
	     at++) {
		const char *source = units->units[at].source;

		if (*source != '/' &&
		    !sg_snapshot_find(check->tested.snapshot, source) &&
		    !is_built(check, source) && !has(&paths, source) &&
		    !sg_config_excludes(&check->config, source) &&
		    is_there(check, source))
			sg_list_add(&paths, source);
	}
	if (paths.failed)
		return no_memory(error);
	if (paths.count)
		code = drop_ignored(check, &paths, error);
	for (size_t at = 0; code == SL_OK && at < paths.count; at++)
		code = sg_check_note(check, error,
				     "not judged: %s, which "
				     "compile_commands.json names, is not "
				     "tracked",
				     paths.words[at]);
	return code;
}

enum sl_code sg_check_note_unread(struct sg_check *check,
				  struct sl_error *error)
{
	enum sl_code code = note_unread(check, error);

	return code == SL_OK && check->config.build
		       ? note_untracked(check, error)
		       : code;
}
