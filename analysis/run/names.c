/* SPDX-License-Identifier: MIT */
/* Hash tables: from the last part of a path to the files that have it, and from
 * a name to what was found for it. */
#include "run/names.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static enum sl_code no_memory(struct sl_error *error)
{
	return SL_FAIL(error, SL_ENOMEM, "no memory for names of files");
}

/* ---- texts ------------------------------------------------------------- */

static struct sg_text_slot *find_slot(const struct sg_texts *texts,
				      const char *text, size_t length)
{
	size_t at = (size_t)XXH3_64bits(text, length) & (texts->room - 1);

	while (texts->slots[at].text &&
	       (texts->slots[at].length != length ||
		memcmp(texts->slots[at].text, text, length) != 0))
		at = (at + 1) & (texts->room - 1);
	return &texts->slots[at];
}

static bool grow(struct sg_texts *texts)
{
	struct sg_texts grown = { .count = texts->count };

	if (2 * texts->count < texts->room)
		return true;
	grown.room = texts->room ? 2 * texts->room : 256;
	grown.slots = calloc(grown.room, sizeof(*grown.slots));
	if (!grown.slots)
		return false;
	for (size_t at = 0; at < texts->room; at++)
		if (texts->slots[at].text)
			*find_slot(&grown, texts->slots[at].text,
				   texts->slots[at].length) = texts->slots[at];
	free(texts->slots);
	*texts = grown;
	return true;
}

/* Number a text, which is borrowed. @return its slot, *is_new if it was not
 * there; NULL: no memory. */
static struct sg_text_slot *put_text(struct sg_texts *texts, const char *text,
				     size_t length, bool *is_new)
{
	struct sg_text_slot *slot;

	if (!grow(texts))
		return NULL;
	slot = find_slot(texts, text, length);
	*is_new = !slot->text;
	if (*is_new) {
		slot->text = text;
		slot->length = length;
		slot->number = (uint32_t)texts->count++;
	}
	return slot;
}

static const struct sg_text_slot *get_text(const struct sg_texts *texts,
					   const char *text, size_t length)
{
	const struct sg_text_slot *slot =
		texts->room ? find_slot(texts, text, length) : NULL;

	return slot && slot->text ? slot : NULL;
}

/* ---- the files --------------------------------------------------------- */

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static enum sl_code add_file(struct sg_names *names, size_t file,
			     struct sl_error *error)
{
	const char *last = last_part(names->files[file].path);
	bool is_new;
	const struct sg_text_slot *slot =
		put_text(&names->lasts, last, strlen(last), &is_new);

	if (!slot)
		return no_memory(error);
	names->next[file] = names->first[slot->number];
	names->first[slot->number] = (uint32_t)file + 1;
	if (names->files[file].mode == 0120000)
		names->has_links = names->links[slot->number] = true;
	return SL_OK;
}

enum sl_code sg_names_init(struct sg_names *names,
			   const struct sg_snapshot_file *files, size_t count,
			   struct sl_error *error)
{
	enum sl_code code = SL_OK;

	*names = (struct sg_names){ .files = files, .file_count = count };
	names->first = calloc(count + 1, sizeof(*names->first));
	names->next = calloc(count + 1, sizeof(*names->next));
	names->links = calloc(count + 1, sizeof(*names->links));
	if (!names->first || !names->next || !names->links ||
	    count >= UINT32_MAX)
		code = no_memory(error);
	for (size_t at = 0; at < count && code == SL_OK; at++)
		code = add_file(names, at, error);
	if (code != SL_OK)
		sg_names_finish(names);
	return code;
}

void sg_names_finish(struct sg_names *names)
{
	free(names->lasts.slots);
	free(names->first);
	free(names->next);
	free(names->links);
	free(names->texts.slots);
	free(names->names);
	free(names->asked.slots);
	sl_arena_finish(&names->arena);
}

/* ---- names ------------------------------------------------------------- */

/* What a name is matched by: without "." and empty parts, and only what stands
 * behind the last "..", for a symlink may lead anywhere before that. An
 * absolute one keeps a first slash. @return its length. */
static size_t clean(const char *text, size_t length, char *to)
{
	bool is_absolute = length && text[0] == '/';
	size_t used = 0;

	for (size_t at = 0; at < length;) {
		const char *slash = memchr(text + at, '/', length - at);
		size_t end = slash ? (size_t)(slash - text) : length;
		size_t part = end - at;

		if (part == 2 && memcmp(text + at, "..", 2) == 0) {
			used = 0;
		} else if (part && !(part == 1 && text[at] == '.')) {
			if (used || is_absolute)
				to[used++] = '/';
			memcpy(to + used, text + at, part);
			used += part;
		}
		at = end + 1;
	}
	return used;
}

