/* SPDX-License-Identifier: MIT */
/* A run's figures for Prometheus and as CSV, of a run that is made up here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <math.h>

#include <cmocka.h>

#include "sluice/stats.h"

/* A source that skipped, a stage with a name that hurts, a sink that is called
 * as the source is. */
struct made_up {
	struct sl_instance_stats source, stage, sink;
	const struct sl_instance_stats *stages[1];
	uint64_t skips[1], drops[2];
	int64_t concurrency[2];
	struct sl_energy_domain package;
	struct sl_domain_stats domains[1];
	struct sl_energy_stats energy;
	struct sl_stats stats;
};

static const char *const skip_names[] = { "comment" };
static const char *const drop_names[] = { "no port", "ttl" };

static void make_up(struct made_up *run)
{
	*run = (struct made_up){
		.source = { .name = "trace",
			    .packets_in = 10,
			    .packets_out = 10,
			    .drop_count = 1,
			    .drop_names = skip_names,
			    .drops = run->skips,
			    .busy_ns = 1000000000 },
		.stage = { .name = "na\"t,\n\\",
			   .packets_in = 10,
			   .packets_out = 7,
			   .drop_count = 2,
			   .drop_names = drop_names,
			   .drops = run->drops,
			   .busy_ns = 250000000 },
		.sink = { .name = "trace", .packets_in = 7, .packets_out = 7 },
		.skips = { 2 },
		.drops = { 3, 0 },
		.package = { .id = "intel-rapl:0",
			     .quality = SL_QUALITY_ON_DIE },
	};
	run->stages[0] = &run->stage;
	run->stats = (struct sl_stats){
		.size = sizeof(run->stats),
		.packets_in = 10,
		.packets_out = 7,
		.packets_dropped = 3,
		.chunks = 1,
		.elapsed_ns = 1500000000,
		.total_ns = 2000000000,
		.cpu_ns = 500000000,
		.workers = 1,
		.concurrency_ns = run->concurrency,
		.latency_p50_ns = 1000,
		.latency_p90_ns = 1000,
		.latency_p99_ns = 2000,
		.latency_max_ns = 2000,
		.source = &run->source,
		.sink = &run->sink,
		.stages = run->stages,
		.stage_count = 1,
	};
}

/* A meter that measured 12.5 J in 2 s. */
static void add_energy(struct made_up *run)
{
	run->domains[0] = (struct sl_domain_stats){
		.instance = "rapl",
		.domain = &run->package,
		.span = { .valid = true,
			  .energy_j = 12.5,
			  .seconds = 2,
			  .watts = 6.25 },
	};
	run->energy = (struct sl_energy_stats){
		.size = sizeof(run->energy),
		.domain_count = 1,
		.domains = run->domains,
		.sum = run->domains[0].span,
		.packets_per_j = { .valid = true, .value = 0.56 },
	};
	run->energy.sum.half_j = 0.5;
	run->stats.energy = &run->energy;
}

static char *ended(struct sl_buffer *text)
{
	struct sl_error error;

	assert_int_equal(sl_buffer_reserve(text, 1, &error), SL_OK);
	text->data[text->used] = '\0';
	return text->data;
}

static char *prometheus(const struct made_up *run)
{
	struct sl_buffer text = { NULL, 0, 0 };
	struct sl_error error;

	assert_int_equal(sl_stats_prometheus(&run->stats, &text, &error),
			 SL_OK);
	return ended(&text);
}

static char *csv(const struct made_up *run, bool header)
{
	struct sl_buffer text = { NULL, 0, 0 };
	struct sl_error error;

	if (header)
		assert_int_equal(
			sl_stats_csv_header(&run->stats, &text, &error), SL_OK);
	assert_int_equal(sl_stats_csv(&run->stats, &text, &error), SL_OK);
	return ended(&text);
}

static void assert_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("\"%s\" is not in:\n%s", part, text);
}

static void metrics_have_help_type_and_base_units(void **state)
{
	struct made_up run;
	char *text;

	(void)state;
	make_up(&run);
	text = prometheus(&run);
	assert_has(text, "# HELP sluice_packets_received_total Packets that "
			 "the source made.\n"
			 "# TYPE sluice_packets_received_total counter\n"
			 "sluice_packets_received_total 10\n");
	assert_has(text, "\nsluice_packets_sent_total 7\n");
	assert_has(text, "\nsluice_workers 1\n");
	assert_has(text, "\nsluice_measured_seconds 1.5\n");
	assert_has(text, "\nsluice_chunk_latency_seconds{quantile=\"0.5\"} "
			 "1e-06\n");
	free(text);
}

static void labels_are_escaped_and_roles_tell_namesakes_apart(void **state)
{
	struct made_up run;
	char *text;

	(void)state;
	make_up(&run);
	text = prometheus(&run);
	assert_has(text,
		   "sluice_stage_packets_total{stage=\"trace\",role=\"source\"}"
		   " 10\n"
		   "sluice_stage_packets_total{stage=\"na\\\"t,\\n\\\\\","
		   "role=\"stage\"} 10\n"
		   "sluice_stage_packets_total{stage=\"trace\",role=\"sink\"} "
		   "7\n");
	assert_has(text, "role=\"stage\",reason=\"no port\"} 3\n");
	assert_has(text, "role=\"stage\",reason=\"ttl\"} 0\n");
	assert_has(text, "sluice_source_skipped_records_total{stage=\"trace\","
			 "role=\"source\",reason=\"comment\"} 2\n");
	assert_has(text, "role=\"stage\"} 0.25\n");
	free(text);
}

