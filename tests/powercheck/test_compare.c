/* SPDX-License-Identifier: MIT */
/* Ratios of two assessments, and the figures they are made of. */
#include <math.h>
#include <string.h>

#include "energy/near.h"
#include "power/compare.h"

static struct sl_figure figure(double value, double random, double systematic)
{
	return (struct sl_figure){ true,
				   value,
				   value - hypot(random, systematic),
				   value + hypot(random, systematic),
				   random,
				   systematic };
}

static void a_ratio_adds_relative_parts_in_squares(void **state)
{
	struct sl_figure a = figure(120, 3.6, 6), b = figure(100, 4, 5);
	struct sl_figure ratio = sl_figure_ratio(&a, &b, false);

	(void)state;
	assert_true(ratio.valid);
	assert_near(ratio.value, 1.2, 1e-12);
	assert_near(ratio.random, 1.2 * 0.05, 1e-12);
	assert_near(ratio.systematic, 1.2 * 0.05 * sqrt(2), 1e-12);
	/* of one meter, its calibration is gone */
	ratio = sl_figure_ratio(&a, &b, true);
	assert_near(ratio.systematic, 0, 1e-12);
	assert_near(ratio.low, 1.14, 1e-12);
	assert_near(ratio.high, 1.26, 1e-12);
}

static void what_may_be_nothing_divides_nothing(void **state)
{
	struct sl_figure a = figure(120, 1, 0), b = figure(3, 4, 0);
	struct sl_figure none = { 0 };

	(void)state;
	assert_false(sl_figure_ratio(&a, &b, false).valid);
	assert_false(sl_figure_ratio(&a, &none, false).valid);
	assert_false(sl_figure_ratio(&none, &a, false).valid);
}

static void a_figure_of_repeats_is_students(void **state)
{
	const struct sl_repeat repeats[] = { { 9, 0, 0.3 },
					     { 10, 0, 0.3 },
					     { 11, 0, 0.3 } };
	struct sl_figure found = sl_figure_of(repeats, 3);

	(void)state;
	assert_near(found.value, 10, 1e-12);
	assert_near(found.random, 4.3027 / sqrt(3), 1e-4);
	assert_near(found.systematic, 0.3, 1e-12);
	found = sl_figure_of(repeats, 1);
	assert_near(found.random, 0, 1e-12);
	assert_false(sl_figure_of(repeats, 0).valid);
}

static struct sl_summary summary(double seconds, double watts)
{
	return (struct sl_summary){
		.meters = "rapl package-0",
		.whole = true,
		.runs = 5,
		.seconds = figure(seconds, seconds * 0.005, 0),
		.power_w = figure(watts, watts * 0.005, watts * 0.05),
		.energy_j = figure(seconds * watts, seconds * watts * 0.005,
				   seconds * watts * 0.05),
	};
}

/* 1.19 times as fast at 1.15 times the power: 0.97 of the energy. */
static void the_articles_case(void **state)
{
	struct sl_summary a = summary(11.9, 100), b = summary(10, 115);
	struct sl_comparison found;

	(void)state;
	sl_compare(&a, &b, &found);
	assert_near(found.speedup.value, 1.19, 1e-9);
	assert_near(found.power.value, 1.15, 1e-9);
	assert_near(found.energy.value, 0.966387, 1e-6);
	assert_true(sl_distinguishable(&found.energy));
	assert_string_equal(found.differ, "");
}

static void a_models_error_stays_in_the_ratio(void **state)
{
	struct sl_summary a = summary(11.9, 100), b = summary(10, 115);
	struct sl_comparison found;

	(void)state;
	a.estimate = b.estimate = true;
	sl_compare(&a, &b, &found);
	assert_true(found.estimate);
	assert_false(sl_distinguishable(&found.energy));
}

static void windows_have_no_speed(void **state)
{
	struct sl_summary a = summary(30, 100), b = summary(30, 115);
	struct sl_comparison found;

	(void)state;
	b.whole = false;
	sl_compare(&a, &b, &found);
	assert_false(found.speedup.valid);
	assert_false(found.energy.valid);
	assert_true(found.power.valid);
}

static void conditions_that_differ_are_named(void **state)
{
	struct sl_summary a = summary(1, 1), b = summary(1, 1);
	struct sl_comparison found;

	(void)state;
	memcpy(b.conditions.turbo, "off", 4);
	memcpy(b.meters, "hwmon x", 8);
	sl_compare(&a, &b, &found);
	assert_string_equal(found.differ,
			    "turbo: , off; meters: rapl package-0, hwmon x");
}

static void settings_that_differ_are_named(void **state)
{
	struct sl_summary a = summary(1, 1), b = summary(1, 1);
	struct sl_comparison found;

	(void)state;
	a.settings = (struct sl_summary_settings){
		.settle_s = 15, .baseline_s = 30, .repeats = 5, .meters = "rapl"
	};
	b.settings = a.settings;
	b.settings.window_s = 30;
	b.settings.settle_s = NAN;
	memcpy(b.settings.meters, "rapl:mode=x", 12);
	sl_compare(&a, &b, &found);
	assert_string_equal(found.differ,
			    "window: run, 30; settle: 15, unknown; "
			    "--meter: rapl, rapl:mode=x");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_ratio_adds_relative_parts_in_squares),
		cmocka_unit_test(what_may_be_nothing_divides_nothing),
		cmocka_unit_test(a_figure_of_repeats_is_students),
		cmocka_unit_test(the_articles_case),
		cmocka_unit_test(a_models_error_stays_in_the_ratio),
		cmocka_unit_test(windows_have_no_speed),
		cmocka_unit_test(conditions_that_differ_are_named),
		cmocka_unit_test(settings_that_differ_are_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
