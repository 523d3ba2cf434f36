/* SPDX-License-Identifier: MIT */
/** @file
 * Lines of a source file as people are shown them.
 *
 *     156 |         if (!p)
 *   > 157 |                 free(p->x);
 *         |                      ^
 *     158 | }
 *
 * Tabs stop at every eighth column. What a file holds must not steer the
 * terminal: it is shown as cells are (report/cell.h).
 */
#ifndef SG_REPORT_EXCERPT_H
#define SG_REPORT_EXCERPT_H

#include <stdbool.h>
#include <stdint.h>

#include "sluice/buffer.h"

/** A file and a place in it. All borrowed. */
struct sg_excerpt {
	const char *text; /**< `length` bytes */
	size_t length;
	int64_t line; /**< from 1 */
	int64_t column; /**< from 1; 0: no caret */
	/** Columns count as a terminal shows them, with tabs, as gcc's do; else
	 * they count bytes. */
	bool shown_columns;
	unsigned around; /**< lines shown before and after it */
	size_t width; /**< columns of the source that are shown, at least 16 */
	bool color;
};

/** Append the lines, each behind two blanks. A caret that would stand behind
 * the line's end is left out. SL_END: the file has no such line; nothing is
 * appended. SL_ENOMEM. */
enum sl_code sg_excerpt_put(const struct sg_excerpt *excerpt,
			    struct sl_buffer *out,
			    struct sl_error *error) SL_MUST_CHECK;

/** @return how many lines the text has. One without its end is one. */
int64_t sg_lines_count(const char *text, size_t length);

/** @return the start of line @p line, *size bytes without its end; NULL: there
 * is no such line. */
const char *sg_lines_find(const char *text, size_t length, int64_t line,
			  size_t *size);

#endif
