/* SPDX-License-Identifier: MIT */
/* A list of blocks, each with a run of results: the struct, its events, its
 * texts, and what aligns the next one. */
#include "read/sarif_kept.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 1 << 20 };

struct sarif_kept_block {
	struct sarif_kept_block *next;
	size_t size, used; /* of what follows */
	_Alignas(max_align_t) char bytes[];
};

static size_t aligned(size_t size)
{
	const size_t align = _Alignof(max_align_t);

	return (size + align - 1) / align * align;
}

static size_t events_size(const struct sg_record *record)
{
	return record->event_count * sizeof(*record->events);
}

static size_t packed_size(const struct sarif_result *result)
{
	return aligned(sizeof(*result) + events_size(&result->record) +
		       result->record.used);
}

/* @return a block with room behind the one that is filled; NULL: no memory. */
static struct sarif_kept_block *next_block(struct sarif_kept *kept, size_t size)
{
	struct sarif_kept_block **place =
		kept->filled ? &kept->filled->next : &kept->blocks;
	struct sarif_kept_block *block = *place;

	if (!block || block->size < size) {
		size_t space = size > BLOCK_BYTES ? size : BLOCK_BYTES;

		block = malloc(sizeof(*block) + space);
		if (!block)
			return NULL;
		block->size = space;
		block->next = *place;
		*place = block;
	}
	block->used = 0;
	kept->filled = block;
	return block;
}

bool sarif_kept_put(struct sarif_kept *kept, const struct sarif_result *result)
{
	struct sarif_kept_block *block = kept->filled;
	size_t size = packed_size(result);
	char *at;

	if (!block || size > block->size - block->used)
		block = next_block(kept, size);
	if (!block)
		return false;
	at = block->bytes + block->used;
	block->used += size;
	memcpy(at, result, sizeof(*result));
	at += sizeof(*result);
	if (result->record.event_count)
		memcpy(at, result->record.events, events_size(&result->record));
	at += events_size(&result->record);
	if (result->record.used)
		memcpy(at, result->record.text, result->record.used);
	kept->count++;
	return true;
}

bool sarif_kept_take(struct sarif_kept *kept, struct sarif_result *result)
{
	struct sg_record record = result->record;
	struct sg_record packed;
	const char *at;
	bool copied;

	if (!kept->taken)
		kept->taken = kept->blocks;
	while (kept->taken_bytes == kept->taken->used) {
		kept->taken = kept->taken->next;
		kept->taken_bytes = 0;
	}
	at = kept->taken->bytes + kept->taken_bytes;
	memcpy(result, at, sizeof(*result));
	kept->taken_bytes += packed_size(result);
	packed = result->record;
	at += sizeof(*result);
	copied =
		sg_record_copy(&record, &packed, at, at + events_size(&packed));
	result->record = record;
	if (--kept->count == 0) {
		kept->filled = kept->taken = NULL;
		kept->taken_bytes = 0;
	}
	return copied;
}

void sarif_kept_finish(struct sarif_kept *kept)
{
	while (kept->blocks) {
		struct sarif_kept_block *block = kept->blocks;

		kept->blocks = block->next;
		free(block);
	}
	*kept = (struct sarif_kept){ 0 };
}
