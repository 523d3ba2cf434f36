/* SPDX-License-Identifier: MIT */
/** @file
 * A mean of repeats with its 95 % interval, as sl_assess() makes them:
 * Student's t on the scatter, no less than what the meter can tell; the
 * systematic part apart. Pure.
 */
#ifndef SL_POWER_FIGURE_H
#define SL_POWER_FIGURE_H

#include <stdbool.h>
#include <stddef.h>

#include "sluice/assess.h"

/** One repeat's value, its standard uncertainty, and half of the interval by
 * calibration. */
struct sl_repeat {
	double value, u, systematic;
};

/** With one repeat the interval is the meter's alone. With none it is not
 * valid. */
struct sl_figure sl_figure_of(const struct sl_repeat *repeats, size_t count);

/** a / b, of two that were measured apart. @p together: one meter measured
 * both, so that its calibration cancels out. Not valid where the interval of @p
 * b holds 0. */
struct sl_figure sl_figure_ratio(const struct sl_figure *a,
				 const struct sl_figure *b, bool together);

#endif
