/* SPDX-License-Identifier: MIT */
/** @file
 * The files of one tree, by path and content: a commit's, the index's, or those
 * of the work tree.
 *
 * git is run by plumbing commands alone; no file, index, object or ref of the
 * repository changes. GIT_INDEX_FILE and the like hold, as hooks set them.
 */
#ifndef SG_RUN_SNAPSHOT_H
#define SG_RUN_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>

#include "match/fingerprint.h"
#include "match/map.h"
#include "sluice/defs.h"
#include "sluice/error.h"

/** One file. */
struct sg_snapshot_file {
	const char *path; /**< relative to the repository's root, as git has it:
			       any bytes but NUL */
	unsigned mode; /**< git's: 0100644, 0100755, 0120000 a symlink,
			    0160000 a submodule */
	struct sg_hash content; /**< equal if and only if the content is, also
				     between snapshots of one repository */
	bool untracked; /**< of the work tree, not in the index */
};

struct sg_snapshot;

enum sg_snapshot_kind {
	SG_SNAPSHOT_EMPTY, /**< what a first commit is held against */
	SG_SNAPSHOT_COMMIT, /**< of a revision */
	SG_SNAPSHOT_INDEX, /**< what would be committed */
	SG_SNAPSHOT_WORKTREE, /**< the files as they are: tracked ones, and
				   untracked ones that are not ignored;
				   submodules as the index has them */
};

/** Open a snapshot of the repository with the work tree @p root (absolute).
 * @p revision: of SG_SNAPSHOT_COMMIT, anything that names a commit; else NULL.
 * Sparse entries are in it, intent-to-add ones (git add -N) are not. SL_EINVAL:
 * no such commit (the message says if the clone is shallow), or the index has
 * conflicts (the message names a path); SL_EIO; SL_ENOMEM. @p snapshot: owned
 * by the caller. */
enum sl_code sg_snapshot_open(const char *root, enum sg_snapshot_kind kind,
			      const char *revision,
			      struct sg_snapshot **snapshot,
			      struct sl_error *error) SL_MUST_CHECK;
void sg_snapshot_close(struct sg_snapshot *snapshot); /**< takes NULL */

/** @return the full id of a SG_SNAPSHOT_COMMIT; else NULL. Borrowed. */
const char *sg_snapshot_commit(const struct sg_snapshot *snapshot);

/** @return all files, by path in the order of bytes; borrowed. */
const struct sg_snapshot_file *
sg_snapshot_files(const struct sg_snapshot *snapshot, size_t *count);

/** @return the file at @p path; NULL: there is none. O(log n). */
const struct sg_snapshot_file *
sg_snapshot_find(const struct sg_snapshot *snapshot, const char *path);

/** The content of @p path: borrowed until the next call, with a NUL behind it.
 * *text is NULL if it is no regular file of the tree, or larger than 64 MiB. An
 * sg_source_fn (store/store.h), with the snapshot as context. */
enum sl_code sg_snapshot_text(void *snapshot, const char *path,
			      const char **text, size_t *length,
			      struct sl_error *error);

/** The target of the symlink at @p path, as sg_snapshot_text(). *target is NULL
 * if it is none. */
enum sl_code sg_snapshot_target(struct sg_snapshot *snapshot, const char *path,
				const char **target,
				struct sl_error *error) SL_MUST_CHECK;

/** The map of lines and renames from @p from to @p to: owned by @p to, until it
 * is asked for the next one. From an empty snapshot everything is added.
 * SL_EIO: git failed; SL_EINVAL: @p from is of the index or the work tree, or
 * @p to is empty. */
enum sl_code sg_snapshot_map(struct sg_snapshot *to,
			     const struct sg_snapshot *from,
			     const struct sg_map **map,
			     struct sl_error *error) SL_MUST_CHECK;

/** Write all files into @p folder (absolute; made if it is not there), as a
 * checkout would, with git's filters: regular files, executables and symlinks.
 * A submodule's folder becomes a symlink to that of the work tree, if it is
 * there. A file of the work tree must still be what it was. Beside @p folder
 * stands FOLDER.index meanwhile. SL_EIO: git failed, a file changed, or the
 * disk is full; what was written stays. */
enum sl_code sg_snapshot_export(struct sg_snapshot *snapshot,
				const char *folder,
				struct sl_error *error) SL_MUST_CHECK;

/** Says whether an untracked file is wanted by its name. */
typedef bool sg_wants_fn(const void *context, const char *name);

/** Link into @p folder, where @p snapshot was exported to, what the work tree
 * has beyond it: each untracked file, ignored or not, that @p wants by its name
 * (the last part of its path) becomes a symlink in a real folder, so that
 * includes by relative paths stay in @p folder. Untracked symlinks that lead
 * into the work tree lead into @p folder instead; those to folders are wanted
 * in any case. What is there already stays. Folders named .git are not entered.
 *
 * What HEAD or the index has is not untracked, even if the other one does not
 * have it: a file whose deletion is staged does not come back. */
enum sl_code sg_snapshot_link_untracked(const struct sg_snapshot *snapshot,
					const char *folder, sg_wants_fn *wants,
					const void *context,
					struct sl_error *error) SL_MUST_CHECK;

#endif
