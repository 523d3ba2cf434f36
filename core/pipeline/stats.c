/* SPDX-License-Identifier: MIT */
/* The figures of a run, gathered when they are asked for. */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "pipeline/pipeline_private.h"

static int64_t cpu_ns(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000000LL +
	       (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000LL;
}

static void fill_outcome(struct sl_pipeline *pipeline, bool finished)
{
	struct sl_error error;

	if (!finished) {
		pipeline->stats.outcome = SL_RUNNING;
		return;
	}
	free(pipeline->failure);
	pipeline->failure = NULL;
	if (sl_pipeline_result(pipeline, &error) != SL_OK) {
		pipeline->stats.outcome = SL_FAILED;
		pipeline->failure = sl_error_text(&error);
		pipeline->stats.failure = pipeline->failure;
	} else if (sl_engine_stopped(pipeline->engine)) {
		pipeline->stats.outcome = SL_STOPPED;
	}
}

static void fill_instance(struct sl_instance_stats *stats,
			  const struct sl_host *host,
			  const struct sl_engine_result *result)
{
	const uint64_t *tally = result->totals + host->tally;

	stats->name = host->name;
	stats->plugin = host->module.plugin.name;
	stats->packets_in = tally[SL_TALLY_IN];
	stats->packets_out = tally[SL_TALLY_OUT];
	stats->held = tally[SL_TALLY_HELD];
	stats->emitted = tally[SL_TALLY_EMITTED];
	stats->drop_count = host->drop_count;
	stats->drop_names = host->drop_names;
	stats->drops = tally + SL_TALLY_DROPS;
	stats->busy_ns = result->busy[host->id].busy_ns;
}

static void fill_times(struct sl_stats *stats,
		       const struct sl_engine_result *result)
{
	int64_t busy = 0;

	stats->elapsed_ns = result->elapsed_ns;
	stats->cpu_ns = cpu_ns();
	stats->concurrency_ns = result->concurrency_ns;
	for (unsigned k = 1; k <= stats->workers; k++)
		busy += result->concurrency_ns[k] * k;
	stats->mean_busy_workers =
		stats->elapsed_ns > 0 ? (double)busy / (double)stats->elapsed_ns
				      : 0;
	stats->latency_p50_ns =
		(int64_t)sl_histogram_quantile(&result->latency, 0.5);
	stats->latency_p90_ns =
		(int64_t)sl_histogram_quantile(&result->latency, 0.9);
	stats->latency_p99_ns =
		(int64_t)sl_histogram_quantile(&result->latency, 0.99);
	stats->latency_max_ns = (int64_t)result->latency.max;
}

const struct sl_stats *sl_pipeline_stats(struct sl_pipeline *pipeline)
{
	const struct sl_engine_result *result;
	struct sl_stats *stats = &pipeline->stats;
	struct sl_instance_stats *instances = pipeline->instance_stats;
	size_t last = pipeline->host_count - 1;

	if (!pipeline->started)
		return NULL;
	result = sl_engine_result(pipeline->engine);
	memset(stats, 0, sizeof(*stats));
	stats->size = sizeof(*stats);
	fill_outcome(pipeline, result->finished);
	for (size_t at = 0; at <= last; at++) {
		fill_instance(&instances[at], &pipeline->hosts[at], result);
		pipeline->instance_list[at] = &instances[at];
		for (size_t reason = 0;
		     at > 0 && reason < instances[at].drop_count; reason++)
			stats->packets_dropped += instances[at].drops[reason];
	}
	stats->source = pipeline->instance_list[0];
	stats->sink = pipeline->instance_list[last];
	stats->stages = pipeline->instance_list + 1;
	stats->stage_count = last - 1;
	stats->packets_in = stats->source->packets_out;
	stats->packets_out = stats->sink->packets_out;
	stats->chunks = result->chunks;
	stats->workers = (unsigned)pipeline->workers;
	fill_times(stats, result);
	if (pipeline->meters.energy)
		sl_meters_fill(pipeline, result->busy);
	if (pipeline->settings.started_ns)
		stats->total_ns = sl_clock_ns() - pipeline->settings.started_ns;
	return stats;
}
