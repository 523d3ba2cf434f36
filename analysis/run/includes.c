/* SPDX-License-Identifier: MIT */
/* One pass over the text. A cursor goes from one logical character to the next,
 * for a backslash and a newline may stand anywhere, but in raw strings. */
#include "run/includes.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "run/silences.h"

enum { END = -1, WORD_MAX = 32, DELIMITER_MAX = 16 };

struct scan {
	const char *text;
	size_t length;
	size_t at; /* at no spliced newline */
	char newline; /* '\r' in texts without any '\n' */
	bool line_begins; /* nothing but blanks and comments before it */
	/* What has no end from some place on has none behind it. */
	bool no_comments, no_raw_strings;
	struct sg_silences silences;
	struct sl_buffer *out;
	size_t *names; /* owned; a hash set of places in `out`, from 1 */
	size_t name_count, name_room;
	bool has_macro; /* "*" is written */
	enum sl_code code;
	struct sl_error *error;
};

/* ---- characters -------------------------------------------------------- */

/* NUL as well: compilers leave it out. */
static bool is_blank(int c)
{
	return c == '\0' || c == ' ' || c == '\t' || c == '\v' || c == '\f' ||
	       c == '\r';
}

static bool is_word(int c)
{
	return isalnum(c) || c == '_' || c == '$' || c >= 0x80;
}

/* Where what stands at @p at goes on behind backslashes and newlines; compilers
 * let blanks stand between the two. */
static size_t spliced(const struct scan *scan, size_t at)
{
	while (at < scan->length && scan->text[at] == '\\') {
		size_t end = at + 1;

		while (end < scan->length && scan->text[end] != scan->newline &&
		       is_blank((unsigned char)scan->text[end]))
			end++;
		if (end >= scan->length || scan->text[end] != scan->newline)
			break;
		at = end + 1;
	}
	return at;
}

static int here(const struct scan *scan)
{
	return scan->at < scan->length ? (unsigned char)scan->text[scan->at]
				       : END;
}

static void advance(struct scan *scan)
{
	if (scan->at < scan->length)
		scan->at = spliced(scan, scan->at + 1);
}

static int next(const struct scan *scan)
{
	size_t at = scan->at < scan->length ? spliced(scan, scan->at + 1)
					    : scan->length;

	return at < scan->length ? (unsigned char)scan->text[at] : END;
}

static bool ends_line(const struct scan *scan)
{
	return here(scan) == END || here(scan) == scan->newline;
}

/* ---- what is found ----------------------------------------------------- */

static void put(struct scan *scan, const char *bytes, size_t length)
{
	if (scan->code == SL_OK)
		scan->code =
			sl_buffer_reserve(scan->out, length + 1, scan->error);
	if (scan->code != SL_OK)
		return;
	if (length)
		memcpy(scan->out->data + scan->out->used, bytes, length);
	scan->out->used += length;
	scan->out->data[scan->out->used] = '\0';
}

static uint64_t hash_line(const char *line)
{
	uint64_t hash = 14695981039346656037U;

	for (; *line != '\n'; line++)
		hash = (hash ^ (unsigned char)*line) * 1099511628211U;
	return hash ^ hash >> 32;
}

static size_t *find_slot(const struct scan *scan, const char *line)
{
	size_t at = (size_t)hash_line(line) & (scan->name_room - 1);
	size_t length = strcspn(line, "\n") + 1;

	while (scan->names[at] && strncmp(scan->out->data + scan->names[at] - 1,
					  line, length) != 0)
		at = (at + 1) & (scan->name_room - 1);
	return &scan->names[at];
}

static bool grow_names(struct scan *scan)
{
	size_t room = scan->name_room, *old = scan->names;

	if (2 * scan->name_count < room)
		return true;
	scan->name_room = room ? 2 * room : 64;
	scan->names = calloc(scan->name_room, sizeof(*scan->names));
	for (size_t at = 0; scan->names && at < room; at++)
		if (old[at])
			*find_slot(scan, scan->out->data + old[at] - 1) =
				old[at];
	free(old);
	return scan->names != NULL;
}

/* What was written behind @p start is a line; it stays if it is new. */
static void keep_name(struct scan *scan, size_t start)
{
	size_t *slot;

	put(scan, "\n", 1);
	if (scan->code != SL_OK)
		return;
	if (!grow_names(scan)) {
		scan->name_room = 0;
		scan->code =
			SL_FAIL(scan->error, SL_ENOMEM, "no memory for a scan");
		return;
	}
	slot = find_slot(scan, scan->out->data + start);
	if (*slot) {
		scan->out->used = start;
		scan->out->data[start] = '\0';
		return;
	}
	*slot = start + 1;
	scan->name_count++;
}

static void found_macro(struct scan *scan)
{
	if (!scan->has_macro)
		put(scan, "*\n", 2);
	scan->has_macro = true;
}

/* ---- comments and literals --------------------------------------------- */

static void skip_line_comment(struct scan *scan)
{
	size_t start = scan->at;

	while (!ends_line(scan))
		advance(scan);
	if (scan->code == SL_OK)
		scan->code =
			sg_silences_in_comment(&scan->silences, scan->text,
					       start, scan->at, scan->error);
}

