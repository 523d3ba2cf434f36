/* SPDX-License-Identifier: MIT */
/* A run's figures for people: what happened, where the time went. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "pipeline/report.h"

#define NAME_WIDTH 16
#define BAR_WIDTH 40

/* 1234567 -> "1,234,567". */
static const char *grouped(uint64_t number, char text[32])
{
	char digits[24];
	int length = snprintf(digits, sizeof(digits), "%" PRIu64, number);
	char *to = text;

	for (int at = 0; at < length; at++) {
		if (at && (length - at) % 3 == 0)
			*to++ = ',';
		*to++ = digits[at];
	}
	*to = '\0';
	return text;
}

static const char *duration(int64_t ns, char text[32])
{
	static const struct {
		int64_t least;
		double unit;
		const char *word;
	} scales[] = { { 1000000000, 1e9, "s" },
		       { 1000000, 1e6, "ms" },
		       { 1000, 1e3, "us" },
		       { 0, 1, "ns" } };
	size_t at = 0;

	while (ns < scales[at].least)
		at++;
	snprintf(text, 32, "%.3g %s", (double)ns / scales[at].unit,
		 scales[at].word);
	return text;
}

static void say_rate(struct sl_put *put, uint64_t packets, int64_t ns,
		     const char *what)
{
	char text[32];

	if (ns > 0)
		sl_put_format(
			put, "  %14s packets/s %s (%.3f s)\n",
			grouped((uint64_t)((double)packets / sl_seconds(ns)),
				text),
			what, sl_seconds(ns));
}

static uint64_t sum_drops(const struct sl_instance_stats *instance)
{
	uint64_t sum = 0;

	for (size_t at = 0; at < instance->drop_count; at++)
		sum += instance->drops[at];
	return sum;
}

static void say_instance(struct sl_put *put,
			 const struct sl_instance_stats *instance,
			 int64_t all_ns)
{
	uint64_t packets = instance->packets_in;
	char in[32], dropped[32];

	sl_put_format(put, "  %-*.*s %14s %12s %12.1f %6.1f%%\n", NAME_WIDTH,
		      NAME_WIDTH, instance->name, grouped(packets, in),
		      grouped(sum_drops(instance), dropped),
		      packets ? (double)instance->busy_ns / (double)packets
			      : 0.0,
		      all_ns ? 100 * (double)instance->busy_ns / (double)all_ns
			     : 0.0);
}

static void say_drops(struct sl_put *put,
		      const struct sl_instance_stats *instance,
		      const char *verb)
{
	char text[32];

	for (size_t at = 0; at < instance->drop_count; at++) {
		if (instance->drops[at])
			sl_put_format(put, "  %s %s: %s %s\n", instance->name,
				      verb, grouped(instance->drops[at], text),
				      instance->drop_names[at]);
	}
	if (instance->held || instance->emitted)
		sl_put_format(
			put, "  %s held %" PRIu64 ", emitted %" PRIu64 "\n",
			instance->name, instance->held, instance->emitted);
}

static void say_stages(struct sl_put *put, const struct sl_stats *stats)
{
	int64_t all_ns = stats->source->busy_ns + stats->sink->busy_ns;

	for (size_t at = 0; at < stats->stage_count; at++)
		all_ns += stats->stages[at]->busy_ns;

	sl_put_format(put, "  %-*s %14s %12s %12s %7s\n", NAME_WIDTH, "stage",
		      "packets in", "dropped", "ns/packet", "time");
	say_instance(put, stats->source, all_ns);
	for (size_t at = 0; at < stats->stage_count; at++)
		say_instance(put, stats->stages[at], all_ns);
	say_instance(put, stats->sink, all_ns);
	say_drops(put, stats->source, "skipped");
	for (size_t at = 0; at < stats->stage_count; at++)
		say_drops(put, stats->stages[at], "dropped");
}

static void say_workers(struct sl_put *put, const struct sl_stats *stats)
{
	int64_t all = 0;

	for (unsigned k = 0; k <= stats->workers; k++)
		all += stats->concurrency_ns[k];
	sl_put_format(
		put,
		"workers: %.2f of %u busy on average, %.3f s of CPU time\n",
		stats->mean_busy_workers, stats->workers,
		sl_seconds(stats->cpu_ns));
	for (unsigned k = 0; all && k <= stats->workers; k++) {
		double share = (double)stats->concurrency_ns[k] / (double)all;
		int bar;

		if (!stats->concurrency_ns[k])
			continue;
		bar = (int)(BAR_WIDTH * share + 0.5);
		sl_put_format(put, "  %4u busy %9.3f s %5.1f%%%s%.*s\n", k,
			      sl_seconds(stats->concurrency_ns[k]), 100 * share,
			      bar ? " " : "", bar,
			      "########################################");
	}
}

enum sl_code sl_stats_text(const struct sl_stats *stats, struct sl_buffer *text,
			   struct sl_error *error)
{
	struct sl_put put = { text, SL_OK, error };
	char in[32], out[32], dropped[32], p50[32], p99[32], max[32];

	if (stats->outcome == SL_FAILED)
		sl_put_format(&put,
			      "FAILED; the figures are of what came before:\n");
	else if (stats->outcome == SL_STOPPED)
		sl_put_format(&put, "STOPPED before the end of the input:\n");
	else if (stats->outcome == SL_RUNNING)
		sl_put_format(&put, "RUNNING; the figures so far:\n");
	sl_put_format(&put, "packets: %s in, %s out, %s dropped\n",
		      grouped(stats->packets_in, in),
		      grouped(stats->packets_out, out),
		      grouped(stats->packets_dropped, dropped));
	say_stages(&put, stats);
	sl_put_format(&put, "throughput:\n");
	say_rate(&put, stats->packets_in, stats->elapsed_ns,
		 "in the measured region");
	say_rate(&put, stats->packets_in, stats->total_ns,
		 "of the whole program");
	say_workers(&put, stats);
	if (stats->chunks)
		sl_put_format(&put,
			      "chunks: %s, latency p50 %s, p99 %s, max %s\n",
			      grouped(stats->chunks, in),
			      duration(stats->latency_p50_ns, p50),
			      duration(stats->latency_p99_ns, p99),
			      duration(stats->latency_max_ns, max));
	if (stats->energy)
		sl_put_energy(&put, stats);
	return put.code;
}
