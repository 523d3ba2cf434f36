/* SPDX-License-Identifier: MIT */
/* From a run's energy to that of its stages, and the reasons why not. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../energy/near.h"
#include "pipeline/shares.h"

enum { INSTANCES = 3 };

/* 100 J in 10 s by a meter of 0.1 s, +- 2 J of it random; instances that took
 * 1, 3 and 0 s of CPU time. */
struct bench {
	struct sl_energy_stats stats;
	struct sl_idle_power idle;
	struct sl_busy_sum busy[INSTANCES];
	struct sl_instance_stats instances[INSTANCES];
	struct sl_share_words words;
};

static struct sl_busy_sum cpu(double seconds)
{
	return (struct sl_busy_sum){
		.busy_ns = (int64_t)(seconds * 1e9),
		.samples = seconds > 0 ? 100 : 0,
		.wall = seconds / 16,
		.cpu = seconds / 16,
		.wall2 = seconds,
		.cpu2 = seconds,
		.both = seconds,
	};
}

static struct sl_energy_span span_of(double joules, double seconds)
{
	return (struct sl_energy_span){
		.valid = true,
		.energy_j = joules,
		.seconds = seconds,
		.watts = joules / seconds,
		.u_j = 1,
		.random_j = 2,
		.half_j = 2,
		.update_s = 0.1,
		.domains = 1,
	};
}

static void refuse(struct sl_energy_span *span, const char *reason)
{
	span->valid = false;
	snprintf(span->reason, sizeof(span->reason), "%s", reason);
}

static struct bench good(void)
{
	return (struct bench){
		.stats.sum = span_of(100, 10),
		.idle = { .source = SL_IDLE_GIVEN, .watts = 2 },
		.busy = { cpu(1), cpu(3), cpu(0) },
	};
}

static void set(struct bench *bench)
{
	sl_shares_set(&bench->stats, &bench->idle, bench->busy,
		      bench->instances, INSTANCES, &bench->words);
}

static void what_is_above_idle_is_shared_by_cpu_time(void **state)
{
	struct bench bench = good();

	(void)state;
	set(&bench);
	assert_null(bench.stats.no_shares);
	assert_null(bench.stats.no_idle);
	assert_near(bench.stats.idle_j.value, 20, 1e-9);
	assert_near(bench.stats.net_j.value, 80, 1e-9);
	assert_near(bench.instances[0].energy_j.value, 20, 1e-9);
	assert_near(bench.instances[1].energy_j.value, 60, 1e-9);
	assert_near(bench.instances[2].energy_j.value, 0, 1e-9);
	assert_true(bench.instances[2].energy_j.valid);
	/* a quarter of +-2 J */
	assert_near(bench.instances[0].energy_j.random, 0.5, 1e-9);
	assert_near(bench.instances[0].energy_j.low, 19.5, 1e-9);
}

static void a_given_idle_power_has_no_interval_that_anybody_knows(void **state)
{
	struct bench bench = good();

	(void)state;
	set(&bench);
	assert_near(bench.stats.idle_w, 2, 0);
	assert_true(isnan(bench.stats.idle_half_w));
}

static void a_measured_idle_power_brings_its_uncertainty_along(void **state)
{
	struct bench bench = good();

	(void)state;
	bench.idle.source = SL_IDLE_MEASURED;
	bench.idle.span = span_of(10, 5); /* 2 W +- 0.4 W */
	set(&bench);
	assert_null(bench.stats.no_shares);
	assert_near(bench.stats.idle_w, 2, 1e-9);
	assert_near(bench.stats.idle_half_w, 0.4, 1e-9);
	assert_near(bench.stats.idle_j.random, 4, 1e-9);
	assert_near(bench.stats.net_j.random, 2 * hypot(1, 2), 1e-9);
}

static void samples_that_scatter_widen_the_shares(void **state)
{
	struct bench bench = good();
	double cpu_u, wanted;

	(void)state;
	bench.busy[0].cpu2 += 0.01; /* its residuals */
	assert_near(sl_busy_sum_cpu(&bench.busy[0], &cpu_u), 1, 1e-9);
	set(&bench);
	/* dp/dc0 = (1 - p) / C, dE = net dp; and the net's own part */
	wanted = hypot(2 * 0.75 * cpu_u / 4 * 80, 0.25 * 2);
	assert_near(bench.instances[0].energy_j.random, wanted, 1e-9);
	/* the other's part falls by as much */
	wanted = hypot(2 * 0.75 * cpu_u / 4 * 80, 0.75 * 2);
	assert_near(bench.instances[1].energy_j.random, wanted, 1e-9);
}

/* No instance has a figure, and the reason stands there. */
static void check_refused(struct bench *bench, const char *reason)
{
	set(bench);
	assert_non_null(bench->stats.no_shares);
	assert_string_equal(bench->stats.no_shares, reason);
	for (size_t at = 0; at < INSTANCES; at++)
		assert_false(bench->instances[at].energy_j.valid);
}

static void without_idle_power_there_are_no_shares(void **state)
{
	struct bench bench = good();

	(void)state;
	bench.idle.source = SL_IDLE_UNKNOWN;
	check_refused(&bench, "no idle power is known: set idle_power or "
			      "idle_window");
	assert_string_equal(bench.stats.no_idle, bench.stats.no_shares);
	assert_false(bench.stats.idle_j.valid);
	assert_true(isnan(bench.stats.idle_w));
}

