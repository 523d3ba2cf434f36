/* SPDX-License-Identifier: MIT */
/** @file
 * The one function of a fuzz target, and what most of them begin with.
 */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/** Try @p data; a finding is a crash, an abort or a sanitizer's report. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** Abort unless it holds. No bool: through one, gcc loses what it says of a
 * pointer. */
static inline void fuzz_require(int condition)
{
	if (!condition)
		abort();
}

/** @return a copy of the very size, so that reading beyond it is seen; free()
 * it. It may be written to. */
static inline char *fuzz_copy(const uint8_t *data, size_t size)
{
	char *copy = malloc(size ? size : 1);

	if (!copy)
		abort();
	if (size)
		memcpy(copy, data, size);
	return copy;
}

/** The same with a NUL behind it. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	if (!text)
		abort();
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

#endif
