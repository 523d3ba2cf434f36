/* SPDX-License-Identifier: MIT */
/** @file
 * One reader alone: SLUICE_FUZZ_FORMAT names it, so that a run's minutes are
 * that reader's.
 */
#ifndef TESTS_FUZZ_CHOSEN_H
#define TESTS_FUZZ_CHOSEN_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/** @return the name of the one format to fuzz; NULL: all. */
static inline const char *fuzz_chosen(void)
{
	static const char *chosen;
	static bool asked;

	if (!asked) {
		chosen = getenv("SLUICE_FUZZ_FORMAT");
		asked = true;
	}
	return chosen;
}

/** @return whether the format called @p name is to be fuzzed. */
static inline bool fuzz_wants(const char *name)
{
	const char *chosen = fuzz_chosen();

	return !chosen || strcmp(chosen, name) == 0;
}

#endif