static void bytes_that_are_no_utf8_are_replaced(void **state)
{
	struct made_up run;
	char *text;

	(void)state;
	make_up(&run);
	run.stage.name = "\xc3\xa9\xff\xed\xa0\x80\xf0\x9f\x98\x80\xe2\x82";
	text = prometheus(&run);
	assert_has(text, "stage=\"\xc3\xa9\xef\xbf\xbd"
			 "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
			 "\xf0\x9f\x98\x80\xef\xbf\xbd\xef\xbf\xbd\"");
	free(text);
}

static void the_outcome_is_known_at_the_end(void **state)
{
	struct made_up run;
	char *text;

	(void)state;
	make_up(&run);
	run.stats.outcome = SL_RUNNING;
	text = prometheus(&run);
	assert_has(text, "sluice_run_outcome{outcome=\"running\"} 1\n");
	assert_has(text, "sluice_run_outcome{outcome=\"failed\"} 0\n");
	free(text);
	run.stats.outcome = SL_FAILED;
	text = prometheus(&run);
	assert_has(text, "sluice_run_outcome{outcome=\"running\"} 0\n");
	assert_has(text, "sluice_run_outcome{outcome=\"failed\"} 1\n");
	free(text);
}

static void energy_has_its_meter_domain_and_quality(void **state)
{
	struct made_up run;
	char *text;

	(void)state;
	make_up(&run);
	add_energy(&run);
	text = prometheus(&run);
	assert_has(text, "\nsluice_energy_joules_total{meter=\"rapl\",domain="
			 "\"intel-rapl:0\",quality=\"on-die\"} 12.5\n");
	assert_has(text, "\nsluice_power_watts{meter=\"rapl\",domain="
			 "\"intel-rapl:0\",quality=\"on-die\"} 6.25\n");
	assert_has(text, "\nsluice_energy_sum_joules_total{estimate=\"no\"} "
			 "12.5\n");
	assert_has(text, "\nsluice_packets_per_joule{estimate=\"no\"} 0.56\n");
	free(text);
}

static void what_has_no_figure_is_absent(void **state)
{
	struct made_up run;
	char *text;

	(void)state;
	make_up(&run);
	add_energy(&run);
	run.domains[0].span.valid = false;
	run.energy.sum.valid = false;
	run.energy.packets_per_j.valid = false;
	run.stats.chunks = 0;
	text = prometheus(&run);
	assert_null(strstr(text, "joules"));
	assert_null(strstr(text, "watts"));
	assert_null(strstr(text, "per_joule"));
	assert_null(strstr(text, "latency"));
	assert_null(strstr(text, "nan"));
	free(text);
}

static void a_row_stands_below_its_header(void **state)
{
	struct made_up run;
	char *text;

	(void)state;
	make_up(&run);
	text = csv(&run, true);
	assert_string_equal(
		text,
		"outcome,elapsed_s,total_s,cpu_s,packets_in,packets_out,"
		"packets_dropped,chunks,workers,mean_busy_workers,"
		"latency_p50_s,latency_p99_s,latency_max_s,"
		"source.packets_in,source.packets_out,source.skipped.comment,"
		"source.held,source.emitted,source.busy_s,"
		"\"na\"\"t,\n\\.packets_in\",\"na\"\"t,\n\\.packets_out\","
		"\"na\"\"t,\n\\.dropped.no port\",\"na\"\"t,\n\\.dropped.ttl\","
		"\"na\"\"t,\n\\.held\",\"na\"\"t,\n\\.emitted\","
		"\"na\"\"t,\n\\.busy_s\","
		"sink.packets_in,sink.packets_out,sink.held,sink.emitted,"
		"sink.busy_s\r\n"
		"done,1.5,2,0.5,10,7,3,1,1,0,1e-06,2e-06,2e-06,"
		"10,10,2,0,0,1,10,7,3,0,0,0,0.25,7,7,0,0,0\r\n");
	free(text);
}

static void a_field_without_a_figure_is_empty_and_stays(void **state)
{
	struct made_up run;
	char *with, *without;
	size_t commas[2] = { 0, 0 };

	(void)state;
	make_up(&run);
	add_energy(&run);
	with = csv(&run, false);
	assert_has(with, ",12.5,0.5,6.25,0,0.56,,12.5,");
	assert_true(strncmp(with, "done,", 5) == 0);
	run.domains[0].span.valid = false;
	run.energy.sum.valid = false;
	run.energy.packets_per_j.valid = false;
	without = csv(&run, false);
	assert_has(without, ",,,,0,,,,");
	for (const char *at = with; *at; at++)
		commas[0] += *at == ',';
	for (const char *at = without; *at; at++)
		commas[1] += *at == ',';
	assert_int_equal(commas[0], commas[1]);
	free(with);
	free(without);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(metrics_have_help_type_and_base_units),
		cmocka_unit_test(
			labels_are_escaped_and_roles_tell_namesakes_apart),
		cmocka_unit_test(bytes_that_are_no_utf8_are_replaced),
		cmocka_unit_test(the_outcome_is_known_at_the_end),
		cmocka_unit_test(energy_has_its_meter_domain_and_quality),
		cmocka_unit_test(what_has_no_figure_is_absent),
		cmocka_unit_test(a_row_stands_below_its_header),
		cmocka_unit_test(a_field_without_a_figure_is_empty_and_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