/* Whether one ends in the other, in whole parts. */
static bool ends_in(const char *path, size_t length, const char *end,
		    size_t end_length)
{
	return length >= end_length &&
	       memcmp(path + length - end_length, end, end_length) == 0 &&
	       (length == end_length || path[length - end_length - 1] == '/');
}

static bool means(const char *name, size_t length, const char *path)
{
	size_t path_length = strlen(path);

	if (length && *name == '/') {
		if (ends_in(name, length, path, path_length))
			return true;
		name++; /* it may have lost its front by a ".." */
		length--;
	}
	return ends_in(path, path_length, name, length);
}

struct found {
	uint32_t *files; /* owned */
	size_t count, room;
};

static enum sl_code add_found(struct found *found, size_t file,
			      struct sl_error *error)
{
	if (found->count == found->room) {
		size_t room = found->room ? 2 * found->room : 16;
		void *grown =
			realloc(found->files, room * sizeof(*found->files));

		if (!grown)
			return no_memory(error);
		found->files = grown;
		found->room = room;
	}
	found->files[found->count++] = (uint32_t)file;
	return SL_OK;
}

/* Add the files that end in a name without "..". */
static enum sl_code match(const struct sg_names *names, const char *name,
			  size_t length, struct found *found,
			  struct sl_error *error)
{
	size_t start = length;
	const struct sg_text_slot *slot;
	enum sl_code code = SL_OK;

	while (start && name[start - 1] != '/')
		start--;
	slot = get_text(&names->lasts, name + start, length - start);
	if (!slot)
		return SL_OK;
	for (uint32_t file = names->first[slot->number]; file && code == SL_OK;
	     file = names->next[file - 1])
		if (means(name, length, names->files[file - 1].path))
			code = add_found(found, file - 1, error);
	return code;
}

/* Each folder of a name may be a symlink, and so lead elsewhere. */
static enum sl_code match_through_links(const struct sg_names *names,
					const char *name, size_t length,
					struct found *found,
					struct sl_error *error)
{
	enum sl_code code = SL_OK;
	size_t start = length && *name == '/';

	for (size_t at = start; at < length && code == SL_OK; at++) {
		const struct sg_text_slot *slot;

		if (name[at] != '/')
			continue;
		slot = get_text(&names->lasts, name + start, at - start);
		start = at + 1;
		if (slot && names->links[slot->number])
			code = match(names, name + start, length - start, found,
				     error);
	}
	return code;
}

static enum sl_code find_files(struct sg_names *names, struct sg_name *name,
			       struct sl_error *error)
{
	struct found found = { .files = NULL };
	enum sl_code code =
		match(names, name->text, name->length, &found, error);

	if (code == SL_OK && names->has_links)
		code = match_through_links(names, name->text, name->length,
					   &found, error);
	if (code == SL_OK && found.count) {
		size_t bytes = found.count * sizeof(*found.files);
		uint32_t *files = sl_arena_alloc(&names->arena, bytes);

		if (files)
			memcpy(files, found.files, bytes);
		else
			code = no_memory(error);
		name->files = files;
		name->count = found.count;
	}
	free(found.files);
	return code;
}

static bool has_room(struct sg_names *names)
{
	size_t room = names->names_room ? 2 * names->names_room : 256;
	void *grown;

	if (names->texts.count < names->names_room)
		return true;
	grown = realloc(names->names, room * sizeof(*names->names));
	if (!grown)
		return false;
	names->names = grown;
	names->names_room = room;
	return true;
}

static enum sl_code add_name(struct sg_names *names, const char *text,
			     size_t length, uint32_t *number,
			     struct sl_error *error)
{
	const char *copy = sl_arena_text(&names->arena, text, length);
	const char *last = copy ? last_part(copy) : NULL;
	struct sg_name name = { copy, length, NULL, 0 };
	const struct sg_text_slot *slot;
	enum sl_code code;
	bool is_new;

	if (!copy || !has_room(names) ||
	    !put_text(&names->asked, last, strlen(last), &is_new))
		return no_memory(error);
	code = find_files(names, &name, error);
	if (code != SL_OK)
		return code;
	slot = put_text(&names->texts, copy, length, &is_new);
	if (!slot)
		return no_memory(error);
	names->names[slot->number] = name;
	*number = slot->number;
	return SL_OK;
}

enum sl_code sg_names_find(struct sg_names *names, const char *text,
			   size_t length, uint32_t *number,
			   struct sl_error *error)
{
	char *cleaned = malloc(length + 1);
	const struct sg_text_slot *slot;
	enum sl_code code = SL_OK;

	if (!cleaned)
		return no_memory(error);
	length = clean(text, length, cleaned);
	slot = get_text(&names->texts, cleaned, length);
	if (slot)
		*number = slot->number;
	else
		code = add_name(names, cleaned, length, number, error);
	free(cleaned);
	return code;
}

bool sg_names_asked(const struct sg_names *names, const char *last)
{
	return get_text(&names->asked, last, strlen(last)) != NULL;
}
