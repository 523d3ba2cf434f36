/* SPDX-License-Identifier: MIT */
/** @file
 * A finding that outlives the callback it was handed to.
 */
#ifndef SG_READ_COPY_H
#define SG_READ_COPY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "read/finding.h"
#include "sluice/defs.h"

/** Copy a finding and all that it points to; @p to is valid until the arena is
 * finished. The bytes that its texts and tables take are added to @p bytes.
 * @return false: no memory; the arena may hold a part of it. */
bool sg_finding_copy(const struct sg_finding *from, struct sl_arena *arena,
		     struct sg_finding *to, size_t *bytes) SL_MUST_CHECK;

#endif
