/* SPDX-License-Identifier: MIT */
/* The list of writers of rows, and the one way to use them. */
#include "report/rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sg_rows {
	const struct sg_rows_writer *writer;
	void *state; /* owned */
};

const struct sg_rows_writer *const sg_rows_writers[] = {
	&sg_rows_table,
	&sg_rows_csv,
	&sg_rows_json,
	NULL,
};

const struct sg_rows_writer *sg_rows_writer_named(const char *name)
{
	for (size_t at = 0; sg_rows_writers[at]; at++)
		if (strcmp(sg_rows_writers[at]->name, name) == 0)
			return sg_rows_writers[at];
	return NULL;
}

enum sl_code sg_rows_begin(struct sg_rows **rows,
			   const struct sg_rows_writer *writer,
			   const struct sg_look *look, struct sl_error *error)
{
	static const struct sg_look piped = { .width = SG_WIDTH_PIPED };
	struct sg_rows *made = calloc(1, sizeof(*made));

	*rows = NULL;
	if (made) {
		made->writer = writer;
		made->state = writer->create(look ? look : &piped);
	}
	if (!made || !made->state) {
		free(made);
		return SL_FAIL(error, SL_ENOMEM, "no memory for rows");
	}
	*rows = made;
	return SL_OK;
}

enum sl_code sg_rows_put(struct sg_rows *rows, const struct sg_row *row,
			 struct sl_buffer *text, struct sl_error *error)
{
	return rows->writer->row(rows->state, row, text, error);
}

enum sl_code sg_rows_end(struct sg_rows *rows, struct sl_buffer *text,
			 struct sl_error *error)
{
	return rows->writer->end(rows->state, text, error);
}

void sg_rows_destroy(struct sg_rows *rows)
{
	if (!rows)
		return;
	rows->writer->destroy(rows->state);
	free(rows);
}

/* ---- fields ------------------------------------------------------------ */

const char *sg_field_number(const struct sg_field *field,
			    char text[SG_FIELD_NUMBER])
{
	if (field->kind == SG_FIELD_INTEGER) {
		snprintf(text, SG_FIELD_NUMBER, "%" PRId64, field->integer);
		return text;
	}
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, SG_FIELD_NUMBER, "%.*g", digits, field->real);
		if (!(strtod(text, NULL) < field->real) &&
		    !(strtod(text, NULL) > field->real))
			break;
	}
	return text;
}

enum sl_code sg_field_hex(const char *bytes, size_t length,
			  struct sl_buffer *text, struct sl_error *error)
{
	static const char digits[] = "0123456789abcdef";
	enum sl_code code = sl_buffer_reserve(text, 2 * length, error);

	if (code != SL_OK)
		return code;
	for (size_t at = 0; at < length; at++) {
		unsigned char byte = (unsigned char)bytes[at];

		text->data[text->used++] = digits[byte >> 4];
		text->data[text->used++] = digits[byte & 15];
	}
	return SL_OK;
}
