/* SPDX-License-Identifier: MIT */
#include "power/compare.h"

#include <math.h>
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

/* @p zero: what 0 stands for; NULL: itself. */
static void add_number(char *text, size_t size, const char *what, double a,
		       double b, const char *zero)
{
	char words[2][32];
	const double values[2] = { a, b };

	for (int at = 0; at < 2; at++)
		if (isnan(values[at]))
			snprintf(words[at], sizeof(words[at]), "unknown");
		else if (zero && values[at] <= 0)
			snprintf(words[at], sizeof(words[at]), "%s", zero);
		else
			snprintf(words[at], sizeof(words[at]), "%.10g",
				 values[at]);
	add(text, size, what, words[0], words[1]);
}

/* How often it was repeated is in the intervals, but whoever compares like with
 * like repeats alike. */
static void add_settings(char *text, size_t size, const struct sl_summary *a,
			 const struct sl_summary *b)
{
	const struct sl_summary_settings *first = &a->settings;
	const struct sl_summary_settings *second = &b->settings;

	add_number(text, size, "window", first->window_s, second->window_s,
		   "run");
	add_number(text, size, "baseline", first->baseline_s,
		   second->baseline_s, NULL);
	add_number(text, size, "settle", first->settle_s, second->settle_s,
		   NULL);
	add_number(text, size, "repeats", first->repeats, second->repeats,
		   NULL);
	add(text, size, "--meter", first->meters, second->meters);
	add(text, size, "start", first->start, second->start);
	add(text, size, "idle command", first->idle_command,
	    second->idle_command);
	add(text, size, "unit of work", a->work_unit, b->work_unit);
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
	add_settings(differ, sizeof(comparison->differ), a, b);
	if (strcmp(a->work_unit, b->work_unit) != 0)
		comparison->work_per_j.valid = false;
}
