/* SPDX-License-Identifier: MIT */
/* What CPU time follows from samples of it, and how certain it is. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../energy/near.h"
#include "pipeline/busy.h"
#include "sluice/defs.h"

/* Steps that took so much wall time, of which so much CPU time; the others were
 * not sampled. */
static struct sl_busy_sum sum_of(const double (*samples)[2], size_t count,
				 double busy_s)
{
	struct sl_busy_sum sum = {
		.busy_ns = (int64_t)llround(busy_s * 1e9),
		.samples = count,
	};

	for (size_t at = 0; at < count; at++) {
		double wall = samples[at][0], cpu = samples[at][1];

		sum.wall += wall;
		sum.cpu += cpu;
		sum.wall2 += wall * wall;
		sum.cpu2 += cpu * cpu;
		sum.both += wall * cpu;
	}
	return sum;
}

static void cpu_time_is_in_the_ratio_of_the_samples(void **state)
{
	const double samples[][2] = { { 1, 0.5 }, { 3, 1.5 } };
	struct sl_busy_sum sum = sum_of(samples, 2, 64);
	double u_s;

	(void)state;
	assert_near(sl_busy_sum_cpu(&sum, &u_s), 32, 1e-9);
	assert_near(u_s, 0, 1e-6);
}

static void samples_that_differ_make_it_uncertain(void **state)
{
	/* Ratio 0.5, residuals +-0.5: s = sqrt(1), times sqrt(4), by 16. */
	const double samples[][2] = {
		{ 2, 1.5 }, { 2, 0.5 }, { 2, 1.5 }, { 2, 0.5 }
	};
	struct sl_busy_sum sum = sum_of(samples, 4, 80);
	double u_s;

	(void)state;
	assert_near(sl_busy_sum_cpu(&sum, &u_s), 40, 1e-9);
	assert_near(u_s, 80.0 / 8 * sqrt(1.0 / 3) * sqrt(4), 1e-9);
}

static void one_sample_says_nothing_of_its_uncertainty(void **state)
{
	const double samples[][2] = { { 1, 0.5 } };
	struct sl_busy_sum sum = sum_of(samples, 1, 16);
	double u_s;

	(void)state;
	assert_near(sl_busy_sum_cpu(&sum, &u_s), 8, 1e-9);
	assert_true(isinf(u_s));
	sum.samples = 0;
	sum.wall = sum.cpu = 0;
	assert_near(sl_busy_sum_cpu(&sum, &u_s), 0, 0);
	assert_true(isinf(u_s));
}

static void what_never_worked_took_nothing_for_certain(void **state)
{
	const struct sl_busy_sum sum = { 0 };
	double u_s;

	(void)state;
	assert_near(sl_busy_sum_cpu(&sum, &u_s), 0, 0);
	assert_near(u_s, 0, 0);
}

static void work(void)
{
	uint64_t x = 1;

	for (unsigned at = 0; at < 1000000; at++) {
		x = x * 6364136223846793005u + 1;
		SL_OPAQUE(x);
	}
}

static void a_step_is_measured_and_its_cpu_time_if_that_is_sampled(void **state)
{
	struct sl_busy busy = { 0 };
	struct sl_busy_sum sum = { 0 };
	struct sl_stopwatch watch = sl_stopwatch_start(false);
	int64_t first, second;

	(void)state;
	work();
	first = sl_stopwatch_stop(&watch, 0, &busy);
	sl_busy_sum_add(&sum, &busy);
	assert_true(first > 0);
	assert_int_equal(sum.busy_ns, first);
	assert_int_equal(sum.samples, 0);

	watch = sl_stopwatch_start(true);
	work();
	second = sl_stopwatch_stop(&watch, 0, &busy);
	sum = (struct sl_busy_sum){ 0 };
	sl_busy_sum_add(&sum, &busy);
	assert_int_equal(sum.busy_ns, first + second);
	assert_int_equal(sum.samples, 1);
	assert_true(sum.cpu > 0);
	assert_true(sum.cpu <= sum.wall);
	assert_near(sum.wall, (double)second * 1e-9, 1e-12);
}

static void waiting_is_no_work(void **state)
{
	struct sl_busy busy = { 0 };
	struct sl_stopwatch watch = sl_stopwatch_start(false);

	(void)state;
	work();
	assert_true(sl_stopwatch_stop(&watch, INT64_C(1000000000000), &busy) <
		    0);
}

/* Of chunks that begin one so long after the other, how many are sampled. */
static unsigned taken_of(unsigned chunks, int64_t apart_ns)
{
	struct sl_cpu_sampler sampler = { 0 };
	unsigned taken = 0;

	for (unsigned at = 0; at < chunks; at++)
		taken += sl_cpu_sampler_takes(&sampler, 1000 + at * apart_ns);
	return taken;
}

static void one_chunk_each_10_ms_is_sampled_and_each_long_one(void **state)
{
	unsigned of_100_s = taken_of(1000000, 100000);

	(void)state;
	assert_true(taken_of(1, 0) == 1);
	assert_true(of_100_s > 9500 && of_100_s < 10500);
	assert_true(taken_of(1000, SL_CPU_SAMPLE_NS * 3 / 2) == 1000);
}

static void the_times_between_samples_differ(void **state)
{
	struct sl_cpu_sampler sampler = { 0 };
	int64_t least = INT64_MAX, most = 0, before = 0;

	(void)state;
	assert_true(sl_cpu_sampler_takes(&sampler, 0));
	for (int64_t now = 0; now < 1000 * INT64_C(10000000); now += 10000) {
		if (!sl_cpu_sampler_takes(&sampler, now))
			continue;
		least = now - before < least ? now - before : least;
		most = now - before > most ? now - before : most;
		before = now;
	}
	assert_in_range(least, 5000000, 5200000);
	assert_in_range(most, 14800000, 15010000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cpu_time_is_in_the_ratio_of_the_samples),
		cmocka_unit_test(samples_that_differ_make_it_uncertain),
		cmocka_unit_test(one_sample_says_nothing_of_its_uncertainty),
		cmocka_unit_test(what_never_worked_took_nothing_for_certain),
		cmocka_unit_test(
			a_step_is_measured_and_its_cpu_time_if_that_is_sampled),
		cmocka_unit_test(waiting_is_no_work),
		cmocka_unit_test(
			one_chunk_each_10_ms_is_sampled_and_each_long_one),
		cmocka_unit_test(the_times_between_samples_differ),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
