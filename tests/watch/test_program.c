/* SPDX-License-Identifier: MIT */
/* What is made of readings: rates, loads and efficiencies, and what is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <math.h>

#include <cmocka.h>

#include "programs.h"
#include "watch/pipeline.h"

static void assert_near(double got, double wanted)
{
	if (!(fabs(got - wanted) <= 1e-6 * fabs(wanted)))
		fail_msg("%.9g is not %.9g", got, wanted);
}

static void assert_in_interval(double got, double low, double high)
{
	if (!(got >= low && got <= high))
		fail_msg("%.9g is not in %g to %g", got, low, high);
}

static void a_rate_is_known_from_the_second_reading_on(void **state)
{
	struct sl_watch_program program;
	struct values values = { 0 };

	(void)state;
	add_scaled(&values, "sent", "B", 1024);
	begin_program(&program, &values);
	take(&program, 1, &values, SL_COUNTERS_LIVE);
	assert_true(isnan(program.counters[0].rate));
	set_count(&values, "sent", 10);
	take(&program, 3, &values, SL_COUNTERS_LIVE);
	assert_near(program.counters[0].rate, 5120);
	assert_near(sl_watch_past(&program, &program.counters[0], 0), 5120);
	assert_true(isnan(sl_watch_past(&program, &program.counters[0], 1)));
	assert_true(isnan(sl_watch_past(&program, &program.counters[0], 2)));
	assert_near(sl_watch_span_s(&program, 100), 2);
	sl_watch_finish(&program);
}

static void a_count_that_falls_has_no_rate(void **state)
{
	struct sl_watch_program program;
	struct values values = { 0 };

	(void)state;
	add_count(&values, "frames");
	set_count(&values, "frames", UINT64_MAX);
	begin_program(&program, &values);
	take(&program, 1, &values, SL_COUNTERS_LIVE);
	set_count(&values, "frames", 5);
	take(&program, 2, &values, SL_COUNTERS_LIVE);
	assert_true(program.counters[0].fell);
	assert_true(isnan(program.counters[0].rate));
	set_count(&values, "frames", 12);
	take(&program, 3, &values, SL_COUNTERS_LIVE);
	assert_false(program.counters[0].fell);
	assert_near(program.counters[0].rate, 7);
	sl_watch_finish(&program);
}

static void a_counter_that_becomes_another_starts_afresh(void **state)
{
	struct sl_watch_program program;
	struct values values = { 0 };

	(void)state;
	add_count(&values, "frames");
	begin_program(&program, &values);
	for (int at = 1; at < 5; at++) {
		set_count(&values, "frames", (uint64_t)at);
		take(&program, at, &values, SL_COUNTERS_LIVE);
	}
	values.count = 0;
	add_count(&values, "others");
	set_count(&values, "others", 1000000);
	take(&program, 5, &values, SL_COUNTERS_LIVE);
	assert_string_equal(program.counters[0].value.name, "others");
	assert_true(isnan(program.counters[0].rate));
	assert_true(isnan(sl_watch_past(&program, &program.counters[0], 1)));
	sl_watch_finish(&program);
}

static void a_gauge_that_is_renewed_rarely_has_a_steady_rate(void **state)
{
	struct sl_watch_program program;
	struct values values = { 0 };

	(void)state;
	add_gauge(&values, "energy", "J");
	begin_program(&program, &values);
	/* Ten watts, told once in two seconds and read every half. */
	for (int at = 1; at <= 10; at++) {
		int told = at / 4;

		set_gauge(&values, "energy", 20.0 * told);
		take(&program, at / 2.0, &values, SL_COUNTERS_LIVE);
		if (at < 8)
			assert_true(isnan(program.counters[0].rate));
		else
			assert_near(program.counters[0].rate, 10);
	}
	/* Silence is not standing still. */
	take(&program, 11, &values, SL_COUNTERS_LIVE);
	assert_true(isnan(program.counters[0].rate));
	sl_watch_finish(&program);
}

static void a_gauge_that_is_renewed_often_does_not_jitter(void **state)
{
	struct sl_watch_program program;
	struct values values = { 0 };

	(void)state;
	add_gauge(&values, "energy", "J");
	begin_program(&program, &values);
	/* Ten watts, of which we hear a tenth of a second early or late. */
	for (int at = 1; at <= 30; at++) {
		set_gauge(&values, "energy", 10 * (at + (at % 2 ? 0.1 : 0)));
		take(&program, at, &values, SL_COUNTERS_LIVE);
		if (at > 10)
			assert_in_interval(program.counters[0].rate, 9.6, 10.4);
	}
	/* It follows what changes. */
	for (int at = 31; at <= 37; at++) {
		set_gauge(&values, "energy", 300 + 20 * (at - 30));
		take(&program, at, &values, SL_COUNTERS_LIVE);
	}
	assert_near(program.counters[0].rate, 20);
	sl_watch_finish(&program);
}

