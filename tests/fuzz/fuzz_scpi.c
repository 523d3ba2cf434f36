/* SPDX-License-Identifier: MIT */
/* What an instrument answers. Whatever the line, a figure that counts is
 * finite, its count is what its value says, and nothing is sent back that would
 * be more than one unit of a command. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/scpi/answer.h"
#include "tests/fuzz/fuzz.h"

enum { FIGURES = 5 };

static void try_figure(const struct figure *figure)
{
	double value = sl_decimal_value(&figure->value);
	uint64_t count;

	if (figure->kind != FIGURE_NUMBER)
		return;
	fuzz_require(isfinite(value) && fabs(value) < 9.9e37);
	if (!sl_decimal_count(&figure->value, -9, &count))
		return;
	fuzz_require(value >= 0 && value < 1.9e10);
	fuzz_require(fabs((double)count * 1e-9 - value) <=
		     1e-9 + value * 1e-12);
}

static void try_answer(const char *answer)
{
	struct figure figures[FIGURES];
	enum integration state;
	char shown[SHOWN_BYTES];
	const char *value = answer_value(answer);

	for (size_t count = 1; count <= FIGURES; count++) {
		if (answer_figures(answer, figures, count, NULL) != SL_OK)
			continue;
		for (size_t at = 0; at < count; at++)
			try_figure(&figures[at]);
	}
	fuzz_require(strlen(answer_show(answer, shown)) < SHOWN_BYTES);
	fuzz_require(value >= answer && value <= answer + strlen(answer));
	if (answer_integration(answer, &state, NULL) == SL_OK)
		fuzz_require(answer_is(value, integration_word(state)));
	if (answer_is_plain(value, 40))
		fuzz_require(strlen(value) < 40 && !strpbrk(value, ";\r\n"));
	if (answer_is_identity(answer))
		fuzz_require(answer_figures(answer, figures, 4, NULL) != SL_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);

	try_answer(text);
	free(text);
	return 0;
}
