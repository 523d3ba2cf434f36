/* SPDX-License-Identifier: MIT */
#include "pipeline/shares.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* Half of an interval by random errors, in standard uncertainties, as
 * sl_assess() has it of one run. */
#define COVERAGE 2.0

static struct sl_figure figure(double value, double random, double systematic)
{
	double half = hypot(random, systematic);

	return (struct sl_figure){
		.valid = true,
		.value = value,
		.low = value - half,
		.high = value + half,
		.random = random,
		.systematic = systematic,
	};
}

void sl_shares_set_ratio(struct sl_energy_stats *stats, uint64_t packets,
			 struct sl_share_words *words)
{
	const struct sl_energy_span *sum = &stats->sum;
	double n = (double)packets, joules = sum->energy_j;

	stats->packets_per_j = stats->j_per_packet = (struct sl_figure){ 0 };
	stats->no_ratio = words->no_ratio;
	if (!sum->valid) {
		snprintf(words->no_ratio, sizeof(words->no_ratio), "%s",
			 sum->reason);
	} else if (!packets) {
		snprintf(words->no_ratio, sizeof(words->no_ratio),
			 "no packet came out");
	} else if (joules - sum->half_j <= 0) {
		snprintf(words->no_ratio, sizeof(words->no_ratio),
			 "the energy cannot be told from 0: %.3g J +- %.3g J",
			 joules, sum->half_j);
	} else {
		stats->no_ratio = NULL;
		stats->j_per_packet = figure(joules / n, sum->random_j / n,
					     sum->systematic_j / n);
		stats->packets_per_j = (struct sl_figure){
			.valid = true,
			.value = n / joules,
			.low = n / (joules + sum->half_j),
			.high = n / (joules - sum->half_j),
			.random = n / joules * (sum->random_j / joules),
			.systematic = n / joules * (sum->systematic_j / joules),
		};
	}
}

/* A power that was given is known as it stands. */
static struct sl_energy_span given(double watts)
{
	return (struct sl_energy_span){
		.valid = true,
		.energy_j = watts,
		.seconds = 1,
		.watts = watts,
	};
}

static void say_short(char *text, size_t size, const char *what,
		      const struct sl_energy_span *span)
{
	snprintf(text, size,
		 "%s is shorter than %d update periods of the meter (%.3g s of "
		 "%.3g s)",
		 what, SL_UPDATES_MIN, span->seconds,
		 SL_UPDATES_MIN * span->update_s);
}

static bool is_short(const struct sl_energy_span *span)
{
	return span->seconds < SL_UPDATES_MIN * span->update_s;
}

/* @return whether there is an idle power; else the reason is in the words. */
static bool has_idle(const struct sl_energy_stats *stats,
		     const struct sl_idle_power *idle,
		     struct sl_share_words *words)
{
	char *text = words->no_idle;
	const size_t size = sizeof(words->no_idle);

	text[0] = '\0';
	if (!stats->sum.valid)
		snprintf(text, size, "%s", stats->sum.reason);
	else if (idle->source == SL_IDLE_UNKNOWN)
		snprintf(text, size,
			 "no idle power is known: set idle_power or "
			 "idle_window");
	else if (idle->source == SL_IDLE_MEASURED && !idle->span.valid)
		snprintf(text, size, "the idle window has no energy: %s",
			 idle->span.reason);
	else if (idle->source == SL_IDLE_MEASURED && is_short(&idle->span))
		say_short(text, size, "the idle window", &idle->span);
	return !text[0];
}

static void set_idle(struct sl_energy_stats *stats,
		     const struct sl_energy_span *span)
{
	double seconds = stats->sum.seconds;
	double times = seconds / span->seconds;

	stats->idle_w = span->watts;
	stats->idle_half_w = stats->idle == SL_IDLE_GIVEN
				     ? NAN
				     : span->half_j / span->seconds;
	stats->idle_j =
		figure(span->watts * seconds, COVERAGE * span->u_j * times,
		       span->systematic_j * times);
}

static void set_net(struct sl_energy_stats *stats,
		    const struct sl_energy_span *idle,
		    struct sl_share_words *words)
{
	const struct sl_run run = {
		.before = *idle,
		.active = stats->sum,
		.work = -1,
	};
	struct sl_net net;

