/* SPDX-License-Identifier: MIT */
/* Rows as a table for people. The first rows are held until they tell how wide
 * the columns must be; those after them make do with that. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "report/cell.h"
#include "report/rows.h"
#include "report/rows_fit.h"

enum {
	HELD_ROWS = 256,
	WIDTH_MIN = 40,
	WIDTH_MAX = 1000,
	/* No more of a text is looked at, from the end that is shown. */
	LENGTH_MAX = 16 * WIDTH_MAX,
};

struct column {
	bool has_numbers, has_texts;
	bool is_path; /* its end says more than its beginning */
};

struct table {
	size_t width;
	bool is_fitted; /* the columns' widths stand */
	size_t gap; /* blanks between columns */
	struct column *columns; /* owned */
	struct sg_fit *fits; /* of the columns; owned */
	size_t count; /* of columns */
	/* The cells of the line of names and of held rows, each ended by a NUL;
	 * owned. */
	struct sl_buffer cells;
	size_t rows; /* held, with the line of names */
	struct sl_buffer scratch; /* of the cell being made; owned */
};

static void *create(const struct sg_look *look)
{
	struct table *table = calloc(1, sizeof(*table));
	size_t width = look->width ? look->width : SG_WIDTH_PIPED;

	if (!table)
		return NULL;
	table->width = width < WIDTH_MIN   ? WIDTH_MIN
		       : width > WIDTH_MAX ? WIDTH_MAX
					   : width;
	return table;
}

static void destroy(void *state)
{
	struct table *table = state;

	if (!table)
		return;
	free(table->columns);
	free(table->fits);
	free(table->cells.data);
	free(table->scratch.data);
	free(table);
}

static bool is_text(const struct sg_field *field)
{
	return field->kind == SG_FIELD_TEXT || field->kind == SG_FIELD_BLOB;
}

static bool is_number_column(const struct column *column)
{
	return column->has_numbers && !column->has_texts;
}

/* ---- widths ------------------------------------------------------------ */

static void fit(struct table *table)
{
	for (size_t at = 0; at < table->count; at++)
		table->fits[at].is_number =
			is_number_column(&table->columns[at]);
	table->gap = sg_fit_columns(table->fits, table->count, table->width);
	table->is_fitted = true;
}

/* Cells of a column are even and dated until one is not. */
static void measure(struct table *table, size_t at, const char *cell)
{
	struct sg_fit *fit = &table->fits[at];
	size_t columns = sg_cell_columns(cell);
	bool is_first = !table->columns[at].has_texts;

	fit->is_even = is_first || (fit->is_even && columns == fit->content);
	fit->is_dated =
		(is_first || fit->is_dated) && *cell >= '0' && *cell <= '9';
}

/* ---- cells ------------------------------------------------------------- */

static enum sl_code pad(struct sl_buffer *text, size_t columns,
			struct sl_error *error)
{
	enum sl_code code = sl_buffer_reserve(text, columns, error);

	if (code != SL_OK || !columns)
		return code;
	memset(text->data + text->used, ' ', columns);
	text->used += columns;
	return SL_OK;
}

/* A C string that shows what @p field is; NULs in it become '\1', of which all
 * control characters are as good. Borrowed until the next call. */
static enum sl_code make_cell(struct table *table, size_t at,
			      const struct sg_field *field, const char **cell,
			      struct sl_error *error)
{
	struct sl_buffer *scratch = &table->scratch;
	size_t length = field->length < LENGTH_MAX ? field->length : LENGTH_MAX;
	bool is_blob = field->kind == SG_FIELD_BLOB;
	bool is_tail = table->columns[at].is_path && !is_blob;
	const char *from = field->text + (is_tail ? field->length - length : 0);
	enum sl_code code;

	*cell = from;
	if (!is_blob && !from[length] && strlen(from) == length)
		return SL_OK;
	scratch->used = 0;
	code = is_blob ? sg_field_hex(from, length, scratch, error)
		       : sg_report_put(scratch, from, length, error);
	for (size_t byte = 0; code == SL_OK && byte < scratch->used; byte++)
		if (!scratch->data[byte])
			scratch->data[byte] = '\1';
	if (code == SL_OK)
		code = sg_report_put(scratch, "", 1, error);
	*cell = scratch->data;
	return code;
}

static enum sl_code text_of(struct table *table, size_t at,
			    const struct sg_field *field,
			    char number[SG_FIELD_NUMBER], const char **cell,
			    struct sl_error *error)
{
	switch (field->kind) {
	case SG_FIELD_INTEGER:
	case SG_FIELD_REAL:
		*cell = sg_field_number(field, number);
		return SL_OK;
	case SG_FIELD_TEXT:
	case SG_FIELD_BLOB:
		return make_cell(table, at, field, cell, error);
	case SG_FIELD_NULL:
		break;
	}
	*cell = "-";
	return SL_OK;
}

/* @p is_text: it is a name, or came late into what seemed to be numbers. */
static enum sl_code put_cell(const struct table *table, size_t at,
			     const char *cell, bool is_text,
			     struct sl_buffer *text, struct sl_error *error)
{
	const struct column *column = &table->columns[at];
	size_t columns = sg_cell_columns(cell);
	size_t width = table->fits[at].width;
	bool is_last = at + 1 == table->count;
	unsigned flags = (column->is_path ? SG_CELL_LEFT : 0) |
			 (is_last ? 0 : SG_CELL_PADDED);
	enum sl_code code = SL_OK;

