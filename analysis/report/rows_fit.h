/* SPDX-License-Identifier: MIT */
/** @file
 * How wide the columns of a table are: the inside of rows_table.c.
 */
#ifndef SG_REPORT_ROWS_FIT_H
#define SG_REPORT_ROWS_FIT_H

#include <stdbool.h>
#include <stddef.h>

/** A column, all of it in columns of a terminal. */
struct sg_fit {
	size_t title; /**< of its name */
	size_t content; /**< of the widest cell below it */
	size_t width; /**< what it gets */
	bool is_number; /**< it is never cut below its content */
	bool is_even; /**< its texts are all as long as each other */
	bool is_dated; /**< its texts all begin with a digit */
};

/** Set the widths of @p count columns so that a line fits @p width, if it can.
 *
 * Names give way first, to four columns; then texts, the widest first, to
 * eight, of which the last column's keep a third of the line. Texts of up to
 * 20 columns that are as long as each other, such as times, are left alone. If
 * that is not enough, one blank stands between columns instead of two; then
 * names and texts give way to three, and of the even ones only those stay that
 * begin with a digit.
 *
 * @return the blanks between columns. */
size_t sg_fit_columns(struct sg_fit *columns, size_t count, size_t width);

#endif
