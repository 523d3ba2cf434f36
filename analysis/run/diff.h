/* SPDX-License-Identifier: MIT */
/** @file
 * A diff of git's, read into a map of lines.
 */
#ifndef SG_RUN_DIFF_H
#define SG_RUN_DIFF_H

#include <stdbool.h>
#include <stdio.h>

#include "base/arena.h"
#include "match/map.h"
#include "sluice/defs.h"
#include "sluice/error.h"

/** A map and what it points to. A zeroed one is empty. */
struct sg_diff {
	struct sl_arena arena;
	struct sg_map map;
};

/** Read what `git diff-tree -r -p -U0 -M` prints, with the prefixes a/ and b/,
 * to its end. SL_EINVAL: it is no such diff; SL_ENOMEM. After a failure there
 * is nothing to finish. */
enum sl_code sg_diff_read(struct sg_diff *diff, FILE *from,
			  struct sl_error *error) SL_MUST_CHECK;

/** Run the plumbing command @p command, with what to compare in @p trees (NULL
 * at the end), in @p folder, which paths are relative to; settings
 * and attributes of the repository do not matter. *known:
 * false, if git failed; then there is nothing to finish. Codes: as
 * sg_diff_read(). */
enum sl_code sg_diff_run(struct sg_diff *diff, const char *folder,
			 const char *command, const char *const *trees,
			 bool *known, struct sl_error *error) SL_MUST_CHECK;
void sg_diff_finish(struct sg_diff *diff);

#endif
