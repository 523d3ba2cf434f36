/* SPDX-License-Identifier: MIT */
/* A run's figures in Prometheus' text format, version 0.0.4. All samples of a
 * metric stand together, so every metric is one walk over the instances. What
 * has no figure is left out: a 0 would be summed and graphed as one. */
#include <math.h>

#include "pipeline/report.h"
#include "pipeline/report_put.h"

/* One metric: its head is put with its first sample. */
struct metric {
	struct sl_put *put;
	const char *name, *type, *help;
	bool begun, labelled;
};

static void begin_sample(struct metric *metric)
{
	struct sl_put *put = metric->put;

	if (!metric->begun) {
		sl_put_text(put, "# HELP ");
		sl_put_text(put, metric->name);
		sl_put_text(put, " ");
		sl_put_text(put, metric->help);
		sl_put_text(put, "\n# TYPE ");
		sl_put_text(put, metric->name);
		sl_put_text(put, " ");
		sl_put_text(put, metric->type);
		sl_put_text(put, "\n");
	}
	metric->begun = true;
	metric->labelled = false;
	sl_put_text(put, metric->name);
}

static void escape_label(struct sl_put *put, char byte)
{
	if (byte == '\n')
		sl_put_text(put, "\\n");
	else if (byte == '\\' || byte == '"')
		sl_put_text(put, byte == '"' ? "\\\"" : "\\\\");
	else
		sl_put_bytes(put, &byte, 1);
}

static void put_label(struct metric *metric, const char *label,
		      const char *value)
{
	struct sl_put *put = metric->put;

	sl_put_text(put, metric->labelled ? "," : "{");
	sl_put_text(put, label);
	sl_put_text(put, "=\"");
	sl_put_utf8(put, value, escape_label);
	sl_put_text(put, "\"");
	metric->labelled = true;
}

static void end_labels(struct metric *metric)
{
	sl_put_text(metric->put, metric->labelled ? "} " : " ");
}

static void end_count(struct metric *metric, uint64_t count)
{
	end_labels(metric);
	sl_put_count(metric->put, count);
	sl_put_text(metric->put, "\n");
}

static void end_double(struct metric *metric, double number)
{
	end_labels(metric);
	sl_put_double(metric->put, number);
	sl_put_text(metric->put, "\n");
}

static double seconds(int64_t ns)
{
	return (double)ns / 1e9;
}

static void put_total(struct sl_put *put, const char *name, const char *help,
		      uint64_t count)
{
	struct metric metric = {
		.put = put, .name = name, .type = "counter", .help = help
	};

	begin_sample(&metric);
	end_count(&metric, count);
}

static void put_number(struct sl_put *put, const char *name, const char *type,
		       const char *help, double number)
{
	struct metric metric = {
		.put = put, .name = name, .type = type, .help = help
	};

	if (!isfinite(number))
		return;
	begin_sample(&metric);
	end_double(&metric, number);
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
		   seconds(stats->elapsed_ns));
	put_number(put, "sluice_cpu_seconds_total", "counter",
		   "User and system time of the program.",
		   seconds(stats->cpu_ns));
}

static void put_outcome(struct sl_put *put, const struct sl_stats *stats)
{
	static const enum sl_outcome outcomes[] = { SL_RUNNING, SL_DONE,
						    SL_FAILED, SL_STOPPED };
	struct metric metric = { .put = put,
				 .name = "sluice_run_outcome",
				 .type = "gauge",
				 .help = "1 for how the run ended, or that it "
					 "has not ended; 0 for the "
					 "others." };

	for (size_t at = 0; at < sizeof(outcomes) / sizeof(outcomes[0]); at++) {
		begin_sample(&metric);
		put_label(&metric, "outcome", sl_outcome_word(outcomes[at]));
		end_count(&metric, stats->outcome == outcomes[at]);
	}
}

static void put_latency(struct sl_put *put, const struct sl_stats *stats)
{
	struct metric metric = { .put = put,
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
		begin_sample(&metric);
		put_label(&metric, "quantile", quantiles[at].quantile);
		end_double(&metric, seconds(quantiles[at].ns));
	}
}

/* ---- by instance ---- */