/* @return false: it has no end, and is none. */
static bool skip_block_comment(struct scan *scan)
{
	size_t start = scan->at;

	if (scan->no_comments)
		return false;
	advance(scan);
	advance(scan);
	while (here(scan) != END && !(here(scan) == '*' && next(scan) == '/'))
		advance(scan);
	if (here(scan) == END) {
		scan->no_comments = true;
		scan->at = start;
		return false;
	}
	advance(scan);
	advance(scan);
	if (scan->code == SL_OK)
		scan->code =
			sg_silences_in_comment(&scan->silences, scan->text,
					       start, scan->at, scan->error);
	return true;
}

static bool skip_comment(struct scan *scan)
{
	if (here(scan) != '/')
		return false;
	if (next(scan) == '/') {
		skip_line_comment(scan);
		return true;
	}
	return next(scan) == '*' && skip_block_comment(scan);
}

static void skip_white(struct scan *scan)
{
	while (here(scan) != scan->newline && is_blank(here(scan)))
		advance(scan);
}

/* Blanks and comments, but no newline. */
static void skip_blanks(struct scan *scan)
{
	do
		skip_white(scan);
	while (skip_comment(scan));
}

/* At its quotation mark. */
static void skip_literal(struct scan *scan)
{
	int quote = here(scan);

	advance(scan);
	while (!ends_line(scan) && here(scan) != quote) {
		if (here(scan) == '\\')
			advance(scan);
		if (!ends_line(scan))
			advance(scan);
	}
	if (here(scan) == quote)
		advance(scan);
}

/* At its quotation mark. Within, nothing is spliced.
 * @return false: it is none. */
static bool skip_raw_string(struct scan *scan)
{
	const char *start = scan->text + scan->at + 1;
	const char *end = scan->text + scan->length, *open = start;
	size_t length;

	while (open < end && open - start <= DELIMITER_MAX &&
	       !strchr(" ()\\\t\v\f\n\r\"", *open))
		open++;
	if (scan->no_raw_strings || open >= end || *open != '(' ||
	    open - start > DELIMITER_MAX)
		return false;
	length = (size_t)(open - start);
	for (const char *at = open + 1;
	     (at = memchr(at, ')', (size_t)(end - at))); at++)
		if ((size_t)(end - at) > length + 1 && at[length + 1] == '"' &&
		    memcmp(at + 1, start, length) == 0) {
			size_t behind = (size_t)(at - scan->text) + length + 2;

			scan->at = spliced(scan, behind);
			return true;
		}
	scan->no_raw_strings = true;
	return false;
}

static void skip_number(struct scan *scan)
{
	int last = here(scan);

	for (;;) {
		int c = here(scan);

		if (c == '\'' && !is_word(next(scan)))
			break;
		if (!is_word(c) && c != '.' && c != '\'' &&
		    !((c == '+' || c == '-') && strchr("eEpP", last)))
			break;
		last = c;
		advance(scan);
	}
}

/* Copy the word here, as far as it fits. @return its length. */
static size_t read_word(struct scan *scan, char word[WORD_MAX])
{
	size_t length = 0;

	while (here(scan) != END && is_word(here(scan))) {
		if (length < WORD_MAX - 1)
			word[length] = (char)here(scan);
		length++;
		advance(scan);
	}
	word[length < WORD_MAX ? length : 0] = '\0';
	return length;
}

static bool is_one_of(const char *word, const char *const *list)
{
	for (; *list; list++)
		if (strcmp(word, *list) == 0)
			return true;
	return false;
}

/* ---- includes ---------------------------------------------------------- */

/* "NAME", <NAME> or a macro. */
static void read_name(struct scan *scan)
{
	size_t start = scan->out->used;
	int close;

	skip_blanks(scan);
	if (ends_line(scan))
		return;
	close = here(scan) == '<' ? '>' : here(scan) == '"' ? '"' : END;
	if (close == END) {
		found_macro(scan);
		return;
	}
	put(scan, "\"", 1);
	for (advance(scan); !ends_line(scan) && here(scan) != close;
	     advance(scan)) {
		const char byte = (char)here(scan);

		if (byte) /* compilers leave it out */
			put(scan, &byte, 1);
	}
	if (here(scan) == close)
		advance(scan);
	keep_name(scan, start);
}

/* Behind __has_include: what stands in parentheses. */
static void read_question(struct scan *scan)
{
	skip_blanks(scan);
	if (here(scan) != '(')
		return;
	advance(scan);
	read_name(scan);
}

/* ---- pragmas ----------------------------------------------------------- */