static void without_energy_there_are_no_shares(void **state)
{
	struct bench bench = good();

	(void)state;
	refuse(&bench.stats.sum, "a: it fell");
	check_refused(&bench, "a: it fell");
	assert_string_equal(bench.stats.no_idle, "a: it fell");
}

static void a_run_under_twenty_updates_has_no_shares(void **state)
{
	struct bench bench = good();

	(void)state;
	bench.stats.sum.update_s = 0.501;
	check_refused(&bench, "the run is shorter than 20 update periods of "
			      "the meter (10 s of 10 s)");
	bench.stats.sum.update_s = 0.5;
	set(&bench);
	assert_null(bench.stats.no_shares);
}

static void an_idle_window_under_twenty_updates_has_no_power(void **state)
{
	struct bench bench = good();

	(void)state;
	bench.idle.source = SL_IDLE_MEASURED;
	bench.idle.span = span_of(2, 1);
	check_refused(&bench, "the idle window is shorter than 20 update "
			      "periods of the meter (1 s of 2 s)");
	assert_non_null(bench.stats.no_idle);
}

static void an_idle_window_without_energy_says_why(void **state)
{
	struct bench bench = good();

	(void)state;
	bench.idle.source = SL_IDLE_MEASURED;
	refuse(&bench.idle.span, "a: gone");
	check_refused(&bench, "the idle window has no energy: a: gone");
}

static void net_energy_that_is_noise_keeps_its_sign(void **state)
{
	struct bench bench = good();

	(void)state;
	bench.idle.watts = 10.3;
	check_refused(&bench,
		      "net energy cannot be told from idle: -3 J +- 2 J");
	assert_near(bench.stats.net_j.value, -3, 1e-9);
	assert_false(bench.stats.net_j.valid);
	assert_true(bench.stats.idle_j.valid);
	bench.idle.watts = 9.81; /* 1.9 J */
	check_refused(&bench,
		      "net energy cannot be told from idle: 1.9 J +- 2 J");
	bench.idle.watts = 9.79;
	set(&bench);
	assert_null(bench.stats.no_shares);
}

static void few_samples_of_cpu_time_are_not_enough(void **state)
{
	struct bench bench = good();

	(void)state;
	bench.busy[1].samples = 9;
	check_refused(&bench, "too few samples of CPU time: 9, 10 are wanted; "
			      "a chunk each 10 ms is one");
	bench.busy[1].samples = 10;
	set(&bench);
	assert_null(bench.stats.no_shares);
	memset(bench.busy, 0, sizeof(bench.busy));
	check_refused(&bench, "too few samples of CPU time: 0, 10 are wanted; "
			      "a chunk each 10 ms is one");
}

static void packets_by_joules_have_the_interval_turned_round(void **state)
{
	struct bench bench = good();

	(void)state;
	sl_shares_set_ratio(&bench.stats, 5000, &bench.words);
	assert_null(bench.stats.no_ratio);
	assert_near(bench.stats.packets_per_j.value, 50, 1e-9);
	assert_near(bench.stats.packets_per_j.low, 5000.0 / 102, 1e-9);
	assert_near(bench.stats.packets_per_j.high, 5000.0 / 98, 1e-9);
	assert_near(bench.stats.j_per_packet.value, 0.02, 1e-12);
	assert_near(bench.stats.j_per_packet.low, 98 / 5000.0, 1e-12);
}

static void no_packet_no_energy_or_no_certainty_is_no_ratio(void **state)
{
	struct bench bench = good();

	(void)state;
	sl_shares_set_ratio(&bench.stats, 0, &bench.words);
	assert_string_equal(bench.stats.no_ratio, "no packet came out");
	assert_false(bench.stats.packets_per_j.valid);
	assert_false(bench.stats.j_per_packet.valid);
	bench.stats.sum.half_j = 100;
	sl_shares_set_ratio(&bench.stats, 1, &bench.words);
	assert_string_equal(bench.stats.no_ratio, "the energy cannot be told "
						  "from 0: 100 J +- 100 J");
	refuse(&bench.stats.sum, "a: gone");
	sl_shares_set_ratio(&bench.stats, 1, &bench.words);
	assert_string_equal(bench.stats.no_ratio, "a: gone");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_above_idle_is_shared_by_cpu_time),
		cmocka_unit_test(
			a_given_idle_power_has_no_interval_that_anybody_knows),
		cmocka_unit_test(
			a_measured_idle_power_brings_its_uncertainty_along),
		cmocka_unit_test(samples_that_scatter_widen_the_shares),
		cmocka_unit_test(without_idle_power_there_are_no_shares),
		cmocka_unit_test(without_energy_there_are_no_shares),
		cmocka_unit_test(a_run_under_twenty_updates_has_no_shares),
		cmocka_unit_test(
			an_idle_window_under_twenty_updates_has_no_power),
		cmocka_unit_test(an_idle_window_without_energy_says_why),
		cmocka_unit_test(net_energy_that_is_noise_keeps_its_sign),
		cmocka_unit_test(few_samples_of_cpu_time_are_not_enough),
		cmocka_unit_test(
			packets_by_joules_have_the_interval_turned_round),
		cmocka_unit_test(
			no_packet_no_energy_or_no_certainty_is_no_ratio),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
