/* SPDX-License-Identifier: MIT */
/** @file
 * A list of words that grows in an arena.
 */
#ifndef SG_RUN_LIST_H
#define SG_RUN_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/** A zeroed one with an arena is empty; it is borrowed. Running out of memory
 * is kept, so that one look at the end does. */
struct sg_list {
	struct sl_arena *arena;
	const char **words; /**< a NULL behind the last; NULL: nothing came */
	size_t count, capacity;
	bool failed; /**< there was no memory */
};

/** Add a word, which is borrowed; NULL: there was no memory for it. */
void sg_list_add(struct sg_list *list, const char *word);

/** @return the words, with a NULL behind them; NULL: no memory. */
const char *const *sg_list_words(struct sg_list *list);

#endif
