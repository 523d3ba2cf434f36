/* SPDX-License-Identifier: MIT */
/* Rows as comma-separated values, RFC 4180. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "report/rows.h"

/* There is nothing to remember, but a state must be something. */
static void *create(const struct sg_look *look)
{
	(void)look;
	return malloc(1);
}

static bool is_plain(const char *bytes, size_t length)
{
	for (size_t at = 0; at < length; at++)
		if (bytes[at] == ',' || bytes[at] == '"' || bytes[at] == '\r' ||
		    bytes[at] == '\n')
			return false;
	return length > 0;
}

/* Up to each quote, which stands once more. */
static enum sl_code put_quoted(const char *bytes, size_t length,
			       struct sl_buffer *text, struct sl_error *error)
{
	enum sl_code code = sg_report_put(text, "\"", 1, error);

	while (code == SL_OK && length) {
		const char *quote = memchr(bytes, '"', length);
		size_t part = quote ? (size_t)(quote - bytes) + 1 : length;

		code = sg_report_put(text, bytes, part, error);
		if (code == SL_OK && quote)
			code = sg_report_put(text, "\"", 1, error);
		bytes += part;
		length -= part;
	}
	return code == SL_OK ? sg_report_put(text, "\"", 1, error) : code;
}

static enum sl_code put_text(const char *bytes, size_t length,
			     struct sl_buffer *text, struct sl_error *error)
{
	return is_plain(bytes, length)
		       ? sg_report_put(text, bytes, length, error)
		       : put_quoted(bytes, length, text, error);
}

static enum sl_code put_field(const struct sg_field *field,
			      struct sl_buffer *text, struct sl_error *error)
{
	char number[SG_FIELD_NUMBER];

	switch (field->kind) {
	case SG_FIELD_NULL:
		break;
	case SG_FIELD_INTEGER:
	case SG_FIELD_REAL:
		sg_field_number(field, number);
		return sg_report_put(text, number, strlen(number), error);
	case SG_FIELD_TEXT:
		return put_text(field->text, field->length, text, error);
	case SG_FIELD_BLOB:
		return field->length ? sg_field_hex(field->text, field->length,
						    text, error)
				     : put_text("", 0, text, error);
	}
	return SL_OK;
}

static enum sl_code put_row(void *state, const struct sg_row *row,
			    struct sl_buffer *text, struct sl_error *error)
{
	enum sl_code code = SL_OK;

	(void)state;
	for (size_t at = 0; at < row->count && code == SL_OK; at++) {
		const char *name = row->names[at];

		if (at)
			code = sg_report_put(text, ",", 1, error);
		if (code == SL_OK)
			code = row->fields ? put_field(&row->fields[at], text,
						       error)
					   : put_text(name, strlen(name), text,
						      error);
	}
	return code == SL_OK ? sg_report_put(text, "\r\n", 2, error) : code;
}

static enum sl_code end(void *state, struct sl_buffer *text,
			struct sl_error *error)
{
	(void)state;
	(void)text;
	(void)error;
	return SL_OK;
}

const struct sg_rows_writer sg_rows_csv = {
	.name = "csv",
	.summary = "RFC 4180, with a line of names",
	.create = create,
	.row = put_row,
	.end = end,
	.destroy = free,
};