/* Behind "pragma". @p place: of its beginning. */
static void read_pragma(struct scan *scan, size_t place, bool quoted)
{
	static const char *const compilers[] = { "GCC", "clang", NULL };
	struct sg_silence found = { place, 0, "pragma diagnostic ", quoted };
	/* a string is read twice, so nothing that can go on behind it */
	void (*skip)(struct scan *) = quoted ? skip_white : skip_blanks;
	char word[WORD_MAX];

	skip(scan);
	read_word(scan, word);
	if (!is_one_of(word, compilers))
		return;
	skip(scan);
	read_word(scan, word);
	if (strcmp(word, "diagnostic") != 0)
		return;
	skip(scan);
	found.words = scan->at;
	read_word(scan, word);
	if (strcmp(word, "ignored") == 0 && scan->code == SL_OK)
		scan->code =
			sg_silences_add(&scan->silences, &found, scan->error);
}

/* At a string with a pragma in it; it is read, but not left. */
static void read_quoted_pragma(struct scan *scan, size_t place, bool is_raw)
{
	size_t start = scan->at;

	advance(scan);
	while (is_raw && !ends_line(scan) && here(scan) != '(')
		advance(scan);
	if (is_raw && here(scan) == '(')
		advance(scan);
	read_pragma(scan, place, true);
	scan->at = start;
}

/* Behind "_Pragma". The string is left to be skipped as any other. */
static void read_pragma_operator(struct scan *scan, size_t place)
{
	char prefix[WORD_MAX];
	size_t start, length;

	skip_blanks(scan);
	if (here(scan) != '(')
		return;
	advance(scan);
	skip_blanks(scan);
	start = scan->at;
	length = read_word(scan, prefix);
	if (here(scan) == '"')
		read_quoted_pragma(scan, place,
				   length && length < WORD_MAX &&
					   prefix[length - 1] == 'R');
	scan->at = start;
}

/* ---- the text ---------------------------------------------------------- */

static void read_directive(struct scan *scan, size_t place)
{
	static const char *const includes[] = { "include", "include_next",
						"import", "embed", NULL };
	char word[WORD_MAX];

	skip_blanks(scan);
	read_word(scan, word);
	if (is_one_of(word, includes)) {
		read_name(scan);
	} else if (strcmp(word, "pragma") == 0) {
		read_pragma(scan, place, false);
	} else if (strcmp(word, "define") == 0) {
		/* to define __has_include asks for nothing */
		skip_blanks(scan);
		read_word(scan, word);
	}
}

static void read_token(struct scan *scan)
{
	static const char *const raw[] = { "R", "LR", "uR", "UR", "u8R", NULL };
	static const char *const questions[] = { "__has_include",
						 "__has_include_next",
						 "__has_embed", NULL };
	char word[WORD_MAX];
	size_t place = scan->at;
	int c = here(scan);

	if (isdigit(c) || (c == '.' && isdigit(next(scan)))) {
		skip_number(scan);
	} else if (c == '"' || c == '\'') {
		skip_literal(scan);
	} else if (is_word(c)) {
		read_word(scan, word);
		if (here(scan) == '"' && is_one_of(word, raw)) {
			if (!skip_raw_string(scan))
				skip_literal(scan);
		} else if (is_one_of(word, questions)) {
			read_question(scan);
		} else if (strcmp(word, "_Pragma") == 0) {
			read_pragma_operator(scan, place);
		}
	} else {
		advance(scan);
	}
}

/* @return how many characters here are a #; 0: none is. */
static int count_hash(const struct scan *scan)
{
	struct scan ahead = *scan;

	if (here(scan) == '#')
		return 1;
	if (here(scan) == '%')
		return next(scan) == ':' ? 2 : 0;
	if (here(scan) != '?' || next(scan) != '?')
		return 0;
	advance(&ahead);
	return next(&ahead) == '=' ? 3 : 0;
}

static void read_text(struct scan *scan)
{
	while (scan->code == SL_OK && here(scan) != END) {
		size_t place = scan->at;
		int hash;

		/* a return without a newline is one to some compilers */
		if (here(scan) == scan->newline || here(scan) == '\r') {
			scan->line_begins = true;
			advance(scan);
			continue;
		}
		if (is_blank(here(scan))) {
			advance(scan);
			continue;
		}
		if (skip_comment(scan))
			continue;
		hash = scan->line_begins ? count_hash(scan) : 0;
		scan->line_begins = false;
		if (!hash) {
			read_token(scan);
			continue;
		}
		while (hash--)
			advance(scan);
		read_directive(scan, place);
	}
}

enum sl_code sg_includes_scan(const char *text, size_t length,
			      struct sl_buffer *out, struct sl_error *error)
{
	static const char mark[] = "\xef\xbb\xbf"; /* of UTF-8 */
	struct scan scan = { .text = text,
			     .length = length,
			     .out = out,
			     .error = error,
			     .line_begins = true };

	scan.newline = length && memchr(text, '\n', length) ? '\n' : '\r';
	if (length >= 3 && memcmp(text, mark, 3) == 0)
		scan.at = 3;
	scan.at = spliced(&scan, scan.at);
	put(&scan, "", 0);
	read_text(&scan);
	if (scan.code == SL_OK && length)
		scan.code = sg_silences_of_tidy(&scan.silences, text, length,
						error);
	if (scan.code == SL_OK)
		scan.code = sg_silences_write(&scan.silences, text, length, out,
					      error);
	sg_silences_finish(&scan.silences);
	free(scan.names);
	return scan.code;
}
