/* SPDX-License-Identifier: MIT */
/* A run's figures for people: what happened, where the time went. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "pipeline/report.h"

#define NAME_WIDTH 16
#define BAR_WIDTH 40
#define LINE_WIDTH 80

void sl_report_say(struct sl_report *report, const char *fmt, ...)
{
	char line[512];
	va_list args;
	int length;

	va_start(args, fmt);
	length = vsnprintf(line, sizeof(line), fmt, args);
	va_end(args);
	if (length >= (int)sizeof(line))
		length = sizeof(line) - 1;
	if (report->code != SL_OK || length < 0)
		return;
	report->code = sl_buffer_reserve(report->text, (size_t)length + 1,
					 report->error);
	if (report->code != SL_OK)
		return;
	memcpy(report->text->data + report->text->used, line, (size_t)length);
	report->text->used += (size_t)length;
	report->text->data[report->text->used] = '\0';
}

void sl_report_wrap(struct sl_report *report, const char *head,
		    const char *text)
{
	int indent = (int)strspn(head, " ") + 2;
	int column = (int)strlen(head) + 1;

	sl_report_say(report, "%s:", head);
	while (*text) {
		int length = (int)strcspn(text, " ");

		if (column + 1 + length > LINE_WIDTH && column > indent) {
			sl_report_say(report, "\n%*s", indent - 1, "");
			column = indent - 1;
		}
		sl_report_say(report, " %.*s", length, text);
		column += 1 + length;
		text += length;
		text += strspn(text, " ");
	}
	sl_report_say(report, "\n");
}

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

static double seconds(int64_t ns)
{
	return (double)ns / 1e9;
}

static void say_rate(struct sl_report *report, uint64_t packets, int64_t ns,
		     const char *what)
{
	char text[32];

	if (ns > 0)
		sl_report_say(report, "  %14s packets/s %s (%.3f s)\n",
			      grouped((uint64_t)((double)packets / seconds(ns)),
				      text),
			      what, seconds(ns));
}

static uint64_t sum_drops(const struct sl_instance_stats *instance)
{
	uint64_t sum = 0;

	for (size_t at = 0; at < instance->drop_count; at++)
		sum += instance->drops[at];
	return sum;
}

static void say_instance(struct sl_report *report,
			 const struct sl_instance_stats *instance,
			 int64_t all_ns)
{
	uint64_t packets = instance->packets_in;
	char in[32], dropped[32];

	sl_report_say(report, "  %-*.*s %14s %12s %12.1f %6.1f%%\n", NAME_WIDTH,
		      NAME_WIDTH, instance->name, grouped(packets, in),
		      grouped(sum_drops(instance), dropped),
		      packets ? (double)instance->busy_ns / (double)packets
			      : 0.0,
		      all_ns ? 100 * (double)instance->busy_ns / (double)all_ns
			     : 0.0);
}

static void say_drops(struct sl_report *report,
		      const struct sl_instance_stats *instance,
		      const char *verb)
{
	char text[32];

	for (size_t at = 0; at < instance->drop_count; at++) {
		if (instance->drops[at])
			sl_report_say(report, "  %s %s: %s %s\n",
				      instance->name, verb,
				      grouped(instance->drops[at], text),
				      instance->drop_names[at]);
	}
	if (instance->held || instance->emitted)
		sl_report_say(
			report, "  %s held %" PRIu64 ", emitted %" PRIu64 "\n",
			instance->name, instance->held, instance->emitted);
}

static void say_stages(struct sl_report *report, const struct sl_stats *stats)
{
	int64_t all_ns = stats->source->busy_ns + stats->sink->busy_ns;

	for (size_t at = 0; at < stats->stage_count; at++)
		all_ns += stats->stages[at]->busy_ns;

	sl_report_say(report, "  %-*s %14s %12s %12s %7s\n", NAME_WIDTH,
		      "stage", "packets in", "dropped", "ns/packet", "time");
	say_instance(report, stats->source, all_ns);
	for (size_t at = 0; at < stats->stage_count; at++)
		say_instance(report, stats->stages[at], all_ns);
	say_instance(report, stats->sink, all_ns);
	say_drops(report, stats->source, "skipped");
	for (size_t at = 0; at < stats->stage_count; at++)
		say_drops(report, stats->stages[at], "dropped");
}

static void say_workers(struct sl_report *report, const struct sl_stats *stats)
{
	int64_t all = 0;

	for (unsigned k = 0; k <= stats->workers; k++)
		all += stats->concurrency_ns[k];
	sl_report_say(
		report,
		"workers: %.2f of %u busy on average, %.3f s of CPU time\n",
		stats->mean_busy_workers, stats->workers,
		seconds(stats->cpu_ns));
	for (unsigned k = 0; all && k <= stats->workers; k++) {
		double share = (double)stats->concurrency_ns[k] / (double)all;
		int bar;

		if (!stats->concurrency_ns[k])
			continue;
		bar = (int)(BAR_WIDTH * share + 0.5);
		sl_report_say(report, "  %4u busy %9.3f s %5.1f%%%s%.*s\n", k,
			      seconds(stats->concurrency_ns[k]), 100 * share,
			      bar ? " " : "", bar,
			      "########################################");
	}
}

enum sl_code sl_stats_text(const struct sl_stats *stats, struct sl_buffer *text,
			   struct sl_error *error)
{
	struct sl_report report = { text, SL_OK, error };
	char in[32], out[32], dropped[32], p50[32], p99[32], max[32];

	if (stats->outcome == SL_FAILED)
		sl_report_say(&report,
			      "FAILED; the figures are of what came before:\n");
	else if (stats->outcome == SL_STOPPED)
		sl_report_say(&report,
			      "STOPPED before the end of the input:\n");
	else if (stats->outcome == SL_RUNNING)
		sl_report_say(&report, "RUNNING; the figures so far:\n");
	sl_report_say(&report, "packets: %s in, %s out, %s dropped\n",
		      grouped(stats->packets_in, in),
		      grouped(stats->packets_out, out),
		      grouped(stats->packets_dropped, dropped));
	say_stages(&report, stats);
	sl_report_say(&report, "throughput:\n");
	say_rate(&report, stats->packets_in, stats->elapsed_ns,
		 "in the measured region");
	say_rate(&report, stats->packets_in, stats->total_ns,
		 "of the whole program");
	say_workers(&report, stats);
	if (stats->chunks)
		sl_report_say(&report,
			      "chunks: %s, latency p50 %s, p99 %s, max %s\n",
			      grouped(stats->chunks, in),
			      duration(stats->latency_p50_ns, p50),
			      duration(stats->latency_p99_ns, p99),
			      duration(stats->latency_max_ns, max));
	if (stats->energy)
		sl_report_energy(&report, stats);
	return report.code;
}
