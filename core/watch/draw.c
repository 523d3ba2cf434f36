/* SPDX-License-Identifier: MIT */
#include "watch/draw.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define EIGHTHS 8
#define LOWER_BLOCK 0x2580u /* + 1 to 8: so many eighths from below */
#define LEFT_BLOCK 0x2590u /* - 1 to 8: so many from the left */

void sl_draw_number(double number, char text[SL_DRAW_NUMBER])
{
	static const char prefixes[] = "num kMGTPE";
	double size = fabs(number), scale = 1e-9;
	size_t at = 0;
	int digits;

	if (!isfinite(number)) {
		(void)snprintf(text, SL_DRAW_NUMBER, "-");
		return;
	}
	/* What rounds to 1000 of a unit is one of the next. */
	while (at < sizeof(prefixes) - 2 && size >= scale * 999.95) {
		scale *= 1000;
		at++;
	}
	if (size < 1e-9) {
		(void)snprintf(text, SL_DRAW_NUMBER, "0");
		return;
	}
	if (size / scale >= 999.95) {
		(void)snprintf(text, SL_DRAW_NUMBER, "%.0e", number);
		return;
	}
	size /= scale;
	digits = size < 9.9995 ? 3 : size < 99.995 ? 2 : 1;
	(void)snprintf(text, SL_DRAW_NUMBER, "%.*f", digits, number / scale);
	if (prefixes[at] != ' ')
		(void)snprintf(text + strlen(text),
			       SL_DRAW_NUMBER - strlen(text), " %c",
			       prefixes[at]);
}

void sl_draw_unit(double number, const char *unit, bool estimate,
		  char text[2 * SL_DRAW_NUMBER])
{
	char digits[SL_DRAW_NUMBER];
	bool prefixed;

	if (!isfinite(number)) {
		(void)snprintf(text, (size_t)2 * SL_DRAW_NUMBER, "no figure");
		return;
	}
	sl_draw_number(number, digits);
	prefixed = strchr(digits, ' ') != NULL;
	(void)snprintf(text, (size_t)2 * SL_DRAW_NUMBER, "%s%s%s%s",
		       estimate ? "~" : "", digits,
		       prefixed || !*unit ? "" : " ", unit);
}

void sl_draw_count(double number, char text[2 * SL_DRAW_NUMBER])
{
	char digits[SL_DRAW_NUMBER + 8], *to = text;
	int length;

	if (!(number >= 0 && number < 1e15)) {
		sl_draw_number(number, text);
		return;
	}
	length = snprintf(digits, sizeof(digits), "%.0f", number);
	for (int at = 0; at < length; at++) {
		if (at && (length - at) % 3 == 0)
			*to++ = ',';
		*to++ = digits[at];
	}
	*to = '\0';
}

void sl_draw_time(double seconds, char text[2 * SL_DRAW_NUMBER])
{
	int64_t whole = seconds > 0 && seconds < 1e12 ? (int64_t)seconds : 0;
	int64_t days = whole / 86400, hours = whole / 3600 % 24;
	int minutes = (int)(whole / 60 % 60), rest = (int)(whole % 60);

	if (days)
		(void)snprintf(text, (size_t)2 * SL_DRAW_NUMBER,
			       "%" PRId64 " d %d:%02d", days, (int)hours,
			       minutes);
	else if (hours)
		(void)snprintf(text, (size_t)2 * SL_DRAW_NUMBER, "%d:%02d:%02d",
			       (int)hours, minutes, rest);
	else
		(void)snprintf(text, (size_t)2 * SL_DRAW_NUMBER, "%d:%02d",
			       minutes, rest);
}

static enum sl_style style_of(double share)
{
	return share < 0.5   ? SL_STYLE_GOOD
	       : share < 0.8 ? SL_STYLE_HIGH
			     : SL_STYLE_FULL;
}

/* @p part of 0 to @p whole, rounded, but more than nothing is not nothing. */
static int steps(double part, double whole, int all)
{
	double share = whole > 0 ? part / whole : 0;

	if (!(share > 0))
		return 0;
	if (share >= 1)
		return all;
	return share * all < 1 ? 1 : (int)(share * all + 0.5);
}

/* How much of a cell is full, if so many eighths begin with it. */
static int part_of(int eighths)
{
	if (eighths < 0)
		return 0;
	return eighths > EIGHTHS ? EIGHTHS : eighths;
}

static uint32_t bar_glyph(const struct sl_screen *screen, int part, bool first)
{
	if (part == 0)
		return ' ';
	if (!screen->ascii)
		return LEFT_BLOCK - (uint32_t)part;
	return part >= EIGHTHS / 2 || first ? '#' : ' ';
}

void sl_draw_bar(struct sl_screen *screen, int row, int column, int width,
		 double share)
{
	int full = steps(share, 1, width * EIGHTHS);

	for (int at = 0; at < width; at++, full -= EIGHTHS) {
		if (isnan(share))
			sl_screen_glyph(screen, row, column + at,
					SL_STYLE_FAINT, '.');
		else
			sl_screen_glyph(
				screen, row, column + at, style_of(share),
				bar_glyph(screen, part_of(full), at == 0));
	}
}

double sl_series_max(const struct sl_series *series, size_t count)
{
	double max = 0;

	for (size_t back = 0; back < count; back++) {
		double figure = series->past(series->context, back);

		if (isfinite(figure) && figure > max)
			max = figure;
	}
	return max;
}

/* One row of a chart has eight steps; in ASCII, a sparkline's are told by how
 * black a character is, and in a tall chart a cell has three. */
static uint32_t chart_glyph(const struct sl_screen *screen, int part,
			    bool bottom, bool sparkline)
{
	static const char shades[] = "_.:-=+*%#", cell[] = " ...:::##";

	if (part == 0 && bottom)
		return screen->ascii ? '_' : LOWER_BLOCK + 1;
	if (part == 0)
		return ' ';
	if (!screen->ascii)
		return LOWER_BLOCK + (uint32_t)part;
	return (uint32_t)(sparkline ? shades : cell)[part];
}

void sl_draw_chart(struct sl_screen *screen, int row, int column, int height,
		   int width, enum sl_style style,
		   const struct sl_series *series, double max)
{
	for (int at = 0; at < width; at++) {
		double figure =
			series->past(series->context, (size_t)(width - 1 - at));
		int full;

		if (isnan(figure))
			continue;
		full = steps(figure, max, height * EIGHTHS);
		for (int up = 0; up < height; up++, full -= EIGHTHS) {
			int part = part_of(full);

			sl_screen_glyph(screen, row + height - 1 - up,
					column + at, style,
					chart_glyph(screen, part, up == 0,
						    height == 1));
		}
	}
}
