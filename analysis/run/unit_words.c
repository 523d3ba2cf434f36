/* SPDX-License-Identifier: MIT */
/* From a unit's flags to those of a command. */
#include "run/unit_words.h"

#include <string.h>

#include "run/path.h"
#include "run/remap.h"
#include "run/unit_flags.h"

const char *sg_unit_file(const struct sg_unit *unit,
			 const struct sg_exported *exported,
			 struct sl_arena *arena)
{
	if (*unit->source == '/')
		return unit->source;
	return sg_path_join(exported->folder, unit->source, arena);
}

static const char *map_value(const struct sg_flag *flag,
			     const struct sg_unit *unit,
			     const struct sg_exported *exported,
			     struct sl_arena *arena)
{
	return flag->path ? sg_remap_path(flag->value, unit, exported, arena)
			  : sg_remap_text(flag->value, exported, arena);
}

static void add_flag(const struct sg_flag *flag, const struct sg_unit *unit,
		     const struct sg_exported *exported, struct sg_list *list)
{
	struct sl_arena *arena = list->arena;
	const char *value;

	if (!flag->value) {
		sg_list_add(list, sg_remap_text(flag->word, exported, arena));
		return;
	}
	if (!flag->path && !flag->separate) { /* "-I" in it tells of paths */
		sg_list_add(list, sg_remap_text(flag->word, exported, arena));
		return;
	}
	value = map_value(flag, unit, exported, arena);
	if (flag->separate) {
		sg_list_add(list, flag->name);
		sg_list_add(list, value);
	} else {
		sg_list_add(list, value ? sl_arena_printf(arena, "%s%s",
							  flag->name, value)
					: NULL);
	}
}

/* By -x, or because the compiler, not the name, makes it C++. */
static void add_language(const struct sg_unit *unit, struct sg_list *list)
{
	const char *language = sg_unit_language_flag(unit);

	if (!language && unit->language == SG_LANGUAGE_CXX &&
	    sg_language_of(unit->source) == SG_LANGUAGE_C)
		language = "c++";
	if (!language)
		return;
	sg_list_add(list, "-x");
	sg_list_add(list, language);
}

static void add_flags(const struct sg_unit *unit,
		      const struct sg_exported *exported, bool own,
		      struct sg_list *list)
{
	const char *const *words = sg_unit_flags(unit);

	add_language(unit, list);
	while (*words) {
		struct sg_flag flag;

		sg_flag_next(&words, &flag);
		if (flag.kind == SG_FLAG_MEANING ||
		    (own && flag.kind == SG_FLAG_OWN))
			add_flag(&flag, unit, exported, list);
	}
}

void sg_unit_words_own(const struct sg_unit *unit,
		       const struct sg_exported *exported, struct sg_list *list)
{
	add_flags(unit, exported, true, list);
}

void sg_unit_words_shared(const struct sg_unit *unit,
			  const struct sg_exported *exported,
			  struct sg_list *list)
{
	add_flags(unit, exported, false, list);
}

/* ---- cppcheck ---------------------------------------------------------- */

/* cppcheck 2.10 knows no others, and takes those for its default. */
static const char *cppcheck_standard(const char *standard, bool cxx)
{
	static const char *const known[][3] = {
		{ "c89", "c89", NULL },
		{ "c90", "c89", NULL },
		{ "iso9899:1990", "c89", NULL },
		{ "c99", "c99", NULL },
		{ "c9x", "c99", NULL },
		{ "iso9899:1999", "c99", NULL },
		{ "c++98", NULL, "c++03" },
		{ "c++03", NULL, "c++03" },
		{ "c++0x", NULL, "c++11" },
		{ "c++11", NULL, "c++11" },
		{ "c++1y", NULL, "c++14" },
		{ "c++14", NULL, "c++14" },
		{ "c++1z", NULL, "c++17" },
		{ "c++17", NULL, "c++17" },
	};
	bool gnu = strncmp(standard, "gnu", 3) == 0;

	if (gnu)
		standard += 3;
	for (size_t at = 0; at < sizeof(known) / sizeof(known[0]); at++)
		if (strcmp(known[at][0] + gnu, standard) == 0)
			return known[at][cxx ? 2 : 1];
	return cxx ? "c++20" : "c11";
}

static const char *standard_of(const struct sg_flag *flag, bool cxx)
{
	if (strcmp(flag->name, "-ansi") == 0)
		return cxx ? "c++03" : "c89";
	if (strcmp(flag->name, "-std=") == 0 ||
	    strcmp(flag->name, "--std=") == 0)
		return cppcheck_standard(flag->value, cxx);
	return NULL;
}

/* @return how cppcheck spells an option; NULL: it has none such. */
static const char *cppcheck_name(const char *name)
{
	static const char *const names[][2] = {
		{ "-D", "-D" },
		{ "-U", "-U" },
		{ "-I", "-I" },
		{ "-iquote", "-I" },
		{ "-include", "--include=" },
		{ "--include", "--include=" },
		{ "--include=", "--include=" },
	};

	for (size_t at = 0; at < sizeof(names) / sizeof(names[0]); at++)
		if (strcmp(names[at][0], name) == 0)
			return names[at][1];
	return NULL;
}

void sg_unit_words_cppcheck(const struct sg_unit *unit,
			    const struct sg_exported *exported,
			    struct sg_list *list)
{
	const char *const *words = sg_unit_flags(unit);
	bool cxx = unit->language == SG_LANGUAGE_CXX;
	const char *standard = NULL;

	while (*words) {
		struct sg_flag flag;
		const char *name, *said;

		sg_flag_next(&words, &flag);
		said = standard_of(&flag, cxx);
		if (said)
			standard = said;
		name = cppcheck_name(flag.name);
		if (!name || !flag.value)
			continue;
		said = map_value(&flag, unit, exported, list->arena);
		sg_list_add(list, said ? sl_arena_printf(list->arena, "%s%s",
							 name, said)
				       : NULL);
	}
	if (standard)
		sg_list_add(list,
			    sl_arena_printf(list->arena, "--std=%s", standard));
}
