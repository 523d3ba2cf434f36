/* SPDX-License-Identifier: MIT */
/* What people read. Every figure of a model says "estimate". */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "powercheck.h"

#define J_PER_MWH 3.6

static const char *word(bool estimate)
{
	return estimate ? " (estimate)" : "";
}

static void print_time(FILE *out, const struct sl_session_settings *settings)
{
	double seconds = sl_session_expected_s(settings);

	fprintf(out, "time it takes: about %.0f min %02.0f s",
		floor(seconds / 60), fmod(floor(seconds), 60));
	if (settings->window_s <= 0)
		fprintf(out, ", and %u run%s of the command", settings->repeats,
			settings->repeats == 1 ? "" : "s");
	else if (settings->trigger != SL_TRIGGER_NONE &&
		 settings->trigger != SL_TRIGGER_AFTER)
		fprintf(out,
			", and what the application takes until it is active");
	fputc('\n', out);
}

void powercheck_print_conditions(FILE *out, const struct sl_report *report,
				 const struct sl_session_settings *settings)
{
	const struct sl_conditions *has = &report->conditions;

	fprintf(out, "CPU: %s, ", has->cpu_model);
	if (has->cpus)
		fprintf(out, "%u CPU%s", has->cpus, has->cpus == 1 ? "" : "s");
	else
		fprintf(out, "number of CPUs unknown");
	fprintf(out, ", SMT %s, governor %s, turbo %s", has->smt, has->governor,
		has->turbo);
	if (isnan(has->mhz))
		fputs(", frequency unknown\n", out);
	else
		fprintf(out, ", %.0f MHz now\n", has->mhz);
	fprintf(out, "kernel: %s\npower source: %s\n", has->kernel,
		has->power_source);
	for (size_t at = 0; at < report->domain_count; at++) {
		const struct sl_report_domain *domain = &report->domains[at];

		if (domain->in_sum)
			fprintf(out, "meter: %s, %s%s\n", domain->meter,
				domain->label,
				word(domain->quality == SL_QUALITY_MODEL &&
				     !strstr(domain->label, "estimate")));
	}
	print_time(out, settings);
}

static void print_known(FILE *out, const char *label, double value,
			const char *unit, const char *why)
{
	if (isnan(value))
		fprintf(out, "  %-22s unknown: %s\n", label, why);
	else if (isinf(value))
		fprintf(out, "  %-22s none rang\n", label);
	else
		fprintf(out, "  %-22s %.4g %s\n", label, value, unit);
}

void powercheck_print_quiet(FILE *out, const struct sl_quiet *quiet)
{
	const struct sl_idle *idle = &quiet->idle;

	fputs("before it starts\n", out);
	print_known(out, "CPUs busy", 100 * idle->busy, "%", idle->why_cpu);
	print_known(out, "timer period", idle->timer_ms, "ms", idle->why_timer);
	if (isnan(idle->busy) || isnan(idle->timer_ms))
		powercheck_say("whether the system is quiet is not known: "
			       "%s%s%s",
			       idle->why_cpu,
			       idle->why_cpu[0] && idle->why_timer[0] ? "; "
								      : "",
			       idle->why_timer);
	fflush(out);
}

static void print_use(FILE *out, const struct sl_phase *phase)
{
	uint64_t all = 0;

	for (size_t bin = 0; bin < SL_USE_BINS; bin++)
		all += phase->use[bin];
	if (!all)
		return;
	fprintf(out, "  %-22s", "CPU use by tenths");
	for (size_t bin = 0; bin < SL_USE_BINS; bin++)
		fprintf(out, " %.0f",
			100 * (double)phase->use[bin] / (double)all);
	fputs(" % of the time\n", out);
}

static void print_temperatures(FILE *out, const struct sl_phase *phase)
{
	for (size_t at = 0; at < phase->after.count; at++) {
		const struct sl_temperature *now = &phase->after.sensors[at];
		const struct sl_temperature *then =
			at < phase->before.count ? &phase->before.sensors[at]
						 : NULL;

		if (!now->valid)
			continue;
		fprintf(out, "  %-22.60s", *now->label ? now->label : now->id);
		if (then && then->valid && strcmp(then->id, now->id) == 0)
			fprintf(out, " %.1f C, then", then->celsius);
		fprintf(out, " %.1f C\n", now->celsius);
	}
}

static void print_energy(FILE *out, const struct sl_phase *phase)
{
	const struct sl_energy_span *sum = &phase->sum;

	if (!sum->valid) {
		fprintf(out, "  %-22s none: %s\n", "energy", sum->reason);
		return;
	}
	fprintf(out, "  %-22s %.6g J = %.6g mWh%s\n", "energy", sum->energy_j,
		sum->energy_j / J_PER_MWH, word(sum->estimate));
	fprintf(out, "  %-22s %.6g W%s\n", "mean power", sum->watts,
		word(sum->estimate));
	if (sum->reason[0])
		fprintf(out, "  %-22s %s\n", "note", sum->reason);
}

