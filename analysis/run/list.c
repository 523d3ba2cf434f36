/* SPDX-License-Identifier: MIT */
/* Lists of words. What they grow out of stays in the arena. */
#include "run/list.h"

#include <stdint.h>
#include <string.h>

static bool grow(struct sg_list *list)
{
	size_t capacity = list->capacity ? 2 * list->capacity : 16;
	const char **words = NULL;

	if (capacity < SIZE_MAX / sizeof(*words))
		words = sl_arena_alloc(list->arena, capacity * sizeof(*words));
	if (!words)
		return false;
	if (list->count)
		memcpy(words, list->words, list->count * sizeof(*words));
	list->words = words;
	list->capacity = capacity;
	return true;
}

void sg_list_add(struct sg_list *list, const char *word)
{
	if (!word || (list->count + 1 >= list->capacity && !grow(list))) {
		list->failed = true;
		return;
	}
	list->words[list->count++] = word;
	list->words[list->count] = NULL;
}

const char *const *sg_list_words(struct sg_list *list)
{
	if (!list->words && !grow(list))
		list->failed = true;
	return list->failed ? NULL : list->words;
}
