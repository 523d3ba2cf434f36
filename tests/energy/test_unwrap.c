/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "energy/near.h"
#include "energy/unwrap.h"

#define SECOND INT64_C(1000000000)

/* Of an Intel package: 2^32 counts of 61.035 uJ. */
#define INTEL_RANGE UINT64_C(262143328850)
#define INTEL_MODULUS UINT64_C(262143328911)
/* Of an AMD one: 2^32 of 15.258 uJ. */
#define AMD_RANGE UINT64_C(65532610987)

static struct sl_unwrap package(void)
{
	return (struct sl_unwrap){
		.unit_j = 1e-6,
		.modulus = INTEL_MODULUS,
		.noise_j = 122e-6,
		.slack_j = 122e-6,
		.power_max_w = 1000,
		.update_s = 1e-3,
	};
}

static void the_modulus_is_the_range_and_one_count(void **unused)
{
	static const struct {
		uint64_t range, modulus;
	} cases[] = {
		{ INTEL_RANGE, INTEL_MODULUS },
		/* AMD: 15.259 uJ a count */
		{ UINT64_C(65532610987), UINT64_C(65532611002) },
		/* one count is 1 */
		{ UINT64_C(4294967295), UINT64_C(4294967296) },
		/* half a count and more is one */
		{ UINT64_C(2147483648), UINT64_C(2147483649) },
		{ UINT64_C(2147483647), UINT64_C(2147483647) },
		{ 1000, 1000 },
		{ 0, 0 },
	};

	(void)unused;
	for (size_t at = 0; at < sizeof(cases) / sizeof(cases[0]); at++)
		assert_int_equal(sl_unwrap_modulus(cases[at].range),
				 cases[at].modulus);
}

static void a_quarter_of_the_time_to_wrap_is_the_period(void **unused)
{
	struct sl_unwrap amd = {
		.unit_j = 1e-6,
		.modulus = UINT64_C(65532611002),
		.power_max_w = 280,
	};

	(void)unused;
	/* 65.5 kJ at 280 W: 234 s */
	assert_near(sl_unwrap_period_s(&amd), 234.045 / 4, 0.01);
	amd.modulus = 0;
	assert_near(sl_unwrap_period_s(&amd), 0, 0);
}

/** One value after another, read within a microsecond. */
struct value {
	int64_t at_s;
	uint64_t count;
	enum sl_step step;
	double energy_j;
};

static void check(struct sl_unwrap unwrap, const struct value *values,
		  size_t count)
{
	for (size_t at = 0; at < count; at++) {
		int64_t ns = values[at].at_s * SECOND;
		double energy_j = -1;
		enum sl_step step = sl_unwrap_step(&unwrap, values[at].count,
						   ns, ns + 1000, &energy_j);

		if (step != values[at].step)
			print_error("value %zu\n", at);
		assert_int_equal(step, values[at].step);
		assert_near(energy_j, values[at].energy_j, 1e-9);
	}
}

#define CHECK(unwrap, values) \
	check((unwrap), (values), sizeof(values) / sizeof((values)[0]))

static void a_counter_that_rises_gives_the_difference(void **unused)
{
	static const struct value values[] = {
		{ 0, 240422366267, SL_STEP_FIRST, 0 },
		{ 1, 240472366267, SL_STEP_OK, 50 },
		{ 2, 240472366267, SL_STEP_OK, 0 },
		{ 3, 240472366328, SL_STEP_OK, 61e-6 },
	};

	(void)unused;
	CHECK(package(), values);
}

static void a_wrap_loses_nothing(void **unused)
{
	static const struct value values[] = {
		{ 0, INTEL_MODULUS - 10000000, SL_STEP_FIRST, 0 },
		{ 1, 5000000, SL_STEP_OK, 15 },
		{ 2, 105000000, SL_STEP_OK, 100 },
	};

	(void)unused;
	CHECK(package(), values);
}

static void several_wraps_in_a_window_are_counted(void **unused)
{
	struct sl_unwrap small = {
		.unit_j = 1,
		.modulus = 100,
		.power_max_w = 30,
		.noise_j = 1,
	};
	static const struct value values[] = {
		{ 0, 0, SL_STEP_FIRST, 0 }, { 3, 80, SL_STEP_OK, 80 },
		{ 6, 60, SL_STEP_OK, 80 },  { 9, 40, SL_STEP_OK, 80 },
		{ 12, 20, SL_STEP_OK, 80 }, { 15, 0, SL_STEP_OK, 80 },
	};

	(void)unused;
	CHECK(small, values);
}

/* Three times round at so many watts, read every quarter of the time a wrap
 * takes at full power: no joule is lost or made. */
static void go_round(uint64_t range, double watts)
{
	struct sl_unwrap unwrap = package();
	double sum_j = 0, all_j;
	int64_t step_s;
	uint64_t steps, step_uj;

	unwrap.modulus = sl_unwrap_modulus(range);
	step_s = (int64_t)sl_unwrap_period_s(&unwrap);
	step_uj = (uint64_t)(watts * 1e6) * (uint64_t)step_s;
	steps = 3 * unwrap.modulus / step_uj + 1;
	for (uint64_t at = 0; at <= steps; at++) {
		int64_t ns = (int64_t)at * step_s * SECOND;
		double energy_j = -1;
		enum sl_step step =
			sl_unwrap_step(&unwrap, at * step_uj % unwrap.modulus,
				       ns, ns + 1000, &energy_j);

		assert_int_equal(step, at ? SL_STEP_OK : SL_STEP_FIRST);
		sum_j += energy_j;
	}
	all_j = (double)(steps * step_uj) * 1e-6;
	assert_true(all_j > 3 * (double)unwrap.modulus * 1e-6);
	assert_near(sum_j, all_j, 1e-6);
}

