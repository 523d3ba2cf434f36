/* SPDX-License-Identifier: MIT */
/* The files of the work tree. git says which of them the index does not know as
 * they are; these alone are read. What is read later must be the same bytes. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/text.h"
#include "run/snapshot_files.h"

enum { PIECE = 1 << 16, PATH_SHOWN = 200 };

/* ---- bytes ------------------------------------------------------------- */

static enum sl_code fail_at(const struct sg_held *held, const char *what,
			    struct sl_error *error)
{
	char path[PATH_SHOWN + 1];
	int failed = errno;

	snprintf(path, sizeof(path), "%s", held->file.path);
	sl_text_flatten(path);
	return SL_FAIL(error, SL_EIO, "cannot %s %s: %s", what, path,
		       strerror(failed));
}

enum sl_code sg_snapshot_changed(const struct sg_held *held,
				 struct sl_error *error)
{
	char path[PATH_SHOWN + 1];

	snprintf(path, sizeof(path), "%s", held->file.path);
	sl_text_flatten(path);
	return SL_FAIL(error, SL_EIO, "%s changed while it was read", path);
}

static bool write_all(int to, const char *bytes, size_t length)
{
	while (length) {
		ssize_t done = write(to, bytes, length);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return false;
		bytes += done;
		length -= (size_t)done;
	}
	return true;
}

static enum sl_code copy_bytes(const struct sg_held *held, int from, int to,
			       struct sg_hash *hash, struct sl_error *error)
{
	char piece[PIECE];
	XXH3_state_t state;
	XXH128_hash_t digest;
	ssize_t got;

	XXH3_128bits_reset(&state);
	while ((got = read(from, piece, sizeof(piece))) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return fail_at(held, "read", error);
		XXH3_128bits_update(&state, piece, (size_t)got);
		if (to >= 0 && !write_all(to, piece, (size_t)got))
			return fail_at(held, "export", error);
	}
	digest = XXH3_128bits_digest(&state);
	*hash = (struct sg_hash){ digest.high64, digest.low64 };
	return SL_OK;
}

/* A symlink's target, with a NUL behind. */
static enum sl_code read_target(const struct sg_held *held, const char *path,
				struct sl_buffer *target,
				struct sl_error *error)
{
	ssize_t length;
	enum sl_code code = sl_buffer_reserve(target, PATH_MAX + 1, error);

	if (code != SL_OK)
		return code;
	length = readlink(path, target->data, PATH_MAX);
	if (length < 0)
		return fail_at(held, "read", error);
	target->used = (size_t)length;
	target->data[length] = '\0';
	return SL_OK;
}

static struct sg_hash hash_of(const struct sl_buffer *bytes)
{
	XXH128_hash_t hash = XXH3_128bits(bytes->data, bytes->used);

	return (struct sg_hash){ hash.high64, hash.low64 };
}

static enum sl_code copy_regular(const struct sg_held *held, const char *path,
				 int to, struct sg_hash *hash,
				 struct sl_error *error)
{
	/* a pipe of that name must not be waited for */
	int from = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat about;
	enum sl_code code;

	if (from < 0)
		return fail_at(held, "read", error);
	if (fstat(from, &about) || !S_ISREG(about.st_mode))
		code = sg_snapshot_changed(held, error);
	else
		code = copy_bytes(held, from, to, hash, error);
	close(from);
	return code;
}

static enum sl_code copy_at(const struct sg_held *held, const char *path,
			    int to, struct sg_hash *hash,
			    struct sl_error *error)
{
	struct sl_buffer target = { .data = NULL };
	enum sl_code code;

	if (held->file.mode != SG_MODE_LINK)
		return copy_regular(held, path, to, hash, error);
	code = read_target(held, path, &target, error);
	if (code == SL_OK)
		*hash = hash_of(&target);
	free(target.data);
	return code;
}

enum sl_code sg_snapshot_copy(const struct sg_snapshot *snapshot,
			      const struct sg_held *held, int to,
			      struct sg_hash *hash, struct sl_error *error)
{
	char *path = sg_snapshot_path(snapshot->root, held->file.path);
	enum sl_code code;

	if (!path)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a path");
	code = copy_at(held, path, to, hash, error);
	free(path);
	return code;
}

static enum sl_code read_regular(struct sl_buffer *text, const char *path,
				 const struct sg_held *held,
				 struct sl_error *error)
{
	int from = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	enum sl_code code = SL_OK;
	ssize_t got = 1;

	if (from < 0)
		return fail_at(held, "read", error);
	while (code == SL_OK && got) {
		code = sl_buffer_reserve(text, PIECE, error);
		if (code != SL_OK)
			break;
		got = read(from, text->data + text->used, PIECE);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			code = fail_at(held, "read", error);
		else
			text->used += (size_t)got;
		if (text->used > SG_TEXT_MAX)
			code = SL_END;
	}
	close(from);
	return code;
}

