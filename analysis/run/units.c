/* SPDX-License-Identifier: MIT */
/* The list of units: made of rows, then put in order. */
#include "run/units.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "run/analyzer.h"
#include "run/path.h"
#include "run/unit_flags.h"
#include "run/units_alias.h"
#include "run/units_json.h"

/* What units are made for. */
struct making {
	struct sg_units *units;
	const char *root;
};

static enum sl_code no_memory(struct sl_error *error)
{
	return SL_FAIL(error, SL_ENOMEM, "no memory for a unit");
}

/* Behind the last. The capacity is what a doubling from 64 gives. */
static struct sg_unit *append(struct sg_units *units)
{
	size_t count = units->count;

	if (count == 0 || (count >= 64 && (count & (count - 1)) == 0)) {
		size_t capacity = count ? 2 * count : 64;
		struct sg_unit *grown = NULL;

		if (capacity < SIZE_MAX / sizeof(*grown))
			grown = realloc(units->units,
					capacity * sizeof(*grown));
		if (!grown)
			return NULL;
		units->units = grown;
	}
	return &units->units[units->count];
}

/* @return relative to the root if it is below. */
static const char *source_path(const char *root, const char *path)
{
	const char *below = sg_path_below(root, path);

	return below && *below ? below : path;
}

static void finish_unit(struct sg_unit *unit)
{
	unit->language = sg_unit_language(unit);
	unit->hash = sg_unit_hash(unit, NULL);
}

static enum sl_code take_row(void *context, const struct sg_unit_row *row,
			     struct sl_error *error)
{
	struct making *making = context;
	struct sl_arena *arena = &making->units->arena;
	struct sg_unit *unit = append(making->units);
	const char *file;

	if (!*row->file)
		return SL_FAIL(error, SL_EINVAL, "the unit's \"file\" is \"\"");
	if (!unit)
		return no_memory(error);
	unit->directory = sg_path_join(making->root, row->directory, arena);
	if (!unit->directory)
		return no_memory(error);
	file = sg_path_join(unit->directory, row->file, arena);
	if (!file)
		return no_memory(error);
	unit->source = source_path(making->root, file);
	unit->arguments = row->arguments;
	unit->argument_count = row->argument_count;
	unit->position = making->units->count++;
	return SL_OK;
}

enum sl_code sg_units_parse(struct sg_units *units, const char *text,
			    size_t length, const char *path, const char *root,
			    struct sl_error *error)
{
	struct making making = { .units = units, .root = root };
	struct sl_error here = { .code = SL_OK };
	enum sl_code code;

	*units = (struct sg_units){ .count = 0 };
	code = sg_unit_rows_read(text, length, &units->arena, take_row, &making,
				 &here);
	if (code == SL_OK)
		code = sg_units_rename(units, root, &here);
	if (code == SL_OK) {
		for (size_t at = 0; at < units->count; at++)
			finish_unit(&units->units[at]);
		sg_units_sort(units);
		return SL_OK;
	}
	sg_units_finish(units);
	sl_error_at(&here, path, here.input_line);
	if (error)
		*error = here;
	return code;
}

enum sl_code sg_units_add(struct sg_units *units, const char *source,
			  const char *root, const char *compiler,
			  const char *const *flags, struct sl_error *error)
{
	struct sl_arena *arena = &units->arena;
	struct sg_list words = { .arena = arena };
	struct sg_unit *unit = append(units);

	if (!unit)
		return no_memory(error);
	unit->source = sl_arena_text(arena, source, strlen(source));
	unit->directory = sg_path_join(root, "", arena);
	sg_list_add(&words, sl_arena_text(arena, compiler, strlen(compiler)));
	for (; *flags; flags++)
		sg_list_add(&words,
			    sl_arena_text(arena, *flags, strlen(*flags)));
	sg_list_add(&words, "-c");
	/* "-c.c" is a fine name for a file, but no compiler takes it for one */
	sg_list_add(&words, *source == '-'
				    ? sl_arena_printf(arena, "./%s", source)
				    : unit->source);
	unit->arguments = sg_list_words(&words);
	if (!unit->source || !unit->directory || !unit->arguments)
		return no_memory(error);
	unit->argument_count = words.count;
	unit->position = units->count++;
	finish_unit(unit);
	return SL_OK;
}

void sg_units_finish(struct sg_units *units)
{
	free(units->units);
	sl_arena_finish(&units->arena);
	*units = (struct sg_units){ .count = 0 };
}

/* ---- order ------------------------------------------------------------- */

static int by_position(const struct sg_unit *a, const struct sg_unit *b)
{
	return (a->position > b->position) - (a->position < b->position);
}

/* Equal ones beside each other, the first of them first. */
static int by_content(const void *left, const void *right)
{
	const struct sg_unit *a = left, *b = right;
	int order = strcmp(a->source, b->source);

	if (!order)
		order = sg_hash_order(a->hash, b->hash);
	return order ? order : by_position(a, b);
}

static int by_place(const void *left, const void *right)
{
	const struct sg_unit *a = left, *b = right;
	int order = strcmp(a->source, b->source);

	return order ? order : by_position(a, b);
}

static bool are_equal(const struct sg_unit *a, const struct sg_unit *b)
{
	return sg_hash_equal(a->hash, b->hash) &&
	       strcmp(a->source, b->source) == 0;
}

void sg_units_sort(struct sg_units *units)
{
	struct sg_unit *all = units->units;
	size_t kept = 0;

	if (!units->count)
		return;
	qsort(all, units->count, sizeof(*all), by_content);
	for (size_t at = 0; at < units->count; at++)
		if (!kept || !are_equal(&all[kept - 1], &all[at]))
			all[kept++] = all[at];
	units->count = kept;
	qsort(all, kept, sizeof(*all), by_place);
}

bool sg_units_have(const struct sg_units *units, const char *source)
{
	size_t low = 0, high = units->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = strcmp(units->units[middle].source, source);

		if (order == 0)
			return true;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}
