/* SPDX-License-Identifier: MIT */
/** @file
 * Text of a verdict being written; only report/verdict_text.c and its parts use
 * it. Nothing is written after a failure.
 */
#ifndef SG_REPORT_VERDICT_PEN_H
#define SG_REPORT_VERDICT_PEN_H

#include "report/verdict.h"

struct sg_pen {
	const struct sg_judgement *judgement; /**< borrowed */
	struct sl_buffer *text; /**< borrowed */
	struct sl_error *error; /**< borrowed; may be NULL */
	enum sl_code code; /**< SL_OK until something fails */
	bool color;
	bool in_block; /**< the empty line before it was written */
};

void sg_pen_put(struct sg_pen *pen, const char *text);
void sg_pen_number(struct sg_pen *pen, int64_t number);
/** Put what others wrote, so that it cannot steer a terminal. NULL: nothing.
 * What takes more than some lines of a terminal is cut. */
void sg_pen_words(struct sg_pen *pen, const char *words);
/** Put an ANSI sequence, if there are colours. */
void sg_pen_color(struct sg_pen *pen, const char *color);

/** Put the empty line that parts blocks, if this is a block's first line. */
void sg_pen_block(struct sg_pen *pen);
void sg_pen_end_block(struct sg_pen *pen);

/** Lines of a list that are shown. */
enum { SG_VERDICT_LINES = 20 };
/** Say how many more there are; 0: nothing. */
void sg_pen_more(struct sg_pen *pen, size_t more);

#define SG_PEN_BOLD "\x1b[1m"
#define SG_PEN_RED "\x1b[1;31m"
#define SG_PEN_GREEN "\x1b[1;32m"
#define SG_PEN_YELLOW "\x1b[1;33m"
#define SG_PEN_PLAIN "\x1b[0m"

/** The first line, and the objections below it. */
void sg_verdict_head(struct sg_pen *pen);
/** Those of the troubles that are limits, or those that are not. */
void sg_verdict_troubles(struct sg_pen *pen, bool limited);
/** Counts before and after. */
void sg_verdict_counts(struct sg_pen *pen);
/** What was done, what the reader should know, and what to do next. */
void sg_verdict_foot(struct sg_pen *pen);

#endif
