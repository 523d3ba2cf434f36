/* SPDX-License-Identifier: MIT */
/** @file
 * Paths of the real tree, made paths of the exported one.
 */
#ifndef SG_RUN_REMAP_H
#define SG_RUN_REMAP_H

#include "run/analyzer.h"

/** @return where, from @p from on, @p root stands in @p word as the whole of a
 * path or the start of one: "/repo" in "-I/repo/x", "-DX=\"/repo\"", not in
 * "/repo2", "/my/repo"; NULL: nowhere. @p from: in @p word, or its end. */
const char *sg_remap_find(const char *word, const char *from, const char *root);

/** @return @p word with every path below the real root mapped, in @p arena or
 * @p word itself; NULL: no memory. */
const char *sg_remap_text(const char *word, const struct sg_exported *exported,
			  struct sl_arena *arena);

/** @return an absolute and normalised path mapped, in @p arena or @p path
 * itself; NULL: no memory. */
const char *sg_remap_absolute(const char *path,
			      const struct sg_exported *exported,
			      struct sl_arena *arena);

/** Map the path that an option of a unit names. One that is relative stays so
 * while the folder that it starts at and what it leads to are both in the tree,
 * or both outside; else it becomes absolute. @return in @p arena or @p path
 * itself; NULL: no memory. */
const char *sg_remap_path(const char *path, const struct sg_unit *unit,
			  const struct sg_exported *exported,
			  struct sl_arena *arena);

#endif
