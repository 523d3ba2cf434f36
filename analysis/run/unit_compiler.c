/* SPDX-License-Identifier: MIT */
/* What the words of a unit say of its compiler and its language. */
#include <string.h>

#include "run/path.h"
#include "run/program.h"
#include "run/unit_flags.h"

/* ---- compilers --------------------------------------------------------- */

/* They stand before a compiler, and run it somewhere or not at all. */
static bool is_launcher(const char *word)
{
	static const char *const names[] = {
		"ccache", "sccache", "buildcache", "distcc",
		"icecc",  "gomacc",  "fastcache",
	};

	word = sg_path_name(word);
	for (size_t at = 0; at < sizeof(names) / sizeof(names[0]); at++)
		if (strcmp(word, names[at]) == 0)
			return true;
	return false;
}

static size_t compiler_at(const struct sg_unit *unit)
{
	size_t at = 0;

	while (unit->arguments[at] && is_launcher(unit->arguments[at]) &&
	       unit->arguments[at + 1] && unit->arguments[at + 1][0] != '-')
		at++;
	return at;
}

const char *sg_unit_compiler(const struct sg_unit *unit)
{
	return unit->arguments[compiler_at(unit)];
}

const char *const *sg_unit_flags(const struct sg_unit *unit)
{
	return unit->arguments + compiler_at(unit) + 1;
}

/* Without a version: of "x86_64-linux-gnu-g++-12" behind the "++". */
static size_t stem_length(const char *name)
{
	size_t length = strlen(name), end = length;

	while (end && strchr("0123456789.", name[end - 1]))
		end--;
	return end && end < length && name[end - 1] == '-' ? end - 1 : length;
}

/* @return whether @p name is @p stem, or something and "-" before it, without
 * its version. */
static bool has_stem(const char *name, const char *stem)
{
	size_t length = stem_length(name), wanted = strlen(stem);

	if (length < wanted ||
	    memcmp(name + length - wanted, stem, wanted) != 0)
		return false;
	return length == wanted || name[length - wanted - 1] == '-';
}

/* cc and c++ are links, which somebody chose. */
static bool leads_to_clang(const char *program)
{
	struct sl_arena arena = { NULL };
	const char *path = sg_program_find(program, &arena);
	bool is = path && strstr(sg_path_name(path), "clang");

	sl_arena_finish(&arena);
	return is;
}

enum sg_family sg_family_of(const char *program)
{
	const char *name = sg_path_name(program);

	if (strstr(name, "clang"))
		return SG_FAMILY_CLANG;
	if (has_stem(name, "gcc") || has_stem(name, "g++"))
		return SG_FAMILY_GCC;
	if (!has_stem(name, "cc") && !has_stem(name, "c++"))
		return SG_FAMILY_NONE;
	return leads_to_clang(program) ? SG_FAMILY_CLANG : SG_FAMILY_GCC;
}

/* ---- languages --------------------------------------------------------- */

enum sg_language sg_language_of(const char *path)
{
	static const char *const extensions[] = { "cc",  "cpp", "cxx",
						  "c++", "C",   "cp" };
	const char *name = sg_path_name(path);
	const char *dot = strrchr(name, '.');

	if (!dot || dot == name)
		return SG_LANGUAGE_OTHER;
	if (strcmp(dot + 1, "c") == 0)
		return SG_LANGUAGE_C;
	for (size_t at = 0; at < sizeof(extensions) / sizeof(extensions[0]);
	     at++)
		if (strcmp(dot + 1, extensions[at]) == 0)
			return SG_LANGUAGE_CXX;
	return SG_LANGUAGE_OTHER;
}

static bool has_x(const char *const *words)
{
	for (; *words; words++)
		if (strncmp(*words, "-x", 2) == 0)
			return true;
	return false;
}

const char *sg_unit_language_flag(const struct sg_unit *unit)
{
	const char *const *words = sg_unit_flags(unit);
	const char *name = sg_path_name(unit->source);
	const char *language = NULL;

	if (!has_x(words)) /* most have none: a look is cheaper than a read */
		return NULL;
	while (*words) {
		struct sg_flag flag;

		sg_flag_next(&words, &flag);
		if (flag.kind == SG_FLAG_LANGUAGE)
			language = flag.value;
		else if (flag.kind == SG_FLAG_INPUT &&
			 strcmp(sg_path_name(flag.value), name) == 0)
			break;
	}
	return language && strcmp(language, "none") != 0 ? language : NULL;
}

static bool is_of_cxx(const char *compiler)
{
	const char *name = sg_path_name(compiler);
	size_t length = stem_length(name);

	return length > 2 && memcmp(name + length - 2, "++", 2) == 0;
}

enum sg_language sg_unit_language(const struct sg_unit *unit)
{
	const char *given = sg_unit_language_flag(unit);
	enum sg_language language = sg_language_of(unit->source);

	if (given) {
		if (strcmp(given, "c") == 0 || strcmp(given, "cpp-output") == 0)
			return SG_LANGUAGE_C;
		if (strcmp(given, "c++") == 0 ||
		    strcmp(given, "c++-cpp-output") == 0)
			return SG_LANGUAGE_CXX;
		return SG_LANGUAGE_OTHER;
	}
	/* g++ compiles a .c as C++ */
	if (language == SG_LANGUAGE_C && is_of_cxx(sg_unit_compiler(unit)))
		return SG_LANGUAGE_CXX;
	return language;
}
