/* SPDX-License-Identifier: MIT */
#include "energy/integrate.h"

void sl_integrate_forget(struct sl_integrate *integrate)
{
	integrate->started = false;
}

enum sl_step sl_integrate_step(struct sl_integrate *integrate, double watts,
			       int64_t at_ns, double *energy_j,
			       double *variance_j2)
{
	const bool started = integrate->started;
	const double last_w = integrate->mean ? watts : integrate->last_w;
	const int64_t passed_ns = at_ns - integrate->last_ns;
	const double seconds = (double)passed_ns * 1e-9;
	const double spread_w = watts - last_w;
	const double step_w = integrate->resolution_w;

	*energy_j = 0;
	*variance_j2 = 0;
	integrate->started = true;
	integrate->last_w = watts;
	integrate->last_ns = at_ns;
	if (!started)
		return SL_STEP_FIRST;
	if (passed_ns < 0 ||
	    (!integrate->mean && passed_ns > integrate->gap_ns))
		return SL_STEP_GAP;
	*energy_j = (watts + last_w) / 2 * seconds;
	*variance_j2 = (spread_w * spread_w / 2 + step_w * step_w / 12) *
		       seconds * seconds;
	return SL_STEP_OK;
}
