/* SPDX-License-Identifier: MIT */
/** @file
 * Problems: everything that is wrong with a configuration, in one list, so
 * that its author sees all of it at once.
 *
 * A problem is a located line as it will be printed, "FILE:LINE: TEXT" (or
 * "FILE: TEXT" where there is no line). Problems are kept sorted: those of
 * one file by line; files in the order in which they were first met. A
 * message that is there already, place included, is not added again. When
 * memory is short the list remembers that it is incomplete. Not thread-safe.
 */
#ifndef SL_BASE_PROBLEMS_H
#define SL_BASE_PROBLEMS_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "sluice/defs.h"

struct sl_problem_row {
	char *file; /**< owned; "" for none */
	int line; /**< from 1; 0: none */
	char *text; /**< owned */
};

/** A zeroed struct is an empty list. */
struct sl_problems {
	struct sl_problem_row *rows; /**< owned */
	size_t count, capacity;
	bool incomplete; /**< one was lost for want of memory */
};

void sl_problems_add(struct sl_problems *problems, const char *file, int line,
		     const char *fmt, ...) SL_PRINTF(4, 5);
void sl_problems_vadd(struct sl_problems *problems, const char *file, int line,
		      const char *fmt, va_list args) SL_PRINTF(4, 0);

/** @return row @p at as "FILE:LINE: TEXT", owned by the caller (free()); NULL:
 * no memory. */
char *sl_problems_text(const struct sl_problems *problems, size_t at);

void sl_problems_finish(struct sl_problems *problems);

/** @return of the @p count names the one that @p given most likely means (at
 * a Damerau-Levenshtein distance of at most a third of its length, and at
 * least 1), or NULL. */
const char *sl_did_you_mean(const char *given, const char *const *names,
			    size_t count);

#endif
