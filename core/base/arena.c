/* SPDX-License-Identifier: MIT */
/* The arena: a list of blocks, filled from the front of the newest. */
#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 4096 };

struct sl_arena_block {
	struct sl_arena_block *next;
	size_t used, size; /* of bytes[] */
	max_align_t bytes[];
};

static struct sl_arena_block *add_block(struct sl_arena *arena, size_t size)
{
	struct sl_arena_block *block;

	if (size < BLOCK_BYTES)
		size = BLOCK_BYTES;
	if (size > SIZE_MAX - sizeof(*block))
		return NULL;
	block = calloc(1, sizeof(*block) + size);
	if (!block)
		return NULL;
	block->size = size;
	block->next = arena->blocks;
	arena->blocks = block;
	return block;
}

void *sl_arena_alloc(struct sl_arena *arena, size_t size)
{
	const size_t align = _Alignof(max_align_t);
	struct sl_arena_block *block = arena->blocks;
	char *at;

	if (size > SIZE_MAX - align)
		return NULL;
	/* nothing gets a place of its own too */
	size = (size ? size + align - 1 : align) / align * align;
	if (!block || block->size - block->used < size)
		block = add_block(arena, size);
	if (!block)
		return NULL;
	at = (char *)block->bytes + block->used;
	block->used += size;
	return at;
}

char *sl_arena_text(struct sl_arena *arena, const char *text, size_t length)
{
	char *copy;

	if (length == SIZE_MAX)
		return NULL;
	copy = sl_arena_alloc(arena, length + 1);
	if (copy && length > 0)
		memcpy(copy, text, length);
	return copy;
}

char *sl_arena_printf(struct sl_arena *arena, const char *fmt, ...)
{
	va_list args;
	int length;
	char *text;

	va_start(args, fmt);
	length = vsnprintf(NULL, 0, fmt, args);
	va_end(args);
	if (length < 0)
		return NULL;
	text = sl_arena_alloc(arena, (size_t)length + 1);
	if (!text)
		return NULL;
	va_start(args, fmt);
	vsnprintf(text, (size_t)length + 1, fmt, args);
	va_end(args);
	return text;
}

/* The newest block stays, unless it was made for something large. */
void sl_arena_clear(struct sl_arena *arena)
{
	struct sl_arena_block *kept = arena->blocks;

	if (!kept)
		return;
	if (kept->size == BLOCK_BYTES) {
		arena->blocks = kept->next;
		kept->next = NULL;
	} else {
		kept = NULL;
	}
	sl_arena_finish(arena);
	if (!kept)
		return;
	memset(kept->bytes, 0, kept->used);
	kept->used = 0;
	arena->blocks = kept;
}

void sl_arena_finish(struct sl_arena *arena)
{
	while (arena->blocks) {
		struct sl_arena_block *block = arena->blocks;

		arena->blocks = block->next;
		free(block);
	}
}