static void begin_instance(struct metric *metric, const struct sl_stats *stats,
			   size_t at)
{
	begin_sample(metric);
	put_label(metric, "stage", sl_stats_instance(stats, at)->name);
	put_label(metric, "role", sl_stats_role(stats, at));
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
		struct metric metric = { .put = put,
					 .name = counts[count].name,
					 .type = "counter",
					 .help = counts[count].help };

		for (size_t at = 0; sl_stats_instance(stats, at); at++) {
			begin_instance(&metric, stats, at);
			end_count(&metric, counts[count].of(sl_stats_instance(
						   stats, at)));
		}
	}
}

/* What a source skips never was a packet, and has a metric of its own. */
static void put_drops(struct sl_put *put, const struct sl_stats *stats)
{
	struct metric dropped = { .put = put,
				  .name = "sluice_stage_dropped_packets_total",
				  .type = "counter",
				  .help = "Packets that an instance dropped." };
	struct metric skipped = {
		.put = put,
		.name = "sluice_source_skipped_records_total",
		.type = "counter",
		.help = "Records of the input that are no packets."
	};

	for (size_t at = 0; sl_stats_instance(stats, at); at++) {
		const struct sl_instance_stats *instance =
			sl_stats_instance(stats, at);
		struct metric *metric = at ? &dropped : &skipped;

		for (size_t drop = 0; drop < instance->drop_count; drop++) {
			begin_instance(metric, stats, at);
			put_label(metric, "reason", instance->drop_names[drop]);
			end_count(metric, instance->drops[drop]);
		}
	}
}

static void put_stage_times(struct sl_put *put, const struct sl_stats *stats)
{
	struct metric busy = {
		.put = put,
		.name = "sluice_stage_busy_seconds_total",
		.type = "counter",
		.help = "Wall time in an instance's steps, added up "
			"over the workers."
	};
	struct metric cpu = {
		.put = put,
		.name = "sluice_stage_cpu_seconds_total",
		.type = "counter",
		.help = "CPU time in an instance's steps, by samples."
	};

	for (size_t at = 0; sl_stats_instance(stats, at); at++) {
		begin_instance(&busy, stats, at);
		end_double(&busy,
			   seconds(sl_stats_instance(stats, at)->busy_ns));
	}
	/* Without meters nobody samples it. */
	for (size_t at = 0; sl_stats_instance(stats, at); at++) {
		if (!sl_stats_instance(stats, at)->cpu_samples)
			continue;
		begin_instance(&cpu, stats, at);
		end_double(&cpu, seconds(sl_stats_instance(stats, at)->cpu_ns));
	}
}

/* ---- energy ---- */

static void put_domains(struct sl_put *put,
			const struct sl_energy_stats *energy,
			struct metric *metric, bool power)
{
	for (size_t at = 0; at < energy->domain_count; at++) {
		const struct sl_domain_stats *domain = &energy->domains[at];
		double figure =
			power ? domain->span.watts : domain->span.energy_j;

		if (!domain->span.valid || !isfinite(figure))
			continue;
		metric->put = put;
		begin_sample(metric);
		put_label(metric, "meter", domain->instance);
		put_label(metric, "domain", domain->domain->id);
		put_label(metric, "quality",
			  domain->span.estimate
				  ? "estimate"
				  : sl_quality_word(domain->domain->quality));
		end_double(metric, figure);
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
		struct metric metric = { .put = put,
					 .name = figures[at].name,
					 .type = figures[at].type,
					 .help = figures[at].help };

		if (!figures[at].valid || !isfinite(figures[at].number))
			continue;
		begin_sample(&metric);
		put_label(&metric, "estimate", sum->estimate ? "yes" : "no");
		end_double(&metric, figures[at].number);
	}
}

static void put_shares(struct sl_put *put, const struct sl_stats *stats)
{
	struct metric share = {
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
		end_double(&share, figure->value);
	}
}

static void put_energy(struct sl_put *put, const struct sl_stats *stats)
{
	struct metric joules = { .put = put,
				 .name = "sluice_energy_joules_total",
				 .type = "counter",
				 .help = "Energy of a meter's domain. Domains "
					 "may overlap: do not add "
					 "them." };
	struct metric watts = { .put = put,
				.name = "sluice_power_watts",
				.type = "gauge",
				.help = "Mean power of a meter's domain since "
					"the measured region "
					"began." };

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
