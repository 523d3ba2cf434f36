/* SPDX-License-Identifier: MIT */
/* What a compiler would find behind @FILE. If it stayed a word, its flags would
 * be part of no key, and paths in it would lead out of an exported tree. */
#include "run/units_response.h"

#include <string.h>

#include "run/analyzer.h"
#include "run/list.h"
#include "run/path.h"
#include "run/remap.h"
#include "run/unit_flags.h"

enum {
	FILES_MAX = 2000, /* as gcc's: a file may name itself */
	DEPTH_MAX = 64,
	WORDS_MAX = 1 << 18,
};

struct expanding {
	const struct sg_unit *unit;
	struct sg_exported names; /* root: its other name; NULL: none */
	struct sg_list words;
	size_t files;
	sg_response_fn *read;
	void *context;
};

static enum sl_code no_memory(struct sl_error *error)
{
	return SL_FAIL(error, SL_ENOMEM, "no memory for a unit");
}

static bool is_response(const char *word)
{
	return word[0] == '@' && word[1];
}

static bool has_responses(const struct sg_unit *unit)
{
	for (size_t at = 1; at < unit->argument_count; at++)
		if (is_response(unit->arguments[at]))
			return true;
	return false;
}

bool sg_units_have_responses(const struct sg_units *units)
{
	for (size_t at = 0; at < units->count; at++)
		if (has_responses(&units->units[at]))
			return true;
	return false;
}

/* ---- words of a file --------------------------------------------------- */

static bool is_blank(char c)
{
	return c && strchr(" \t\n\v\f\r", c);
}

/* A backslash takes any meaning off the next letter, also between quotes of
 * either kind; what is left open ends with the text. The word is written from
 * @p to on, with a NUL. @return where it ended. */
static const char *take_word(const char *from, const char *end, char **to)
{
	char quote = '\0';

	for (; from < end && (quote || !is_blank(*from)); from++) {
		if (*from == '\\') {
			if (++from == end)
				break;
			*(*to)++ = *from;
		} else if (quote) {
			if (*from == quote)
				quote = '\0';
			else
				*(*to)++ = *from;
		} else if (*from == '\'' || *from == '"') {
			quote = *from;
		} else {
			*(*to)++ = *from;
		}
	}
	*(*to)++ = '\0';
	return from;
}

static enum sl_code split(const char *text, size_t length, struct sg_list *list,
			  struct sl_error *error)
{
	/* NULs behind words take the places of blanks, but the last's */
	char *to = sl_arena_alloc(list->arena, length + 2);
	const char *end = text + length;

	if (!to)
		return no_memory(error);
	for (;;) {
		while (text < end && is_blank(*text))
			text++;
		if (text == end)
			break;
		sg_list_add(list, to);
		text = take_word(text, end, &to);
	}
	return list->failed ? no_memory(error) : SL_OK;
}

/* ---- units ------------------------------------------------------------- */

/* *words: NULL: there is no such file. */
static enum sl_code read_words(struct expanding *expanding, const char *word,
			       const char *const **words,
			       struct sl_error *error)
{
	struct sl_arena *arena = expanding->words.arena;
	struct sg_list list = { .arena = arena };
	const char *path =
		sg_path_join(expanding->unit->directory, word + 1, arena);
	const char *text = NULL;
	size_t length = 0;
	enum sl_code code;

	*words = NULL;
	if (!path)
		return no_memory(error);
	code = expanding->read(expanding->context, path, &text, &length, error);
	if (code != SL_OK || !text)
		return code;
	code = split(text, length, &list, error);
	for (size_t at = 0;
	     code == SL_OK && expanding->names.root && at < list.count; at++) {
		list.words[at] =
			sg_remap_text(list.words[at], &expanding->names, arena);
		if (!list.words[at])
			return no_memory(error);
	}
	*words = code == SL_OK ? sg_list_words(&list) : NULL;
	return code == SL_OK && !*words ? no_memory(error) : code;
}

static enum sl_code add_words(struct expanding *expanding,
			      const char *const *words, int depth,
			      struct sl_error *error)
{
	enum sl_code code = SL_OK;

	for (; code == SL_OK && *words; words++) {
		const char *const *inner = NULL;

		if (is_response(*words) && depth < DEPTH_MAX &&
		    expanding->files < FILES_MAX &&
		    expanding->words.count < WORDS_MAX) {
			expanding->files++;
			code = read_words(expanding, *words, &inner, error);
		}
		if (code == SL_OK && inner)
			code = add_words(expanding, inner, depth + 1, error);
		else
			sg_list_add(&expanding->words, *words);
	}
	return code;
}

static enum sl_code expand_unit(struct sg_units *units, struct sg_unit *unit,
				sg_response_fn *read, void *context,
				struct sl_error *error)
{
	struct expanding expanding = {
		.unit = unit,
		.names = { .root = units->alias, .folder = units->root },
		.words = { .arena = &units->arena },
		.read = read,
		.context = context,
	};
	enum sl_code code;

	sg_list_add(&expanding.words, unit->arguments[0]);
	code = add_words(&expanding, unit->arguments + 1, 0, error);
	if (code != SL_OK)
		return code;
	unit->arguments = sg_list_words(&expanding.words);
	if (!unit->arguments)
		return no_memory(error);
	unit->argument_count = expanding.words.count;
	unit->language = sg_unit_language(unit);
	unit->hash = sg_unit_hash(unit, NULL);
	return SL_OK;
}

enum sl_code sg_units_expand(struct sg_units *units, sg_response_fn *read,
			     void *context, struct sl_error *error)
{
	bool any = false;
	enum sl_code code = SL_OK;

	for (size_t at = 0; code == SL_OK && at < units->count; at++) {
		if (!has_responses(&units->units[at]))
			continue;
		any = true;
		code = expand_unit(units, &units->units[at], read, context,
				   error);
	}
	if (code == SL_OK && any)
		sg_units_sort(units);
	return code;
}
