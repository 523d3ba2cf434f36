/* SPDX-License-Identifier: MIT */
#include "watch/screen.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum sl_code sl_screen_resize(struct sl_screen *screen, int rows, int columns,
			      struct sl_error *error)
{
	struct sl_cell *cells;

	rows = rows < 1 ? 1 : rows > SL_SCREEN_MAX ? SL_SCREEN_MAX : rows;
	columns = columns < 1               ? 1
		  : columns > SL_SCREEN_MAX ? SL_SCREEN_MAX
					    : columns;
	cells = calloc((size_t)rows * (size_t)columns, sizeof(*cells));
	if (!cells)
		return SL_FAIL(error, SL_ENOMEM, "no memory for the screen");
	free(screen->cells);
	screen->cells = cells;
	screen->rows = rows;
	screen->columns = columns;
	sl_screen_clear(screen);
	return SL_OK;
}

void sl_screen_finish(struct sl_screen *screen)
{
	free(screen->cells);
	screen->cells = NULL;
}

void sl_screen_clear(struct sl_screen *screen)
{
	for (int at = 0; at < screen->rows * screen->columns; at++)
		screen->cells[at] = (struct sl_cell){ ' ', SL_STYLE_PLAIN };
}

void sl_screen_glyph(struct sl_screen *screen, int row, int column,
		     enum sl_style style, uint32_t glyph)
{
	if (row < 0 || row >= screen->rows || column < 0 ||
	    column >= screen->columns)
		return;
	screen->cells[row * screen->columns + column] =
		(struct sl_cell){ glyph, style };
}

static int put_text(struct sl_screen *screen, int row, int column,
		    enum sl_style style, const char *text)
{
	for (; *text; text++) {
		unsigned char byte = (unsigned char)*text;

		sl_screen_glyph(screen, row, column++, style,
				byte < 0x20 || byte > 0x7e ? '?' : byte);
	}
	return column;
}

int sl_screen_print(struct sl_screen *screen, int row, int column,
		    enum sl_style style, const char *fmt, ...)
{
	char text[SL_SCREEN_MAX + 1];
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	return put_text(screen, row, column, style, text);
}

void sl_screen_right(struct sl_screen *screen, int row, int end,
		     enum sl_style style, const char *fmt, ...)
{
	char text[SL_SCREEN_MAX + 1];
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	put_text(screen, row, end - (int)strlen(text), style, text);
}

size_t sl_utf8(uint32_t glyph, char text[4])
{
	static const unsigned char marks[] = { 0, 0x00, 0xc0, 0xe0, 0xf0 };
	size_t length = glyph < 0x80      ? 1
			: glyph < 0x800   ? 2
			: glyph < 0x10000 ? 3
					  : 4;

	for (size_t at = length; at-- > 1; glyph >>= 6)
		text[at] = (char)(0x80 | (glyph & 0x3f));
	text[0] = (char)(marks[length] | glyph);
	return length;
}

void sl_screen_line(const struct sl_screen *screen, int row, char *text)
{
	const struct sl_cell *cells =
		screen->cells + (size_t)row * (size_t)screen->columns;
	int columns = screen->columns;

	while (columns && cells[columns - 1].glyph == ' ')
		columns--;
	for (int at = 0; at < columns; at++)
		text += sl_utf8(cells[at].glyph, text);
	*text = '\0';
}