static void what_ended_keeps_its_figures_and_has_no_rates(void **state)
{
	struct sl_watch_program program;
	struct values values = { 0 };

	(void)state;
	add_count(&values, "frames");
	begin_program(&program, &values);
	take(&program, 1, &values, SL_COUNTERS_LIVE);
	set_count(&values, "frames", 7);
	take(&program, 2, &values, SL_COUNTERS_ENDED);
	assert_int_equal(program.state, SL_WATCH_ENDED);
	assert_int_equal(program.counters[0].value.count, 7);
	assert_true(isnan(program.counters[0].rate));
	assert_near(sl_watch_past(&program, &program.counters[0], 0), 7);
	set_count(&values, "frames", 1);
	take(&program, 3, &values, SL_COUNTERS_LIVE);
	sl_watch_lose(&program, "gone");
	assert_int_equal(program.state, SL_WATCH_ENDED);
	assert_int_equal(program.counters[0].value.count, 7);
	sl_watch_finish(&program);
}

static void what_is_lost_may_come_back(void **state)
{
	struct sl_watch_program program;
	struct values values = { 0 };

	(void)state;
	add_count(&values, "frames");
	set_count(&values, "frames", 7);
	begin_program(&program, &values);
	take(&program, 1, &values, SL_COUNTERS_LIVE);
	sl_watch_lose(&program, "byte 0: not a counter file");
	assert_int_equal(program.state, SL_WATCH_LOST);
	assert_string_equal(program.why, "byte 0: not a counter file");
	assert_int_equal(program.counters[0].value.count, 7);
	take(&program, 2, &values, SL_COUNTERS_LIVE);
	assert_int_equal(program.state, SL_WATCH_LIVE);
	sl_watch_finish(&program);
}

static void a_history_forgets_its_oldest(void **state)
{
	struct sl_watch_program program;
	struct values values = { 0 };

	(void)state;
	add_count(&values, "frames");
	begin_program(&program, &values);
	for (uint64_t at = 0; at <= SL_WATCH_HISTORY; at++) {
		set_count(&values, "frames", at * at);
		take(&program, (double)at, &values, SL_COUNTERS_LIVE);
	}
	/* n^2 - (n-1)^2 = 2n - 1 */
	assert_near(sl_watch_past(&program, &program.counters[0], 0),
		    2 * SL_WATCH_HISTORY - 1);
	assert_near(sl_watch_past(&program, &program.counters[0],
				  SL_WATCH_HISTORY - 1),
		    1);
	assert_true(isnan(sl_watch_past(&program, &program.counters[0],
					SL_WATCH_HISTORY)));
	assert_near(sl_watch_span_s(&program, 1000), SL_WATCH_HISTORY - 1);
	sl_watch_finish(&program);
}

/* ---- pipelines ---- */

struct run {
	struct values values;
	struct sl_watch_program program;
	struct sl_watch_pipeline pipeline;
};

static void begin_run(struct run *run, bool meters)
{
	struct sl_error error;

	memset(run, 0, sizeof(*run));
	add_pipeline(&run->values);
	if (meters)
		add_energy(&run->values);
	begin_program(&run->program, &run->values);
	for (int at = 1; at <= 3; at++) {
		set_pipeline(&run->values, at);
		take(&run->program, at, &run->values, SL_COUNTERS_LIVE);
	}
	assert_true(sl_watch_is_pipeline(&run->program));
	assert_int_equal(
		sl_watch_pipeline_init(&run->pipeline, &run->program, &error),
		SL_OK);
}

static void end_run(struct run *run)
{
	sl_watch_pipeline_finish(&run->pipeline);
	sl_watch_finish(&run->program);
}

static void a_pipeline_s_stages_have_loads(void **state)
{
	const struct sl_watch_stage *nat;
	struct run run;

	(void)state;
	begin_run(&run, false);
	assert_int_equal(run.pipeline.stage_count, 3);
	assert_string_equal(run.pipeline.stages[0].name, "trace");
	nat = &run.pipeline.stages[1];
	assert_string_equal(nat->name, "nat");
	/* 1,000 packets of 500 us are half a second, of two workers' one. */
	assert_near(sl_watch_load(&run.pipeline, nat), 0.25);
	assert_near(sl_watch_past_load(&run.pipeline, nat, 1), 0.25);
	assert_near(sl_watch_packet_ns(nat), 500000);
	assert_near(sl_watch_packet_ns_total(nat), 500000);
	assert_near(sl_watch_rate(nat->dropped), 100);
	/* Nothing reached the sink: nothing by nothing. */
	assert_true(isnan(sl_watch_packet_ns(&run.pipeline.stages[2])));
	assert_null(run.pipeline.energy);
	assert_true(isnan(sl_watch_packets_per_j(&run.pipeline, 0)));
	end_run(&run);
}

