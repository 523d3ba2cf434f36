/* SPDX-License-Identifier: MIT */
/* Looking around in a tree. */
#include "gate/init.h"

#include <string.h>

#include "gate/init_look.h"

static enum sl_code no_memory(struct sl_error *error)
{
	return SL_FAIL(error, SL_ENOMEM, "no memory to look around");
}

enum sl_code sg_init_add(struct sg_init_list *list, const char *text,
			 struct sl_error *error)
{
	for (size_t at = 0; at < list->count; at++)
		if (strcmp(list->texts[at], text) == 0)
			return SL_OK;
	if (list->count + 1 >= list->capacity) {
		size_t capacity = list->capacity ? 2 * list->capacity : 16;
		const char **texts =
			sl_arena_alloc(list->arena, capacity * sizeof(*texts));

		if (!texts)
			return no_memory(error);
		if (list->count)
			memcpy(texts, list->texts,
			       list->count * sizeof(*texts));
		list->texts = texts;
		list->capacity = capacity;
	}
	list->texts[list->count++] = text;
	list->texts[list->count] = NULL;
	return SL_OK;
}

const char *const *sg_init_texts(const struct sg_init_list *list)
{
	static const char *const none[] = { NULL };

	return list->count ? list->texts : none;
}

enum sl_code sg_init_note(struct sg_init *found, const char *what,
			  const char *why, struct sl_error *error)
{
	struct sg_init_note *note =
		what ? sl_arena_alloc(&found->arena, sizeof(*note)) : NULL;

	if (!note)
		return no_memory(error);
	*note = (struct sg_init_note){ what, why, NULL };
	if (found->last_note)
		found->last_note->next = note;
	else
		found->notes = note;
	found->last_note = note;
	return SL_OK;
}

enum sl_code sg_init_look(struct sg_init *found, const char *root,
			  const char *build, struct sl_error *error)
{
	struct sg_units units = { .count = 0 };
	enum sl_code code;

	*found = (struct sg_init){ .build = NULL };
	code = sg_init_database(found, root, build, &units, error);
	if (code == SL_OK)
		code = sg_init_sources(found, root, &units, error);
	if (code == SL_OK)
		code = sg_init_tools(found, error);
	sg_units_finish(&units);
	if (code != SL_OK)
		sg_init_finish(found);
	return code;
}

void sg_init_finish(struct sg_init *found)
{
	sl_arena_finish(&found->arena);
	*found = (struct sg_init){ .build = NULL };
}
