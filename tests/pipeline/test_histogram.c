/* SPDX-License-Identifier: MIT */
/* Quantiles of a log-linear histogram are upper bounds within 1/32. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pipeline/histogram.h"

static struct sl_histogram histogram;

static int an_empty_histogram(void **state)
{
	(void)state;
	histogram = (struct sl_histogram){ .max = 0 };
	return 0;
}

static void an_empty_histogram_has_quantiles_of_zero(void **state)
{
	(void)state;
	assert_int_equal(sl_histogram_quantile(&histogram, 0.5), 0);
	assert_int_equal(sl_histogram_quantile(&histogram, 1), 0);
}

static void small_values_are_exact(void **state)
{
	(void)state;
	for (uint64_t value = 1; value <= 20; value++)
		sl_histogram_add(&histogram, value);
	assert_int_equal(sl_histogram_quantile(&histogram, 0.5), 10);
	assert_int_equal(sl_histogram_quantile(&histogram, 0.9), 18);
	assert_int_equal(sl_histogram_quantile(&histogram, 1), 20);
}

static void a_quantile_never_exceeds_the_maximum(void **state)
{
	(void)state;
	sl_histogram_add(&histogram, 1000001);
	assert_int_equal(sl_histogram_quantile(&histogram, 0.5), 1000001);
}

static void a_quantile_is_an_upper_bound_within_a_32nd(void **state)
{
	(void)state;
	for (int shift = 0; shift < 63; shift++) {
		uint64_t value = ((uint64_t)1 << shift) + (unsigned)shift;
		uint64_t bound;

		an_empty_histogram(NULL);
		sl_histogram_add(&histogram, value);
		sl_histogram_add(&histogram, UINT64_MAX);
		bound = sl_histogram_quantile(&histogram, 0.5);
		assert_true(bound >= value);
		assert_true(bound - value <= value / 32);
	}
}

static void the_largest_value_has_a_bucket(void **state)
{
	(void)state;
	sl_histogram_add(&histogram, UINT64_MAX);
	assert_true(sl_histogram_quantile(&histogram, 1) == UINT64_MAX);
}

#define FRESH(test) cmocka_unit_test_setup(test, an_empty_histogram)

int main(void)
{
	const struct CMUnitTest tests[] = {
		FRESH(an_empty_histogram_has_quantiles_of_zero),
		FRESH(small_values_are_exact),
		FRESH(a_quantile_never_exceeds_the_maximum),
		FRESH(a_quantile_is_an_upper_bound_within_a_32nd),
		FRESH(the_largest_value_has_a_bucket),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
