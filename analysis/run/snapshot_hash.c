/* SPDX-License-Identifier: MIT */
/* The ids that git would give to files of the work tree, if it added them: so
 * that what is equal in a commit, the index and the work tree has one hash. */
#include <stdlib.h>
#include <string.h>

#include "run/revision.h"
#include "run/snapshot_files.h"

/* Answers of so many fit into a pipe, so nobody waits for the other. */
enum { AT_ONCE = 500, LINE = 128 };

/* By the id, what is in git's objects needs no disk. */
static enum sl_code take_id(struct sg_snapshot *snapshot, struct sg_held *held,
			    char *id, struct sl_error *error)
{
	id[strcspn(id, "\n")] = '\0';
	if (!sg_is_object_id(id))
		return SL_FAIL(error, SL_EIO, "git hashes in an unknown way");
	if (held->id && strcmp(held->id, id) == 0) {
		held->on_disk = false;
		return SL_OK;
	}
	return sg_snapshot_set_id(snapshot, held, id, error);
}

/* ---- many files -------------------------------------------------------- */

struct batch {
	struct sg_git git;
	struct sg_held *held[AT_ONCE];
	size_t count;
	struct sl_buffer paths; /* owned; theirs, a line each */
};

static enum sl_code put_path(struct batch *batch, struct sg_held *held,
			     struct sl_error *error)
{
	struct sl_buffer *paths = &batch->paths;
	size_t length = strlen(held->file.path);
	enum sl_code code = sl_buffer_reserve(paths, length + 1, error);

	if (code != SL_OK)
		return code;
	memcpy(paths->data + paths->used, held->file.path, length);
	paths->used += length;
	paths->data[paths->used++] = '\n';
	batch->held[batch->count++] = held;
	return SL_OK;
}

static enum sl_code hash_batch(struct sg_snapshot *snapshot,
			       struct batch *batch, struct sl_error *error)
{
	enum sl_code code = SL_OK;
	char id[LINE];
	/* a git that is gone has left its answers */
	bool heard = !batch->count || sg_git_ask(&batch->git, batch->paths.data,
						 batch->paths.used);

	for (size_t at = 0; at < batch->count && code == SL_OK; at++)
		if (fgets(id, sizeof(id), batch->git.from))
			code = take_id(snapshot, batch->held[at], id, error);
		else /* it cannot be read, or is gone */
			code = sg_snapshot_changed(batch->held[at], error);
	if (code == SL_OK && !heard)
		code = SL_FAIL(error, SL_EIO, "git hash-object ended early");
	batch->count = batch->paths.used = 0;
	return code;
}

static bool is_for_batch(const struct sg_held *held)
{
	return held->on_disk && sg_mode_is_regular(held->file.mode) &&
	       !strchr(held->file.path, '\n') && held->file.path[0] != '"';
}

static enum sl_code hash_batches(struct sg_snapshot *snapshot,
				 struct batch *batch, struct sl_error *error)
{
	enum sl_code code = SL_OK;

	for (size_t at = 0; at < snapshot->count && code == SL_OK; at++) {
		struct sg_held *held = &snapshot->held[at];

		if (!is_for_batch(held))
			continue;
		code = put_path(batch, held, error);
		if (code == SL_OK && batch->count == AT_ONCE)
			code = hash_batch(snapshot, batch, error);
	}
	return code == SL_OK ? hash_batch(snapshot, batch, error) : code;
}

static enum sl_code hash_many(struct sg_snapshot *snapshot,
			      struct sl_error *error)
{
	static const char *const command[] = { "hash-object", "--stdin-paths",
					       NULL };
	struct batch batch = { .count = 0 };
	enum sl_code code =
		sg_git_start(&batch.git, snapshot->root, command, true, error);

	if (code != SL_OK)
		return code;
	code = hash_batches(snapshot, &batch, error);
	(void)sg_git_stop(&batch.git);
	free(batch.paths.data);
	return code;
}

/* ---- the odd ones ------------------------------------------------------ */

/* A name that is no line: it is a word of the command. */
static enum sl_code hash_named(struct sg_snapshot *snapshot,
			       struct sg_held *held, struct sl_error *error)
{
	const char *const command[] = { "hash-object", "--", held->file.path,
					NULL };
	char *id;
	enum sl_code code = sg_git_line(snapshot->root, command, &id, error);

	if (code == SL_OK)
		code = id ? take_id(snapshot, held, id, error)
			  : sg_snapshot_changed(held, error);
	free(id);
	return code;
}

/* A symlink's content is its target. */
static enum sl_code hash_link(struct sg_snapshot *snapshot,
			      struct sg_held *held, struct sl_error *error)
{
	static const char *const command[] = { "hash-object", "--stdin", NULL };
	struct sl_buffer out = { .data = NULL };
	struct sg_git git;
	enum sl_code code = sg_snapshot_read_disk(snapshot, held, error);

	if (code == SL_OK)
		code = sg_git_start(&git, snapshot->root, command, true, error);
	if (code != SL_OK)
		return code;
	if (!sg_git_ask(&git, snapshot->text.data, snapshot->text.used))
		code = SL_FAIL(error, SL_EIO, "git hash-object ended early");
	sg_git_hush(&git);
	if (code == SL_OK)
		code = sg_git_rest(&git, &out, error);
	(void)sg_git_stop(&git);
	if (code == SL_OK)
		code = take_id(snapshot, held, out.data, error);
	free(out.data);
	return code;
}

static enum sl_code hash_odd(struct sg_snapshot *snapshot,
			     struct sl_error *error)
{
	enum sl_code code = SL_OK;

	for (size_t at = 0; at < snapshot->count && code == SL_OK; at++) {
		struct sg_held *held = &snapshot->held[at];

		if (!held->on_disk || is_for_batch(held))
			continue;
		code = held->file.mode == SG_MODE_LINK
			       ? hash_link(snapshot, held, error)
			       : hash_named(snapshot, held, error);
	}
	return code;
}

/* ---- all --------------------------------------------------------------- */

/* Hash the bytes ourselves: before git does, and once more behind, so that git
 * saw the same ones. */
static enum sl_code hash_bytes(struct sg_snapshot *snapshot, bool again,
			       size_t *count, struct sl_error *error)
{
	enum sl_code code = SL_OK;

	*count = 0;
	for (size_t at = 0; at < snapshot->count && code == SL_OK; at++) {
		struct sg_held *held = &snapshot->held[at];
		struct sg_hash bytes;

		if (!held->on_disk)
			continue;
		++*count;
		code = sg_snapshot_copy(snapshot, held, -1, &bytes, error);
		if (code != SL_OK)
			break;
		if (again && !sg_hash_equal(bytes, held->bytes))
			code = sg_snapshot_changed(held, error);
		held->bytes = bytes;
	}
	return code;
}

enum sl_code sg_snapshot_hash_disk(struct sg_snapshot *snapshot,
				   struct sl_error *error)
{
	size_t count;
	enum sl_code code = hash_bytes(snapshot, false, &count, error);

	if (code != SL_OK || !count)
		return code;
	code = hash_many(snapshot, error);
	if (code == SL_OK)
		code = hash_odd(snapshot, error);
	if (code == SL_OK)
		code = hash_bytes(snapshot, true, &count, error);
	return code;
}