static const char *remark(const struct sl_phase *phase)
{
	if (phase->kind == SL_PHASE_ACTIVE)
		return phase->whole ? ": the whole run" : "";
	if (phase->kind == SL_PHASE_IDLE)
		return phase->running ? ": the application runs"
				      : ": after its end";
	return "";
}

void powercheck_print_phase(FILE *out, const struct sl_report *report,
			    const struct sl_phase *phase)
{
	fputs(sl_phase_word(phase->kind), out);
	if (phase->repeat <= report->repeats)
		fprintf(out, " %u of %u%s\n", phase->repeat, report->repeats,
			remark(phase));
	else
		fputs(" after the last run\n", out);
	fprintf(out, "  %-22s %.3f s\n", "elapsed", phase->elapsed_s);
	print_energy(out, phase);
	print_known(out, "CPUs busy", 100 * phase->idle.busy, "%",
		    phase->idle.why_cpu);
	print_known(out, "low-power residency", phase->idle.low_power, "%",
		    phase->idle.why_idle);
	print_known(out, "timer period", phase->idle.timer_ms, "ms",
		    phase->idle.why_timer);
	print_known(out, "wakeups", phase->idle.wakeups_s, "/s",
		    phase->idle.why_idle);
	if (phase->kind == SL_PHASE_ACTIVE || phase->running)
		print_known(out, "its own wakeups", phase->app_wakeups_s, "/s",
			    phase->whole ? "it has ended"
					 : "proc/PID/task was not readable");
	if (phase->work >= 0)
		fprintf(out, "  %-22s %.10g%s%s\n", "work", phase->work,
			report->work_unit[0] ? " " : "", report->work_unit);
	print_use(out, phase);
	print_temperatures(out, phase);
	fflush(out);
}

void powercheck_print_figure(FILE *out, const char *label, const char *unit,
			     const struct sl_figure *figure, bool estimate)
{
	fprintf(out, "  %-22s %.6g %s", label, figure->value, unit);
	if (figure->high > figure->low) /* of one time there is none */
		fprintf(out, ", 95 %%: %.6g to %.6g", figure->low,
			figure->high);
	fprintf(out, "%s\n", word(estimate));
}

static void print_valid(FILE *out, const char *label, const char *unit,
			const struct sl_figure *figure, bool estimate)
{
	if (figure->valid)
		powercheck_print_figure(out, label, unit, figure, estimate);
}

static void print_efficiency(FILE *out, const struct sl_report *report,
			     bool estimate)
{
	const struct sl_assessment *found = &report->assessment;
	const char *unit = report->work_unit[0] ? report->work_unit : "unit";
	char label[40];

	if (!found->work_per_j.valid && !found->j_per_work.valid)
		return;
	snprintf(label, sizeof(label), "%s/J", unit);
	print_valid(out, "energy efficiency", label, &found->work_per_j,
		    estimate);
	snprintf(label, sizeof(label), "J/%s", unit);
	print_valid(out, "energy of work", label, &found->j_per_work, estimate);
}

static void print_idle(FILE *out, const struct sl_report *report, bool estimate)
{
	bool invalid = false, running = false;

	for (size_t at = 0; at < report->phase_count; at++) {
		invalid |= report->phases[at].looks_active;
		running |= report->phases[at].running;
	}
	if (invalid)
		fputs("  idle figures           invalid: the idle phase looks "
		      "like the active one\n",
		      out);
	else if (running)
		print_valid(out, "idle power, net", "W", &report->idle_w,
			    estimate);
}

void powercheck_print_result(FILE *out, const struct sl_report *report)
{
	const struct sl_assessment *found = &report->assessment;
	bool estimate = sl_report_estimate(report);

	fprintf(out, "result of %u run%s\n", found->runs,
		found->runs == 1 ? "" : "s");
	print_valid(out, "time", "s", &report->seconds, false);
	print_valid(out, "energy", "J", &found->gross_j, estimate);
	print_valid(out, "mean power", "W", &report->gross_w, estimate);
	print_valid(out, "net energy", "J", &found->net_j, estimate);
	print_valid(out, "net power", "W", &found->net_w, estimate);
	print_efficiency(out, report, estimate);
	print_idle(out, report, estimate);
	if (report->outcome == SL_OUTCOME_DONE)
		return;
	fprintf(out, "  refused                %s\n", report->reason);
	if (!found->net_j.valid && !(found->refusals & SL_REFUSE_INVALID) &&
	    found->runs)
		powercheck_print_figure(out, "net energy, refused", "J",
					&found->net_j, estimate);
}
