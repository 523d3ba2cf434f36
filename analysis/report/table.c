/* SPDX-License-Identifier: MIT */
/* A table for people. The first rows are held until they tell how wide the
 * columns must be; those after them make do with that. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/cell.h"
#include "report/report.h"

enum {
	HELD_ROWS = 256,
	WIDTH_MIN = 40,
	WIDTH_MAX = 1000,
	GAP = 2, /* blanks between columns */
};

enum column { SEVERITY, RULE, PLACE, MESSAGE, COLUMNS };

static const char *const titles[COLUMNS] = { "SEVERITY", "RULE", "PLACE",
					     "MESSAGE" };

struct table {
	size_t width;
	bool color;
	bool is_fitted; /* the columns' widths stand */
	size_t widths[COLUMNS];
	/* The cells of held rows, each ended by a NUL; owned. */
	struct sl_buffer cells;
	enum sg_severity severities[HELD_ROWS];
	size_t rows;
	struct sl_buffer place, message; /* of the row being made; owned */
};

static void *create(const struct sg_look *look)
{
	struct table *table = calloc(1, sizeof(*table));
	size_t width = look->width ? look->width : SG_WIDTH_PIPED;

	if (!table)
		return NULL;
	table->color = look->color;
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
	free(table->cells.data);
	free(table->place.data);
	free(table->message.data);
	free(table);
}

/* ---- widths ----------------------------------------------------------- */

static void give(size_t *slack, size_t *width, size_t wanted)
{
	size_t more = wanted > *width ? wanted - *width : 0;

	if (more > *slack)
		more = *slack;
	*width += more;
	*slack -= more;
}

/* Each column has its share; what one does not need the others get, the
 * message last: it takes whatever is left. */
static void share(struct table *table, const size_t wanted[COLUMNS])
{
	size_t *widths = table->widths;
	size_t slack;

	widths[SEVERITY] = strlen(titles[SEVERITY]);
	slack = table->width - widths[SEVERITY] - (COLUMNS - 1) * GAP;
	widths[RULE] = slack * 3 / 10;
	widths[PLACE] = slack * 4 / 10;
	widths[MESSAGE] = slack - widths[RULE] - widths[PLACE];
	slack = 0;
	for (int at = RULE; at < COLUMNS; at++)
		if (widths[at] > wanted[at]) {
			slack += widths[at] - wanted[at];
			widths[at] = wanted[at];
		}
	if (wanted[MESSAGE] > widths[MESSAGE] + slack) {
		widths[MESSAGE] += slack;
		return;
	}
	give(&slack, &widths[MESSAGE], wanted[MESSAGE]);
	give(&slack, &widths[PLACE], wanted[PLACE]);
	give(&slack, &widths[RULE], wanted[RULE]);
	widths[MESSAGE] += slack;
}

static void fit(struct table *table)
{
	size_t wanted[COLUMNS];
	const char *cell = table->cells.data;

	for (int at = RULE; at < COLUMNS; at++)
		wanted[at] = strlen(titles[at]);
	for (size_t row = 0; row < table->rows; row++)
		for (int at = RULE; at < COLUMNS; at++) {
			size_t columns = sg_cell_columns(cell);

			if (columns > wanted[at])
				wanted[at] = columns;
			cell += strlen(cell) + 1;
		}
	share(table, wanted);
	table->is_fitted = true;
}

/* ---- rows ------------------------------------------------------------- */

static enum sl_code put_text(struct sl_buffer *text, const char *bytes,
			     struct sl_error *error)
{
	return sg_report_put(text, bytes, strlen(bytes), error);
}

static const char *color_of(enum sg_severity severity)
{
	switch (severity) {
	case SG_ERROR:
		return "\033[1;31m";
	case SG_WARNING:
		return "\033[33m";
	case SG_LOW:
		return "\033[36m";
	case SG_SEVERITY_UNKNOWN:
	case SG_INFO:
	case SG_STYLE:
		break;
	}
	return "";
}

static enum sl_code put_row(const struct table *table, const char *color,
			    const char *const cells[COLUMNS],
			    struct sl_buffer *text, struct sl_error *error)
{
	bool colored = table->color && *color;
	enum sl_code code = SL_OK;

