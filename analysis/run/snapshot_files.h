/* SPDX-License-Identifier: MIT */
/** @file
 * How a snapshot is made: what the parts of run/snapshot.h share.
 */
#ifndef SG_RUN_SNAPSHOT_FILES_H
#define SG_RUN_SNAPSHOT_FILES_H

#include <stdbool.h>

#include "base/arena.h"
#include "run/blobs.h"
#include "run/diff.h"
#include "run/snapshot.h"

/** What is known of a file beyond what users of a snapshot see. */
struct sg_held {
	struct sg_snapshot_file file;
	const char *id; /**< of its content as a git object; NULL: not yet */
	bool on_disk; /**< git may not have it: it is read from the work tree */
	bool gone; /**< it is going to be left out */
	struct sg_hash bytes; /**< of one on disk: as it was when it was hashed
			       */
};

struct sg_snapshot {
	enum sg_snapshot_kind kind;
	char *root; /* owned */
	char *commit; /* owned; NULL: it is of none */
	struct sl_arena arena; /* paths and ids */
	struct sg_held *held; /* owned; the first `sorted` by path */
	size_t count, room, sorted;
	struct sg_snapshot_file *files; /* owned; the same once more */
	struct sg_blobs blobs;
	struct sl_buffer text; /* owned; of the last file */
	struct sg_diff diff; /* of the last map */
};

enum { SG_MODE_LINK = 0120000, SG_MODE_SUBMODULE = 0160000 };

static inline bool sg_mode_is_regular(unsigned mode)
{
	return mode != SG_MODE_LINK && mode != SG_MODE_SUBMODULE;
}

/** Add a file. @p path and @p id (may be NULL) are copied. */
enum sl_code sg_snapshot_add(struct sg_snapshot *snapshot, const char *path,
			     const char *id, unsigned mode,
			     struct sl_error *error) SL_MUST_CHECK;

/** Sort what was added, without those that are gone. */
void sg_snapshot_sort(struct sg_snapshot *snapshot);

/** @return the file at @p path, of those that are sorted; NULL: none. */
struct sg_held *sg_snapshot_held(const struct sg_snapshot *snapshot,
				 const char *path);

/** Set the id of @p held, and by it its content. */
enum sl_code sg_snapshot_set_id(struct sg_snapshot *snapshot,
				struct sg_held *held, const char *id,
				struct sl_error *error) SL_MUST_CHECK;

/** Takes one of the records that a git prints with a NUL behind each; it may
 * change the text. */
typedef enum sl_code sg_record_fn(void *context, char *record,
				  struct sl_error *error);

/** Run a git that prints records. SL_EIO: it failed; the message says that it
 * cannot @p what. */
enum sl_code sg_git_records(const char *folder, const char *const *command,
			    const char *what, sg_record_fn *take, void *context,
			    struct sl_error *error) SL_MUST_CHECK;

/** Add the files of its commit. */
enum sl_code sg_snapshot_list_commit(struct sg_snapshot *snapshot,
				     struct sl_error *error) SL_MUST_CHECK;
/** Add the files of the index. */
enum sl_code sg_snapshot_list_index(struct sg_snapshot *snapshot,
				    struct sl_error *error) SL_MUST_CHECK;
/** Make the files of the index those of the work tree. */
enum sl_code sg_snapshot_list_disk(struct sg_snapshot *snapshot,
				   struct sl_error *error) SL_MUST_CHECK;

/** Hash the files of the work tree that have no id or may have another one. */
enum sl_code sg_snapshot_hash_disk(struct sg_snapshot *snapshot,
				   struct sl_error *error) SL_MUST_CHECK;

/** Hash the bytes of a file on disk, or the target of a symlink, and write
 * those of a regular file to @p to, a file descriptor; -1: the hash alone.
 * SL_EIO: it cannot be read, or written. */
enum sl_code sg_snapshot_copy(const struct sg_snapshot *snapshot,
			      const struct sg_held *held, int to,
			      struct sg_hash *hash,
			      struct sl_error *error) SL_MUST_CHECK;

/** Read a file on disk, or the target of a symlink, into the snapshot's text,
 * with a NUL behind. SL_EIO: it is not what was hashed. */
enum sl_code sg_snapshot_read_disk(struct sg_snapshot *snapshot,
				   const struct sg_held *held,
				   struct sl_error *error) SL_MUST_CHECK;

/** An error: @p held is not what it was. */
enum sl_code sg_snapshot_changed(const struct sg_held *held,
				 struct sl_error *error) SL_MUST_CHECK;

/** @return "FOLDER/PATH"; owned; NULL: no memory. */
char *sg_snapshot_path(const char *folder, const char *path);

/** Make the folders below @p folder that lead to @p path in it. SL_END: on the
 * way is something else, such as a symlink; SL_EIO. */
enum sl_code sg_make_parents(const char *folder, const char *path,
			     struct sl_error *error) SL_MUST_CHECK;

#endif
