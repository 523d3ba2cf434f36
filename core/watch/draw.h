/* SPDX-License-Identifier: MIT */
/** @file
 * Figures as short text, bars and charts on a screen; of block characters, or
 * of ASCII where the terminal has no more.
 */
#ifndef SL_WATCH_DRAW_H
#define SL_WATCH_DRAW_H

#include <stdbool.h>
#include <stddef.h>

#include "watch/screen.h"

/** Room for what sl_draw_number() writes: "-999.9 M" and a NUL, and some. */
#define SL_DRAW_NUMBER 16

/** Write a number with four digits and a prefix of the SI: "0", "12.3",
 * "1.234 M", "-45.6 m"; beyond those "1e+30". What is no number is "-". */
void sl_draw_number(double number, char text[SL_DRAW_NUMBER]);

/** Write a number and its unit: "1.234 MB", "12.34 W"; "no figure" for what is
 * no number. An estimate has a '~' before it. */
void sl_draw_unit(double number, const char *unit, bool estimate,
		  char text[2 * SL_DRAW_NUMBER]);

/** Write a whole number with commas, as sl_draw_number() does from 10^15 on. */
void sl_draw_count(double number, char text[2 * SL_DRAW_NUMBER]);

/** Write seconds as "0:12", "1:02:03", "3 d 4:05"; negative and NaN as 0. */
void sl_draw_time(double seconds, char text[2 * SL_DRAW_NUMBER]);

/** A bar of @p width columns, of which @p share (0 to 1) are full; of NaN, a
 * row of dots. Its style says how full it is. */
void sl_draw_bar(struct sl_screen *screen, int row, int column, int width,
		 double share);

/** What a chart is made of. */
struct sl_series {
	double (*past)(const void *context, size_t back); /**< 0: the last; NaN:
							       no figure */
	const void *context;
};

/** The largest of the last @p count figures; 0: there are none above it. */
double sl_series_max(const struct sl_series *series, size_t count);

/** A chart, the newest figure at its right end, one a column; from 0 to @p max,
 * which stands for the top. What has no figure leaves a gap; 0 does not. */
void sl_draw_chart(struct sl_screen *screen, int row, int column, int height,
		   int width, enum sl_style style,
		   const struct sl_series *series, double max);

#endif
