/* SPDX-License-Identifier: MIT */
/** @file
 * Rows of an answer written down: one writer an output format.
 *
 *     sg_rows_begin(&rows, sg_rows_writer_named("csv"), look, error);
 *     sg_rows_put(rows, row, &text, error);             (any number)
 *     sg_rows_end(rows, &text, error);
 *     sg_rows_destroy(rows);
 *
 * As report.h does it for findings: a writer appends to a buffer, which its
 * caller writes out and empties between two calls as it likes. The first row is
 * one without fields, which tells the columns (store/row.h). One writer is one
 * file, rows_NAME.c; rows.c lists them. Blobs are written in hexadecimal.
 */
#ifndef SG_REPORT_ROWS_H
#define SG_REPORT_ROWS_H

#include "report/report.h"
#include "store/row.h"

/** What a writer is made of. */
struct sg_rows_writer {
	const char *name; /**< "csv" */
	const char *summary; /**< a line without a full stop */
	/** @return an owned state; NULL: no memory. */
	void *(*create)(const struct sg_look *look);
	enum sl_code (*row)(void *state, const struct sg_row *row,
			    struct sl_buffer *text, struct sl_error *error);
	enum sl_code (*end)(void *state, struct sl_buffer *text,
			    struct sl_error *error);
	void (*destroy)(void *state); /**< takes NULL */
};

/** A line a row under a line of names. The columns are as wide as the first 256
 * rows need; until then, or the end, nothing is written. Until the line fits,
 * first names are cut, then the widest texts (report/rows_fit.h). Columns of
 * numbers stand to the right, and theirs are never cut. NULL is "-". */
extern const struct sg_rows_writer sg_rows_table;

/** RFC 4180: a line of names, lines end with CR LF. NULL is nothing, an empty
 * text `""`. Bytes of texts stay as they are. */
extern const struct sg_rows_writer sg_rows_csv;

/** One array of objects, a line each, so that no more than a row is held. */
extern const struct sg_rows_writer sg_rows_json;

/** All writers; NULL at the end. */
extern const struct sg_rows_writer *const sg_rows_writers[];

/** @return the writer of that name, or NULL. */
const struct sg_rows_writer *sg_rows_writer_named(const char *name);

/** Rows being written. Not thread-safe. */
struct sg_rows;

/** @p look is borrowed for the call; NULL: piped.
 * @return SL_OK and an owned *rows; SL_ENOMEM. */
enum sl_code sg_rows_begin(struct sg_rows **rows,
			   const struct sg_rows_writer *writer,
			   const struct sg_look *look,
			   struct sl_error *error) SL_MUST_CHECK;

enum sl_code sg_rows_put(struct sg_rows *rows, const struct sg_row *row,
			 struct sl_buffer *text,
			 struct sl_error *error) SL_MUST_CHECK;

/** Append what is left. */
enum sl_code sg_rows_end(struct sg_rows *rows, struct sl_buffer *text,
			 struct sl_error *error) SL_MUST_CHECK;

void sg_rows_destroy(struct sg_rows *rows); /**< takes NULL */

/** Room for any number as text. */
enum { SG_FIELD_NUMBER = 40 };

/** Write an integer or real as text: of a real as few digits as give it back.
 * @return @p text. */
const char *sg_field_number(const struct sg_field *field,
			    char text[SG_FIELD_NUMBER]);

/** Append @p length bytes in hexadecimal. */
enum sl_code sg_field_hex(const char *bytes, size_t length,
			  struct sl_buffer *text,
			  struct sl_error *error) SL_MUST_CHECK;

#endif
