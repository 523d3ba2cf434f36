/* SPDX-License-Identifier: MIT */
/** @file
 * Text in columns of a terminal.
 *
 * A character takes the columns that it is known to take: none if it combines,
 * two in the scripts and emoji that are drawn wide (Unicode TR 11, its large
 * blocks), else one. What reports hold must not steer a terminal: tabs and
 * newlines are shown as blanks, other control characters, those that turn the
 * direction of writing, and invalid UTF-8 as '?'.
 */
#ifndef SG_REPORT_CELL_H
#define SG_REPORT_CELL_H

#include <stddef.h>

#include "sluice/buffer.h"

enum sg_cell {
	SG_CELL_LEFT = 1, /**< if cut, the end stays: for paths */
	SG_CELL_PADDED = 2, /**< blanks up to the width */
};

/** @return the columns that @p text takes. */
size_t sg_cell_columns(const char *text);

/** Append @p text, cut to @p width columns (at least 1), with an ellipsis where
 * it was cut. @p flags of enum sg_cell. No more than 8 bytes a column are
 * written, whatever combines. @return SL_OK or SL_ENOMEM. */
enum sl_code sg_cell_put(struct sl_buffer *out, const char *text, size_t width,
			 unsigned flags, struct sl_error *error) SL_MUST_CHECK;

/** Append @p text, however many columns it takes. @return SL_OK or SL_ENOMEM.
 */
enum sl_code sg_cell_put_whole(struct sl_buffer *out, const char *text,
			       struct sl_error *error) SL_MUST_CHECK;

#endif
