/* SPDX-License-Identifier: MIT */
/** @file
 * What is not known of an energy between two readings.
 *
 * A counter's value is rounded to its resolution and as old as its last update,
 * at both ends; when exactly it was read is known to between two clocks. Each
 * of these is uniform, and the standard deviation of one of width w is
 * w / sqrt(12). The calibration errs alike in every reading, so it stands apart
 * (JCGM 100:2008, the "GUM", 4.3.7, 5.1, 6.2). Pure functions.
 */
#ifndef SL_ENERGY_UNCERTAINTY_H
#define SL_ENERGY_UNCERTAINTY_H

#include "sluice/energy.h"
#include "sluice/meter.h"

/** A sum of independent errors: its variance, and the fourth cumulant, which
 * says how far from normal it is. A zeroed one is no error. */
struct sl_error_sum {
	double variance, cumulant4;
};

/** Add an error that is uniform over @p width, or normal. */
void sl_error_add_uniform(struct sl_error_sum *sum, double width);
void sl_error_add_normal(struct sl_error_sum *sum, double variance);

/** @return half of the interval that holds 95 % of such errors (Cornish and
 * Fisher's expansion to the fourth cumulant). */
double sl_error_half95(const struct sl_error_sum *sum);

/** What @p domain used between two of its readings; sets *span, and adds what
 * is not known of it to *errors. */
void sl_span_set(struct sl_energy_span *span, const struct sl_domain *domain,
		 const struct sl_energy_reading *from,
		 const struct sl_energy_reading *to,
		 struct sl_error_sum *errors);

#endif
