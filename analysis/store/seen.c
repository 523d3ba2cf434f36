/* SPDX-License-Identifier: MIT */
/* Open addressing: a hash's slot is the first free one from where its low bits
 * say. */
#include "store/seen.h"

#include <stdlib.h>

enum { FIRST_SIZE = 1024 };

static struct sg_seen_slot *find(struct sg_seen_slot *slots, size_t size,
				 struct sg_hash hash)
{
	size_t at = (size_t)hash.low & (size - 1);

	while (slots[at].id && !sg_hash_equal(slots[at].hash, hash))
		at = (at + 1) & (size - 1);
	return &slots[at];
}

static bool grow(struct sg_seen *seen)
{
	size_t size = seen->size ? seen->size * 2 : FIRST_SIZE;
	struct sg_seen_slot *slots = calloc(size, sizeof(*slots));

	if (!slots)
		return false;
	for (size_t at = 0; at < seen->size; at++)
		if (seen->slots[at].id)
			*find(slots, size, seen->slots[at].hash) =
				seen->slots[at];
	free(seen->slots);
	seen->slots = slots;
	seen->size = size;
	return true;
}

struct sg_seen_slot *sg_seen_slot(struct sg_seen *seen, struct sg_hash hash)
{
	struct sg_seen_slot *slot;

	if (seen->used >= seen->size / 2 && !grow(seen))
		return NULL;
	slot = find(seen->slots, seen->size, hash);
	if (!slot->id) {
		slot->hash = hash;
		seen->used++;
	}
	return slot;
}

void sg_seen_finish(struct sg_seen *seen)
{
	free(seen->slots);
	*seen = (struct sg_seen){ .slots = NULL };
}
