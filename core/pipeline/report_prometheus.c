/* SPDX-License-Identifier: MIT */
/* A run's figures in Prometheus' text format, version 0.0.4. All samples of a
 * metric stand together, so every metric is one walk over the instances. What
 * has no figure is left out: a 0 would be summed and graphed as one. */
#include <math.h>

#include "base/clock.h"
#include "pipeline/exposition.h"
#include "pipeline/report_put.h"

static void put_total(struct sl_put *put, const char *name, const char *help,
		      uint64_t count)
{
	struct sl_metric metric = {
		.put = put, .name = name, .type = "counter", .help = help
	};

	sl_metric_begin(&metric);
	sl_metric_end_count(&metric, count);
}

static void put_number(struct sl_put *put, const char *name, const char *type,
		       const char *help, double number)
{
	struct sl_metric metric = {
		.put = put, .name = name, .type = type, .help = help
	};

	if (!isfinite(number))
		return;
	sl_metric_begin(&metric);
	sl_metric_end_double(&metric, number);
}

static void put_run(struct sl_put *put, const struct sl_stats *stats)
{
	put_total(put, "sluice_packets_received_total",
		  "Packets that the source made.", stats->packets_in);
	put_total(put, "sluice_packets_sent_total",
		  "Packets that the sink took.", stats->packets_out);
	put_total(put, "sluice_packets_dropped_total",
		  "Packets that stages dropped, for all reasons.",
		  stats->packets_dropped);
	put_total(put, "sluice_chunks_total", "Chunks that reached the sink.",
		  stats->chunks);
	put_number(put, "sluice_workers", "gauge", "Threads of the engine.",
		   stats->workers);
	put_number(put, "sluice_measured_seconds", "gauge",
		   "Length of the measured region so far: from the first "
		   "chunk's cut to the last one's end.",
		   sl_seconds(stats->elapsed_ns));
	put_number(put, "sluice_cpu_seconds_total", "counter",
		   "User and system time of the program.",
		   sl_seconds(stats->cpu_ns));
}

static void put_outcome(struct sl_put *put, const struct sl_stats *stats)
{
	static const enum sl_outcome outcomes[] = { SL_RUNNING, SL_DONE,
						    SL_FAILED, SL_STOPPED };
	struct sl_metric metric = {
		.put = put,
		.name = "sluice_run_outcome",
		.type = "gauge",
		.help = "1 for how the run ended, or that it "
			"has not ended; 0 for the "
			"others."
	};

	for (size_t at = 0; at < sizeof(outcomes) / sizeof(outcomes[0]); at++) {
		sl_metric_begin(&metric);
		sl_metric_label(&metric, "outcome",
				sl_stats_outcome(outcomes[at]));
		sl_metric_end_count(&metric, stats->outcome == outcomes[at]);
	}
}

static void put_latency(struct sl_put *put, const struct sl_stats *stats)
{
	struct sl_metric metric = { .put = put,
				    .name = "sluice_chunk_latency_seconds",
				    .type = "summary",
				    .help = "Time of chunks from cut to the "
					    "sink's end: upper bounds of "
					    "quantiles, within 1/32." };
	const struct {
		const char *quantile;
		int64_t ns;
	} quantiles[] = { { "0.5", stats->latency_p50_ns },
			  { "0.9", stats->latency_p90_ns },
			  { "0.99", stats->latency_p99_ns },
			  { "1", stats->latency_max_ns } };

	for (size_t at = 0; stats->chunks && at < 4; at++) {
		sl_metric_begin(&metric);
		sl_metric_label(&metric, "quantile", quantiles[at].quantile);
		sl_metric_end_double(&metric, sl_seconds(quantiles[at].ns));
	}
}

/* ---- by instance ---- */

static void begin_instance(struct sl_metric *metric,
			   const struct sl_stats *stats, size_t at)
{
	sl_metric_begin(metric);
	sl_metric_label(metric, "stage", sl_stats_instance(stats, at)->name);
	sl_metric_label(metric, "role", sl_stats_role(stats, at));
}

