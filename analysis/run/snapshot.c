/* SPDX-License-Identifier: MIT */
/* A sorted list of files, and git to ask about them. */
#include "run/snapshot.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "run/revision.h"
#include "run/snapshot_files.h"

/* ---- the list ---------------------------------------------------------- */

static enum sl_code no_memory(struct sl_error *error)
{
	return SL_FAIL(error, SL_ENOMEM, "no memory for a list of files");
}

enum sl_code sg_snapshot_set_id(struct sg_snapshot *snapshot,
				struct sg_held *held, const char *id,
				struct sl_error *error)
{
	size_t length = strlen(id);
	XXH128_hash_t hash = XXH3_128bits(id, length);

	held->id = sl_arena_text(&snapshot->arena, id, length);
	held->file.content = (struct sg_hash){ hash.high64, hash.low64 };
	return held->id ? SL_OK : no_memory(error);
}

enum sl_code sg_snapshot_add(struct sg_snapshot *snapshot, const char *path,
			     const char *id, unsigned mode,
			     struct sl_error *error)
{
	struct sg_held *held;

	if (snapshot->count == snapshot->room) {
		size_t room = snapshot->room ? 2 * snapshot->room : 256;

		held = realloc(snapshot->held, room * sizeof(*held));
		if (!held)
			return no_memory(error);
		snapshot->held = held;
		snapshot->room = room;
	}
	held = &snapshot->held[snapshot->count];
	*held = (struct sg_held){ .file = { .mode = mode } };
	held->file.path = sl_arena_text(&snapshot->arena, path, strlen(path));
	if (!held->file.path)
		return no_memory(error);
	snapshot->count++;
	return id ? sg_snapshot_set_id(snapshot, held, id, error) : SL_OK;
}

static int by_path(const void *a, const void *b)
{
	const struct sg_held *left = a, *right = b;

	return strcmp(left->file.path, right->file.path);
}

void sg_snapshot_sort(struct sg_snapshot *snapshot)
{
	size_t kept = 0;
	bool ascends = true;

	for (size_t at = 0; at < snapshot->count; at++)
		if (!snapshot->held[at].gone)
			snapshot->held[kept++] = snapshot->held[at];
	snapshot->count = kept;
	for (size_t at = 1; at < kept && ascends; at++)
		ascends = by_path(&snapshot->held[at - 1],
				  &snapshot->held[at]) < 0;
	if (!ascends)
		qsort(snapshot->held, kept, sizeof(*snapshot->held), by_path);
	snapshot->sorted = kept;
}

struct sg_held *sg_snapshot_held(const struct sg_snapshot *snapshot,
				 const char *path)
{
	const struct sg_held key = { .file = { .path = path } };

	return snapshot->sorted
		       ? bsearch(&key, snapshot->held, snapshot->sorted,
				 sizeof(key), by_path)
		       : NULL;
}

/* ---- opening ----------------------------------------------------------- */

static enum sl_code no_commit(const struct sg_snapshot *snapshot,
			      const char *revision, struct sl_error *error)
{
	static const char *const command[] = { "rev-parse",
					       "--is-shallow-repository",
					       NULL };
	char *is_shallow = NULL;
	bool shallow = sg_git_line(snapshot->root, command, &is_shallow,
				   NULL) == SL_OK &&
		       is_shallow && strcmp(is_shallow, "true") == 0;

	free(is_shallow);
	return SL_FAIL(error, SL_EINVAL,
		       "the repository of %s has no commit \"%.80s\"%s",
		       sl_path_tail(snapshot->root), revision,
		       shallow ? ": it is a shallow clone, which \"git fetch "
				 "--unshallow\" completes"
			       : "");
}

static enum sl_code list(struct sg_snapshot *snapshot, const char *revision,
			 struct sl_error *error)
{
	enum sl_code code;

	switch (snapshot->kind) {
	case SG_SNAPSHOT_COMMIT:
		code = sg_revision_find(snapshot->root, revision,
					&snapshot->commit, error);
		if (code == SL_OK && !snapshot->commit)
			return no_commit(snapshot, revision, error);
		return code == SL_OK ? sg_snapshot_list_commit(snapshot, error)
				     : code;
	case SG_SNAPSHOT_INDEX:
		return sg_snapshot_list_index(snapshot, error);
	case SG_SNAPSHOT_WORKTREE:
		code = sg_snapshot_list_index(snapshot, error);
		return code == SL_OK ? sg_snapshot_list_disk(snapshot, error)
				     : code;
	case SG_SNAPSHOT_EMPTY:
		break;
	}
	return SL_OK;
}

/* Users get an array of what they may see. */
static enum sl_code show(struct sg_snapshot *snapshot, struct sl_error *error)
{
	sg_snapshot_sort(snapshot);
	snapshot->files = calloc(snapshot->count + 1, sizeof(*snapshot->files));
	if (!snapshot->files)
		return no_memory(error);
	for (size_t at = 0; at < snapshot->count; at++)
		snapshot->files[at] = snapshot->held[at].file;
	return SL_OK;
}

