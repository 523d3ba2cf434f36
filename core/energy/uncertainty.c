/* SPDX-License-Identifier: MIT */
#include "energy/uncertainty.h"

#include <math.h>
#include <stdio.h>

/* 97.5 % quantile of the normal distribution. */
#define Z95 1.959963984540054
/* noise_j is five standard deviations of a difference of two. */
#define NOISE_SIGMAS 5.0
/* A counter that did not move for so many of its update periods is dead. */
#define DEAD_UPDATES 20
/* In so many there is one at least, however they fall. */
#define SURE_UPDATES 2

void sl_error_add_uniform(struct sl_error_sum *sum, double width)
{
	double variance = width * width / 12;

	sum->variance += variance;
	sum->cumulant4 += -1.2 * variance * variance;
}

void sl_error_add_normal(struct sl_error_sum *sum, double variance)
{
	sum->variance += variance;
}

double sl_error_half95(const struct sl_error_sum *sum)
{
	double excess;

	if (sum->variance <= 0)
		return 0;
	excess = sum->cumulant4 / (sum->variance * sum->variance);
	return sqrt(sum->variance) *
	       (Z95 + (Z95 * Z95 * Z95 - 3 * Z95) / 24 * excess);
}

static double middle_s(const struct sl_energy_reading *reading)
{
	return ((double)reading->before_ns + (double)reading->after_ns) / 2 /
	       1e9;
}

static void add_clock(struct sl_error_sum *errors, double watts,
		      const struct sl_energy_reading *reading)
{
	double seconds =
		(double)(reading->after_ns - reading->before_ns) * 1e-9;

	sl_error_add_uniform(errors, watts * seconds);
}

/* What flowed since the last update is missing at both ends: between nothing
 * and a whole update's worth. The means of the two cancel as far as the powers
 * are equal there. */
static void add_age(struct sl_error_sum *errors, double watts, double update_s,
		    const struct sl_energy_reading *from,
		    const struct sl_energy_reading *to)
{
	double bias_j = 0;

	if (from->local_w >= 0 && to->local_w >= 0)
		bias_j = (to->local_w - from->local_w) * update_s / 2;
	sl_error_add_uniform(errors, watts * update_s);
	sl_error_add_uniform(errors, watts * update_s);
	sl_error_add_normal(errors, bias_j * bias_j);
}

static void add_errors(struct sl_error_sum *errors,
		       const struct sl_domain *domain, double watts,
		       const struct sl_energy_reading *from,
		       const struct sl_energy_reading *to)
{
	double resolution_j = domain->resolution_j > 0 ? domain->resolution_j
						       : domain->unit_j;
	double sigma_j = domain->noise_j / NOISE_SIGMAS;

	add_clock(errors, watts, from);
	add_clock(errors, watts, to);
	if (domain->form == SL_FORM_COUNTER || domain->form == SL_FORM_STORE) {
		sl_error_add_uniform(errors, resolution_j);
		sl_error_add_uniform(errors, resolution_j);
		add_age(errors, watts, domain->update_s, from, to);
		sl_error_add_normal(errors, sigma_j * sigma_j);
		return;
	}
	sl_error_add_normal(errors, to->variance_j2 - from->variance_j2);
	/* A power is up to one update old: what it showed then against now. */
	if (domain->form == SL_FORM_WATTS && from->watts >= 0 && to->watts >= 0)
		sl_error_add_uniform(errors, (to->watts - from->watts) *
						     domain->update_s);
}

static void refuse(struct sl_energy_span *span, const char *what,
		   const char *reason)
{
	span->valid = false;
	snprintf(span->reason, sizeof(span->reason), "%.24s%.231s", what,
		 reason);
}

/* A processor that runs uses energy. A counter of it that stands still is one
 * that is shown and does not count, as in many virtual machines. */
static bool is_dead(const struct sl_energy_span *span,
		    const struct sl_domain *domain, double energy_j)
{
	return domain->quality == SL_QUALITY_ON_DIE && energy_j <= 0 &&
	       span->seconds > DEAD_UPDATES * domain->update_s;
}

/* The same count twice, so soon that it may be the same reading: how much
 * flowed is not known, and the interval would take the power for 0. */
static bool is_old(const struct sl_energy_span *span,
		   const struct sl_domain *domain,
		   const struct sl_energy_reading *from,
		   const struct sl_energy_reading *to)
{
	bool counts = domain->form == SL_FORM_COUNTER ||
		      domain->form == SL_FORM_STORE;

	return counts && to->energy_j <= from->energy_j &&
	       to->raw == from->raw &&
	       span->seconds < SURE_UPDATES * domain->update_s;
}

void sl_span_set(struct sl_energy_span *span, const struct sl_domain *domain,
		 const struct sl_energy_reading *from,
		 const struct sl_energy_reading *to,
		 struct sl_error_sum *errors)
{
	struct sl_error_sum own = { 0, 0 };

	*span = (struct sl_energy_span){
		.estimate = domain->quality == SL_QUALITY_MODEL,
		.update_s = domain->update_s,
		.seconds = middle_s(to) - middle_s(from),
		.domains = 1,
	};
	if (!from->valid || !to->valid) {
		refuse(span, "", from->valid ? to->reason : from->reason);
		return;
	}
	if (from->epoch != to->epoch) {
		refuse(span, "the epoch changed: ", to->reason);
		return;
	}
	if (span->seconds <= 0) {
		refuse(span, "", "no time passed between the readings");
		return;
	}
	if (is_dead(span, domain, to->energy_j - from->energy_j)) {
		refuse(span, "", "the counter did not move");
		return;
	}
	if (is_old(span, domain, from, to)) {
		refuse(span, "",
		       "the meter was not renewed between the readings");
		return;
	}
	span->valid = true;
	span->energy_j = to->energy_j - from->energy_j;
	span->watts = span->energy_j / span->seconds;
	add_errors(&own, domain, span->watts, from, to);
	span->u_j = sqrt(own.variance);
	span->random_j = sl_error_half95(&own);
	span->systematic_j = domain->relative * span->energy_j;
	span->half_j = hypot(span->random_j, span->systematic_j);
	errors->variance += own.variance;
	errors->cumulant4 += own.cumulant4;
}
