/* SPDX-License-Identifier: MIT */
/** @file
 * From powers to joules: trapezoids between readings, and what they leave
 * unknown. Pure functions on a struct; not thread-safe.
 */
#ifndef SL_ENERGY_INTEGRATE_H
#define SL_ENERGY_INTEGRATE_H

#include <stdbool.h>
#include <stdint.h>

#include "energy/unwrap.h"

struct sl_integrate {
	double resolution_w; /**< constant; 0: unknown */
	int64_t gap_ns; /**< readings further apart leave a gap, but a mean
			     says what was between them */
	bool mean; /**< the power is the mean since the last reading, not that
			of the moment */
	bool started;
	double last_w;
	int64_t last_ns; /**< the middle of the last reading */
};

/** Take the power @p watts of the time @p at_ns. *energy_j is what flowed since
 * the last one (0 unless SL_STEP_OK), *variance_j2 the square of its standard
 * uncertainty: if readings scatter by s, the square of the difference of two is
 * 2 s^2 on the mean, and a trapezoid errs by s times its width. A power that
 * really rises is taken for scatter too: rather too wide than too narrow. A
 * mean power has no such doubt. @return SL_STEP_FIRST, _OK or _GAP. */
enum sl_step sl_integrate_step(struct sl_integrate *integrate, double watts,
			       int64_t at_ns, double *energy_j,
			       double *variance_j2);

/** The next power is the first. */
void sl_integrate_forget(struct sl_integrate *integrate);

#endif
