/* SPDX-License-Identifier: MIT */
/** @file
 * Pair the points of two sets on a line, nearest first.
 */
#ifndef SG_MATCH_NEAREST_H
#define SG_MATCH_NEAREST_H

#include <stddef.h>
#include <stdint.h>

#include "sluice/defs.h"
#include "sluice/error.h"

/** A line, and whose it is (an index that means something to the caller). */
struct sg_point {
	int64_t line;
	uint32_t at;
};

typedef void sg_pair_fn(void *context, uint32_t old_at, uint32_t new_at);

/** Give @p pair min(@p old_count, @p new_count) pairs of an old and a new
 * point. Who gets a partner: again and again the two that are nearest to each
 * other of those that are left, of equals the first in the file. They are then
 * paired in the order of their lines, so that no two pairs cross. Both sets
 * ascend by line. O(n log n). @return SL_OK; SL_ENOMEM, having made no pair. */
enum sl_code sg_pair_nearest(const struct sg_point *olds, size_t old_count,
			     const struct sg_point *news, size_t new_count,
			     sg_pair_fn *pair, void *context) SL_MUST_CHECK;

#endif
