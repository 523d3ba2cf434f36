/* SPDX-License-Identifier: MIT */
#include "sluice/assess.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/expanded.h"

/* Baselines may differ by this part of themselves. */
#define BASELINES_DIFFER 0.02
#define REFUSALS 7

double sl_student_t95(size_t degrees)
{
	/* two-sided, from 1 degree of freedom on */
	static const double table[] = {
		12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060,
		2.2622,  2.2281, 2.2010, 2.1788, 2.1604, 2.1448, 2.1314, 2.1199,
		2.1098,  2.1009, 2.0930, 2.0860, 2.0796, 2.0739, 2.0687, 2.0639,
		2.0595,  2.0555, 2.0518, 2.0484, 2.0452, 2.0423,
	};
	const double z = SL_Z95, n = (double)degrees;

	if (degrees == 0)
		return INFINITY;
	if (degrees <= sizeof(table) / sizeof(table[0]))
		return table[degrees - 1];
	/* Abramowitz and Stegun 26.7.5 */
	return z + (z * z * z + z) / (4 * n) +
	       (5 * pow(z, 5) + 16 * z * z * z + 3 * z) / (96 * n * n);
}

const char *sl_refusal_text(enum sl_refusal refusal)
{
	switch (refusal) {
	case SL_REFUSE_INVALID:
		return "a phase has no energy";
	case SL_REFUSE_SHORT:
		return "a phase is shorter than 20 update periods of the meter";
	case SL_REFUSE_BASELINES:
		return "the two baselines differ by more than 2 % and more "
		       "than twice their uncertainty";
	case SL_REFUSE_NOISE:
		return "not distinguishable from the baseline";
	case SL_REFUSE_NO_WORK:
		return "no work was done: the efficiency is undefined";
	case SL_REFUSE_OVERLAP:
		return "domains that overlap were added";
	case SL_REFUSE_NO_RUNS:
		return "nothing was measured";
	}
	return "";
}

static bool has_after(const struct sl_run *run)
{
	return run->after.seconds > 0;
}

static bool is_short(const struct sl_energy_span *span)
{
	return span->seconds < SL_UPDATES_MIN * span->update_s;
}

static double u_w(const struct sl_energy_span *span)
{
	return span->u_j / span->seconds;
}

static void set_baseline(const struct sl_run *run, struct sl_net *net)
{
	const struct sl_energy_span *before = &run->before;
	const struct sl_energy_span *after = &run->after;
	double seconds = before->seconds, energy_j = before->energy_j;
	double u_j = before->u_j, difference_w;

	if (has_after(run)) {
		seconds += after->seconds;
		energy_j += after->energy_j;
		u_j = hypot(u_j, after->u_j);
	}
	net->base_w = energy_j / seconds;
	net->u_base_w = u_j / seconds;
	if (!has_after(run))
		return;
	difference_w = fabs(before->watts - after->watts);
	if (difference_w > BASELINES_DIFFER * net->base_w &&
	    difference_w > 2 * hypot(u_w(before), u_w(after)))
		net->refusals |= SL_REFUSE_BASELINES;
}

/* A meter that errs by a factor errs by it in the difference too. A model errs
 * otherwise when idle than when busy, so there both errors count. */
static double systematic_j(const struct sl_run *run, const struct sl_net *net)
{
	const struct sl_energy_span *active = &run->active;
	double base_j = run->before.systematic_j / run->before.seconds *
			active->seconds;

	if (active->estimate)
		return hypot(active->systematic_j, base_j);
	if (active->energy_j <= 0)
		return 0;
	return active->systematic_j / active->energy_j * fabs(net->energy_j);
}

void sl_assess_run(const struct sl_run *run, struct sl_net *net)
{
	const struct sl_energy_span *active = &run->active;

	*net = (struct sl_net){ 0 };
	if (run->overlap)
		net->refusals |= SL_REFUSE_OVERLAP;
	if (run->work == 0)
		net->refusals |= SL_REFUSE_NO_WORK;
	if (!run->before.valid || !active->valid ||
	    (has_after(run) && !run->after.valid)) {
		net->refusals |= SL_REFUSE_INVALID;
		return;
	}
	if (is_short(&run->before) || is_short(active) ||
	    (has_after(run) && is_short(&run->after)))
		net->refusals |= SL_REFUSE_SHORT;
	set_baseline(run, net);
	net->energy_j = active->energy_j - net->base_w * active->seconds;
	net->u_j = hypot(active->u_j, net->u_base_w * active->seconds);
	net->systematic_j = systematic_j(run, net);
	if (net->energy_j <= 2 * net->u_j)
		net->refusals |= SL_REFUSE_NOISE;
}

/** A figure of several runs, as it grows. */
struct series {
	size_t count;
	double mean, squares; /* of the deviations from the mean: Welford */
	double variance, systematic; /* sums */
};

/* Of one run: its value, its standard uncertainty, its systematic half. */
static void add(struct series *series, double value, double u,
		double systematic)
{
	double deviation = value - series->mean;

	series->count++;
	series->mean += deviation / (double)series->count;
	series->squares += deviation * (value - series->mean);
	series->variance += u * u;
	series->systematic += systematic;
}

