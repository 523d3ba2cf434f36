/* SPDX-License-Identifier: MIT */
/** @file
 * Standard output, as commands write to it: whole, or not with success.
 */
#ifndef SCGATE_OUTPUT_H
#define SCGATE_OUTPUT_H

#include "report/rows.h"

/** @return how standard output should look: piped, it has neither colours nor
 * the width of a terminal that happens to be there. */
struct sg_look scgate_look(void);

/** Write out what @p text has, and empty it. SL_EIO. */
enum sl_code scgate_flush(struct sl_buffer *text,
			  struct sl_error *error) SL_MUST_CHECK;

/** If standard output is a terminal, put '?' for what would steer it. */
void scgate_mask(struct sl_buffer *text);

/** Write a help text. @return an exit code. */
int scgate_help(const char *text);

/** Rows on their way to standard output. */
struct scgate_rows {
	struct sg_rows *rows; /**< owned */
	struct sl_buffer text; /**< owned */
	size_t count; /**< rows that came, without that of the names */
	bool is_masked; /**< the writer does not clean texts for terminals */
};

/** Ignores SIGPIPE from now on, so that a broken pipe is no success, as a full
 * disk is none. */
enum sl_code scgate_rows_begin(struct scgate_rows *rows,
			       const struct sg_rows_writer *writer,
			       struct sl_error *error) SL_MUST_CHECK;

/** A sg_row_fn; @p context: the rows. */
enum sl_code scgate_rows_take(void *context, const struct sg_row *row,
			      struct sl_error *error) SL_MUST_CHECK;

/** Whether an answer went to people who see nothing in it but names. */
bool scgate_rows_show_none(const struct scgate_rows *rows);

/** Write out what is left, if @p code is SL_OK, and release the rows.
 * @return @p code, or the failure. */
enum sl_code scgate_rows_end(struct scgate_rows *rows, enum sl_code code,
			     struct sl_error *error) SL_MUST_CHECK;

#endif
