/* SPDX-License-Identifier: MIT */
/** @file
 * Results that are kept back until what they refer to is known, in order.
 *
 * They stand packed behind one another in large blocks: a log may well have a
 * hundred thousand of them, and memory for each on its own would cost more time
 * than their parsing. Blocks stay for the results to come. Invariant: a zeroed
 * struct is an empty queue.
 */
#ifndef SG_READ_SARIF_KEPT_H
#define SG_READ_SARIF_KEPT_H

#include <stdbool.h>
#include <stddef.h>

#include "read/sarif_result.h"

struct sarif_kept {
	struct sarif_kept_block *blocks; /**< owned */
	struct sarif_kept_block *filled; /**< the one that is written to */
	struct sarif_kept_block *taken; /**< the one that is read from */
	size_t taken_bytes; /**< of that */
	size_t count; /**< results in it */
};

/** Put a copy of @p result behind the others. @return false: no memory. */
bool sarif_kept_put(struct sarif_kept *kept, const struct sarif_result *result);

/** Move the first one, of which there must be one, into @p result, whose
 * buffers serve for it. Nothing must be put before all are taken.
 * @return false: no memory; it is lost. */
bool sarif_kept_take(struct sarif_kept *kept, struct sarif_result *result);

void sarif_kept_finish(struct sarif_kept *kept);

#endif
