/* SPDX-License-Identifier: MIT */
/** @file
 * An arena: allocations that are all freed together.
 *
 * Invariant: `blocks` is NULL or owned; a zeroed struct is an empty arena.
 * Not thread-safe.
 */
#ifndef SL_BASE_ARENA_H
#define SL_BASE_ARENA_H

#include <stddef.h>

#include "sluice/defs.h"

struct sl_arena {
	struct sl_arena_block *blocks;
};

/** @return @p size zeroed bytes, aligned for any type; NULL: no memory.
 * Borrowed until sl_arena_finish(). */
void *sl_arena_alloc(struct sl_arena *arena, size_t size);

/** @return a copy of @p length bytes with a NUL behind; NULL: no memory. */
char *sl_arena_text(struct sl_arena *arena, const char *text, size_t length);

/** @return the formatted text; NULL: no memory. */
char *sl_arena_printf(struct sl_arena *arena, const char *fmt, ...)
	SL_PRINTF(2, 3);

/** Forget everything, but keep a block for what comes next. */
void sl_arena_clear(struct sl_arena *arena);

/** Free everything; the arena is empty again. */
void sl_arena_finish(struct sl_arena *arena);

#endif
