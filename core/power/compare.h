/* SPDX-License-Identifier: MIT */
/** @file
 * Two reports against each other: how much faster, at how much more power, with
 * how much of the energy.
 */
#ifndef SL_POWER_COMPARE_H
#define SL_POWER_COMPARE_H

#include <stdbool.h>

#include "power/figure.h"
#include "power/summary.h"

/** B by A. Not valid: one of the two has no such figure; of times and energies
 * also, that one of the two is not of whole runs. */
struct sl_comparison {
	struct sl_figure speedup; /**< time of A by time of B */
	struct sl_figure power, net_power, energy, net_energy; /**< B by A */
	struct sl_figure work_per_j;
	bool estimate;
	char differ[2048]; /**< conditions and settings that are not the same;
				"" */
};

void sl_compare(const struct sl_summary *a, const struct sl_summary *b,
		struct sl_comparison *comparison);

/** Whether the interval of a ratio leaves 1 out. */
bool sl_distinguishable(const struct sl_figure *ratio);

#endif
