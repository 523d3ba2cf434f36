/* SPDX-License-Identifier: MIT */
/** @file
 * Judging a measurement: net energy, energy efficiency, and when to refuse.
 *
 * One *run* is the protocol's three phases: baseline, application active,
 * baseline again. Then
 *
 *     E_net = E_active - P_base * T_active
 *     EE    = work / E_net         joules per unit of work = E_net / work
 *
 * with P_base the mean power of both baselines. Repeated runs give a mean and
 * its 95 % interval by Student's t; the meter's calibration, which no
 * repetition improves, stands apart. Pure functions; thread-safe.
 */
#ifndef SLUICE_ASSESS_H
#define SLUICE_ASSESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sluice/defs.h"
#include "sluice/energy.h"

/** Why there is no figure. Several may hold. */
enum sl_refusal {
	SL_REFUSE_INVALID = 1 << 0, /**< a span has no figure: its epoch
					 changed, it could not be read */
	SL_REFUSE_SHORT = 1 << 1, /**< a phase under 20 update periods */
	SL_REFUSE_BASELINES = 1 << 2, /**< they differ by > 2 % and > 2 u */
	SL_REFUSE_NOISE = 1 << 3, /**< not distinguishable from the baseline:
				       E_net <= 2 u; its value and sign are
				       kept */
	SL_REFUSE_NO_WORK = 1 << 4, /**< zero work: efficiency is undefined;
					 the energy stands */
	SL_REFUSE_OVERLAP = 1 << 5, /**< domains that overlap were added */
	SL_REFUSE_NO_RUNS = 1 << 6, /**< nothing to judge */
};

/** A phase must last this many update periods of its meter. */
#define SL_UPDATES_MIN 20

/** One run of the protocol. Frozen, as are sl_net and sl_figure. */
struct sl_run {
	struct sl_energy_span before, active, after; /**< after.seconds 0: this
							  baseline was not
							  taken */
	double work; /**< units of useful work done in `active`; negative: not
			  counted */
	bool overlap; /**< the caller added domains that overlap */
};

/** What one run says. */
struct sl_net {
	uint32_t refusals; /**< enum sl_refusal; set figures stay set, so that
				raw data is kept */
	double base_w, u_base_w; /**< the baseline, with standard uncertainty */
	double energy_j, u_j; /**< E_net and its standard uncertainty */
	double systematic_j; /**< half of the 95 % interval */
};

/** A figure and half of its 95 % interval. */
struct sl_figure {
	bool valid;
	double value;
	double low, high; /**< the 95 % interval, random and systematic */
	double random, systematic; /**< half widths of the two parts; of a
					ratio about its value */
};

struct sl_assessment {
	size_t size; /**< sizeof(struct sl_assessment), set by the caller */
	uint32_t refusals; /**< enum sl_refusal */
	uint32_t runs; /**< how many were judged */
	bool estimate; /**< a model: print "estimate" */
	struct sl_figure gross_j; /**< energy of `active` */
	struct sl_figure net_j; /**< valid only if nothing was refused but
				     SL_REFUSE_NO_WORK; its value is set
				     whenever it could be computed */
	struct sl_figure net_w;
	struct sl_figure j_per_work; /**< net */
	struct sl_figure work_per_j; /**< EE, net */
	char reason[512]; /**< the refusals in words; "" */
};

SL_BEGIN_DECLS

/** Judge one run. */
void sl_assess_run(const struct sl_run *run, struct sl_net *net);

/** Judge @p count runs together. A refusal of any run is one of the whole, but
 * SL_REFUSE_NOISE, for which the mean and its own interval count. */
void sl_assess(const struct sl_run *runs, size_t count,
	       struct sl_assessment *assessment);

/** The refusal @p refusal in words: "the run is shorter than 20 update periods
 * of the meter". */
const char *sl_refusal_text(enum sl_refusal refusal);

/** Two-sided 95 % quantile of Student's t with @p degrees of freedom;
 * infinity for 0. */
double sl_student_t95(size_t degrees);

SL_END_DECLS

#endif