static uint64_t count_in(const struct sl_instance_stats *instance)
{
	return instance->packets_in;
}

static uint64_t count_out(const struct sl_instance_stats *instance)
{
	return instance->packets_out;
}

static uint64_t count_held(const struct sl_instance_stats *instance)
{
	return instance->held;
}

static uint64_t count_emitted(const struct sl_instance_stats *instance)
{
	return instance->emitted;
}

static void put_instances(struct sl_put *put, const struct sl_stats *stats)
{
	static const struct {
		const char *name, *help;
		uint64_t (*of)(const struct sl_instance_stats *instance);
	} counts[] = {
		{ "sluice_stage_packets_total",
		  "Packets that reached an instance; of the source: that it "
		  "made.",
		  count_in },
		{ "sluice_stage_sent_packets_total",
		  "Packets that an instance passed on; of the sink: that it "
		  "took.",
		  count_out },
		{ "sluice_stage_held_packets_total",
		  "Packets that an instance took out to keep them.",
		  count_held },
		{ "sluice_stage_emitted_packets_total",
		  "Packets that an instance put in, new or held before.",
		  count_emitted },
	};

	for (size_t count = 0; count < sizeof(counts) / sizeof(counts[0]);
	     count++) {
		struct sl_metric metric = { .put = put,
					    .name = counts[count].name,
					    .type = "counter",
					    .help = counts[count].help };

		for (size_t at = 0; sl_stats_instance(stats, at); at++) {
			begin_instance(&metric, stats, at);
			sl_metric_end_count(
				&metric,
				counts[count].of(sl_stats_instance(stats, at)));
		}
	}
}

/* What a source skips never was a packet, and has a metric of its own. */
static void put_drops(struct sl_put *put, const struct sl_stats *stats)
{
	struct sl_metric dropped = {
		.put = put,
		.name = "sluice_stage_dropped_packets_total",
		.type = "counter",
		.help = "Packets that an instance dropped."
	};
	struct sl_metric skipped = {
		.put = put,
		.name = "sluice_source_skipped_records_total",
		.type = "counter",
		.help = "Records of the input that are no packets."
	};

	for (size_t at = 0; sl_stats_instance(stats, at); at++) {
		const struct sl_instance_stats *instance =
			sl_stats_instance(stats, at);
		struct sl_metric *metric = at ? &dropped : &skipped;

		for (size_t drop = 0; drop < instance->drop_count; drop++) {
			begin_instance(metric, stats, at);
			sl_metric_label(metric, "reason",
					instance->drop_names[drop]);
			sl_metric_end_count(metric, instance->drops[drop]);
		}
	}
}

static void put_stage_times(struct sl_put *put, const struct sl_stats *stats)
{
	struct sl_metric busy = {
		.put = put,
		.name = "sluice_stage_busy_seconds_total",
		.type = "counter",
		.help = "Wall time in an instance's steps, added up "
			"over the workers."
	};
	struct sl_metric cpu = {
		.put = put,
		.name = "sluice_stage_cpu_seconds_total",
		.type = "counter",
		.help = "CPU time in an instance's steps, by samples."
	};

	for (size_t at = 0; sl_stats_instance(stats, at); at++) {
		begin_instance(&busy, stats, at);
		sl_metric_end_double(
			&busy,
			sl_seconds(sl_stats_instance(stats, at)->busy_ns));
	}
	/* Without meters nobody samples it. */
	for (size_t at = 0; sl_stats_instance(stats, at); at++) {
		if (!sl_stats_instance(stats, at)->cpu_samples)
			continue;
		begin_instance(&cpu, stats, at);
		sl_metric_end_double(
			&cpu, sl_seconds(sl_stats_instance(stats, at)->cpu_ns));
	}
}

/* ---- energy ---- */

