/* SPDX-License-Identifier: MIT */
/* The database of an exported tree. */
#include <string.h>

#include "base/json.h"
#include "run/analyzer.h"
#include "run/remap.h"
#include "run/unit_flags.h"
#include "run/unit_words.h"

static void put_words(yajl_gen gen, const char *const *words)
{
	sl_json_key(gen, "arguments");
	yajl_gen_array_open(gen);
	while (*words)
		sl_json_text(gen, *words++);
	yajl_gen_array_close(gen);
}

static enum sl_code put_unit(yajl_gen gen, const struct sg_unit *unit,
			     const struct sg_exported *exported,
			     struct sl_arena *arena, struct sl_error *error)
{
	struct sg_list list = { .arena = arena };
	const char *file = sg_unit_file(unit, exported, arena);
	const char *directory =
		sg_remap_absolute(unit->directory, exported, arena);
	const char *const *words;

	sg_list_add(&list, sg_unit_compiler(unit));
	sg_unit_words_own(unit, exported, &list);
	sg_list_add(&list, "-c");
	sg_list_add(&list, file);
	words = sg_list_words(&list);
	if (!words || !directory)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a unit");
	yajl_gen_map_open(gen);
	sl_json_pair(gen, "directory", directory);
	sl_json_pair(gen, "file", file);
	put_words(gen, words);
	yajl_gen_map_close(gen);
	return SL_OK;
}

enum sl_code sg_exported_database(const struct sg_unit *const *units,
				  size_t count,
				  const struct sg_exported *exported,
				  struct sl_buffer *text,
				  struct sl_error *error)
{
	struct sl_arena arena = { NULL };
	yajl_gen gen = sl_json_begin();
	enum sl_code code = SL_OK;

	if (!gen)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a database");
	yajl_gen_array_open(gen);
	for (size_t at = 0; code == SL_OK && at < count; at++)
		code = put_unit(gen, units[at], exported, &arena, error);
	yajl_gen_array_close(gen);
	sl_arena_finish(&arena);
	if (code == SL_OK)
		return sl_json_end(gen, text, error);
	yajl_gen_free(gen);
	return code;
}