	if (is_number_column(column)) {
		code = pad(text, columns < width ? width - columns : 0, error);
		if (columns < width || !is_text)
			width = columns > 0 ? columns : 1;
	}
	if (code == SL_OK)
		code = sg_cell_put(text, cell, width, flags, error);
	if (code == SL_OK)
		code = is_last ? sg_report_put(text, "\n", 1, error)
			       : pad(text, table->gap, error);
	return code;
}

/* ---- rows -------------------------------------------------------------- */

static enum sl_code put_held(struct table *table, struct sl_buffer *text,
			     struct sl_error *error)
{
	const char *cell = table->cells.data;
	bool is_name = true;
	enum sl_code code = SL_OK;

	for (; table->rows && code == SL_OK; table->rows--) {
		for (size_t at = 0; at < table->count && code == SL_OK; at++) {
			code = put_cell(table, at, cell, is_name, text, error);
			cell += strlen(cell) + 1;
		}
		is_name = false;
	}
	table->cells.used = 0;
	return code;
}

/* No column is wider than the table, so neither is a held text. *widest: of the
 * column's cells. */
static enum sl_code hold_cell(struct table *table, size_t at, const char *cell,
			      bool is_number, size_t *widest,
			      struct sl_error *error)
{
	const struct column *column = &table->columns[at];
	size_t columns = sg_cell_columns(cell);
	size_t width =
		is_number || columns < table->width ? columns : table->width;
	enum sl_code code =
		sg_cell_put(&table->cells, cell, width ? width : 1,
			    column->is_path ? SG_CELL_LEFT : 0, error);

	if (width > *widest)
		*widest = width;
	return code == SL_OK ? sg_report_put(&table->cells, "", 1, error)
			     : code;
}

static bool names_a_path(const char *name)
{
	return strcmp(name, "path") == 0 || strcmp(name, "file") == 0;
}

static enum sl_code hold_names(struct table *table, const struct sg_row *row,
			       struct sl_error *error)
{
	enum sl_code code = SL_OK;

	free(table->columns);
	free(table->fits);
	table->columns = calloc(row->count + 1, sizeof(*table->columns));
	table->fits = calloc(row->count + 1, sizeof(*table->fits));
	if (!table->columns || !table->fits)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a table");
	table->count = row->count;
	for (size_t at = 0; at < row->count && code == SL_OK; at++) {
		table->columns[at].is_path = names_a_path(row->names[at]);
		code = hold_cell(table, at, row->names[at], false,
				 &table->fits[at].title, error);
	}
	table->rows = row->count > 0;
	return code;
}

static enum sl_code hold_row(struct table *table, const struct sg_row *row,
			     struct sl_error *error)
{
	enum sl_code code = SL_OK;

	for (size_t at = 0; at < table->count && code == SL_OK; at++) {
		const struct sg_field *field = &row->fields[at];
		bool is_number =
			field->kind != SG_FIELD_NULL && !is_text(field);
		char number[SG_FIELD_NUMBER];
		const char *cell;

		code = text_of(table, at, field, number, &cell, error);
		if (code == SL_OK && is_text(field))
			measure(table, at, cell);
		table->columns[at].has_numbers |= is_number;
		table->columns[at].has_texts |= is_text(field);
		if (code == SL_OK)
			code = hold_cell(table, at, cell, is_number,
					 &table->fits[at].content, error);
	}
	table->rows++;
	return code;
}

static enum sl_code put_now(struct table *table, const struct sg_row *row,
			    struct sl_buffer *text, struct sl_error *error)
{
	enum sl_code code = SL_OK;

	for (size_t at = 0; at < table->count && code == SL_OK; at++) {
		const struct sg_field *field = &row->fields[at];
		char number[SG_FIELD_NUMBER];
		const char *cell;

		code = text_of(table, at, field, number, &cell, error);
		if (code == SL_OK)
			code = put_cell(table, at, cell, is_text(field), text,
					error);
	}
	return code;
}

static enum sl_code put_row(void *state, const struct sg_row *row,
			    struct sl_buffer *text, struct sl_error *error)
{
	struct table *table = state;
	enum sl_code code;

	if (!row->fields)
		return hold_names(table, row, error);
	if (table->is_fitted)
		return put_now(table, row, text, error);
	code = hold_row(table, row, error);
	if (code == SL_OK && table->rows > HELD_ROWS) {
		fit(table);
		code = put_held(table, text, error);
	}
	return code;
}

static enum sl_code end(void *state, struct sl_buffer *text,
			struct sl_error *error)
{
	struct table *table = state;

	if (table->is_fitted || !table->rows)
		return SL_OK;
	fit(table);
	return put_held(table, text, error);
}

const struct sg_rows_writer sg_rows_table = {
	.name = "table",
	.summary = "columns that fit the terminal",
	.create = create,
	.row = put_row,
	.end = end,
	.destroy = destroy,
};
