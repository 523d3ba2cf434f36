/* SPDX-License-Identifier: MIT */
/* A run's figures for programs. The keys are a promise: see runpipe's page. */
#include <math.h>

#include "base/clock.h"
#include "base/json.h"
#include "pipeline/report.h"
#include "pipeline/report_put.h"

static double ratio(double of, double by)
{
	return by > 0 ? of / by : NAN;
}

static void put_drops(yajl_gen gen, const struct sl_instance_stats *instance,
		      const char *key)
{
	sl_json_key(gen, key);
	yajl_gen_map_open(gen);
	for (size_t at = 0; at < instance->drop_count; at++)
		sl_json_integer(gen, instance->drop_names[at],
				(int64_t)instance->drops[at]);
	yajl_gen_map_close(gen);
}

static void put_instance(yajl_gen gen, const struct sl_instance_stats *instance,
			 const char *drops,
			 const struct sl_energy_stats *energy)
{
	yajl_gen_map_open(gen);
	sl_json_pair(gen, "name", instance->name);
	sl_json_pair(gen, "plugin", instance->plugin);
	sl_json_integer(gen, "packets_in", (int64_t)instance->packets_in);
	sl_json_integer(gen, "packets_out", (int64_t)instance->packets_out);
	put_drops(gen, instance, drops);
	sl_json_integer(gen, "held", (int64_t)instance->held);
	sl_json_integer(gen, "emitted", (int64_t)instance->emitted);
	sl_json_integer(gen, "busy_ns", instance->busy_ns);
	sl_json_number(
		gen, "ns_per_packet",
		ratio((double)instance->busy_ns, (double)instance->packets_in));
	sl_json_instance_energy(gen, instance, energy);
	yajl_gen_map_close(gen);
}

static void put_packets(yajl_gen gen, const struct sl_stats *stats)
{
	sl_json_key(gen, "packets");
	yajl_gen_map_open(gen);
	sl_json_integer(gen, "in", (int64_t)stats->packets_in);
	sl_json_integer(gen, "out", (int64_t)stats->packets_out);
	sl_json_integer(gen, "dropped", (int64_t)stats->packets_dropped);
	yajl_gen_map_close(gen);
}

static void put_times(yajl_gen gen, const struct sl_stats *stats)
{
	double packets = (double)stats->packets_in;

	sl_json_integer(gen, "chunks", (int64_t)stats->chunks);
	sl_json_number(gen, "elapsed_s", sl_seconds(stats->elapsed_ns));
	sl_json_number(gen, "total_s", sl_seconds(stats->total_ns));
	sl_json_number(gen, "cpu_s", sl_seconds(stats->cpu_ns));
	sl_json_number(gen, "packets_per_s",
		       ratio(packets, sl_seconds(stats->elapsed_ns)));
	sl_json_number(gen, "packets_per_s_total",
		       ratio(packets, sl_seconds(stats->total_ns)));
	sl_json_integer(gen, "workers", stats->workers);
	sl_json_number(gen, "mean_busy_workers", stats->mean_busy_workers);
	sl_json_key(gen, "concurrency_s");
	yajl_gen_array_open(gen);
	for (unsigned k = 0; k <= stats->workers; k++)
		sl_json_number(gen, NULL, sl_seconds(stats->concurrency_ns[k]));
	yajl_gen_array_close(gen);
	sl_json_key(gen, "chunk_latency_ns");
	yajl_gen_map_open(gen);
	sl_json_integer(gen, "p50", stats->latency_p50_ns);
	sl_json_integer(gen, "p90", stats->latency_p90_ns);
	sl_json_integer(gen, "p99", stats->latency_p99_ns);
	sl_json_integer(gen, "max", stats->latency_max_ns);
	yajl_gen_map_close(gen);
}

enum sl_code sl_stats_json(const struct sl_stats *stats, struct sl_buffer *json,
			   struct sl_error *error)
{
	yajl_gen gen = sl_json_begin();

	if (!gen)
		return SL_FAIL(error, SL_ENOMEM, "no memory for the report");
	yajl_gen_map_open(gen);
	sl_json_pair(gen, "outcome", sl_stats_outcome(stats->outcome));
	sl_json_pair(gen, "error", stats->failure);
	put_packets(gen, stats);
	put_times(gen, stats);
	sl_json_key(gen, "source");
	put_instance(gen, stats->source, "skipped", stats->energy);
	sl_json_key(gen, "stages");
	yajl_gen_array_open(gen);
	for (size_t at = 0; at < stats->stage_count; at++)
		put_instance(gen, stats->stages[at], "dropped", stats->energy);
	yajl_gen_array_close(gen);
	sl_json_key(gen, "sink");
	put_instance(gen, stats->sink, "dropped", stats->energy);
	sl_json_energy(gen, stats);
	yajl_gen_map_close(gen);
	return sl_json_end(gen, json, error);
}