/* Repeats that agree better than the meter can tell them apart do not make the
 * mean better than the meter: its own uncertainty is the least. */
static struct sl_figure figure_of(const struct series *series)
{
	double n = (double)series->count;
	double mean = series->mean;
	double u_mean = sqrt(series->variance) / n;
	struct sl_figure figure = {
		.value = mean,
		.random = 2 * u_mean,
		.systematic = series->systematic / n,
	};
	double half;

	if (series->count > 1)
		figure.random = fmax(
			u_mean, sl_student_t95(series->count - 1) *
					sqrt(series->squares / (n - 1) / n));
	half = sl_expanded(figure.random, figure.systematic, series->count - 1);
	figure.low = mean - half;
	figure.high = mean + half;
	return figure;
}

/* The reciprocal of a figure whose interval does not hold 0. */
static struct sl_figure reciprocal(const struct sl_figure *figure)
{
	double value = 1 / figure->value;

	if (figure->low <= 0)
		return (struct sl_figure){ 0 };
	return (struct sl_figure){
		.valid = figure->valid,
		.value = value,
		.low = 1 / figure->high,
		.high = 1 / figure->low,
		.random = value * figure->random / figure->value,
		.systematic = value * figure->systematic / figure->value,
	};
}

/** The figures of all runs. */
struct figures {
	struct series gross, net, net_w, per_work;
	bool worked; /**< each of them was counted */
};

static void add_run(struct figures *figures, const struct sl_run *run,
		    const struct sl_net *net)
{
	const struct sl_energy_span *active = &run->active;
	double seconds = active->seconds;

	add(&figures->gross, active->energy_j, active->u_j,
	    active->systematic_j);
	add(&figures->net, net->energy_j, net->u_j, net->systematic_j);
	add(&figures->net_w, net->energy_j / seconds, net->u_j / seconds,
	    net->systematic_j / seconds);
	if (run->work > 0)
		add(&figures->per_work, net->energy_j / run->work,
		    net->u_j / run->work, net->systematic_j / run->work);
	else
		figures->worked = false;
}

static void set_figures(const struct figures *figures,
			struct sl_assessment *assessment)
{
	uint32_t refused;

	assessment->gross_j = figure_of(&figures->gross);
	assessment->net_j = figure_of(&figures->net);
	assessment->net_w = figure_of(&figures->net_w);
	if (assessment->net_j.value <= assessment->net_j.random)
		assessment->refusals |= SL_REFUSE_NOISE;
	refused = assessment->refusals & ~(uint32_t)SL_REFUSE_NO_WORK;
	assessment->gross_j.valid =
		!(refused &
		  (SL_REFUSE_INVALID | SL_REFUSE_SHORT | SL_REFUSE_OVERLAP));
	assessment->net_j.valid = !refused;
	assessment->net_w.valid = !refused;
	if (!figures->worked)
		return;
	assessment->j_per_work = figure_of(&figures->per_work);
	assessment->j_per_work.valid = !assessment->refusals;
	assessment->work_per_j = reciprocal(&assessment->j_per_work);
}

static void say_why(struct sl_assessment *assessment, const char *detail)
{
	size_t used = 0;

	for (unsigned bit = 0; bit < REFUSALS; bit++) {
		uint32_t refusal = 1u << bit;
		char *at = assessment->reason + used;
		size_t left = sizeof(assessment->reason) - used;
		const char *more = refusal == SL_REFUSE_INVALID ? detail : "";

		if (!(assessment->refusals & refusal))
			continue;
		snprintf(at, left, "%s%s%s%s", used ? "; " : "",
			 sl_refusal_text((enum sl_refusal)refusal),
			 *more ? ": " : "", more);
		used += strlen(at);
	}
}

static const char *why_invalid(const struct sl_run *run)
{
	if (!run->before.valid)
		return run->before.reason;
	if (!run->active.valid)
		return run->active.reason;
	return run->after.reason;
}

void sl_assess(const struct sl_run *runs, size_t count,
	       struct sl_assessment *assessment)
{
	struct figures figures = { .worked = true };
	struct sl_assessment all = {
		.size = assessment->size,
		.refusals = count ? 0 : SL_REFUSE_NO_RUNS,
		.runs = (uint32_t)count,
	};
	const char *detail = "";

	for (size_t at = 0; at < count; at++) {
		struct sl_net net;

		sl_assess_run(&runs[at], &net);
		all.refusals |= net.refusals & ~(uint32_t)SL_REFUSE_NOISE;
		all.estimate |= runs[at].active.estimate;
		if (net.refusals & SL_REFUSE_INVALID)
			detail = why_invalid(&runs[at]);
		else
			add_run(&figures, &runs[at], &net);
	}
	if (figures.net.count)
		set_figures(&figures, &all);
	say_why(&all, detail);
	memcpy(assessment, &all,
	       all.size < sizeof(all) ? all.size : sizeof(all));
}