enum sl_code sg_snapshot_read_disk(struct sg_snapshot *snapshot,
				   const struct sg_held *held,
				   struct sl_error *error)
{
	char *path = sg_snapshot_path(snapshot->root, held->file.path);
	enum sl_code code;

	if (!path)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a path");
	snapshot->text.used = 0;
	if (held->file.mode == SG_MODE_LINK)
		code = read_target(held, path, &snapshot->text, error);
	else
		code = read_regular(&snapshot->text, path, held, error);
	free(path);
	if (code == SL_OK &&
	    !sg_hash_equal(hash_of(&snapshot->text), held->bytes))
		code = sg_snapshot_changed(held, error);
	return code;
}

/* ---- which of them ----------------------------------------------------- */

struct disk_listing {
	struct sg_snapshot *snapshot;
	char status; /* of the path that comes next; 0: a status comes next */
	unsigned mode;
};

static enum sl_code add_disk(struct sg_snapshot *snapshot, const char *path,
			     struct sl_error *error)
{
	enum sl_code code = sg_snapshot_add(snapshot, path, NULL, 0, error);

	if (code != SL_OK)
		return code;
	snapshot->held[snapshot->count - 1].on_disk = true;
	snapshot->held[snapshot->count - 1].file.untracked = true;
	return SL_OK;
}

/* ":MODE MODE ID ID STATUS", then a record with the path. */
static enum sl_code take_difference(void *context, char *record,
				    struct sl_error *error)
{
	struct disk_listing *listing = context;
	struct sg_held *held;
	char status = listing->status;

	if (!status) {
		const char *blank = strrchr(record, ' ');

		listing->status = blank ? blank[1] : '\0';
		listing->mode = (unsigned)strtoul(record + strcspn(record, " "),
						  NULL, 8);
		return SL_OK;
	}
	listing->status = '\0';
	held = sg_snapshot_held(listing->snapshot, record);
	if (!held) /* it was noted by git add -N */
		return status == 'A'
			       ? add_disk(listing->snapshot, record, error)
			       : SL_OK;
	held->gone = status == 'D';
	held->on_disk = status != 'D';
	if (listing->mode)
		held->file.mode = listing->mode;
	return SL_OK;
}

/* A repository within this one is "FOLDER/": not ours. */
static enum sl_code take_untracked(void *context, char *record,
				   struct sl_error *error)
{
	struct disk_listing *listing = context;
	size_t length = strlen(record);

	if (!length || record[length - 1] == '/')
		return SL_OK;
	return add_disk(listing->snapshot, record, error);
}

/* What is neither a file nor a symlink by now is as good as deleted. */
static enum sl_code look_at(struct sg_snapshot *snapshot, struct sg_held *held,
			    struct sl_error *error)
{
	char *path = sg_snapshot_path(snapshot->root, held->file.path);
	struct stat about;

	if (!path)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a path");
	if (lstat(path, &about))
		about.st_mode = 0;
	free(path);
	if (S_ISLNK(about.st_mode))
		held->file.mode = SG_MODE_LINK;
	else if (!S_ISREG(about.st_mode))
		held->gone = true;
	else if (!held->file.mode || !sg_mode_is_regular(held->file.mode))
		held->file.mode = (about.st_mode & S_IXUSR) ? 0100755 : 0100644;
	return SL_OK;
}

enum sl_code sg_snapshot_list_disk(struct sg_snapshot *snapshot,
				   struct sl_error *error)
{
	static const char *const differences[] = { "-c",
						   "core.fsmonitor=false",
						   "diff-files",
						   "-z",
						   "--raw",
						   "--no-renames",
						   "--ignore-submodules=all",
						   NULL };
	static const char *const untracked[] = {
		"-c", "core.fsmonitor=false", "ls-files",    "-o",
		"-z", "--exclude-standard",   "--full-name", NULL
	};
	struct disk_listing listing = { .snapshot = snapshot };
	enum sl_code code = sg_git_records(snapshot->root, differences,
					   "compare the work tree",
					   take_difference, &listing, error);

	if (code == SL_OK)
		code = sg_git_records(snapshot->root, untracked,
				      "list untracked files", take_untracked,
				      &listing, error);
	for (size_t at = 0; code == SL_OK && at < snapshot->count; at++)
		if (snapshot->held[at].on_disk && !snapshot->held[at].gone)
			code = look_at(snapshot, &snapshot->held[at], error);
	if (code != SL_OK)
		return code;
	sg_snapshot_sort(snapshot);
	return sg_snapshot_hash_disk(snapshot, error);
}
