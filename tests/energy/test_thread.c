/* SPDX-License-Identifier: MIT */
/* The thread that reads meters now and then. */
#include <pthread.h>
#include <unistd.h>

#include "energy/fake.h"
#include "energy/near.h"

static void the_fastest_wrap_sets_the_period(void **state)
{
	struct bench *bench = *state;
	struct sl_error error;

	use(bench, two_packages, 3);
	/* 262 kJ at 1000 W: 65 s */
	assert_int_equal(sl_energy_start(bench->energy, 3600, NULL), SL_OK);
	assert_near(sl_energy_period(bench->energy), 65.5358, 1e-3);
	assert_int_equal(sl_energy_start(bench->energy, 1, &error), SL_EINVAL);
	assert_string_equal(error.message, "it was started already");
	sl_energy_stop(bench->energy);
	assert_near(sl_energy_period(bench->energy), 0, 0);
	assert_int_equal(sl_energy_start(bench->energy, 0.5, NULL), SL_OK);
	assert_near(sl_energy_period(bench->energy), 0.5, 0);
	sl_energy_stop(bench->energy);
	sl_energy_stop(bench->energy);
	assert_int_equal(sl_energy_start(bench->energy, 0.0001, NULL),
			 SL_EINVAL);
	assert_int_equal(sl_energy_start(bench->energy, 4000, NULL), SL_EINVAL);
	assert_int_equal(sl_energy_start(bench->energy, -1, NULL), SL_EINVAL);
}

/* A round that the thread made rings a pipe. */
static void ring(void *context)
{
	const int *ends = context;

	assert_int_equal(write(ends[1], "", 1), 1);
}

static void the_thread_makes_rounds_until_it_is_stopped(void **unused)
{
	struct sl_sampler sampler = { .running = false };
	int ends[2];
	char byte;

	(void)unused;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(sl_sampler_start(&sampler, 0.001, ring, ends, NULL),
			 SL_OK);
	for (int round = 0; round < 3; round++)
		assert_int_equal(read(ends[0], &byte, 1), 1);
	sl_sampler_stop(&sampler);
	assert_false(sampler.running);
	close(ends[0]);
	close(ends[1]);
}

static void *take_marks(void *context)
{
	struct sl_energy *energy = context;
	struct sl_energy_mark own = { 0 };

	for (int at = 0; at < 200; at++)
		if (sl_energy_mark(energy, &own, NULL) != SL_OK)
			break;
	sl_energy_mark_finish(&own);
	return NULL;
}

static void marks_may_be_taken_while_the_thread_samples(void **state)
{
	struct bench *bench = *state;
	pthread_t other;

	use(bench, two_packages, 3);
	assert_int_equal(sl_energy_start(bench->energy, 0.001, NULL), SL_OK);
	assert_int_equal(
		pthread_create(&other, NULL, take_marks, bench->energy), 0);
	take_marks(bench->energy);
	pthread_join(other, NULL);
	sl_energy_stop(bench->energy);
	assert_true(bench->fake.reads >= 3 * 401);
}

int main(void)
{
#define test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		test(the_fastest_wrap_sets_the_period),
		cmocka_unit_test(the_thread_makes_rounds_until_it_is_stopped),
		test(marks_may_be_taken_while_the_thread_samples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
