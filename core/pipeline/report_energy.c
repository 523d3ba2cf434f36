/* SPDX-License-Identifier: MIT */
/* What a run cost, for people: "estimate" wherever a model had its hand in a
 * figure, a reason where there is none. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "pipeline/report.h"

#define NAME_WIDTH 30

struct number {
	char text[32];
};

/* So many significant digits, but no powers of ten of what people can read as
 * it is: 125034, not 1.25e+05. */
static struct number number(int digits, double value)
{
	struct number number;

	snprintf(number.text, sizeof(number.text), "%.*g", digits, value);
	if (fabs(value) < 1e9 && strstr(number.text, "e+"))
		snprintf(number.text, sizeof(number.text), "%.0f", value);
	return number;
}

const char *sl_quality_word(enum sl_quality quality)
{
	switch (quality) {
	case SL_QUALITY_MEASURED:
		return "measured";
	case SL_QUALITY_ON_DIE:
		return "on-die";
	case SL_QUALITY_INTEGRATED:
		return "integrated";
	case SL_QUALITY_MODEL:
		return "model";
	}
	return "unknown";
}

static const char *estimate(bool is)
{
	return is ? " (estimate)" : "";
}

static void say_domain(struct sl_report *report,
		       const struct sl_domain_stats *one)
{
	const struct sl_energy_domain *domain = one->domain;
	const struct sl_energy_span *span = &one->span;
	char name[256];

	snprintf(name, sizeof(name), "%s.%s", one->instance, domain->id);
	if (!span->valid) {
		snprintf(name, sizeof(name), "  %.20s.%.32s: no figure",
			 one->instance, domain->id);
		sl_report_wrap(report, name, span->reason);
		return;
	}
	sl_report_say(report, "  %-*.*s %10s %9s %9s  %s%s\n", NAME_WIDTH,
		      NAME_WIDTH, name, number(4, span->energy_j).text,
		      number(3, span->half_j).text, number(4, span->watts).text,
		      span->estimate ? "estimate"
				     : sl_quality_word(domain->quality),
		      domain->in_sum ? "" : ", *");
	if (!domain->in_sum)
		sl_report_wrap(report, "    * not added", domain->aside);
}

static void say_sum(struct sl_report *report,
		    const struct sl_energy_stats *energy)
{
	const struct sl_energy_span *sum = &energy->sum;

	if (!sum->valid) {
		sl_report_wrap(report, "energy: no figure", sum->reason);
		return;
	}
	sl_report_say(report, "energy: %s J +- %s J, %s W%s\n",
		      number(4, sum->energy_j).text,
		      number(3, sum->half_j).text, number(4, sum->watts).text,
		      estimate(sum->estimate));
	if (sum->reason[0])
		sl_report_wrap(report, "  note", sum->reason);
}

static void say_ratio(struct sl_report *report,
		      const struct sl_energy_stats *energy)
{
	const struct sl_figure *ee = &energy->packets_per_j;
	const struct sl_figure *cost = &energy->j_per_packet;
	const char *word = estimate(energy->sum.estimate);

	if (energy->no_ratio) {
		sl_report_wrap(report, "  packets/J: no figure",
			       energy->no_ratio);
		return;
	}
	sl_report_say(report, "  %12s packets/J (%s to %s)%s\n",
		      number(5, ee->value).text, number(4, ee->low).text,
		      number(4, ee->high).text, word);
	sl_report_say(report, "  %12s J/packet (%s to %s)%s\n",
		      number(5, cost->value).text, number(4, cost->low).text,
		      number(4, cost->high).text, word);
}

/* @p exact: how far it is off is not known, and is no 0. */
static void say_part(struct sl_report *report, const char *name,
		     const struct sl_figure *figure, bool exact, double all_j,
		     const char *word)
{
	struct number half = { "?" };

	if (!exact)
		half = number(3, (figure->high - figure->low) / 2);
	sl_report_say(report, "  %-16.16s %12s %10s %6.1f%%%s\n", name,
		      number(4, figure->value).text, half.text,
		      all_j > 0 ? 100 * figure->value / all_j : NAN, word);
}

static void say_idle(struct sl_report *report,
		     const struct sl_energy_stats *energy)
{
	if (energy->idle == SL_IDLE_GIVEN)
		sl_report_say(report, "  idle power: %s W, as given\n",
			      number(4, energy->idle_w).text);
	else
		sl_report_say(report,
			      "  idle power: %s W +- %s W, measured%s\n",
			      number(4, energy->idle_w).text,
			      number(3, energy->idle_half_w).text,
			      estimate(energy->sum.estimate));
}

static void say_shares(struct sl_report *report, const struct sl_stats *stats)
{
	const struct sl_energy_stats *energy = stats->energy;
	const char *word = estimate(energy->sum.estimate);
	double all_j = energy->sum.energy_j;

	if (!energy->no_idle)
		say_idle(report, energy);
	if (!energy->no_idle || !energy->no_shares)
		sl_report_say(report, "  %-16s %12s %10s %7s\n", "stage", "J",
			      "+- J", "energy");
	if (!energy->no_idle)
		say_part(report, "(idle)", &energy->idle_j,
			 energy->idle == SL_IDLE_GIVEN, all_j, word);
	if (energy->no_shares) {
		sl_report_wrap(report, "  energy of stages: no figure",
			       energy->no_shares);
		return;
	}
	say_part(report, stats->source->name, &stats->source->energy_j, false,
		 all_j, word);
	for (size_t at = 0; at < stats->stage_count; at++)
		say_part(report, stats->stages[at]->name,
			 &stats->stages[at]->energy_j, false, all_j, word);
	say_part(report, stats->sink->name, &stats->sink->energy_j, false,
		 all_j, word);
}

void sl_report_energy(struct sl_report *report, const struct sl_stats *stats)
{
	const struct sl_energy_stats *energy = stats->energy;

	say_sum(report, energy);
	say_ratio(report, energy);
	sl_report_say(report, "  %-*s %10s %9s %9s  %s\n", NAME_WIDTH, "meter",
		      "J", "+- J", "W", "quality");
	for (size_t at = 0; at < energy->domain_count; at++)
		say_domain(report, &energy->domains[at]);
	say_shares(report, stats);
}
