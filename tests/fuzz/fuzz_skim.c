/* SPDX-License-Identifier: MIT */
/* JSON that is skimmed is read as YAJL alone would. The first byte is the size
 * of the pieces. NUL is a blank here: the filter hands what is between two of
 * them on in one, or in more, and YAJL places an error accordingly. */
#include <stdlib.h>
#include <string.h>

#include "tests/analysis/read/json_oracle.h"
#include "tests/fuzz/fuzz.h"

static void compare(const char *text, size_t length, size_t piece)
{
	char *ours, *oracle;

	json_oracle_ask(text, length, piece, &ours, &oracle);
	if (strcmp(ours, oracle) != 0)
		abort();
	free(ours);
	free(oracle);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	if (!text)
		abort();
	for (size_t at = 1; at < size; at++)
		text[at - 1] = data[at] ? (char)data[at] : ' ';
	if (size) {
		compare(text, size - 1, SIZE_MAX / 2);
		compare(text, size - 1, 1 + (size_t)*data % 64);
	}
	free(text);
	return 0;
}