static void names_that_were_cut_belong_together_by_their_order(void **state)
{
	struct sl_watch_pipeline pipeline;
	struct sl_watch_program program;
	struct values values = { 0 };
	struct sl_error error;

	(void)state;
	add_count(&values, "packets_in");
	add_count(&values, "packets_out");
	add_count(&values, "packets_dropped");
	add_count(&values, "packets.a_long_name_for_a_st~2");
	add_count(&values, "dropped.a_long_name_for_a_st~2");
	add_scaled(&values, "busy.a_long_name_for_a_stage", "s", 1e-9);
	add_count(&values, "packets.alone");
	begin_program(&program, &values);
	take(&program, 1, &values, SL_COUNTERS_LIVE);
	assert_int_equal(sl_watch_pipeline_init(&pipeline, &program, &error),
			 SL_OK);
	assert_int_equal(pipeline.stage_count, 2);
	assert_string_equal(pipeline.stages[0].name, "a_long_name_for_a_stage");
	assert_string_equal(pipeline.stages[0].dropped->value.name,
			    "dropped.a_long_name_for_a_st~2");
	assert_string_equal(pipeline.stages[1].name, "alone");
	assert_null(pipeline.stages[1].busy);
	assert_true(isnan(sl_watch_load(&pipeline, &pipeline.stages[1])));
	sl_watch_pipeline_finish(&pipeline);
	sl_watch_finish(&program);
}

static void packets_per_joule_are_of_now_and_of_the_run(void **state)
{
	struct run run;

	(void)state;
	begin_run(&run, true);
	/* 900 packets/s came out, at 20 W. */
	assert_near(sl_watch_packets_per_j(&run.pipeline, 0), 45);
	assert_near(sl_watch_packets_per_j_total(&run.pipeline), 45);
	assert_int_equal(run.pipeline.domain_count, 1);
	assert_string_equal(run.pipeline.domains[0].name, "rapl.package-0");
	assert_near(sl_watch_rate(run.pipeline.domains[0].energy), 15);
	assert_false(sl_watch_estimate(&run.pipeline));
	end_run(&run);
}

static void an_energy_without_a_figure_gives_none(void **state)
{
	struct run run;

	(void)state;
	begin_run(&run, true);
	set_pipeline(&run.values, 4);
	set_gauge(&run.values, "energy", NAN);
	set_gauge(&run.values, "power", -INFINITY);
	set_gauge(&run.values, "estimate", NAN);
	take(&run.program, 4, &run.values, SL_COUNTERS_LIVE);
	assert_true(isnan(sl_watch_packets_per_j(&run.pipeline, 0)));
	assert_near(sl_watch_packets_per_j(&run.pipeline, 1), 45);
	assert_true(isnan(sl_watch_packets_per_j_total(&run.pipeline)));
	/* No packets have no efficiency, not that of 0. */
	set_gauge(&run.values, "energy", 5);
	set_gauge(&run.values, "power", 5);
	take(&run.program, 5, &run.values, SL_COUNTERS_LIVE);
	assert_true(isnan(sl_watch_packets_per_j(&run.pipeline, 0)));
	/* Who does not say that it is measured may have guessed. */
	assert_true(sl_watch_estimate(&run.pipeline));
	end_run(&run);
}

static void no_program_but_a_pipeline_is_taken_for_one(void **state)
{
	struct sl_watch_program program;
	struct values values = { 0 };

	(void)state;
	add_count(&values, "packets_in");
	add_count(&values, "packets_out");
	begin_program(&program, &values);
	take(&program, 1, &values, SL_COUNTERS_LIVE);
	assert_false(sl_watch_is_pipeline(&program));
	sl_watch_finish(&program);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_rate_is_known_from_the_second_reading_on),
		cmocka_unit_test(a_count_that_falls_has_no_rate),
		cmocka_unit_test(a_counter_that_becomes_another_starts_afresh),
		cmocka_unit_test(
			a_gauge_that_is_renewed_rarely_has_a_steady_rate),
		cmocka_unit_test(a_gauge_that_is_renewed_often_does_not_jitter),
		cmocka_unit_test(what_ended_keeps_its_figures_and_has_no_rates),
		cmocka_unit_test(what_is_lost_may_come_back),
		cmocka_unit_test(a_history_forgets_its_oldest),
		cmocka_unit_test(a_pipeline_s_stages_have_loads),
		cmocka_unit_test(
			names_that_were_cut_belong_together_by_their_order),
		cmocka_unit_test(packets_per_joule_are_of_now_and_of_the_run),
		cmocka_unit_test(an_energy_without_a_figure_gives_none),
		cmocka_unit_test(no_program_but_a_pipeline_is_taken_for_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
