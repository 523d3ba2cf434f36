/* SPDX-License-Identifier: MIT */
/* Commands made of templates. */
#include <string.h>

#include "run/analyzer.h"
#include "run/path.h"
#include "run/remap.h"
#include "run/unit_flags.h"
#include "run/unit_words.h"

/* What a command is made for. */
struct making {
	const struct sg_analyzer *analyzer;
	const struct sg_unit *const *units;
	size_t count;
	const struct sg_exported *exported;
	const char *report;
	struct sl_arena *arena;
	struct sg_list list;
	struct sl_error *error;
};

static enum sl_code no_memory(struct sl_error *error)
{
	return SL_FAIL(error, SL_ENOMEM, "no memory for a command");
}

static bool is(const char *name, size_t length, const char *what)
{
	return strlen(what) == length && memcmp(name, what, length) == 0;
}

/* ---- what stands for a part of a word ---------------------------------- */

/* The unit's own compiler if it is of the family: its flags are made for it. */
static const char *compiler_of(const struct sg_unit *unit,
			       enum sg_family family, const char *c,
			       const char *cxx, struct sl_arena *arena)
{
	const char *own = sg_unit_compiler(unit);

	if (sg_family_of(own) != family)
		return unit->language == SG_LANGUAGE_CXX ? cxx : c;
	return strchr(own, '/') ? sg_path_join(unit->directory, own, arena)
				: own;
}

/* Of the one unit that there is. SL_END: it is no such word. */
static enum sl_code unit_part(struct making *making, const char *name,
			      size_t length, const char **part)
{
	const struct sg_unit *unit = making->units[0];

	if (is(name, length, "file"))
		*part = sg_unit_file(unit, making->exported, making->arena);
	else if (is(name, length, "language"))
		*part = unit->language == SG_LANGUAGE_CXX ? "c++" : "c";
	else if (is(name, length, "gcc"))
		*part = compiler_of(unit, SG_FAMILY_GCC, "gcc", "g++",
				    making->arena);
	else if (is(name, length, "clang"))
		*part = compiler_of(unit, SG_FAMILY_CLANG, "clang", "clang++",
				    making->arena);
	else
		return SL_END;
	if (making->count != 1)
		return SL_FAIL(making->error, SL_EINVAL,
			       "{%.*s} is one unit's, and the analyzer runs "
			       "once for all",
			       (int)length, name);
	return *part ? SL_OK : no_memory(making->error);
}

static enum sl_code find_part(struct making *making, const char *name,
			      size_t length, const char **part)
{
	enum sl_code code = unit_part(making, name, length, part);

	if (code != SL_END)
		return code;
	if (is(name, length, "report"))
		*part = making->report;
	else if (is(name, length, "root"))
		*part = making->exported->folder;
	else if (is(name, length, "build"))
		*part = making->exported->build;
	else if (is(name, length, "flags") || is(name, length, "defines") ||
		 is(name, length, "files") || is(name, length, "tidy"))
		return SL_FAIL(making->error, SL_EINVAL,
			       "{%.*s} has to be a word of its own",
			       (int)length, name);
	else
		return SL_FAIL(making->error, SL_EINVAL,
			       "{%.*s} stands for nothing; there are {file}, "
			       "{flags}, {language}, {defines}, {report}, "
			       "{root}, {build}, {files}, {gcc}, {clang}, "
			       "{tidy}, {c:...} and {c++:...}",
			       (int)(length < 64 ? length : 64), name);
	if (!*part)
		return SL_FAIL(making->error, SL_EINVAL,
			       "there is nothing for {%.*s} to stand for",
			       (int)length, name);
	return SL_OK;
}

/* ---- words ------------------------------------------------------------- */

/* Text of the template. The first word names a program of this machine, not of
 * the tree: it is not mapped. @p behind: a brace stands before it, whose path
 * it goes on with. */
static const char *map_literal(struct making *making, const char *text,
			       size_t length, bool behind)
{
	char *copy =
		sl_arena_text(making->arena, text - behind, length + behind);
	const char *mapped;

	if (!copy || !making->list.count)
		return copy ? copy + behind : NULL;
	mapped = sg_remap_text(copy, making->exported, making->arena);
	return mapped ? mapped + behind : NULL;
}

/* @return the end of what stands at @p at for itself: up to a brace. */
static enum sl_code take_part(struct making *making, const char **at,
			      bool behind, const char **part)
{
	const char *from = *at;
	size_t length = strcspn(from, "{}");

	if (length) {
		*at += length;
		*part = map_literal(making, from, length, behind);
		return *part ? SL_OK : no_memory(making->error);
	}
	if (from[0] == from[1]) {
		*at += 2;
		*part = *from == '{' ? "{" : "}";
		return SL_OK;
	}
	length = strcspn(from + 1, "{}");
	if (*from == '}' || from[length + 1] != '}')
		return SL_FAIL(making->error, SL_EINVAL,
			       "a brace is not closed in \"%.200s\"; {{ and }} "
			       "stand for braces",
			       from);
	*at += length + 2;
	return find_part(making, from + 1, length, part);
}

static enum sl_code add_word(struct making *making, const char *word)
{
	const char *made = "", *start = word;

	while (*word) {
		bool behind = word > start && word[-1] == '}';
		const char *part = NULL;
		enum sl_code code = take_part(making, &word, behind, &part);

		if (code != SL_OK)
			return code;
		made = *made ? sl_arena_printf(making->arena, "%s%s", made,
					       part)
			     : part;
		if (!made)
			return no_memory(making->error);
	}
	sg_list_add(&making->list, made);
	return SL_OK;
}

