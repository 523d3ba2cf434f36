/* SPDX-License-Identifier: MIT */
/** @file
 * A screen in memory: rows of cells, each a character one column wide and a
 * style. What is put beyond an edge is cut. A terminal's window, and a test
 * without one, show it.
 */
#ifndef SL_WATCH_SCREEN_H
#define SL_WATCH_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sluice/defs.h"
#include "sluice/error.h"

enum sl_style {
	SL_STYLE_PLAIN,
	SL_STYLE_TITLE,
	SL_STYLE_HEAD, /**< of a table */
	SL_STYLE_FAINT, /**< units, what is no news */
	SL_STYLE_CHOSEN,
	SL_STYLE_GOOD, /**< bars and charts, by how much there is */
	SL_STYLE_HIGH,
	SL_STYLE_FULL,
	SL_STYLE_ENERGY,
	SL_STYLE_WARNING,
	SL_STYLES
};

struct sl_cell {
	uint32_t glyph; /**< a code point */
	enum sl_style style;
};

/** Zeroed, then sl_screen_resize(). */
struct sl_screen {
	int rows, columns;
	bool ascii; /**< the terminal can show no more than that */
	struct sl_cell *cells; /**< owned; rows x columns, by rows */
};

/** What the terminals of this world have at most; larger ones are used in
 * part. */
#define SL_SCREEN_MAX 1000

/** Make it as large as this, and blank. SL_ENOMEM leaves it as it was. */
enum sl_code sl_screen_resize(struct sl_screen *screen, int rows, int columns,
			      struct sl_error *error) SL_MUST_CHECK;
void sl_screen_finish(struct sl_screen *screen);

void sl_screen_clear(struct sl_screen *screen);

/** Put one character. */
void sl_screen_glyph(struct sl_screen *screen, int row, int column,
		     enum sl_style style, uint32_t glyph);

/** Put ASCII text; what is none, or steers terminals, becomes '?'.
 * @return the column behind it. */
int sl_screen_print(struct sl_screen *screen, int row, int column,
		    enum sl_style style, const char *fmt, ...) SL_PRINTF(5, 6);

/** The same, its last character in the column before @p end. */
void sl_screen_right(struct sl_screen *screen, int row, int end,
		     enum sl_style style, const char *fmt, ...) SL_PRINTF(5, 6);

/** UTF-8 of @p glyph. @return its bytes, 1 to 4; no NUL. */
size_t sl_utf8(uint32_t glyph, char text[4]);

/** Write row @p row as UTF-8 with a NUL, without the blanks at its end. Needs
 * 4 * columns + 1 bytes. */
void sl_screen_line(const struct sl_screen *screen, int row, char *text);

#endif
