/* SPDX-License-Identifier: MIT */
#include "table.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** One line, cell by cell. */
struct cells {
	char *next; /**< NULL: no more */
};

/* Take the next cell, without its quotes, whose doubles become one. @return
 * NULL: there is none. */
static char *next_cell(struct cells *cells)
{
	char *cell = cells->next, *from = cell, *to = cell;
	bool quoted = false;

	if (!cell)
		return NULL;
	for (; *from && (quoted || *from != ','); from++) {
		if (*from == '"' && quoted && from[1] == '"')
			*to++ = *from++;
		else if (*from == '"')
			quoted = !quoted;
		else
			*to++ = *from;
	}
	cells->next = *from ? from + 1 : NULL;
	*to = '\0';
	return cell;
}

static bool ends_in(const char *name, const char *end)
{
	size_t length = strlen(name), tail = strlen(end);

	return length >= tail && strcmp(name + length - tail, end) == 0;
}

static bool is_in(const struct sl_list *names, const char *name)
{
	for (size_t at = 0; names && at < names->count; at++)
		if (strcmp(names->values[at].text, name) == 0)
			return true;
	return false;
}

/* @return whether the column is a domain, and of which kind. */
static bool is_chosen(const struct table_choice *choice, const char *name,
		      bool *is_watts)
{
	bool named = (choice->joules && choice->joules->count) ||
		     (choice->watts && choice->watts->count);

	*is_watts = named ? is_in(choice->watts, name)
			  : ends_in(name, "watts") || ends_in(name, "_w");
	if (*is_watts)
		return true;
	return named ? is_in(choice->joules, name)
		     : ends_in(name, "joules") || ends_in(name, "_j");
}

static enum sl_code add_column(struct table *table, const char *name,
			       size_t cell, bool is_watts,
			       struct sl_error *error)
{
	struct column *columns = realloc(
		table->columns, (table->column_count + 1) * sizeof(*columns));

	if (!columns)
		return SL_FAIL(error, SL_ENOMEM, "no memory");
	table->columns = columns;
	columns[table->column_count] = (struct column){
		.cell = cell,
		.is_watts = is_watts,
	};
	snprintf(columns[table->column_count++].name, sizeof(columns->name),
		 "%s", name);
	return SL_OK;
}

static enum sl_code read_header(struct table *table, char *line,
				const struct table_choice *choice,
				size_t *time_cell, struct sl_error *error)
{
	struct cells cells = { line };
	bool has_time = false;
	enum sl_code code = SL_OK;
	const char *name;

	for (size_t at = 0; code == SL_OK && (name = next_cell(&cells)); at++) {
		bool is_watts;

		if (!has_time && strcmp(name, choice->time) == 0) {
			has_time = true;
			*time_cell = at;
		} else if (is_chosen(choice, name, &is_watts)) {
			code = add_column(table, name, at, is_watts, error);
		}
	}
	if (code != SL_OK)
		return code;
	if (!has_time)
		return SL_FAIL(error, SL_EINVAL,
			       "line 1: no column is called \"%s\"",
			       choice->time);
	if (!table->column_count)
		return SL_FAIL(error, SL_EINVAL,
			       "line 1: no column holds joules or watts");
	return SL_OK;
}

/* An empty cell is a reading that failed: NAN. */
static enum sl_code read_number(const char *cell, size_t line, double *value,
				struct sl_error *error)
{
	char *end;

	*value = NAN;
	cell += strspn(cell, " \t");
	if (!*cell)
		return SL_OK;
	errno = 0;
	*value = strtod(cell, &end);
	end += strspn(end, " \t");
	if (*end || errno || !isfinite(*value))
		return SL_FAIL(error, SL_EINVAL,
			       "line %zu: \"%.32s\" is no number", line, cell);
	return SL_OK;
}

static enum sl_code grow(struct table *table, struct sl_error *error)
{
	size_t capacity = table->row_capacity ? 2 * table->row_capacity : 64;
	double *times, *values;

	if (table->row_count < table->row_capacity)
		return SL_OK;
	times = realloc(table->times, capacity * sizeof(*times));
	if (times)
		table->times = times;
	values = realloc(table->values,
			 capacity * table->column_count * sizeof(*values));
	if (values)
		table->values = values;
	if (!times || !values)
		return SL_FAIL(error, SL_ENOMEM, "no memory");
	table->row_capacity = capacity;
	return SL_OK;
}

static enum sl_code check_time(const struct table *table, double time,
			       size_t line, struct sl_error *error)
{
	if (isnan(time))
		return SL_FAIL(error, SL_EINVAL, "line %zu: no time", line);
	if (table->row_count && time <= table->times[table->row_count - 1])
		return SL_FAIL(error, SL_EINVAL,
			       "line %zu: its time, %g s, is not after that of "
			       "the line before",
			       line, time);
	return SL_OK;
}

static enum sl_code read_row(struct table *table, char *text, size_t time_cell,
			     size_t line, struct sl_error *error)
{
	struct cells cells = { text };
	double *row = table->values + table->row_count * table->column_count;
	double time = NAN;
	size_t column = 0;
	enum sl_code code = SL_OK;
	const char *cell;

	for (size_t at = 0; at < table->column_count; at++)
		row[at] = NAN;
	for (size_t at = 0; code == SL_OK && (cell = next_cell(&cells)); at++) {
		if (at == time_cell)
			code = read_number(cell, line, &time, error);
		else if (column < table->column_count &&
			 table->columns[column].cell == at)
			code = read_number(cell, line, &row[column++], error);
	}
	if (code == SL_OK)
		code = check_time(table, time, line, error);
	if (code == SL_OK)
		table->times[table->row_count++] = time;
	return code;
}

/* @return what follows the line, whose end is cut; NULL: nothing. */
static char *cut_line(char *line)
{
	char *end = strchr(line, '\n');

	if (end)
		*end = '\0';
	line[strcspn(line, "\r")] = '\0';
	return end ? end + 1 : NULL;
}

enum sl_code table_init(struct table *table, char *text,
			const struct table_choice *choice,
			struct sl_error *error)
{
	char *next = cut_line(text);
	size_t time_cell = 0;
	enum sl_code code;

	*table = (struct table){ 0 };
	code = read_header(table, text, choice, &time_cell, error);
	for (size_t line = 2; code == SL_OK && next && *next; line++) {
		char *row = next;

		next = cut_line(row);
		if (!*row)
			continue;
		code = grow(table, error);
		if (code == SL_OK)
			code = read_row(table, row, time_cell, line, error);
	}
	if (code == SL_OK && !table->row_count)
		code = SL_FAIL(error, SL_EINVAL, "line 2: no readings follow");
	if (code != SL_OK)
		table_finish(table);
	return code;
}

void table_finish(struct table *table)
{
	free(table->columns);
	free(table->times);
	free(table->values);
	*table = (struct table){ 0 };
}

size_t table_row_at(const struct table *table, double time)
{
	size_t low = 0, high = table->row_count;

	/* times[low] <= time < times[high], as far as they exist */
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (table->times[middle] <= time)
			low = middle;
		else
			high = middle;
	}
	return low;
}
