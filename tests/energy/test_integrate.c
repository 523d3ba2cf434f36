/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "energy/integrate.h"
#include "energy/near.h"

#define SECOND INT64_C(1000000000)

/** One power after another. */
struct value {
	double at_s, watts;
	enum sl_step step;
	double energy_j, variance_j2;
};

static void check(struct sl_integrate integrate, const struct value *values,
		  size_t count)
{
	for (size_t at = 0; at < count; at++) {
		const struct value *value = &values[at];
		double energy_j, variance_j2;
		enum sl_step step = sl_integrate_step(
			&integrate, value->watts, (int64_t)(value->at_s * 1e9),
			&energy_j, &variance_j2);

		assert_int_equal(step, value->step);
		assert_near(energy_j, value->energy_j, 1e-9);
		assert_near(variance_j2, value->variance_j2, 1e-9);
	}
}

#define CHECK(integrate, values) \
	check((integrate), (values), sizeof(values) / sizeof((values)[0]))

static void powers_are_integrated_by_trapezoids(void **unused)
{
	static const struct value values[] = {
		{ 0, 10, SL_STEP_FIRST, 0, 0 },
		{ 1, 10, SL_STEP_OK, 10, 0 },
		/* (20 - 10)^2 / 2 * 2^2 */
		{ 3, 20, SL_STEP_OK, 30, 200 },
		{ 3.5, 0, SL_STEP_OK, 5, 50 },
		{ 3.5, 7, SL_STEP_OK, 0, 0 },
	};

	(void)unused;
	CHECK(((struct sl_integrate){ .gap_ns = 10 * SECOND }), values);
}

static void a_mean_power_counts_for_the_time_before_it(void **unused)
{
	static const struct value values[] = {
		{ 0, 99, SL_STEP_FIRST, 0, 0 },
		{ 1, 10, SL_STEP_OK, 10, 0 },
		{ 3, 20, SL_STEP_OK, 40, 0 },
		{ 33, 1, SL_STEP_OK, 30, 0 },
	};

	(void)unused;
	CHECK(((struct sl_integrate){ .gap_ns = 10 * SECOND, .mean = true }),
	      values);
}

static void readings_too_far_apart_leave_a_gap(void **unused)
{
	static const struct value values[] = {
		{ 0, 10, SL_STEP_FIRST, 0, 0 },
		{ 2, 10, SL_STEP_OK, 20, 0 },
		{ 4.5, 10, SL_STEP_GAP, 0, 0 },
		{ 5, 10, SL_STEP_OK, 5, 0 },
	};

	(void)unused;
	CHECK(((struct sl_integrate){ .gap_ns = 2 * SECOND }), values);
}

static void the_steps_of_the_meter_are_uncertainty(void **unused)
{
	static const struct value values[] = {
		{ 0, 10, SL_STEP_FIRST, 0, 0 },
		{ 2, 10, SL_STEP_OK, 20, 0.12 }, /* 0.6^2 / 12 * 2^2 */
	};

	(void)unused;
	CHECK(((struct sl_integrate){ .gap_ns = 2 * SECOND,
				      .resolution_w = 0.6 }),
	      values);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(powers_are_integrated_by_trapezoids),
		cmocka_unit_test(a_mean_power_counts_for_the_time_before_it),
		cmocka_unit_test(readings_too_far_apart_leave_a_gap),
		cmocka_unit_test(the_steps_of_the_meter_are_uncertainty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
