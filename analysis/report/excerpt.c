/* SPDX-License-Identifier: MIT */
/* A line is made plain first, with blanks for tabs, and then cut to fit. */
#include "report/excerpt.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/cell.h"
#include "report/report.h"

enum {
	TAB = 8,
	LINE_BYTES = 65536, /* of one line that are looked at */
};

/* ---- lines ------------------------------------------------------------- */

int64_t sg_lines_count(const char *text, size_t length)
{
	const char *end = text + length;
	int64_t count = 0;

	for (const char *at = text; length && at < end; count++) {
		const char *next = memchr(at, '\n', (size_t)(end - at));

		at = next ? next + 1 : end;
	}
	return count;
}

const char *sg_lines_find(const char *text, size_t length, int64_t line,
			  size_t *size)
{
	const char *end = text + length;
	const char *at = text;

	if (!length || line < 1)
		return NULL;
	for (int64_t number = 1; at < end; number++) {
		const char *next = memchr(at, '\n', (size_t)(end - at));

		if (number == line) {
			*size = (size_t)((next ? next : end) - at);
			if (*size && at[*size - 1] == '\r')
				--*size;
			return at;
		}
		if (!next)
			break;
		at = next + 1;
	}
	return NULL;
}

/* ---- plain ------------------------------------------------------------- */

/* Append a piece without tabs. @return the columns it takes; SIZE_MAX: no
 * memory. */
static size_t add_piece(struct sl_buffer *plain, const char *text,
			size_t length)
{
	size_t start = plain->used;

	if (sl_buffer_reserve(plain, length + TAB + 1, NULL) != SL_OK)
		return SIZE_MAX;
	for (size_t at = 0; at < length; at++)
		/* Either is shown as '?', but a NUL would end the text. */
		plain->data[plain->used++] = text[at] ? text[at] : 1;
	plain->data[plain->used] = '\0';
	return sg_cell_columns(plain->data + start);
}

/* Make @p line plain, ended by a NUL. @return its columns; SIZE_MAX: no
 * memory. */
static size_t make_plain(struct sl_buffer *plain, const char *line,
			 size_t length)
{
	size_t columns = 0;
	size_t at = 0;

	plain->used = 0;
	for (;;) {
		const char *tab = length > at
					  ? memchr(line + at, '\t', length - at)
					  : NULL;
		size_t piece = tab ? (size_t)(tab - line) - at : length - at;
		size_t more = add_piece(plain, line + at, piece);

		if (more == SIZE_MAX)
			return SIZE_MAX;
		columns += more;
		if (!tab)
			return columns;
		do
			plain->data[plain->used++] = ' ';
		while (++columns % TAB);
		plain->data[plain->used] = '\0';
		at += piece + 1;
	}
}

/* ---- a line ------------------------------------------------------------ */

struct drawing {
	const struct sg_excerpt *excerpt;
	struct sl_buffer *out;
	struct sl_buffer plain; /* owned */
	int digits; /* of the numbers */
	struct sl_error *error;
};

static enum sl_code put(struct drawing *drawing, const char *text)
{
	return sg_report_put(drawing->out, text, strlen(text), drawing->error);
}

static enum sl_code put_number(struct drawing *drawing, int64_t line,
			       bool is_marked)
{
	bool color = drawing->excerpt->color;
	char head[64];

	snprintf(head, sizeof(head), "  %s%s%*" PRId64 "%s |",
		 color && is_marked ? "\x1b[1m" : "", is_marked ? "> " : "  ",
		 drawing->digits, line, color && is_marked ? "\x1b[0m" : "");
	return put(drawing, head);
}

/* @return the columns before the caret; SIZE_MAX: there is none. */
static size_t find_caret(struct drawing *drawing, const char *line,
			 size_t length)
{
	const struct sg_excerpt *excerpt = drawing->excerpt;
	uint64_t column = (uint64_t)excerpt->column;
	size_t columns;

	if (excerpt->column < 1)
		return SIZE_MAX;
	if (!excerpt->shown_columns)
		return column - 1 > length ? SIZE_MAX
					   : make_plain(&drawing->plain, line,
							(size_t)column - 1);
	columns = make_plain(&drawing->plain, line, length);
	return columns == SIZE_MAX || column - 1 > columns ? SIZE_MAX
							   : (size_t)column - 1;
}

