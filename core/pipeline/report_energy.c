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

static const char *estimate(bool is)
{
	return is ? " (estimate)" : "";
}

static void say_domain(struct sl_put *put, const struct sl_domain_stats *one)
{
	const struct sl_energy_domain *domain = one->domain;
	const struct sl_energy_span *span = &one->span;
	char name[256];

	snprintf(name, sizeof(name), "%s.%s", one->instance, domain->id);
	if (!span->valid) {
		snprintf(name, sizeof(name), "  %.20s.%.32s: no figure",
			 one->instance, domain->id);
		sl_put_wrapped(put, name, span->reason);
		return;
	}
	sl_put_format(put, "  %-*.*s %10s %9s %9s  %s%s\n", NAME_WIDTH,
		      NAME_WIDTH, name, number(4, span->energy_j).text,
		      number(3, span->half_j).text, number(4, span->watts).text,
		      span->estimate ? "estimate"
				     : sl_stats_quality(domain->quality),
		      domain->in_sum ? "" : ", *");
	if (!domain->in_sum)
		sl_put_wrapped(put, "    * not added", domain->aside);
}

static void say_sum(struct sl_put *put, const struct sl_energy_stats *energy)
{
	const struct sl_energy_span *sum = &energy->sum;

	if (!sum->valid) {
		sl_put_wrapped(put, "energy: no figure", sum->reason);
		return;
	}
	sl_put_format(put, "energy: %s J +- %s J, %s W%s\n",
		      number(4, sum->energy_j).text,
		      number(3, sum->half_j).text, number(4, sum->watts).text,
		      estimate(sum->estimate));
	if (sum->reason[0])
		sl_put_wrapped(put, "  note", sum->reason);
}

static void say_ratio(struct sl_put *put, const struct sl_energy_stats *energy)
{
	const struct sl_figure *ee = &energy->packets_per_j;
	const struct sl_figure *cost = &energy->j_per_packet;
	const char *word = estimate(energy->sum.estimate);

	if (energy->no_ratio) {
		sl_put_wrapped(put, "  packets/J: no figure", energy->no_ratio);
		return;
	}
	sl_put_format(put, "  %12s packets/J (%s to %s)%s\n",
		      number(5, ee->value).text, number(4, ee->low).text,
		      number(4, ee->high).text, word);
	sl_put_format(put, "  %12s J/packet (%s to %s)%s\n",
		      number(5, cost->value).text, number(4, cost->low).text,
		      number(4, cost->high).text, word);
}

/* @p exact: how far it is off is not known, and is no 0. */
static void say_part(struct sl_put *put, const char *name,
		     const struct sl_figure *figure, bool exact, double all_j,
		     const char *word)
{
	struct number half = { "?" };

	if (!exact)
		half = number(3, (figure->high - figure->low) / 2);
	sl_put_format(put, "  %-16.16s %12s %10s %6.1f%%%s\n", name,
		      number(4, figure->value).text, half.text,
		      all_j > 0 ? 100 * figure->value / all_j : NAN, word);
}

static void say_idle(struct sl_put *put, const struct sl_energy_stats *energy)
{
	if (energy->idle == SL_IDLE_GIVEN)
		sl_put_format(put, "  idle power: %s W, as given\n",
			      number(4, energy->idle_w).text);
	else
		sl_put_format(put, "  idle power: %s W +- %s W, measured%s\n",
			      number(4, energy->idle_w).text,
			      number(3, energy->idle_half_w).text,
			      estimate(energy->sum.estimate));
}

static void say_shares(struct sl_put *put, const struct sl_stats *stats)
{
	const struct sl_energy_stats *energy = stats->energy;
	const char *word = estimate(energy->sum.estimate);
	double all_j = energy->sum.energy_j;

	if (!energy->no_idle)
		say_idle(put, energy);
	if (!energy->no_idle || !energy->no_shares)
		sl_put_format(put, "  %-16s %12s %10s %7s\n", "stage", "J",
			      "+- J", "energy");
	if (!energy->no_idle)
		say_part(put, "(idle)", &energy->idle_j,
			 energy->idle == SL_IDLE_GIVEN, all_j, word);
	if (energy->no_shares) {
		sl_put_wrapped(put, "  energy of stages: no figure",
			       energy->no_shares);
		return;
	}
	say_part(put, stats->source->name, &stats->source->energy_j, false,
		 all_j, word);
	for (size_t at = 0; at < stats->stage_count; at++)
		say_part(put, stats->stages[at]->name,
			 &stats->stages[at]->energy_j, false, all_j, word);
	say_part(put, stats->sink->name, &stats->sink->energy_j, false, all_j,
		 word);
}

void sl_put_energy(struct sl_put *put, const struct sl_stats *stats)
{
	const struct sl_energy_stats *energy = stats->energy;

	say_sum(put, energy);
	say_ratio(put, energy);
	sl_put_format(put, "  %-*s %10s %9s %9s  %s\n", NAME_WIDTH, "meter",
		      "J", "+- J", "W", "quality");
	for (size_t at = 0; at < energy->domain_count; at++)
		say_domain(put, &energy->domains[at]);
	say_shares(put, stats);
}