static void put_domains(struct sl_put *put,
			const struct sl_energy_stats *energy,
			struct sl_metric *metric, bool power)
{
	for (size_t at = 0; at < energy->domain_count; at++) {
		const struct sl_domain_stats *domain = &energy->domains[at];
		double figure =
			power ? domain->span.watts : domain->span.energy_j;

		if (!domain->span.valid || !isfinite(figure))
			continue;
		metric->put = put;
		sl_metric_begin(metric);
		sl_metric_label(metric, "meter", domain->instance);
		sl_metric_label(metric, "domain", domain->domain->id);
		sl_metric_label(
			metric, "quality",
			domain->span.estimate
				? "estimate"
				: sl_stats_quality(domain->domain->quality));
		sl_metric_end_double(metric, figure);
	}
}

static void put_sum(struct sl_put *put, const struct sl_energy_stats *energy)
{
	const struct sl_energy_span *sum = &energy->sum;
	const struct {
		const char *name, *type, *help;
		bool valid;
		double number;
	} figures[] = {
		{ "sluice_energy_sum_joules_total", "counter",
		  "Energy of the domains that do not overlap.", sum->valid,
		  sum->energy_j },
		{ "sluice_energy_sum_uncertainty_joules", "gauge",
		  "Half of the sum's 95 % interval.", sum->valid, sum->half_j },
		{ "sluice_energy_sum_power_watts", "gauge",
		  "Mean power of the sum since the measured region began.",
		  sum->valid, sum->watts },
		{ "sluice_packets_per_joule", "gauge",
		  "Packets that the sink took by the sum.",
		  energy->packets_per_j.valid, energy->packets_per_j.value },
	};

	for (size_t at = 0; at < sizeof(figures) / sizeof(figures[0]); at++) {
		struct sl_metric metric = { .put = put,
					    .name = figures[at].name,
					    .type = figures[at].type,
					    .help = figures[at].help };

		if (!figures[at].valid || !isfinite(figures[at].number))
			continue;
		sl_metric_begin(&metric);
		sl_metric_label(&metric, "estimate",
				sum->estimate ? "yes" : "no");
		sl_metric_end_double(&metric, figures[at].number);
	}
}

static void put_shares(struct sl_put *put, const struct sl_stats *stats)
{
	struct sl_metric share = {
		.put = put,
		.name = "sluice_stage_energy_joules",
		.type = "gauge",
		.help = "An instance's share of what the run cost above idle."
	};

	for (size_t at = 0; sl_stats_instance(stats, at); at++) {
		const struct sl_figure *figure =
			&sl_stats_instance(stats, at)->energy_j;

		if (!figure->valid || !isfinite(figure->value))
			continue;
		begin_instance(&share, stats, at);
		sl_metric_end_double(&share, figure->value);
	}
}

static void put_energy(struct sl_put *put, const struct sl_stats *stats)
{
	struct sl_metric joules = {
		.put = put,
		.name = "sluice_energy_joules_total",
		.type = "counter",
		.help = "Energy of a meter's domain. Domains "
			"may overlap: do not add "
			"them."
	};
	struct sl_metric watts = {
		.put = put,
		.name = "sluice_power_watts",
		.type = "gauge",
		.help = "Mean power of a meter's domain since "
			"the measured region "
			"began."
	};

	put_domains(put, stats->energy, &joules, false);
	put_domains(put, stats->energy, &watts, true);
	put_sum(put, stats->energy);
	if (stats->energy->idle != SL_IDLE_UNKNOWN)
		put_number(put, "sluice_idle_power_watts", "gauge",
			   "Power of the idle machine.", stats->energy->idle_w);
	put_shares(put, stats);
}

enum sl_code sl_stats_prometheus(const struct sl_stats *stats,
				 struct sl_buffer *text, struct sl_error *error)
{
	struct sl_put put = { text, SL_OK, error };

	put_outcome(&put, stats);
	put_run(&put, stats);
	put_latency(&put, stats);
	put_instances(&put, stats);
	put_drops(&put, stats);
	put_stage_times(&put, stats);
	if (stats->energy)
		put_energy(&put, stats);
	return put.code;
}