/* Drop so much of a long line's start that the caret is in what is shown.
 * @return where it goes on; *dropped: columns, in whose place an ellipsis
 * stands. */
static const char *drop_start(const char *plain, size_t width, size_t caret,
			      size_t *dropped)
{
	*dropped = 0;
	if (caret == SIZE_MAX || caret < width * 3 / 4 ||
	    sg_cell_columns(plain) <= width)
		return plain;
	while (*plain && *dropped + width / 2 < caret) {
		char character[5] = { *plain++ };

		for (int at = 1; at < 4 && (*plain & 0xc0) == 0x80; at++)
			character[at] = *plain++;
		*dropped += sg_cell_columns(character);
	}
	return plain;
}

static enum sl_code put_caret(struct drawing *drawing, size_t caret)
{
	enum sl_code code;
	char head[64];

	snprintf(head, sizeof(head), "    %*s | ", drawing->digits, "");
	code = put(drawing, head);
	for (size_t at = 0; at < caret && code == SL_OK; at++)
		code = put(drawing, " ");
	if (code == SL_OK)
		code = put(drawing, drawing->excerpt->color
					    ? "\x1b[1;32m^\x1b[0m\n"
					    : "^\n");
	return code;
}

static enum sl_code put_source(struct drawing *drawing, const char *text,
			       size_t width, bool is_cut)
{
	enum sl_code code = SL_OK;

	if (*text || is_cut)
		code = put(drawing, is_cut ? " \xe2\x80\xa6" : " ");
	if (code == SL_OK && *text)
		code = sg_cell_put(drawing->out, text, width - is_cut, 0,
				   drawing->error);
	return code == SL_OK ? put(drawing, "\n") : code;
}

static enum sl_code put_line(struct drawing *drawing, int64_t number,
			     const char *line, size_t length)
{
	const struct sg_excerpt *excerpt = drawing->excerpt;
	bool is_marked = number == excerpt->line;
	size_t caret = SIZE_MAX, dropped = 0;
	const char *text;
	enum sl_code code = put_number(drawing, number, is_marked);

	if (length > LINE_BYTES)
		length = LINE_BYTES;
	if (is_marked)
		caret = find_caret(drawing, line, length);
	if (make_plain(&drawing->plain, line, length) == SIZE_MAX)
		return SL_FAIL(drawing->error, SL_ENOMEM,
			       "no memory for a line");
	text = drop_start(drawing->plain.data, excerpt->width, caret, &dropped);
	if (code == SL_OK)
		code = put_source(drawing, text, excerpt->width, dropped > 0);
	if (code == SL_OK && caret != SIZE_MAX)
		code = put_caret(drawing, caret - dropped + (dropped > 0));
	return code;
}

enum sl_code sg_excerpt_put(const struct sg_excerpt *excerpt,
			    struct sl_buffer *out, struct sl_error *error)
{
	struct drawing drawing = { .excerpt = excerpt,
				   .out = out,
				   .error = error };
	int64_t around = excerpt->around;
	int64_t first = excerpt->line > around ? excerpt->line - around : 1;
	int64_t count = sg_lines_count(excerpt->text, excerpt->length);
	int64_t last;
	enum sl_code code = SL_OK;

	if (excerpt->line < 1 || excerpt->line > count)
		return SL_END;
	last = count - excerpt->line > around ? excerpt->line + around : count;
	drawing.digits = snprintf(NULL, 0, "%" PRId64, last);
	for (int64_t line = first; line <= last && code == SL_OK; line++) {
		size_t size = 0;
		const char *start = sg_lines_find(excerpt->text,
						  excerpt->length, line, &size);

		code = put_line(&drawing, line, start, size);
	}
	free(drawing.plain.data);
	return code;
}
