/* SPDX-License-Identifier: MIT */
/* What git has is checked out by git, from an index made for that: so it is the
 * very list that was hashed, whatever happened to the index since, and
 * attributes are those of the tree that is exported. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/text.h"
#include "run/snapshot_files.h"

enum { SAID = 200 };

/* ---- paths ------------------------------------------------------------- */

char *sg_snapshot_path(const char *folder, const char *path)
{
	size_t length = strlen(folder), more = strlen(path);
	char *joined = malloc(length + more + 2);

	if (!joined)
		return NULL;
	memcpy(joined, folder, length);
	joined[length] = '/';
	memcpy(joined + length + 1, path, more + 1);
	return joined;
}

static bool is_folder(const char *path)
{
	struct stat about;

	return lstat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

enum sl_code sg_make_parents(const char *folder, const char *path,
			     struct sl_error *error)
{
	char *whole = sg_snapshot_path(folder, path);
	enum sl_code code = SL_OK;

	if (!whole)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a path");
	for (char *at = whole + strlen(folder) + 1;
	     code == SL_OK && (at = strchr(at, '/')); *at++ = '/') {
		*at = '\0';
		if (mkdir(whole, 0777) == 0 || is_folder(whole))
			continue;
		code = errno == EEXIST
			       ? SL_END
			       : SL_FAIL(error, SL_EIO,
					 "cannot make the folder %s: %s",
					 sl_path_tail(whole), strerror(errno));
	}
	free(whole);
	return code;
}

/* ---- what git has ------------------------------------------------------ */

struct export
{
	struct sg_snapshot *snapshot;
	const char *folder;
	struct sl_arena arena;
	const char *index; /* of its own */
	const char *environment[4]; /* of git */
};

/* @return the last line of what git said; NULL: nothing. In place. */
static char *last_line(struct sl_buffer *said)
{
	char *last;

	while (said->used && said->data[said->used - 1] == '\n')
		said->data[--said->used] = '\0';
	if (!said->used)
		return NULL;
	last = strrchr(said->data, '\n');
	last = last ? last + 1 : said->data;
	sl_text_flatten(last);
	return last;
}

static enum sl_code export_failed(const struct export *export,
				  struct sl_buffer *said,
				  struct sl_error *error)
{
	const char *last = last_line(said);
	struct statvfs disk;

	if (statvfs(export->folder, &disk) == 0 &&
	    (!disk.f_bavail || (disk.f_files && !disk.f_favail)))
		last = "the disk is full";
	return SL_FAIL(error, SL_EIO, "git cannot export to %s: %.*s",
		       sl_path_tail(export->folder), SAID,
		       last ? last : "it does not say why");
}

static bool is_for_git(const struct sg_held *held)
{
	return !held->on_disk && held->file.mode != SG_MODE_SUBMODULE;
}

/* "MODE ID<tab>PATH" and a NUL, for each. */
static enum sl_code list_for_git(const struct sg_snapshot *snapshot,
				 struct sl_buffer *list, struct sl_error *error)
{
	for (size_t at = 0; at < snapshot->count; at++) {
		const struct sg_held *held = &snapshot->held[at];
		size_t room;
		enum sl_code code;

		if (!is_for_git(held))
			continue;
		room = strlen(held->id) + strlen(held->file.path) + 32;
		code = sl_buffer_reserve(list, room, error);
		if (code != SL_OK)
			return code;
		list->used +=
			1 + (size_t)snprintf(list->data + list->used, room,
					     "%o %s\t%s", held->file.mode,
					     held->id, held->file.path);
	}
	return SL_OK;
}

/* No setting may make git write into the repository, or run hooks. */
static enum sl_code run_git(const struct export *export,
			    const char *const *words,
			    const struct sl_buffer *input,
			    struct sl_error *error)
{
	const char *command[24] = { "-c", "core.hooksPath=/dev/null",
				    "-c", "core.fsmonitor=false",
				    "-c", "core.splitIndex=false",
				    "-c", "core.untrackedCache=false",
				    "-c", "core.sparseCheckout=false",
				    "-c", "index.sparse=false" };
	const struct sg_git_settings settings = {
		.talks = input,
		.tells = true,
		.environment = export->environment,
	};
	struct sl_buffer said = { .data = NULL };
	struct sg_git git;
	enum sl_code code;
	bool heard;

	for (size_t count = 12; *words; words++)
		command[count++] = *words;
	code = sg_git_start_with(&git, export->snapshot->root, command,
				 &settings, error);
	if (code != SL_OK)
		return code;
	heard = !input || sg_git_ask(&git, input->data, input->used);
	sg_git_hush(&git);
	code = sg_git_rest(&git, &said, error);
	if ((sg_git_stop(&git) != 0 || !heard) && code == SL_OK)
		code = export_failed(export, &said, error);
	free(said.data);
	return code;
}

static enum sl_code prepare(struct export *export, struct sl_error *error)
{
	static const char *const command[] = { "rev-parse",
					       "--absolute-git-dir", NULL };
	struct sl_arena *arena = &export->arena;
	char *git_dir;
	enum sl_code code =
		sg_git_line(export->snapshot->root, command, &git_dir, error);

	if (code != SL_OK)
		return code;
	if (!git_dir)
		return SL_FAIL(error, SL_EIO, "%s is in no git repository",
			       sl_path_tail(export->snapshot->root));
	export->index = sl_arena_printf(arena, "%s.index", export->folder);
	export->environment[0] = sl_arena_printf(arena, "GIT_DIR=%s", git_dir);
	export->environment[1] =
		sl_arena_printf(arena, "GIT_WORK_TREE=%s", export->folder);
	export->environment[2] = sl_arena_printf(
		arena, "GIT_INDEX_FILE=%s.index", export->folder);
	free(git_dir);
	if (!export->index || !export->environment[0] ||
	    !export->environment[1] || !export->environment[2])
		return SL_FAIL(error, SL_ENOMEM, "no memory for an export");
	return SL_OK;
}

static void remove_index(struct export *export)
{
	const char *lock =
		sl_arena_printf(&export->arena, "%s.lock", export->index);

	unlink(export->index);
	if (lock)
		unlink(lock);
}

static enum sl_code export_git(struct export *export, struct sl_error *error)
{
	static const char *const fill[] = { "update-index", "-z",
					    "--index-info", NULL };
	static const char *const write[] = { "checkout-index", "-a", "-f", "-q",
					     NULL };
	struct sl_buffer list = { .data = NULL };
	enum sl_code code = list_for_git(export->snapshot, &list, error);

	if (code == SL_OK && list.used)
		code = prepare(export, error);
	if (code == SL_OK && list.used) {
		remove_index(export);
		code = run_git(export, fill, &list, error);
		if (code == SL_OK)
			code = run_git(export, write, NULL, error);
		remove_index(export);
	}
	free(list.data);
	return code;
}

/* ---- what is on disk --------------------------------------------------- */

static enum sl_code cannot_write(const char *path, struct sl_error *error)
{
	return SL_FAIL(error, SL_EIO, "cannot write %s: %s", sl_path_tail(path),
		       strerror(errno));
}

static enum sl_code export_bytes(const struct sg_snapshot *snapshot,
				 const struct sg_held *held, const char *path,
				 struct sl_error *error)
{
	int to = open(path,
		      O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC,
		      (held->file.mode & S_IXUSR) ? 0777 : 0666);
	struct sg_hash bytes;
	enum sl_code code;

	if (to < 0)
		return cannot_write(path, error);
	code = sg_snapshot_copy(snapshot, held, to, &bytes, error);
	if (close(to) && code == SL_OK)
		code = cannot_write(path, error);
	if (code == SL_OK && !sg_hash_equal(bytes, held->bytes))
		code = sg_snapshot_changed(held, error);
	return code;
}

static enum sl_code export_link(struct sg_snapshot *snapshot,
				const struct sg_held *held, const char *path,
				struct sl_error *error)
{
	enum sl_code code = sg_snapshot_read_disk(snapshot, held, error);

	if (code != SL_OK)
		return code;
	snapshot->text.data[snapshot->text.used] = '\0';
	unlink(path);
	return symlink(snapshot->text.data, path) ? cannot_write(path, error)
						  : SL_OK;
}

/* Its files are not of this repository: the work tree's are linked to. */
static enum sl_code export_submodule(const struct sg_snapshot *snapshot,
				     const struct sg_held *held,
				     const char *path, struct sl_error *error)
{
	char *real = sg_snapshot_path(snapshot->root, held->file.path);
	enum sl_code code = SL_OK;

	if (!real)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a path");
	if (is_folder(real) && symlink(real, path) && errno != EEXIST)
		code = cannot_write(path, error);
	free(real);
	return code;
}

static enum sl_code export_disk(struct sg_snapshot *snapshot,
				const struct sg_held *held, const char *folder,
				struct sl_error *error)
{
	enum sl_code code = sg_make_parents(folder, held->file.path, error);
	char *path;

	if (code == SL_END)
		return sg_snapshot_changed(held, error);
	if (code != SL_OK)
		return code;
	path = sg_snapshot_path(folder, held->file.path);
	if (!path)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a path");
	if (held->file.mode == SG_MODE_SUBMODULE)
		code = export_submodule(snapshot, held, path, error);
	else if (held->file.mode == SG_MODE_LINK)
		code = export_link(snapshot, held, path, error);
	else
		code = export_bytes(snapshot, held, path, error);
	free(path);
	return code;
}

enum sl_code sg_snapshot_export(struct sg_snapshot *snapshot,
				const char *folder, struct sl_error *error)
{
	struct export export = { .snapshot = snapshot, .folder = folder };
	enum sl_code code;

	if (mkdir(folder, 0777) && !is_folder(folder))
		return SL_FAIL(error, SL_EIO, "cannot make the folder %s: %s",
			       sl_path_tail(folder), strerror(errno));
	code = export_git(&export, error);
	for (size_t at = 0; code == SL_OK && at < snapshot->count; at++)
		if (!is_for_git(&snapshot->held[at]))
			code = export_disk(snapshot, &snapshot->held[at],
					   folder, error);
	sl_arena_finish(&export.arena);
	return code;
}
