/* SPDX-License-Identifier: MIT */
/* What a run cost, for programs: null where there is no figure, and why. */
#include <math.h>

#include "base/json.h"
#include "pipeline/report.h"

/* A number, or null where there is no figure. */
static void put(yajl_gen gen, const char *key, bool valid, double value)
{
	sl_json_number(gen, key, valid ? value : NAN);
}

static void put_figure(yajl_gen gen, const char *key,
		       const struct sl_figure *figure)
{
	sl_json_key(gen, key);
	if (!figure->valid) {
		yajl_gen_null(gen);
		return;
	}
	yajl_gen_map_open(gen);
	sl_json_number(gen, "value", figure->value);
	sl_json_number(gen, "low", figure->low);
	sl_json_number(gen, "high", figure->high);
	sl_json_number(gen, "random", figure->random);
	sl_json_number(gen, "systematic", figure->systematic);
	yajl_gen_map_close(gen);
}

static void put_span(yajl_gen gen, const struct sl_energy_span *span)
{
	sl_json_bool(gen, "estimate", span->estimate);
	put(gen, "joules", span->valid, span->energy_j);
	put(gen, "low", span->valid, span->energy_j - span->half_j);
	put(gen, "high", span->valid, span->energy_j + span->half_j);
	put(gen, "random", span->valid, span->random_j);
	put(gen, "systematic", span->valid, span->systematic_j);
	put(gen, "watts", span->valid, span->watts);
	put(gen, "seconds", span->seconds > 0, span->seconds);
	put(gen, "update_s", span->update_s > 0, span->update_s);
}

static const char *or_null(const char *text)
{
	return text && text[0] ? text : NULL;
}

static void put_domain(yajl_gen gen, const struct sl_domain_stats *one)
{
	const struct sl_energy_domain *domain = one->domain;

	yajl_gen_map_open(gen);
	sl_json_pair(gen, "meter", one->instance);
	sl_json_pair(gen, "plugin", domain->meter);
	sl_json_pair(gen, "domain", domain->id);
	sl_json_pair(gen, "label", domain->label);
	sl_json_pair(gen, "quality", sl_stats_quality(domain->quality));
	sl_json_bool(gen, "in_sum", domain->in_sum);
	sl_json_pair(gen, "aside", domain->in_sum ? NULL : domain->aside);
	put_span(gen, &one->span);
	sl_json_pair(gen, "reason",
		     one->span.valid ? NULL : or_null(one->span.reason));
	yajl_gen_map_close(gen);
}

static void put_idle(yajl_gen gen, const struct sl_energy_stats *energy)
{
	static const char *const sources[] = {
		[SL_IDLE_UNKNOWN] = "unknown",
		[SL_IDLE_GIVEN] = "given",
		[SL_IDLE_MEASURED] = "measured",
	};
	struct sl_figure joules = energy->idle_j;

	sl_json_key(gen, "idle");
	yajl_gen_map_open(gen);
	sl_json_pair(gen, "source", sources[energy->idle]);
	sl_json_number(gen, "watts", energy->idle_w);
	sl_json_number(gen, "half_watts", energy->idle_half_w);
	/* How far a given power is off is not known, and is no 0. */
	if (energy->idle == SL_IDLE_GIVEN)
		joules.low = joules.high = joules.random = joules.systematic =
			NAN;
	put_figure(gen, "joules", &joules);
	sl_json_pair(gen, "reason", energy->no_idle);
	yajl_gen_map_close(gen);
}

/* Its value and sign stand even where it cannot be told from idle. */
static void put_net(yajl_gen gen, const struct sl_energy_stats *energy)
{
	const struct sl_figure *net = &energy->net_j;
	bool known = !energy->no_idle;

	sl_json_key(gen, "net");
	yajl_gen_map_open(gen);
	put_figure(gen, "joules", net);
	put(gen, "raw_joules", known, net->value);
	put(gen, "raw_random", known, net->random);
	put(gen, "raw_systematic", known, net->systematic);
	sl_json_pair(gen, "reason", net->valid ? NULL : energy->no_shares);
	yajl_gen_map_close(gen);
}

static void put_energy(yajl_gen gen, const struct sl_energy_stats *energy)
{
	const struct sl_energy_span *sum = &energy->sum;

	yajl_gen_map_open(gen);
	put_span(gen, sum);
	sl_json_integer(gen, "domains", sum->domains);
	sl_json_pair(gen, "reason", sum->valid ? NULL : or_null(sum->reason));
	sl_json_pair(gen, "missing", sum->valid ? or_null(sum->reason) : NULL);
	put_figure(gen, "packets_per_joule", &energy->packets_per_j);
	put_figure(gen, "joules_per_packet", &energy->j_per_packet);
	sl_json_pair(gen, "ratio_reason", energy->no_ratio);
	put_idle(gen, energy);
	put_net(gen, energy);
	sl_json_pair(gen, "stages_reason", energy->no_shares);
	yajl_gen_map_close(gen);
}

void sl_json_energy(yajl_gen gen, const struct sl_stats *stats)
{
	const struct sl_energy_stats *energy = stats->energy;

	sl_json_key(gen, "meters");
	yajl_gen_array_open(gen);
	for (size_t at = 0; energy && at < energy->domain_count; at++)
		put_domain(gen, &energy->domains[at]);
	yajl_gen_array_close(gen);
	sl_json_key(gen, "energy");
	if (energy)
		put_energy(gen, energy);
	else
		yajl_gen_null(gen);
}

void sl_json_instance_energy(yajl_gen gen,
			     const struct sl_instance_stats *instance,
			     const struct sl_energy_stats *energy)
{
	if (!energy)
		return;
	if (instance->cpu_samples || !instance->busy_ns)
		sl_json_integer(gen, "cpu_ns", instance->cpu_ns);
	else
		put(gen, "cpu_ns", false, 0);
	sl_json_integer(gen, "cpu_samples", (int64_t)instance->cpu_samples);
	sl_json_bool(gen, "estimate", energy->sum.estimate);
	put_figure(gen, "joules", &instance->energy_j);
	sl_json_pair(gen, "joules_reason", energy->no_shares);
}
