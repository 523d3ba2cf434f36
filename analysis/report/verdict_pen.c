/* SPDX-License-Identifier: MIT */
/* The pen of verdicts. */
#include "report/verdict_pen.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "report/cell.h"

enum { WORDS_COLUMNS = 500 };

void sg_pen_put(struct sg_pen *pen, const char *text)
{
	if (pen->code == SL_OK)
		pen->code = sg_report_put(pen->text, text, strlen(text),
					  pen->error);
}

void sg_pen_number(struct sg_pen *pen, int64_t number)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%" PRId64, number);
	sg_pen_put(pen, digits);
}

void sg_pen_words(struct sg_pen *pen, const char *words)
{
	if (pen->code == SL_OK && words && *words)
		pen->code = sg_cell_put(pen->text, words, WORDS_COLUMNS, 0,
					pen->error);
}

void sg_pen_color(struct sg_pen *pen, const char *color)
{
	if (pen->color)
		sg_pen_put(pen, color);
}

void sg_pen_block(struct sg_pen *pen)
{
	if (!pen->in_block)
		sg_pen_put(pen, "\n");
	pen->in_block = true;
}

void sg_pen_end_block(struct sg_pen *pen)
{
	pen->in_block = false;
}

void sg_pen_more(struct sg_pen *pen, size_t more)
{
	if (!more)
		return;
	sg_pen_put(pen, "and ");
	sg_pen_number(pen, (int64_t)more);
	sg_pen_put(pen, " more: scgate check --output json\n");
}
