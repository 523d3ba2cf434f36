/* SPDX-License-Identifier: MIT */
/** @file
 * The findings that an import has met: a table of hashes in memory, since each
 * finding of a run asks it once. 48 to 96 bytes a finding, and half of that
 * more while it grows.
 *
 * Invariant: a zeroed struct is empty. The slots are owned.
 */
#ifndef SG_STORE_SEEN_H
#define SG_STORE_SEEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "match/fingerprint.h"

struct sg_seen_slot {
	struct sg_hash hash;
	int64_t id; /**< 0: the slot is free */
};

struct sg_seen {
	struct sg_seen_slot *slots;
	size_t size; /**< a power of two, or 0 */
	size_t used; /**< at most half of it */
};

/** @return the slot of @p hash, borrowed until the next call: with its id, or,
 * if it was not met before, with id 0, for the caller to set. NULL: no
 * memory. */
struct sg_seen_slot *sg_seen_slot(struct sg_seen *seen, struct sg_hash hash);
void sg_seen_finish(struct sg_seen *seen);

#endif
