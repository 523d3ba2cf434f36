/* SPDX-License-Identifier: MIT */
/** @file
 * Paths as text: the system is not asked, and symlinks are not seen.
 */
#ifndef SG_RUN_PATH_H
#define SG_RUN_PATH_H

#include "base/arena.h"

/** @return @p path, starting at @p base unless it is absolute, without ".",
 * ".." and doubled slashes, in @p arena; NULL: no memory. @p base: absolute. */
const char *sg_path_join(const char *base, const char *path,
			 struct sl_arena *arena);

/** @return what of @p path is behind @p folder, without a slash before it; ""
 * if they are the same; NULL if it is elsewhere. Both normalised. Borrowed
 * from @p path. */
const char *sg_path_below(const char *folder, const char *path);

/** @return the last part of @p path; borrowed from it. */
const char *sg_path_name(const char *path);

#endif
