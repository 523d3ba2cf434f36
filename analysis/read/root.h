/* SPDX-License-Identifier: MIT */
/** @file
 * Paths of reports made relative to the root of a tree.
 *
 * A path that names a file is resolved, symlinks and all; one that does not is
 * collapsed as text ("." and ".." and doubled slashes go). A relative path is
 * tried against the base folders, in their order, then against the root; if it
 * names a file nowhere, it is the root's if that keeps it inside, else that of
 * the first base that does. What lies outside of the root is absolute.
 *
 * A file of the tree that is a symlink to somewhere outside keeps its place in
 * the tree. Paths of Windows get slashes and a drive letter in upper case. What
 * is no path (https://..., <built-in>) stays as it is.
 *
 * Asking the system costs microseconds, so answers are kept: a bounded number
 * of them, and so a file that appears while reports are read may be missed.
 */
#ifndef SG_READ_ROOT_H
#define SG_READ_ROOT_H

#include <stddef.h>

#include "sluice/defs.h"
#include "sluice/error.h"

struct sg_root;

/** @p path: a folder; or an absolute path, of this system or of Windows, that
 * does not exist here: the tree of the machine that made the report. @p bases:
 * build folders, which need not exist. All are copied.
 * @return SL_OK and an owned *root; SL_EIO, SL_EINVAL (not a folder),
 * SL_ENOMEM. */
enum sl_code sg_root_create(struct sg_root **root, const char *path,
			    const char *const *bases, size_t base_count,
			    struct sl_error *error) SL_MUST_CHECK;
void sg_root_destroy(struct sg_root *root); /**< takes NULL */

/** @return @p path relative to the root, "." for the root itself; the root's,
 * borrowed until the next call, or @p path. NULL: no memory. Not
 * thread-safe. */
const char *sg_root_relative(struct sg_root *root, const char *path);

#endif