	if (colored)
		code = put_text(text, color, error);
	for (int at = 0; at < COLUMNS && code == SL_OK; at++) {
		unsigned flags = (at == PLACE ? SG_CELL_LEFT : 0) |
				 (at < MESSAGE ? SG_CELL_PADDED : 0);

		code = sg_cell_put(text, cells[at], table->widths[at], flags,
				   error);
		if (code == SL_OK && at == SEVERITY && colored)
			code = put_text(text, "\033[0m", error);
		if (code == SL_OK)
			code = put_text(text, at < MESSAGE ? "  " : "\n",
					error);
	}
	return code;
}

static enum sl_code put_held(struct table *table, struct sl_buffer *text,
			     struct sl_error *error)
{
	const char *cell = table->cells.data;
	enum sl_code code = put_row(table, "", titles, text, error);

	for (size_t row = 0; row < table->rows && code == SL_OK; row++) {
		enum sg_severity severity = table->severities[row];
		const char *cells[COLUMNS] = { sg_severity_text(severity) };

		for (int at = RULE; at < COLUMNS; at++) {
			cells[at] = cell;
			cell += strlen(cell) + 1;
		}
		code = put_row(table, color_of(severity), cells, text, error);
	}
	table->rows = 0;
	table->cells.used = 0;
	return code;
}

/* No column is wider than the table, so neither is a held cell. */
static enum sl_code hold(struct table *table, enum sg_severity severity,
			 const char *const cells[COLUMNS],
			 struct sl_error *error)
{
	enum sl_code code = SL_OK;

	for (int at = RULE; at < COLUMNS && code == SL_OK; at++) {
		code = sg_cell_put(&table->cells, cells[at], table->width,
				   at == PLACE ? SG_CELL_LEFT : 0, error);
		if (code == SL_OK)
			code = sg_report_put(&table->cells, "", 1, error);
	}
	table->severities[table->rows++] = severity;
	return code;
}

static enum sl_code make_place(struct table *table,
			       const struct sg_finding *finding,
			       struct sl_error *error)
{
	char line[24] = "";
	enum sl_code code;

	table->place.used = 0;
	if (finding->path && finding->line)
		snprintf(line, sizeof(line), ":%" PRId64, finding->line);
	code = put_text(&table->place, finding->path ? finding->path : "",
			error);
	if (code == SL_OK)
		code = sg_report_put(&table->place, line, strlen(line) + 1,
				     error);
	return code;
}

/* What must not be cut off stands before the words. */
static enum sl_code make_message(struct table *table,
				 const struct sg_finding *finding,
				 struct sl_error *error)
{
	char repeats[32] = "";
	enum sl_code code;

	table->message.used = 0;
	if (finding->repeats > 1)
		snprintf(repeats, sizeof(repeats), "%" PRId64 "x ",
			 finding->repeats);
	code = put_text(&table->message,
			finding->suppressed ? "(suppressed) " : "", error);
	if (code == SL_OK)
		code = put_text(&table->message, repeats, error);
	if (code == SL_OK)
		code = sg_report_put(&table->message, finding->message,
				     strlen(finding->message) + 1, error);
	return code;
}

static enum sl_code put_finding(void *state, const struct sg_finding *finding,
				struct sl_buffer *text, struct sl_error *error)
{
	struct table *table = state;
	enum sl_code code = make_place(table, finding, error);
	const char *cells[COLUMNS] = {
		[SEVERITY] = sg_severity_text(finding->severity),
		[RULE] = finding->rule ? finding->rule : "",
	};

	if (code == SL_OK)
		code = make_message(table, finding, error);
	if (code != SL_OK)
		return code;
	cells[PLACE] = table->place.data;
	cells[MESSAGE] = table->message.data;
	if (table->is_fitted)
		return put_row(table, color_of(finding->severity), cells, text,
			       error);
	code = hold(table, finding->severity, cells, error);
	if (code == SL_OK && table->rows == HELD_ROWS) {
		fit(table);
		code = put_held(table, text, error);
	}
	return code;
}

static enum sl_code end(void *state, bool complete, struct sl_buffer *text,
			struct sl_error *error)
{
	struct table *table = state;

	(void)complete;
	if (table->is_fitted || !table->rows)
		return SL_OK;
	fit(table);
	return put_held(table, text, error);
}

const struct sg_writer sg_writer_table = {
	.name = "table",
	.summary = "severity, rule, place and message in columns",
	.create = create,
	.finding = put_finding,
	.end = end,
	.destroy = destroy,
};
