/* SPDX-License-Identifier: MIT */
/* One pass over the text, token by token; only directives are looked into. */
#include "run/includes.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "run/cursor.h"
#include "run/silences.h"

struct scan {
	struct sg_cursor cursor;
	bool line_begins; /* nothing but blanks and comments before it */
	struct sg_silences silences;
	struct sl_buffer *out;
	size_t *names; /* owned; a hash set of places in `out`, from 1 */
	size_t name_count, name_room;
	bool has_macro; /* "*" is written */
};

/* ---- what is found ----------------------------------------------------- */

static void put(struct scan *scan, const char *bytes, size_t length)
{
	if (scan->cursor.code == SL_OK)
		scan->cursor.code = sl_buffer_reserve(scan->out, length + 1,
						      scan->cursor.error);
	if (scan->cursor.code != SL_OK)
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
	if (scan->cursor.code != SL_OK)
		return;
	if (!grow_names(scan)) {
		scan->name_room = 0;
		scan->cursor.code = SL_FAIL(scan->cursor.error, SL_ENOMEM,
					    "no memory for a scan");
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

	sg_skip_blanks(&scan->cursor);
	if (sg_ends_line(&scan->cursor))
		return;
	close = sg_here(&scan->cursor) == '<'   ? '>'
		: sg_here(&scan->cursor) == '"' ? '"'
						: SG_CURSOR_END;
	if (close == SG_CURSOR_END) {
		found_macro(scan);
		return;
	}
	put(scan, "\"", 1);
	for (sg_advance(&scan->cursor);
	     !sg_ends_line(&scan->cursor) && sg_here(&scan->cursor) != close;
	     sg_advance(&scan->cursor)) {
		const char byte = (char)sg_here(&scan->cursor);

		if (byte) /* compilers leave it out */
			put(scan, &byte, 1);
	}
	if (sg_here(&scan->cursor) == close)
		sg_advance(&scan->cursor);
	keep_name(scan, start);
}

/* Behind __has_include: what stands in parentheses. */
static void read_question(struct scan *scan)
{
	sg_skip_blanks(&scan->cursor);
	if (sg_here(&scan->cursor) != '(')
		return;
	sg_advance(&scan->cursor);
	read_name(scan);
}

/* ---- pragmas ----------------------------------------------------------- */

enum where { IN_DIRECTIVE, IN_STRING, IN_TOKENS };

static void found_silence(struct scan *scan, const struct sg_silence *found)
{
	if (scan->cursor.code == SL_OK)
		scan->cursor.code = sg_silences_add(&scan->silences, found,
						    scan->cursor.error);
}

/* Behind "pragma". @p place: of its beginning. */
static void read_pragma(struct scan *scan, size_t place, enum where where)
{
	static const char *const compilers[] = { "GCC", "clang", NULL };
	struct sg_silence found = { place, 0, "pragma diagnostic ",
				    where == IN_STRING };
	/* others are read twice, so nothing that can go on behind it */
	void (*skip)(struct sg_cursor *) =
		where == IN_DIRECTIVE ? sg_skip_blanks : sg_skip_white;
	char word[SG_CURSOR_WORD];

	skip(&scan->cursor);
	sg_read_word(&scan->cursor, word);
	if (!is_one_of(word, compilers))
		return;
	skip(&scan->cursor);
	found.words = scan->cursor.at;
	sg_read_word(&scan->cursor, word);
	if (strcmp(word, "system_header") == 0) { /* hushes all of a file */
		found.what = "pragma ";
	} else if (strcmp(word, "diagnostic") == 0) {
		skip(&scan->cursor);
		found.words = scan->cursor.at;
		sg_read_word(&scan->cursor, word);
		if (strcmp(word, "ignored") != 0)
			return;
	} else {
		return;
	}
	found_silence(scan, &found);
}

/* What a macro may make a pragma of: GCC diagnostic ignored "-Wx". */
static void read_loose_pragma(struct scan *scan, size_t place)
{
	size_t behind = scan->cursor.at;

	scan->cursor.at = place;
	read_pragma(scan, place, IN_TOKENS);
	scan->cursor.at = behind;
}

/* At a string with a pragma in it; it is read, but not left. */
static void read_quoted_pragma(struct scan *scan, size_t place, bool is_raw)
{
	size_t start = scan->cursor.at;

	sg_advance(&scan->cursor);
	while (is_raw && !sg_ends_line(&scan->cursor) &&
	       sg_here(&scan->cursor) != '(')
		sg_advance(&scan->cursor);
	if (is_raw && sg_here(&scan->cursor) == '(')
		sg_advance(&scan->cursor);
	read_pragma(scan, place, IN_STRING);
	scan->cursor.at = start;
}

/* Behind "_Pragma". The string is left to be skipped as any other; what is none
 * is of a macro, and can be any pragma. */
static void read_pragma_operator(struct scan *scan, size_t place)
{
	const struct sg_silence computed = { place, place, "computed ", false };
	char prefix[SG_CURSOR_WORD];
	size_t start, length;

	sg_skip_blanks(&scan->cursor);
	if (sg_here(&scan->cursor) != '(') {
		found_silence(scan, &computed);
		return;
	}
	sg_advance(&scan->cursor);
	sg_skip_blanks(&scan->cursor);
	start = scan->cursor.at;
	length = sg_read_word(&scan->cursor, prefix);
	if (sg_here(&scan->cursor) == '"')
		read_quoted_pragma(scan, place,
				   length && length < SG_CURSOR_WORD &&
					   prefix[length - 1] == 'R');
	else
		found_silence(scan, &computed);
	scan->cursor.at = start;
}

/* ---- lines ------------------------------------------------------------- */

/* Behind what says the line. A system header's flag is 3. */
static bool is_system_header(const struct scan *scan)
{
	struct sg_cursor ahead = scan->cursor;

	sg_skip_literal(&ahead);
	while (!sg_ends_line(&ahead)) {
		char word[SG_CURSOR_WORD];

		if (!sg_read_word(&ahead, word))
			sg_advance(&ahead);
		else if (strcmp(word, "3") == 0)
			return true;
	}
	return false;
}

/* At the number of "#line 3 "FILE"" or "# 3 "FILE" 3": what follows is told to
 * be of that file. A macro in there can be any. */
static void read_line(struct scan *scan, size_t place)
{
	struct sg_silence found = { place, scan->cursor.at, "#line ", false };
	bool is_number = isdigit(sg_here(&scan->cursor));

	if (is_number)
		sg_skip_number(&scan->cursor);
	sg_skip_white(&scan->cursor);
	if (is_number && sg_ends_line(&scan->cursor))
		return;
	if (is_number && sg_here(&scan->cursor) == '"') {
		found.words = scan->cursor.at;
		if (is_system_header(scan))
			found.what = "line marker ";
	}
	found_silence(scan, &found);
}

/* ---- the text ---------------------------------------------------------- */

static void read_directive(struct scan *scan, size_t place)
{
	static const char *const includes[] = { "include", "include_next",
						"import", "embed", NULL };
	char word[SG_CURSOR_WORD];

	sg_skip_blanks(&scan->cursor);
	if (isdigit(sg_here(&scan->cursor))) {
		read_line(scan, place);
		return;
	}
	sg_read_word(&scan->cursor, word);
	if (is_one_of(word, includes)) {
		read_name(scan);
	} else if (strcmp(word, "line") == 0) {
		sg_skip_blanks(&scan->cursor);
		read_line(scan, place);
	} else if (strcmp(word, "pragma") == 0) {
		read_pragma(scan, place, IN_DIRECTIVE);
	} else if (strcmp(word, "define") == 0) {
		/* to define __has_include asks for nothing */
		sg_skip_blanks(&scan->cursor);
		sg_read_word(&scan->cursor, word);
	}
}

static void read_token(struct scan *scan)
{
	static const char *const raw[] = { "R", "LR", "uR", "UR", "u8R", NULL };
	static const char *const questions[] = { "__has_include",
						 "__has_include_next",
						 "__has_embed", NULL };
	/* what only analyzers define hides code from them */
	static const char *const analyzers[] = { "__cppcheck__",
						 "__clang_analyzer__", NULL };
	const struct sg_silence hidden = { scan->cursor.at, scan->cursor.at, "",
					   false };
	char word[SG_CURSOR_WORD];
	size_t place = scan->cursor.at;
	int c = sg_here(&scan->cursor);

	if (isdigit(c) || (c == '.' && isdigit(sg_next(&scan->cursor)))) {
		sg_skip_number(&scan->cursor);
	} else if (c == '"' || c == '\'') {
		sg_skip_literal(&scan->cursor);
	} else if (sg_is_word(c)) {
		sg_read_word(&scan->cursor, word);
		if (sg_here(&scan->cursor) == '"' && is_one_of(word, raw)) {
			if (!sg_skip_raw_string(&scan->cursor))
				sg_skip_literal(&scan->cursor);
		} else if (is_one_of(word, questions)) {
			read_question(scan);
		} else if (strcmp(word, "_Pragma") == 0) {
			read_pragma_operator(scan, place);
		} else if (is_one_of(word, analyzers)) {
			found_silence(scan, &hidden);
		} else if (strcmp(word, "GCC") == 0 ||
			   strcmp(word, "clang") == 0) {
			read_loose_pragma(scan, place);
		}
	} else {
		sg_advance(&scan->cursor);
	}
}

/* @return how many characters here are a #; 0: none is. */
static int count_hash(const struct scan *scan)
{
	struct sg_cursor ahead = scan->cursor;

	if (sg_here(&scan->cursor) == '#')
		return 1;
	if (sg_here(&scan->cursor) == '%')
		return sg_next(&scan->cursor) == ':' ? 2 : 0;
	if (sg_here(&scan->cursor) != '?' || sg_next(&scan->cursor) != '?')
		return 0;
	sg_advance(&ahead);
	return sg_next(&ahead) == '=' ? 3 : 0;
}

static void read_text(struct scan *scan)
{
	while (scan->cursor.code == SL_OK &&
	       sg_here(&scan->cursor) != SG_CURSOR_END) {
		size_t place = scan->cursor.at;
		int hash;

		/* a return without a newline is one to some compilers */
		if (sg_here(&scan->cursor) == scan->cursor.newline ||
		    sg_here(&scan->cursor) == '\r') {
			scan->line_begins = true;
			sg_advance(&scan->cursor);
			continue;
		}
		if (sg_is_blank(sg_here(&scan->cursor))) {
			sg_advance(&scan->cursor);
			continue;
		}
		if (sg_skip_comment(&scan->cursor))
			continue;
		hash = scan->line_begins ? count_hash(scan) : 0;
		scan->line_begins = false;
		if (!hash) {
			read_token(scan);
			continue;
		}
		while (hash--)
			sg_advance(&scan->cursor);
		read_directive(scan, place);
	}
}

enum sl_code sg_includes_scan(const char *text, size_t length,
			      struct sl_buffer *out, struct sl_error *error)
{
	struct scan scan = { .out = out, .line_begins = true };
	enum sl_code code;

	sg_cursor_init(&scan.cursor, text, length, &scan.silences, error);
	put(&scan, "", 0);
	read_text(&scan);
	code = scan.cursor.code;
	if (code == SL_OK && length)
		code = sg_silences_of_tidy(&scan.silences, text, length, error);
	if (code == SL_OK)
		code = sg_silences_write(&scan.silences, text, length, out,
					 error);
	sg_silences_finish(&scan.silences);
	free(scan.names);
	return code;
}
