/* SPDX-License-Identifier: MIT */
/** @file
 * The sources that a report is about: a folder as it is, or a revision in git.
 *
 * git is run as a program, by plumbing commands alone: no index, ref or file of
 * the repository changes.
 */
#ifndef SG_RUN_TREE_H
#define SG_RUN_TREE_H

#include <stddef.h>

#include "match/map.h"
#include "sluice/defs.h"
#include "sluice/error.h"

struct sg_tree;

/** Find the root of the git work tree that the current folder is in.
 * @return SL_OK and an owned *root, for free(); SL_END: it is in none, or there
 * is no git; SL_ENOMEM. */
enum sl_code sg_tree_find_root(char **root,
			       struct sl_error *error) SL_MUST_CHECK;

/** Open the sources below @p root. @p revision: anything that names a commit;
 * NULL: the files as they are now. SL_END: a revision is wanted, and @p root is
 * in no repository; SL_EINVAL: the repository has no such commit; SL_EIO,
 * SL_ENOMEM. */
enum sl_code sg_tree_open(const char *root, const char *revision,
			  struct sg_tree **tree,
			  struct sl_error *error) SL_MUST_CHECK;
void sg_tree_close(struct sg_tree *tree); /**< takes NULL */

/** @return the full id of the commit: of the revision; of files as they are, of
 * HEAD if they do not differ from it. Borrowed; NULL: there is none. */
const char *sg_tree_commit(const struct sg_tree *tree);

/** The text of @p path, relative to the root: borrowed until the next call,
 * with a NUL behind it. *text is NULL if it is no file of the tree, or larger
 * than 64 MiB. */
enum sl_code sg_tree_text(void *tree, const char *path, const char **text,
			  size_t *length, struct sl_error *error);

/** The map from the tree of @p base_commit to this one: borrowed until the
 * next call. *map is NULL if it cannot be known: no commit here, none there, or
 * the repository has it no longer (a shallow clone). */
enum sl_code sg_tree_map(void *tree, const char *base_commit,
			 const struct sg_map **map, struct sl_error *error);

#endif
