/* SPDX-License-Identifier: MIT */
/** @file
 * A baseline: what was there when a gate was set up, as a file of the
 * repository, for where no store is shared.
 *
 * It has the form of the file of suppressions (gate/suppressions.h), one
 * finding a line, sorted, with "baseline" as the reason; its first lines name
 * the tools that made it. A check holds it against what the parent really has:
 * an entry that stands for nothing there excuses nothing, and what is there
 * without an entry was never accepted.
 */
#ifndef SG_GATE_BASELINE_H
#define SG_GATE_BASELINE_H

#include "gate/check.h"

/** Write all that a check found in the tested tree, but what is accepted
 * otherwise, to @p path, whole or not at all. @p count: how many entries. */
enum sl_code sg_baseline_write(struct sg_check *check, const char *path,
			       size_t *count,
			       struct sl_error *error) SL_MUST_CHECK;

/** @return the path of the configuration's baseline, relative to the root;
 * NULL: it names none. Borrowed from the check. */
const char *sg_baseline_path(const struct sg_check *check);

#endif
