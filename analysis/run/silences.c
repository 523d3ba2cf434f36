/* SPDX-License-Identifier: MIT */
/* Markers are looked for in raw text, as their tools do. */
#include "run/silences.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_MAX = 100 };

void sg_silences_finish(struct sg_silences *silences)
{
	free(silences->found);
}

enum sl_code sg_silences_add(struct sg_silences *silences,
			     const struct sg_silence *silence,
			     struct sl_error *error)
{
	if (silences->count == silences->room) {
		size_t room = silences->room ? 2 * silences->room : 16;
		void *grown = realloc(silences->found,
				      room * sizeof(*silences->found));

		if (!grown)
			return SL_FAIL(error, SL_ENOMEM,
				       "no memory for a scan");
		silences->found = grown;
		silences->room = room;
	}
	silences->found[silences->count++] = *silence;
	return SL_OK;
}

/* @return where @p word begins from @p at on; @p end: it does not. */
static size_t find_word(const char *text, size_t at, size_t end,
			const char *word)
{
	size_t length = strlen(word);

	while (end - at >= length) {
		const char *first = memchr(text + at, *word, end - at);

		if (!first)
			return end;
		at = (size_t)(first - text);
		if (end - at >= length && memcmp(first, word, length) == 0)
			return at;
		at++;
	}
	return end;
}

static bool follows(const char *text, size_t at, size_t end, const char *word)
{
	size_t length = strlen(word);

	return end - at >= length && memcmp(text + at, word, length) == 0;
}

enum sl_code sg_silences_in_comment(struct sg_silences *silences,
				    const char *text, size_t at, size_t end,
				    struct sl_error *error)
{
	static const char marker[] = "cppcheck-suppress";
	enum sl_code code = SL_OK;

	while (code == SL_OK && (at = find_word(text, at, end, marker)) < end) {
		const struct sg_silence found = { at, at, "", false };

		at += strlen(marker);
		if (!follows(text, at, end, "-end"))
			code = sg_silences_add(silences, &found, error);
	}
	return code;
}

enum sl_code sg_silences_of_tidy(struct sg_silences *silences, const char *text,
				 size_t length, struct sl_error *error)
{
	static const char marker[] = "NOLINT";
	enum sl_code code = SL_OK;
	size_t at = 0;

	while (code == SL_OK &&
	       (at = find_word(text, at, length, marker)) < length) {
		const struct sg_silence found = { at, at, "", false };
		size_t behind = at + strlen(marker), end = behind;

		while (end < length && isalnum((unsigned char)text[end]))
			end++;
		at = end;
		if (end == behind ||
		    (end - behind == 8 &&
		     memcmp(text + behind, "NEXTLINE", 8) == 0) ||
		    (end - behind == 5 &&
		     memcmp(text + behind, "BEGIN", 5) == 0))
			code = sg_silences_add(silences, &found, error);
	}
	return code;
}

/* ---- writing ----------------------------------------------------------- */

static int by_place(const void *a, const void *b)
{
	const struct sg_silence *left = a, *right = b;

	return (left->at > right->at) - (left->at < right->at);
}

static bool is_over(const struct sg_silence *silence, const char *text,
		    size_t at, size_t end)
{
	return text[at] == '\n' || text[at] == '\r' ||
	       (silence->quoted && text[at] == '"' && text[at - 1] != '\\') ||
	       follows(text, at, end, "*/") || follows(text, at, end, "/*");
}

/* What it says on its line, as one piece of text. @return its length. */
static size_t copy_words(const struct sg_silence *silence, const char *text,
			 size_t end, char words[WORDS_MAX])
{
	size_t length = 0, at = silence->words;

	for (; at < end && length < WORDS_MAX; at++) {
		if (is_over(silence, text, at, end))
			break;
		if (silence->quoted && text[at] == '\\')
			continue;
		words[length++] = text[at] ? text[at] : ' ';
	}
	/* no half of a character */
	if (length == WORDS_MAX && at < end)
		while (length && ((unsigned char)text[at] & 0xc0) == 0x80) {
			at--;
			length--;
		}
	while (length && isspace((unsigned char)words[length - 1]))
		length--;
	return length;
}

static enum sl_code write_one(const struct sg_silence *silence,
			      const char *text, size_t length, size_t line,
			      size_t column, struct sl_buffer *out,
			      struct sl_error *error)
{
	char words[WORDS_MAX];
	size_t said = copy_words(silence, text, length, words);
	size_t room = said + strlen(silence->what) + 64;
	enum sl_code code = sl_buffer_reserve(out, room, error);

	if (code != SL_OK)
		return code;
	out->used +=
		(size_t)snprintf(out->data + out->used, room, "!%zu:%zu %s",
				 line, column, silence->what);
	memcpy(out->data + out->used, words, said);
	out->used += said;
	memcpy(out->data + out->used, "\n", 2);
	out->used++;
	return SL_OK;
}

enum sl_code sg_silences_write(struct sg_silences *silences, const char *text,
			       size_t length, struct sl_buffer *out,
			       struct sl_error *error)
{
	size_t line = 1, start = 0;
	enum sl_code code = SL_OK;

	if (silences->count)
		qsort(silences->found, silences->count,
		      sizeof(*silences->found), by_place);
	for (size_t at = 0; at < silences->count && code == SL_OK; at++) {
		const struct sg_silence *silence = &silences->found[at];
		const char *end;

		while ((end = memchr(text + start, '\n',
				     silence->at - start))) {
			start = (size_t)(end - text) + 1;
			line++;
		}
		code = write_one(silence, text, length, line,
				 silence->at - start + 1, out, error);
	}
	return code;
}
