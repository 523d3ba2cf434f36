/* SPDX-License-Identifier: MIT */
#include "power/compare.h"

#include <stdio.h>
#include <string.h>

bool sl_distinguishable(const struct sl_figure *ratio)
{
	return ratio->valid && (ratio->low > 1 || ratio->high < 1);
}

static void add(char *text, size_t size, const char *what, const char *a,
		const char *b)
{
	size_t used = strlen(text);

	if (strcmp(a, b) != 0)
		snprintf(text + used, size - used, "%s%s: %.200s, %.200s",
			 used ? "; " : "", what, a, b);
}

void sl_compare(const struct sl_summary *a, const struct sl_summary *b,
		struct sl_comparison *comparison)
{
	/* One meter errs alike in both, and the error goes; a model errs as the
	 * load has it, and it stays. */
	bool together = strcmp(a->meters, b->meters) == 0 && !a->estimate &&
			!b->estimate;
	char *differ = comparison->differ;

	*comparison = (struct sl_comparison){
		.speedup = sl_figure_ratio(&a->seconds, &b->seconds, true),
		.power = sl_figure_ratio(&b->power_w, &a->power_w, together),
		.net_power = sl_figure_ratio(&b->net_w, &a->net_w, together),
		.energy = sl_figure_ratio(&b->energy_j, &a->energy_j, together),
		.net_energy = sl_figure_ratio(&b->net_j, &a->net_j, together),
		.work_per_j = sl_figure_ratio(&b->work_per_j, &a->work_per_j,
					      together),
		.estimate = a->estimate || b->estimate,
	};
	if (!a->whole || !b->whole) {
		comparison->speedup.valid = false;
		comparison->energy.valid = false;
		comparison->net_energy.valid = false;
	}
	sl_conditions_differ(&a->conditions, &b->conditions, differ,
			     sizeof(comparison->differ));
	add(differ, sizeof(comparison->differ), "meters", a->meters, b->meters);
	add(differ, sizeof(comparison->differ), "unit of work", a->work_unit,
	    b->work_unit);
	if (strcmp(a->work_unit, b->work_unit) != 0)
		comparison->work_per_j.valid = false;
}