/* ---- words that stand for many ----------------------------------------- */

static void add_flags(struct making *making, const struct sg_unit *unit)
{
	const char *program = making->list.count ? making->list.words[0] : "";
	enum sg_family family = sg_family_of(program);

	if (family != SG_FAMILY_NONE &&
	    family == sg_family_of(sg_unit_compiler(unit)))
		sg_unit_words_own(unit, making->exported, &making->list);
	else
		sg_unit_words_shared(unit, making->exported, &making->list);
}

static void add_files(struct making *making)
{
	for (size_t at = 0; at < making->count; at++) {
		const struct sg_unit *unit = making->units[at];

		/* by source: those of one stand together */
		if (!at ||
		    strcmp(making->units[at - 1]->source, unit->source) != 0)
			sg_list_add(&making->list,
				    sg_unit_file(unit, making->exported,
						 making->arena));
	}
}

/* {c:WORD} and {c++:WORD}. @return what is behind the colon, in @p arena; NULL:
 * the word is none of them, or there is no memory. */
static const char *conditional(const char *word, const char *language,
			       struct sl_arena *arena)
{
	size_t length = strlen(language), all = strlen(word);

	if (all < length + 3 || word[0] != '{' || word[all - 1] != '}' ||
	    word[1] == '{' || memcmp(word + 1, language, length) != 0 ||
	    word[length + 1] != ':')
		return NULL;
	return sl_arena_text(arena, word + length + 2, all - length - 3);
}

static enum sl_code add_conditional(struct making *making, const char *word,
				    bool *is_one)
{
	enum sg_language language = making->units[0]->language;
	const char *c = conditional(word, "c", making->arena);
	const char *cxx = conditional(word, "c++", making->arena);

	*is_one = c || cxx;
	if (*is_one && making->count != 1)
		return SL_FAIL(making->error, SL_EINVAL,
			       "%.64s asks for one unit's language, and the "
			       "analyzer runs once for all",
			       word);
	if (c && language == SG_LANGUAGE_C)
		return add_word(making, c);
	if (cxx && language == SG_LANGUAGE_CXX)
		return add_word(making, cxx);
	return SL_OK;
}

/* SL_END: it is no such word. */
static enum sl_code add_many(struct making *making, const char *word)
{
	const struct sg_unit *unit = making->units[0];
	bool is_one;
	enum sl_code code;

	if (strcmp(word, "{files}") == 0) {
		add_files(making);
		return SL_OK;
	}
	code = add_conditional(making, word, &is_one);
	if (is_one)
		return code;
	if (strcmp(word, "{flags}") != 0 && strcmp(word, "{defines}") != 0 &&
	    strcmp(word, "{tidy}") != 0)
		return SL_END;
	if (making->count != 1)
		return SL_FAIL(making->error, SL_EINVAL,
			       "%s is one unit's, and the analyzer runs once "
			       "for all",
			       word);
	if (word[1] == 'f')
		add_flags(making, unit);
	else if (word[1] == 'd')
		sg_unit_words_cppcheck(unit, making->exported, &making->list);
	else
		sg_unit_words_tidy(unit, making->exported, &making->list);
	return SL_OK;
}

/* ---- commands ---------------------------------------------------------- */

static enum sl_code finish(struct sg_list *list, const char *directory,
			   struct sg_command *command, struct sl_error *error)
{
	command->words = sg_list_words(list);
	command->directory = directory;
	if (!command->words || !directory)
		return no_memory(error);
	if (!list->count || !*command->words[0])
		return SL_FAIL(error, SL_EINVAL, "the command is empty");
	return SL_OK;
}

enum sl_code sg_analyzer_command(const struct sg_analyzer *analyzer,
				 const struct sg_unit *const *units,
				 size_t count,
				 const struct sg_exported *exported,
				 const char *report, struct sl_arena *arena,
				 struct sg_command *command,
				 struct sl_error *error)
{
	struct making making = {
		.analyzer = analyzer,
		.units = units,
		.count = count,
		.exported = exported,
		.report = report,
		.arena = arena,
		.list = { .arena = arena },
		.error = error,
	};
	const char *directory = exported->folder;

	if (!count)
		return SL_FAIL(error, SL_EINVAL, "there is no unit");
	for (const char *const *word = analyzer->command; *word; word++) {
		enum sl_code code = add_many(&making, *word);

		if (code == SL_END)
			code = add_word(&making, *word);
		if (code != SL_OK)
			return code;
	}
	if (!analyzer->once)
		directory =
			sg_remap_absolute(units[0]->directory, exported, arena);
	return finish(&making.list, directory, command, error);
}

enum sl_code sg_compile_command(const struct sg_unit *unit,
				const struct sg_exported *exported,
				const char *report, struct sl_arena *arena,
				struct sg_command *command,
				struct sl_error *error)
{
	const char *const end[] = { "-fsyntax-only", "-w",  "-MD", "-MF",
				    report,          "-MT", "x" };
	struct sg_list list = { .arena = arena };
	const char *compiler = sg_unit_compiler(unit);

	if (strchr(compiler, '/'))
		compiler = sg_path_join(unit->directory, compiler, arena);
	sg_list_add(&list, compiler);
	sg_unit_words_own(unit, exported, &list);
	for (size_t at = 0; at < sizeof(end) / sizeof(end[0]); at++)
		sg_list_add(&list, end[at]);
	sg_list_add(&list, sg_unit_file(unit, exported, arena));
	return finish(&list,
		      sg_remap_absolute(unit->directory, exported, arena),
		      command, error);
}
