/* SPDX-License-Identifier: MIT */
#include "sluice/decimal.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bool parse(const char *text, struct sl_decimal *decimal)
{
	return sl_decimal_parse(text, strlen(text), decimal);
}

static void a_number_is_its_digits_and_a_power_of_ten(void **state)
{
	static const struct {
		const char *text;
		uint64_t digits;
		int exponent;
		bool negative;
	} cases[] = {
		{ "0", 0, 0, false },
		{ "12.340", 12340, -3, false },
		{ "12.345E-03", 12345, -6, false },
		{ "+1.5e2", 15, 1, false },
		{ "-7", 7, 0, true },
		{ ".5", 5, -1, false },
		{ "5.", 5, 0, false },
		{ "9.91E+37", 991, 35, false },
		{ "18446744073709551616", 1844674407370955161, 1, false },
		{ "0.00000000000000000000001", 1, -23, false },
		{ "1e99999999999999999999", 1, 99999, false },
	};

	(void)state;
	for (size_t at = 0; at < sizeof(cases) / sizeof(cases[0]); at++) {
		struct sl_decimal decimal;

		assert_true(parse(cases[at].text, &decimal));
		assert_int_equal(decimal.digits, cases[at].digits);
		assert_int_equal(decimal.exponent, cases[at].exponent);
		assert_int_equal(decimal.negative, cases[at].negative);
	}
}

static void what_is_no_number_is_refused(void **state)
{
	static const char *const texts[] = { "",    "-",   ".",    "e5",
					     "1e",  "1e+", "1.2.", "1 ",
					     " 1",  "0x1", "1,5",  "nan",
					     "INF", "--1", "1e5e", "1e5.0" };

	(void)state;
	for (size_t at = 0; at < sizeof(texts) / sizeof(texts[0]); at++) {
		struct sl_decimal decimal;

		assert_false(parse(texts[at], &decimal));
	}
}

static void counts_are_rounded_to_the_nearest(void **state)
{
	static const struct {
		const char *text;
		int unit;
		bool fits;
		uint64_t count;
	} cases[] = {
		{ "12.345E-03", -9, true, 12345000 },
		{ "9492.468000000001", -6, true, 9492468000 },
		{ "0.0000005", -6, true, 1 },
		{ "0.00000049", -6, true, 0 },
		{ "1e-30", -9, true, 0 },
		{ "18446744073.709551615", -9, true, UINT64_MAX / 10 * 10 },
		{ "18446744073709551615e1", 0, false, 0 },
		{ "1e400", -9, false, 0 },
		{ "-0.0", -9, true, 0 },
		{ "-1", -9, false, 0 },
	};

	(void)state;
	for (size_t at = 0; at < sizeof(cases) / sizeof(cases[0]); at++) {
		struct sl_decimal decimal;
		uint64_t count = 1;

		assert_true(parse(cases[at].text, &decimal));
		assert_int_equal(
			sl_decimal_count(&decimal, cases[at].unit, &count),
			cases[at].fits);
		assert_int_equal(count, cases[at].count);
	}
}

static void values_are_those_of_strtod(void **state)
{
	static const char *const texts[] = {
		"0.1",   "105.85E+00",      "1e22", "-2.5", "123456789012345",
		"1e-22", "0.30000000000000"
	};
	struct sl_decimal decimal;

	(void)state;
	for (size_t at = 0; at < sizeof(texts) / sizeof(texts[0]); at++) {
		assert_true(parse(texts[at], &decimal));
		assert_true(sl_decimal_value(&decimal) ==
			    strtod(texts[at], NULL));
	}
	assert_true(parse("9.91E37", &decimal));
	assert_true(fabs(sl_decimal_value(&decimal) / 9.91e37 - 1) < 1e-15);
	assert_true(parse("-1e999", &decimal));
	assert_true(isinf(sl_decimal_value(&decimal)));
	assert_true(parse("1e-999", &decimal));
	assert_true(sl_decimal_value(&decimal) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_number_is_its_digits_and_a_power_of_ten),
		cmocka_unit_test(what_is_no_number_is_refused),
		cmocka_unit_test(counts_are_rounded_to_the_nearest),
		cmocka_unit_test(values_are_those_of_strtod),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