static void counters_of_intel_and_amd_go_round_and_round(void **unused)
{
	(void)unused;
	go_round(INTEL_RANGE, 150);
	go_round(INTEL_RANGE, 999);
	go_round(AMD_RANGE, 280);
	go_round(AMD_RANGE, 999);
}

static void a_fall_that_no_power_explains_is_a_reset(void **unused)
{
	static const struct value values[] = {
		{ 0, 200000000000, SL_STEP_FIRST, 0 },
		/* 62 kJ in a second would be a wrap */
		{ 1, 0, SL_STEP_RESET, 0 },
		{ 2, 7000000, SL_STEP_OK, 7 },
	};

	(void)unused;
	CHECK(package(), values);
}

static void a_rise_that_no_power_explains_is_a_jump(void **unused)
{
	static const struct value values[] = {
		{ 0, 1000000, SL_STEP_FIRST, 0 },
		{ 1, 9000000000, SL_STEP_JUMP, 0 },
		{ 2, 9001000000, SL_STEP_OK, 1 },
	};

	(void)unused;
	CHECK(package(), values);
}

static void a_value_that_falls_a_little_gives_no_energy(void **unused)
{
	static const struct value values[] = {
		{ 0, 5000000, SL_STEP_FIRST, 0 },
		{ 1, 4999939, SL_STEP_TREMBLE, 0 },
		/* not 3.000061: what was counted once is not counted again */
		{ 2, 8000000, SL_STEP_OK, 3 },
	};

	(void)unused;
	CHECK(package(), values);
}

static void a_tremble_over_the_seam_is_no_wrap_backwards(void **unused)
{
	static const struct value values[] = {
		{ 0, 30, SL_STEP_FIRST, 0 },
		{ 1, INTEL_MODULUS - 31, SL_STEP_TREMBLE, 0 },
		{ 2, 1000030, SL_STEP_OK, 1 },
	};

	(void)unused;
	CHECK(package(), values);
}

static void a_window_in_which_it_may_wrap_twice_is_ambiguous(void **unused)
{
	static const struct value values[] = {
		{ 0, 0, SL_STEP_FIRST, 0 },
		/* 1000 W for 263 s is more than a round */
		{ 263, 500000, SL_STEP_AMBIGUOUS, 0 },
		{ 264, 1500000, SL_STEP_OK, 1 },
	};

	(void)unused;
	CHECK(package(), values);
}

static void a_value_beyond_the_range_is_none(void **unused)
{
	static const struct value values[] = {
		{ 0, 1000000, SL_STEP_FIRST, 0 },
		{ 1, INTEL_MODULUS, SL_STEP_RANGE, 0 },
		{ 2, 3000000, SL_STEP_FIRST, 0 },
	};

	(void)unused;
	CHECK(package(), values);
}

static void a_counter_without_modulus_never_wraps(void **unused)
{
	struct sl_unwrap amd_energy = { .unit_j = 1e-6, .noise_j = 2e-6 };
	static const struct value values[] = {
		{ 0, UINT64_MAX - 1, SL_STEP_FIRST, 0 },
		{ 1, UINT64_MAX, SL_STEP_OK, 1e-6 },
		{ 2, 0, SL_STEP_RESET, 0 },
		{ 3, 5, SL_STEP_OK, 5e-6 },
		{ 4, 3, SL_STEP_TREMBLE, 0 },
		{ 5, 2, SL_STEP_RESET, 0 },
	};

	(void)unused;
	CHECK(amd_energy, values);
}

static void without_a_greatest_power_every_fall_is_a_reset(void **unused)
{
	struct sl_unwrap unknown = package();
	static const struct value values[] = {
		{ 0, INTEL_MODULUS - 1000000, SL_STEP_FIRST, 0 },
		{ 1, 1000000, SL_STEP_RESET, 0 },
	};

	(void)unused;
	unknown.power_max_w = 0;
	CHECK(unknown, values);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_modulus_is_the_range_and_one_count),
		cmocka_unit_test(a_quarter_of_the_time_to_wrap_is_the_period),
		cmocka_unit_test(a_counter_that_rises_gives_the_difference),
		cmocka_unit_test(a_wrap_loses_nothing),
		cmocka_unit_test(several_wraps_in_a_window_are_counted),
		cmocka_unit_test(counters_of_intel_and_amd_go_round_and_round),
		cmocka_unit_test(a_fall_that_no_power_explains_is_a_reset),
		cmocka_unit_test(a_rise_that_no_power_explains_is_a_jump),
		cmocka_unit_test(a_value_that_falls_a_little_gives_no_energy),
		cmocka_unit_test(a_tremble_over_the_seam_is_no_wrap_backwards),
		cmocka_unit_test(
			a_window_in_which_it_may_wrap_twice_is_ambiguous),
		cmocka_unit_test(a_value_beyond_the_range_is_none),
		cmocka_unit_test(a_counter_without_modulus_never_wraps),
		cmocka_unit_test(
			without_a_greatest_power_every_fall_is_a_reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
