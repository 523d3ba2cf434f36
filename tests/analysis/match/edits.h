/* SPDX-License-Identifier: MIT */
/** @file
 * The table of edits: what people do to code, and what is then the same.
 */
#ifndef TESTS_MATCH_EDITS_H
#define TESTS_MATCH_EDITS_H

#include <stdbool.h>
#include <stddef.h>

struct edit {
	const char *name;
	const char *before, *after; /**< trees, as support.h reads them */
	const char *renamed; /**< "OLD>NEW"; NULL */
	bool bare_before, bare_after; /**< no source at hand */
	bool unhealthy; /**< the new run did not analyse all */
	const char *why; /**< for the table in docs/matching.md */
};

extern const struct edit edits[];
extern const size_t edit_count;

#endif
