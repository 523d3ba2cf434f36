/* SPDX-License-Identifier: MIT */
/* Fitting the curve of the model. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "energy/near.h"
#include "power/calibrate.h"

static struct sl_load_point point(double busy, double idle_w, double busy_w,
				  double exponent)
{
	return (struct sl_load_point){
		busy, idle_w + (busy_w - idle_w) * pow(busy, exponent)
	};
}

static void a_bent_curve_is_found_again(void **state)
{
	const struct sl_load_point points[] = { point(0.01, 5, 40, 0.7),
						point(0.25, 5, 40, 0.7),
						point(0.5, 5, 40, 0.7),
						point(0.75, 5, 40, 0.7),
						point(1, 5, 40, 0.7) };
	struct sl_curve curve;

	(void)state;
	assert_int_equal(sl_curve_fit(points, 5, 0.01, &curve, NULL), SL_OK);
	assert_near(curve.idle_w, 5, 0.01);
	assert_near(curve.busy_w, 40, 0.01);
	assert_near(curve.exponent, 0.7, 0.001);
	/* no model is better than 15 % */
	assert_near(curve.relative, 0.15, 1e-9);
}

static void of_two_loads_it_is_a_line(void **state)
{
	const struct sl_load_point points[] = { { 0.1, 10 }, { 0.9, 50 } };
	struct sl_curve curve;

	(void)state;
	assert_int_equal(sl_curve_fit(points, 2, 0.3, &curve, NULL), SL_OK);
	assert_near(curve.idle_w, 5, 1e-9);
	assert_near(curve.busy_w, 55, 1e-9);
	assert_near(curve.exponent, 1, 1e-12);
	assert_near(curve.relative, 0.3, 1e-9);
}

static void what_cannot_be_fitted_is_refused(void **state)
{
	const struct sl_load_point alike[] = { { 0.99, 10 }, { 1, 50 } };
	const struct sl_load_point falling[] = { { 0, 10 }, { 1, 9 } };
	struct sl_curve curve;
	struct sl_error error;

	(void)state;
	assert_int_equal(sl_curve_fit(alike, 2, 0, &curve, &error), SL_EINVAL);
	assert_string_equal(error.message, "all loads were alike: others use "
					   "the CPUs");
	assert_int_equal(sl_curve_fit(falling, 2, 0, &curve, &error),
			 SL_EINVAL);
	assert_string_equal(error.message,
			    "the power does not rise with the load");
	assert_int_equal(sl_curve_fit(alike, 0, 0, &curve, &error), SL_EINVAL);
}

static void the_file_says_what_it_stands_on(void **state)
{
	const struct sl_load_point points[] = { { 0, 5 }, { 1, 55 } };
	const struct sl_curve curve = { 5, 55, 1, 0.15 };
	struct sl_buffer text = { NULL, 0, 0 };

	(void)state;
	assert_int_equal(sl_curve_text(&curve, points, 2, &text, NULL), SL_OK);
	assert_string_equal(text.data,
			    "# W = idle + (busy - idle) * u^exponent, by "
			    "powercheck calibrate\n"
			    "# 0.0 % busy: 5 W\n# 100.0 % busy: 55 W\n"
			    "idle = 5\nbusy = 55\nexponent = 1\nrelative = "
			    "0.15\n");
	free(text.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_bent_curve_is_found_again),
		cmocka_unit_test(of_two_loads_it_is_a_line),
		cmocka_unit_test(what_cannot_be_fitted_is_refused),
		cmocka_unit_test(the_file_says_what_it_stands_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
