/* SPDX-License-Identifier: MIT */
/* Reports of powercheck, read back. Whatever the text, words cannot steer a
 * terminal, figures are numbers, and a report is like itself. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "power/compare.h"
#include "power/summary.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/tree.h"

static void check_figure(const struct sl_figure *figure)
{
	fuzz_require(isfinite(figure->value) && isfinite(figure->low) &&
		     isfinite(figure->high));
	fuzz_require(figure->random >= 0 && figure->systematic >= 0);
}

static void check_ratio(const struct sl_figure *ratio)
{
	fuzz_require(!ratio->valid || isfinite(ratio->value));
	fuzz_require(!(ratio->value < 0));
	(void)sl_distinguishable(ratio);
}

static void check(const struct sl_summary *summary)
{
	struct sl_comparison itself;

	fuzz_require_flat(summary->outcome);
	fuzz_require_flat(summary->reason);
	fuzz_require_flat(summary->meters);
	fuzz_require_flat(summary->work_unit);
	fuzz_require_flat(summary->conditions.kernel);
	fuzz_require_flat(summary->settings.meters);
	check_figure(&summary->seconds);
	check_figure(&summary->energy_j);
	check_figure(&summary->net_j);
	check_figure(&summary->work_per_j);
	sl_compare(summary, summary, &itself);
	fuzz_require(!itself.differ[0]);
	check_ratio(&itself.speedup);
	check_ratio(&itself.power);
	check_ratio(&itself.energy);
	check_ratio(&itself.work_per_j);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sl_summary summary;
	struct sl_error error = { .code = SL_OK };
	char *text = fuzz_copy(data, size);

	if (sl_summary_parse(&summary, text, size, "report.xml", &error) ==
	    SL_OK)
		check(&summary);
	else
		fuzz_require_flat(error.message);
	free(text);
	return 0;
}
