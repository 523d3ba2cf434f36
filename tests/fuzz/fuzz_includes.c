/* SPDX-License-Identifier: MIT */
/* What a source includes and silences: lines of three kinds, each name once,
 * places within the text in their order, and twice the same. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "run/includes.h"
#include "tests/fuzz/fuzz.h"

/* "!LINE:COLUMN WHAT" */
static void try_silence(const char *line, size_t length, size_t size,
			unsigned long last[2])
{
	char *end;
	unsigned long at = strtoul(line + 1, &end, 10), column;

	fuzz_require(*end == ':' && at >= last[0] && at <= size);
	column = strtoul(end + 1, &end, 10);
	fuzz_require(*end == ' ' && column >= 1 && column <= size);
	fuzz_require(at > last[0] || column >= last[1]);
	fuzz_require(end[1] != '\n' && length < 200);
	last[0] = at;
	last[1] = column;
}

static void try_lines(const struct sl_buffer *out, size_t size)
{
	unsigned long last[2] = { 1, 0 };
	bool was_silence = false, had_macro = false;
	const char *at = out->data;

	fuzz_require(strlen(at) == out->used);
	while (*at) {
		const char *end = strchr(at, '\n');

		fuzz_require(end != NULL);
		fuzz_require(*at == '"' || *at == '*' || *at == '!');
		fuzz_require(*at == '!' || !was_silence);
		if (*at == '*') {
			fuzz_require(!had_macro && end == at + 1);
			had_macro = true;
		} else if (*at == '!') {
			try_silence(at, (size_t)(end - at), size, last);
			was_silence = true;
		}
		at = end + 1;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sl_buffer out = { .data = NULL }, again = { .data = NULL };
	char *copy = fuzz_copy(data, size);

	fuzz_require(sg_includes_scan(copy, size, &out, NULL) == SL_OK);
	fuzz_require(sg_includes_scan(copy, size, &again, NULL) == SL_OK);
	fuzz_require(out.used == again.used &&
		     memcmp(out.data, again.data, out.used) == 0);
	try_lines(&out, size);
	free(out.data);
	free(again.data);
	free(copy);
	return 0;
}
