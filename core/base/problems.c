/* SPDX-License-Identifier: MIT */
/* The list of problems, and guessing what a misspelt name meant. */
#include "base/problems.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* Where a problem belongs. Most arrive in order, so look from the end.
 * @return SIZE_MAX: it is there already. */
static size_t find_place(const struct sl_problems *problems, const char *file,
			 int line, const char *text)
{
	size_t place = problems->count;
	bool met = false;

	for (size_t at = problems->count; at > 0; at--) {
		const struct sl_problem_row *row = &problems->rows[at - 1];

		if (strcmp(row->file, file) != 0) {
			if (met)
				break;
			continue;
		}
		if (row->line > line)
			place = at - 1;
		else if (!met)
			place = at;
		met = true;
		if (row->line < line)
			break;
		if (row->line == line && strcmp(row->text, text) == 0)
			return SIZE_MAX;
	}
	return place;
}

static bool grow(struct sl_problems *problems)
{
	size_t capacity = problems->capacity ? 2 * problems->capacity : 16;
	struct sl_problem_row *rows;

	if (problems->count < problems->capacity)
		return true;
	rows = realloc(problems->rows, capacity * sizeof(*rows));
	if (!rows)
		return false;
	problems->rows = rows;
	problems->capacity = capacity;
	return true;
}

/* @return the text, owned by the caller; NULL: no memory. */
static SL_PRINTF(1, 0) char *format(const char *fmt, va_list args)
{
	va_list again;
	char *text = NULL;
	int length;

	va_copy(again, args);
	length = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (length >= 0)
		text = malloc((size_t)length + 1);
	if (!text)
		return NULL;
	vsnprintf(text, (size_t)length + 1, fmt, args);
	sl_text_flatten(text);
	return text;
}

/* Takes @p file and @p text over. @return false: no memory. */
static bool take(struct sl_problems *problems, char *file, int line, char *text)
{
	size_t place = find_place(problems, file, line, text);
	struct sl_problem_row *row;

	if (place == SIZE_MAX || !grow(problems)) {
		free(file);
		free(text);
		return place == SIZE_MAX;
	}
	row = &problems->rows[place];
	memmove(row + 1, row, (problems->count - place) * sizeof(*row));
	*row = (struct sl_problem_row){ file, line, text };
	problems->count++;
	return true;
}

void sl_problems_vadd(struct sl_problems *problems, const char *file, int line,
		      const char *fmt, va_list args)
{
	char *copy = strdup(file ? file : "");
	char *text = format(fmt, args);

	if (!copy || !text) {
		free(copy);
		free(text);
		problems->incomplete = true;
		return;
	}
	sl_text_flatten(copy);
	if (!take(problems, copy, line, text))
		problems->incomplete = true;
}

void sl_problems_add(struct sl_problems *problems, const char *file, int line,
		     const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	sl_problems_vadd(problems, file, line, fmt, args);
	va_end(args);
}

char *sl_problems_text(const struct sl_problems *problems, size_t at)
{
	const struct sl_problem_row *row = &problems->rows[at];
	size_t size = strlen(row->file) + strlen(row->text) + 32;
	char *text = malloc(size);

	if (!text)
		return NULL;
	if (row->line > 0)
		snprintf(text, size, "%s:%d: %s", row->file, row->line,
			 row->text);
	else if (row->file[0])
		snprintf(text, size, "%s: %s", row->file, row->text);
	else
		snprintf(text, size, "%s", row->text);
	return text;
}

void sl_problems_finish(struct sl_problems *problems)
{
	for (size_t at = 0; at < problems->count; at++) {
		free(problems->rows[at].file);
		free(problems->rows[at].text);
	}
	free(problems->rows);
	*problems = (struct sl_problems){ 0 };
}

/* Names longer than this are beyond guessing. */
enum { LONGEST = 63 };

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Damerau and Levenshtein's distance, no letter being touched twice: the
 * least number of letters inserted, deleted, replaced, or swapped with their
 * neighbour that turns @p a into @p b. Both at most LONGEST long. */
static unsigned distance(const char *a, const char *b)
{
	/* rows of the table for i - 2, i - 1 and i letters of a */
	unsigned rows[3][LONGEST + 1];
	unsigned *before = rows[0], *last = rows[1], *row = rows[2];
	size_t a_length = strlen(a), b_length = strlen(b);

	for (unsigned j = 0; j <= b_length; j++)
		before[j] = last[j] = j;
	for (unsigned i = 1; i <= a_length; i++) {
		unsigned *oldest = before;

		row[0] = i;
		for (unsigned j = 1; j <= b_length; j++) {
			unsigned same = a[i - 1] == b[j - 1] ? 0 : 1;

			row[j] = least(least(last[j], row[j - 1]) + 1,
				       last[j - 1] + same);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1])
				row[j] = least(row[j], before[j - 2] + 1);
		}
		before = last;
		last = row;
		row = oldest;
	}
	return last[b_length];
}

const char *sl_did_you_mean(const char *given, const char *const *names,
			    size_t count)
{
	size_t length = strlen(given);
	unsigned best = (unsigned)(length < 3 ? 1 : length / 3) + 1;
	const char *guess = NULL;

	if (length > LONGEST)
		return NULL;
	for (size_t at = 0; at < count; at++) {
		size_t name_length = strlen(names[at]);
		unsigned steps;

		if (name_length > LONGEST)
			continue;
		steps = distance(given, names[at]);
		/* "x" for "y" would be no guess: nothing is left of it */
		if (steps < best && (steps < length || steps < name_length)) {
			best = steps;
			guess = names[at];
		}
	}
	return guess;
}
