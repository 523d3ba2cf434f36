/* SPDX-License-Identifier: MIT */
/** @file
 * Where the places of an old tree are in a new one.
 *
 * The map is made from a diff of the two trees, without context: hunks as
 * `git diff -U0 -M` heads them, "@@ -old_start,old_count +new_start,new_count
 * @@", and the names of renamed, added and deleted files. A file that the map
 * does not name has not changed.
 */
#ifndef SG_MATCH_MAP_H
#define SG_MATCH_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sluice/defs.h"
#include "sluice/error.h"

/** As git counts: a start is the first line of what is replaced, but where the
 * count is 0 it is the line before (0: the file's start). */
struct sg_hunk {
	uint32_t old_start, old_count;
	uint32_t new_start, new_count;
};

/** One changed file. All borrowed. */
struct sg_file_change {
	const char *old_path; /**< repo-relative; NULL: the file was added */
	const char *new_path; /**< NULL: it was deleted */
	const struct sg_hunk *hunks; /**< ascending, as a diff has them */
	size_t hunk_count;
};

/** A zeroed struct maps everything to itself. Constant once it is filled. */
struct sg_map {
	struct sg_file_change *changes; /**< owned; by old path */
	size_t count;
};

/** @p changes in any order; copied, but not what it points to, which must
 * outlive the map. @return SL_OK; SL_ENOMEM; SL_EINVAL: hunks that are not
 * ascending, or two changes of one old path. After a failure there is nothing
 * to finish. */
enum sl_code sg_map_init(struct sg_map *map,
			 const struct sg_file_change *changes,
			 size_t count) SL_MUST_CHECK;
void sg_map_finish(struct sg_map *map);

struct sg_place {
	const char *path; /**< of the new tree, borrowed from the map or the
			       caller; NULL: the file is gone */
	int64_t line; /**< 0: none was given */
	bool exact; /**< the line itself is still there. Else `line` is about
			 where what replaced it stands */
};

/** @return where line @p line of @p path is now. Thread-safe. */
struct sg_place sg_map_place(const struct sg_map *map, const char *path,
			     int64_t line);

#endif
