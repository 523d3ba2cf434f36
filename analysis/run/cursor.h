/* SPDX-License-Identifier: MIT */
/** @file
 * A cursor in a source text: part of run/includes.h.
 *
 * It goes from one logical character to the next, for a backslash and a newline
 * may stand anywhere, but in raw strings. Broken text is passed as well: a
 * string without an end ends with its line, a comment without one is none.
 * All that is passed is passed once, but for what is said otherwise.
 */
#ifndef SG_RUN_CURSOR_H
#define SG_RUN_CURSOR_H

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>

#include "run/silences.h"
#include "sluice/error.h"

enum { SG_CURSOR_END = -1, SG_CURSOR_WORD = 32 };

struct sg_cursor {
	const char *text; /**< borrowed */
	size_t length;
	size_t at; /**< at no newline behind a backslash */
	char newline; /**< '\r' in texts without any '\n' */
	/* What has no end from some place on has none behind it. */
	bool no_comments, no_raw_strings;
	struct sg_silences *silences; /**< borrowed; of comments passed */
	enum sl_code code; /**< of what failed first */
	struct sl_error *error; /**< borrowed; may be NULL */
};

/** Begin at the start of a text, behind a mark of UTF-8. */
void sg_cursor_init(struct sg_cursor *cursor, const char *text, size_t length,
		    struct sg_silences *silences, struct sl_error *error);

/** Where what stands at @p at goes on behind backslashes and newlines; as
 * compilers do, with blanks between the two. */
size_t sg_spliced(const struct sg_cursor *cursor, size_t at);

/** NUL as well: compilers leave it out. */
static inline bool sg_is_blank(int c)
{
	return c == '\0' || c == ' ' || c == '\t' || c == '\v' || c == '\f' ||
	       c == '\r';
}

static inline bool sg_is_word(int c)
{
	return isalnum(c) || c == '_' || c == '$' || c >= 0x80;
}

/** @return the character here; SG_CURSOR_END: none. */
static inline int sg_here(const struct sg_cursor *cursor)
{
	if (cursor->at < cursor->length)
		return (unsigned char)cursor->text[cursor->at];
	return SG_CURSOR_END;
}

static inline void sg_advance(struct sg_cursor *cursor)
{
	if (cursor->at < cursor->length)
		cursor->at = sg_spliced(cursor, cursor->at + 1);
}

/** @return the character behind this one. */
static inline int sg_next(const struct sg_cursor *cursor)
{
	size_t at = cursor->at < cursor->length
			    ? sg_spliced(cursor, cursor->at + 1)
			    : cursor->length;

	if (at < cursor->length)
		return (unsigned char)cursor->text[at];
	return SG_CURSOR_END;
}

static inline bool sg_ends_line(const struct sg_cursor *cursor)
{
	return sg_here(cursor) == SG_CURSOR_END ||
	       sg_here(cursor) == cursor->newline;
}

/** Pass blanks, but no newline. */
void sg_skip_white(struct sg_cursor *cursor);

/** Pass a comment, and note what it silences. @return false: there is none. */
bool sg_skip_comment(struct sg_cursor *cursor);

/** Pass blanks and comments, but no newline outside of them. */
void sg_skip_blanks(struct sg_cursor *cursor);

/** Pass a string or a character, from its quotation mark on. */
void sg_skip_literal(struct sg_cursor *cursor);

/** Pass a raw string, from its quotation mark on. @return false: it is none. */
bool sg_skip_raw_string(struct sg_cursor *cursor);

/** Pass a number, with its digit separators. */
void sg_skip_number(struct sg_cursor *cursor);

/** Pass a word; copy it, or "" if it is longer than any of interest.
 * @return its length. */
size_t sg_read_word(struct sg_cursor *cursor, char word[SG_CURSOR_WORD]);

#endif