enum sl_code sg_snapshot_open(const char *root, enum sg_snapshot_kind kind,
			      const char *revision,
			      struct sg_snapshot **snapshot,
			      struct sl_error *error)
{
	struct sg_snapshot *opened = calloc(1, sizeof(*opened));
	enum sl_code code;

	*snapshot = NULL;
	if (!opened)
		return no_memory(error);
	sg_blobs_init(&opened->blobs);
	opened->kind = kind;
	opened->root = strdup(root);
	code = opened->root ? list(opened, revision, error) : no_memory(error);
	if (code == SL_OK)
		code = show(opened, error);
	if (code == SL_OK)
		*snapshot = opened;
	else
		sg_snapshot_close(opened);
	return code;
}

void sg_snapshot_close(struct sg_snapshot *snapshot)
{
	if (!snapshot)
		return;
	sg_blobs_finish(&snapshot->blobs);
	sg_diff_finish(&snapshot->diff);
	sl_arena_finish(&snapshot->arena);
	free(snapshot->text.data);
	free(snapshot->files);
	free(snapshot->held);
	free(snapshot->commit);
	free(snapshot->root);
	free(snapshot);
}

const char *sg_snapshot_commit(const struct sg_snapshot *snapshot)
{
	return snapshot->commit;
}

const struct sg_snapshot_file *
sg_snapshot_files(const struct sg_snapshot *snapshot, size_t *count)
{
	*count = snapshot->count;
	return snapshot->files;
}

const struct sg_snapshot_file *
sg_snapshot_find(const struct sg_snapshot *snapshot, const char *path)
{
	const struct sg_held *held = sg_snapshot_held(snapshot, path);

	return held ? &snapshot->files[held - snapshot->held] : NULL;
}

/* ---- texts ------------------------------------------------------------- */

static enum sl_code read_text(struct sg_snapshot *snapshot,
			      const struct sg_held *held, bool *there,
			      struct sl_error *error)
{
	const char *const name[] = { held->id, NULL };
	enum sl_code code;

	if (!held->on_disk)
		return sg_blobs_read(&snapshot->blobs, snapshot->root, name,
				     &snapshot->text, there, error);
	code = sg_snapshot_read_disk(snapshot, held, error);
	*there = code == SL_OK;
	return code == SL_END ? SL_OK : code;
}

static enum sl_code give_text(struct sg_snapshot *snapshot, const char *path,
			      bool wants_link, const char **text,
			      size_t *length, struct sl_error *error)
{
	const struct sg_held *held = sg_snapshot_held(snapshot, path);
	bool there = false;
	enum sl_code code;

	*text = NULL;
	*length = 0;
	if (!held || held->file.mode == SG_MODE_SUBMODULE ||
	    (held->file.mode == SG_MODE_LINK) != wants_link)
		return SL_OK;
	code = read_text(snapshot, held, &there, error);
	if (code != SL_OK || !there)
		return code;
	code = sl_buffer_reserve(&snapshot->text, 1, error);
	if (code != SL_OK)
		return code;
	snapshot->text.data[snapshot->text.used] = '\0';
	*text = snapshot->text.data;
	*length = snapshot->text.used;
	return SL_OK;
}

enum sl_code sg_snapshot_text(void *snapshot, const char *path,
			      const char **text, size_t *length,
			      struct sl_error *error)
{
	return give_text(snapshot, path, false, text, length, error);
}

enum sl_code sg_snapshot_target(struct sg_snapshot *snapshot, const char *path,
				const char **target, struct sl_error *error)
{
	size_t length;

	return give_text(snapshot, path, true, target, &length, error);
}

/* ---- maps -------------------------------------------------------------- */

enum sl_code sg_snapshot_map(struct sg_snapshot *to,
			     const struct sg_snapshot *from,
			     const struct sg_map **map, struct sl_error *error)
{
	const char *trees[3] = { from->commit };
	const char *command = "diff-index";
	bool known = true;
	enum sl_code code = SL_OK;

	*map = NULL;
	sg_diff_finish(&to->diff);
	to->diff = (struct sg_diff){ .map = { NULL, 0 } };
	if (from->kind == SG_SNAPSHOT_EMPTY) {
		/* a map does not name what was added */
		*map = &to->diff.map;
		return SL_OK;
	}
	if (!from->commit || to->kind == SG_SNAPSHOT_EMPTY)
		return SL_FAIL(
			error, SL_EINVAL,
			"no map leads there: only from commits to files");
	if (to->commit) {
		command = "diff-tree";
		trees[1] = to->commit;
	} else if (to->kind == SG_SNAPSHOT_INDEX) {
		trees[0] = "--cached";
		trees[1] = from->commit;
	}
	code = sg_diff_run(&to->diff, to->root, command, trees, &known, error);
	if (code == SL_OK && !known)
		code = SL_FAIL(error, SL_EIO, "git %s failed in %s", command,
			       sl_path_tail(to->root));
	if (code == SL_OK)
		*map = &to->diff.map;
	return code == SL_EINVAL ? SL_EIO : code;
}
