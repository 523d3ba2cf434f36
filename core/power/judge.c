/* SPDX-License-Identifier: MIT */
/* From phases to figures, or to reasons why there are none. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "power/figure.h"
#include "power/report.h"

/* An idle phase that keeps so much of what the active one added is no idle
 * phase. */
#define STILL_ACTIVE 0.5
/* Less than this share of the CPUs tells nothing. */
#define BUSY_TOLD 0.02

static const struct sl_phase *find(const struct sl_report *report,
				   enum sl_phase_kind kind, unsigned repeat)
{
	for (size_t at = 0; at < report->phase_count; at++)
		if (report->phases[at].kind == kind &&
		    report->phases[at].repeat == repeat)
			return &report->phases[at];
	return NULL;
}

/* After the end of one run is before the next. */
static const struct sl_phase *find_before(const struct sl_report *report,
					  unsigned repeat)
{
	const struct sl_phase *found = find(report, SL_PHASE_BASELINE, repeat);

	return found ? found : find(report, SL_PHASE_IDLE, repeat - 1);
}

static const struct sl_phase *find_after(const struct sl_report *report,
					 unsigned repeat)
{
	const struct sl_phase *idle = find(report, SL_PHASE_IDLE, repeat);

	if (idle && !idle->running)
		return idle;
	return find(report, SL_PHASE_BASELINE, repeat + 1);
}

/** What is computed, one a run. */
struct runs {
	struct sl_run *runs; /* owned, all of them */
	struct sl_repeat *seconds, *gross_w, *idle_w;
	size_t count, idle_count;
};

static void finish_runs(struct runs *runs)
{
	free(runs->runs);
	free(runs->seconds);
	free(runs->gross_w);
	free(runs->idle_w);
}

static bool make_runs(struct runs *runs, size_t room)
{
	runs->runs = calloc(room, sizeof(*runs->runs));
	runs->seconds = calloc(room, sizeof(*runs->seconds));
	runs->gross_w = calloc(room, sizeof(*runs->gross_w));
	runs->idle_w = calloc(room, sizeof(*runs->idle_w));
	return runs->runs && runs->seconds && runs->gross_w && runs->idle_w;
}

static struct sl_repeat power_of(const struct sl_energy_span *span)
{
	return (struct sl_repeat){ span->watts, span->u_j / span->seconds,
				   span->systematic_j / span->seconds };
}

/* Whether what is left of the active phase's surplus is most of it. */
static bool keeps(double base, double active, double idle, double told)
{
	return active - base > told &&
	       idle - base >= STILL_ACTIVE * (active - base);
}

static bool looks_active(const struct sl_phase *base,
			 const struct sl_phase *active,
			 const struct sl_phase *idle)
{
	double told_w = 2 * (base->sum.u_j + active->sum.u_j) /
			fmax(active->sum.seconds, 1e-9);

	if (base->sum.valid && active->sum.valid && idle->sum.valid &&
	    keeps(base->sum.watts, active->sum.watts, idle->sum.watts, told_w))
		return true;
	return keeps(base->idle.busy, active->idle.busy, idle->idle.busy,
		     BUSY_TOLD);
}

static void add_idle(struct runs *runs, const struct sl_phase *base,
		     const struct sl_phase *idle)
{
	struct sl_repeat surplus;

	if (idle->looks_active || !idle->sum.valid || !base->sum.valid)
		return;
	surplus = power_of(&idle->sum);
	surplus.value -= base->sum.watts;
	surplus.u = hypot(surplus.u, power_of(&base->sum).u);
	/* a model errs otherwise in the idle phase than in the baseline */
	if (idle->sum.estimate)
		surplus.systematic = hypot(surplus.systematic,
					   power_of(&base->sum).systematic);
	else
		surplus.systematic *= fabs(surplus.value) /
				      fmax(fabs(idle->sum.watts), 1e-12);
	runs->idle_w[runs->idle_count++] = surplus;
}

static void add_run(struct runs *runs, const struct sl_phase *base,
		    const struct sl_phase *active, const struct sl_phase *after)
{
	struct sl_run *run = &runs->runs[runs->count];

	run->before = base->sum;
	run->active = active->sum;
	if (after)
		run->after = after->sum;
	run->work = active->work;
	runs->seconds[runs->count].value = active->elapsed_s;
	if (active->sum.seconds > 0)
		runs->gross_w[runs->count] = power_of(&active->sum);
	runs->count++;
}

static void say_idle(struct sl_report *report)
{
	for (size_t at = 0; at < report->phase_count; at++) {
		struct sl_phase *idle = &report->phases[at];
		const struct sl_phase *base, *active;

		if (idle->kind != SL_PHASE_IDLE)
			continue;
		base = find_before(report, idle->repeat);
		active = find(report, SL_PHASE_ACTIVE, idle->repeat);
		idle->looks_active =
			base && active && looks_active(base, active, idle);
	}
}

static void set_figures(struct sl_report *report, const struct runs *runs)
{
	report->assessment.size = sizeof(report->assessment);
	sl_assess(runs->runs, runs->count, &report->assessment);
	report->seconds = sl_figure_of(runs->seconds, runs->count);
	report->gross_w = sl_figure_of(runs->gross_w, runs->count);
	report->gross_w.valid &= report->assessment.gross_j.valid;
	report->idle_w = sl_figure_of(runs->idle_w, runs->idle_count);
	report->judged = true;
}

void sl_report_judge(struct sl_report *report)
{
	struct runs runs = { 0 };

	say_idle(report);
	if (!make_runs(&runs, report->repeats ? report->repeats : 1)) {
		finish_runs(&runs);
		report->outcome = SL_OUTCOME_FAILED;
		snprintf(report->reason, sizeof(report->reason), "no memory");
		return;
	}
	for (unsigned repeat = 1; repeat <= report->repeats; repeat++) {
		const struct sl_phase *base = find_before(report, repeat);
		const struct sl_phase *active =
			find(report, SL_PHASE_ACTIVE, repeat);
		const struct sl_phase *idle =
			find(report, SL_PHASE_IDLE, repeat);

		if (!base || !active)
			continue;
		add_run(&runs, base, active, find_after(report, repeat));
		if (idle)
			add_idle(&runs, base, idle);
	}
	set_figures(report, &runs);
	finish_runs(&runs);
	report->outcome = report->assessment.refusals ? SL_OUTCOME_REFUSED
						      : SL_OUTCOME_DONE;
	snprintf(report->reason, sizeof(report->reason), "%s",
		 report->assessment.reason);
}