	sl_assess_run(&run, &net);
	stats->net_j =
		figure(net.energy_j, COVERAGE * net.u_j, net.systematic_j);
	stats->net_j.valid = !net.refusals;
	if (net.refusals & SL_REFUSE_SHORT)
		say_short(words->no_shares, sizeof(words->no_shares), "the run",
			  &stats->sum);
	else if (net.refusals & SL_REFUSE_NOISE)
		snprintf(words->no_shares, sizeof(words->no_shares),
			 "net energy cannot be told from idle: %.3g J +- "
			 "%.3g J",
			 net.energy_j, COVERAGE * net.u_j);
}

/** CPU time of all instances: the sum, and its variance. */
struct cpu {
	double seconds, variance;
};

static struct cpu add_cpu(const struct sl_busy_sum *busy, size_t count)
{
	struct cpu all = { 0, 0 };

	for (size_t at = 0; at < count; at++) {
		double u_s;

		all.seconds += sl_busy_sum_cpu(&busy[at], &u_s);
		all.variance += u_s * u_s;
	}
	return all;
}

/* Too few samples of one make the parts of all uncertain. */
static bool has_samples(const struct sl_busy_sum *busy, size_t count,
			struct sl_share_words *words)
{
	uint64_t least = UINT64_MAX;

	for (size_t at = 0; at < count; at++)
		if (busy[at].busy_ns > 0 && busy[at].samples < least)
			least = busy[at].samples;
	if (least != UINT64_MAX && least >= SL_CPU_SAMPLES_MIN)
		return true;
	snprintf(words->no_shares, sizeof(words->no_shares),
		 "too few samples of CPU time: %" PRIu64 ", %d are wanted; a "
		 "chunk each %d ms is one",
		 least == UINT64_MAX ? 0 : least, SL_CPU_SAMPLES_MIN,
		 SL_CPU_SAMPLE_NS / 1000000);
	return false;
}

/* A part p = c / (c + others), whose two errors are independent. */
static void share_out(const struct sl_figure *net, double cpu_s, double u_s,
		      const struct cpu *all, struct sl_figure *share)
{
	double part = cpu_s / all->seconds;
	double others = fmax(all->variance - u_s * u_s, 0);
	double u_part = sqrt((1 - part) * (1 - part) * u_s * u_s +
			     part * part * others) /
			all->seconds;

	*share = figure(
		part * net->value,
		hypot(COVERAGE * u_part * net->value, part * net->random),
		part * net->systematic);
}

static void set_all(const struct sl_figure *net, const struct sl_busy_sum *busy,
		    struct sl_instance_stats *instances, size_t count,
		    const struct cpu *all)
{
	for (size_t at = 0; at < count; at++) {
		double u_s;
		double cpu_s = sl_busy_sum_cpu(&busy[at], &u_s);

		share_out(net, cpu_s, u_s, all, &instances[at].energy_j);
	}
}

void sl_shares_set(struct sl_energy_stats *stats,
		   const struct sl_idle_power *idle,
		   const struct sl_busy_sum *busy,
		   struct sl_instance_stats *instances, size_t count,
		   struct sl_share_words *words)
{
	struct cpu all = add_cpu(busy, count);
	struct sl_energy_span power =
		idle->source == SL_IDLE_GIVEN ? given(idle->watts) : idle->span;

	stats->idle = idle->source;
	stats->idle_w = idle->source == SL_IDLE_GIVEN ? idle->watts : NAN;
	stats->idle_half_w = NAN;
	stats->idle_j = stats->net_j = (struct sl_figure){ 0 };
	words->no_shares[0] = '\0';
	for (size_t at = 0; at < count; at++)
		instances[at].energy_j = (struct sl_figure){ 0 };
	if (!has_idle(stats, idle, words)) {
		stats->no_idle = words->no_idle;
		stats->no_shares = words->no_idle;
		return;
	}
	stats->no_idle = NULL;
	set_idle(stats, &power);
	set_net(stats, &power, words);
	if (stats->net_j.valid && has_samples(busy, count, words) &&
	    !(all.seconds > 0))
		snprintf(words->no_shares, sizeof(words->no_shares),
			 "no CPU time was seen");
	stats->no_shares = words->no_shares[0] ? words->no_shares : NULL;
	if (!stats->no_shares)
		set_all(&stats->net_j, busy, instances, count, &all);
}
