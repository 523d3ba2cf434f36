/* SPDX-License-Identifier: MIT */
/* Comments and literals, as lexers of C and C++ see them. */
#include "run/cursor.h"

#include <string.h>

enum { DELIMITER_MAX = 16 };

void sg_cursor_init(struct sg_cursor *cursor, const char *text, size_t length,
		    struct sg_silences *silences, struct sl_error *error)
{
	static const char mark[] = "\xef\xbb\xbf"; /* of UTF-8 */

	*cursor = (struct sg_cursor){ .text = text,
				      .length = length,
				      .silences = silences,
				      .error = error };
	cursor->newline = length && memchr(text, '\n', length) ? '\n' : '\r';
	if (length >= 3 && memcmp(text, mark, 3) == 0)
		cursor->at = 3;
	cursor->at = sg_spliced(cursor, cursor->at);
}

size_t sg_spliced(const struct sg_cursor *cursor, size_t at)
{
	while (at < cursor->length && cursor->text[at] == '\\') {
		size_t end = at + 1;

		while (end < cursor->length &&
		       cursor->text[end] != cursor->newline &&
		       sg_is_blank((unsigned char)cursor->text[end]))
			end++;
		if (end >= cursor->length ||
		    cursor->text[end] != cursor->newline)
			break;
		at = end + 1;
	}
	return at;
}

static void skip_line_comment(struct sg_cursor *cursor)
{
	size_t start = cursor->at;

	while (!sg_ends_line(cursor))
		sg_advance(cursor);
	if (cursor->code == SL_OK)
		cursor->code = sg_silences_in_comment(
			cursor->silences, cursor->text, start, cursor->at,
			cursor->error);
}

/* @return false: it has no end, and is none. */
static bool skip_block_comment(struct sg_cursor *cursor)
{
	size_t start = cursor->at;

	if (cursor->no_comments)
		return false;
	sg_advance(cursor);
	sg_advance(cursor);
	while (sg_here(cursor) != SG_CURSOR_END &&
	       !(sg_here(cursor) == '*' && sg_next(cursor) == '/'))
		sg_advance(cursor);
	if (sg_here(cursor) == SG_CURSOR_END) {
		cursor->no_comments = true;
		cursor->at = start;
		return false;
	}
	sg_advance(cursor);
	sg_advance(cursor);
	if (cursor->code == SL_OK)
		cursor->code = sg_silences_in_comment(
			cursor->silences, cursor->text, start, cursor->at,
			cursor->error);
	return true;
}

bool sg_skip_comment(struct sg_cursor *cursor)
{
	if (sg_here(cursor) != '/')
		return false;
	if (sg_next(cursor) == '/') {
		skip_line_comment(cursor);
		return true;
	}
	return sg_next(cursor) == '*' && skip_block_comment(cursor);
}

void sg_skip_white(struct sg_cursor *cursor)
{
	while (sg_here(cursor) != cursor->newline &&
	       sg_is_blank(sg_here(cursor)))
		sg_advance(cursor);
}

void sg_skip_blanks(struct sg_cursor *cursor)
{
	do
		sg_skip_white(cursor);
	while (sg_skip_comment(cursor));
}

void sg_skip_literal(struct sg_cursor *cursor)
{
	int quote = sg_here(cursor);

	sg_advance(cursor);
	while (!sg_ends_line(cursor) && sg_here(cursor) != quote) {
		if (sg_here(cursor) == '\\')
			sg_advance(cursor);
		if (!sg_ends_line(cursor))
			sg_advance(cursor);
	}
	if (sg_here(cursor) == quote)
		sg_advance(cursor);
}

/* Within, nothing is spliced. */
bool sg_skip_raw_string(struct sg_cursor *cursor)
{
	const char *start = cursor->text + cursor->at + 1;
	const char *end = cursor->text + cursor->length, *open = start;
	size_t length;

	while (open < end && open - start <= DELIMITER_MAX &&
	       !strchr(" ()\\\t\v\f\n\r\"", *open))
		open++;
	if (cursor->no_raw_strings || open >= end || *open != '(' ||
	    open - start > DELIMITER_MAX)
		return false;
	length = (size_t)(open - start);
	for (const char *at = open + 1;
	     (at = memchr(at, ')', (size_t)(end - at))); at++)
		if ((size_t)(end - at) > length + 1 && at[length + 1] == '"' &&
		    memcmp(at + 1, start, length) == 0) {
			size_t behind =
				(size_t)(at - cursor->text) + length + 2;

			cursor->at = sg_spliced(cursor, behind);
			return true;
		}
	cursor->no_raw_strings = true;
	return false;
}

void sg_skip_number(struct sg_cursor *cursor)
{
	int last = sg_here(cursor);

	for (;;) {
		int c = sg_here(cursor);

		if (c == '\'' && !sg_is_word(sg_next(cursor)))
			break;
		if (!sg_is_word(c) && c != '.' && c != '\'' &&
		    !((c == '+' || c == '-') && strchr("eEpP", last)))
			break;
		last = c;
		sg_advance(cursor);
	}
}

size_t sg_read_word(struct sg_cursor *cursor, char word[SG_CURSOR_WORD])
{
	size_t length = 0;

	while (sg_here(cursor) != SG_CURSOR_END &&
	       sg_is_word(sg_here(cursor))) {
		if (length < SG_CURSOR_WORD - 1)
			word[length] = (char)sg_here(cursor);
		length++;
		sg_advance(cursor);
	}
	word[length < SG_CURSOR_WORD ? length : 0] = '\0';
	return length;
}
