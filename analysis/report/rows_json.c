/* SPDX-License-Identifier: MIT */
/* Rows as one JSON array of objects, a row at a time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <yajl/yajl_gen.h>

#include "base/json.h"
#include "report/rows.h"

struct json {
	size_t rows; /* that were written */
};

static void *create(const struct sg_look *look)
{
	(void)look;
	return calloc(1, sizeof(struct json));
}

static enum sl_code put_blob(yajl_gen gen, const struct sg_field *field,
			     struct sl_error *error)
{
	struct sl_buffer hex = { .data = NULL };
	enum sl_code code =
		sg_field_hex(field->text, field->length, &hex, error);

	if (code == SL_OK)
		sl_json_bytes(gen, hex.used ? hex.data : "", hex.used);
	free(hex.data);
	return code;
}

static enum sl_code put_field(yajl_gen gen, const struct sg_field *field,
			      struct sl_error *error)
{
	char number[SG_FIELD_NUMBER];

	switch (field->kind) {
	case SG_FIELD_REAL:
		if (!isfinite(field->real))
			break;
		sg_field_number(field, number);
		yajl_gen_number(gen, number, strlen(number));
		return SL_OK;
	case SG_FIELD_INTEGER:
		yajl_gen_integer(gen, field->integer);
		return SL_OK;
	case SG_FIELD_TEXT:
		sl_json_bytes(gen, field->text, field->length);
		return SL_OK;
	case SG_FIELD_BLOB:
		return put_blob(gen, field, error);
	case SG_FIELD_NULL:
		break;
	}
	yajl_gen_null(gen);
	return SL_OK;
}

static enum sl_code put_object(const struct sg_row *row, struct sl_buffer *text,
			       struct sl_error *error)
{
	yajl_gen gen = sl_json_begin_line();
	enum sl_code code = SL_OK, ended;

	if (!gen)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a row");
	yajl_gen_map_open(gen);
	for (size_t at = 0; at < row->count && code == SL_OK; at++) {
		sl_json_key(gen, row->names[at]);
		code = put_field(gen, &row->fields[at], error);
	}
	yajl_gen_map_close(gen);
	ended = sl_json_end(gen, text, code == SL_OK ? error : NULL);
	return code == SL_OK ? ended : code;
}

static enum sl_code put_row(void *state, const struct sg_row *row,
			    struct sl_buffer *text, struct sl_error *error)
{
	struct json *json = state;
	const char *before = json->rows ? ",\n" : "[\n";
	enum sl_code code;

	if (!row->fields)
		return SL_OK;
	json->rows++;
	code = sg_report_put(text, before, 2, error);
	if (code == SL_OK)
		code = put_object(row, text, error);
	/* The newline that ends a document: a comma comes before it. */
	if (code == SL_OK)
		text->used--;
	return code;
}

static enum sl_code end(void *state, struct sl_buffer *text,
			struct sl_error *error)
{
	const struct json *json = state;

	return json->rows ? sg_report_put(text, "\n]\n", 3, error)
			  : sg_report_put(text, "[]\n", 3, error);
}

const struct sg_rows_writer sg_rows_json = {
	.name = "json",
	.summary = "one array of objects",
	.create = create,
	.row = put_row,
	.end = end,
	.destroy = free,
};
