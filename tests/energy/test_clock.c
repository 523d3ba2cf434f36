/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "energy/clock.h"

#define SECOND INT64_C(1000000000)

static void a_suspend_is_what_boottime_gained(void **unused)
{
	static const struct {
		struct sl_stamp from, to;
		int64_t slept_ns;
	} cases[] = {
		/* nothing happened */
		{ { 0, 0, 0 }, { SECOND, SECOND, SECOND }, 0 },
		/* 3 s asleep, with an offset from earlier sleeps */
		{ { 10 * SECOND, 15 * SECOND, 10 * SECOND },
		  { 11 * SECOND, 19 * SECOND, 11 * SECOND },
		  3 * SECOND },
		/* we were interrupted for a second between two clocks */
		{ { 0, 0, 0 }, { SECOND, 2 * SECOND, 2 * SECOND }, 0 },
		{ { 0, SECOND, SECOND }, { SECOND, SECOND, SECOND }, 0 },
		/* less than 10 ms is the clocks themselves */
		{ { 0, 0, 0 }, { SECOND, SECOND + 9000000, SECOND }, 0 },
		{ { 0, 0, 0 },
		  { SECOND, SECOND + 11000000, SECOND },
		  11000000 },
	};

	(void)unused;
	for (size_t at = 0; at < sizeof(cases) / sizeof(cases[0]); at++)
		assert_int_equal(
			sl_stamp_suspended_ns(&cases[at].from, &cases[at].to),
			cases[at].slept_ns);
}

static void the_systems_clocks_run_together(void **unused)
{
	struct sl_clock clock = sl_clock_system();
	struct sl_stamp from, to;

	(void)unused;
	clock.stamp(clock.context, &from);
	clock.stamp(clock.context, &to);
	assert_true(from.before_ns <= from.after_ns);
	assert_true(from.after_ns <= to.before_ns);
	assert_true(clock.monotonic_ns(clock.context) >= to.after_ns);
	assert_int_equal(sl_stamp_suspended_ns(&from, &to), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_suspend_is_what_boottime_gained),
		cmocka_unit_test(the_systems_clocks_run_together),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
