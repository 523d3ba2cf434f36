/* SPDX-License-Identifier: MIT */
/* The work that compute does for a packet counts what is known to be there. */
#include "plugins/compute/queens.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void queens_stand_in_the_known_number_of_ways(void **unused)
{
	static const unsigned ways[] = { 1,  0,   0,   2,    10,    4,    40,
					 92, 352, 724, 2680, 14200, 73712 };

	(void)unused;
	for (unsigned size = 1; size <= 13; size++) {
		assert_int_equal(queens_count(size), ways[size - 1]);
		assert_int_equal(queens_known(size), ways[size - 1]);
	}
}

static void the_largest_boards_are_known_too(void **unused)
{
	(void)unused;
	assert_int_equal(queens_known(14), 365596);
	assert_int_equal(queens_known(15), 2279184);
	assert_int_equal(queens_known(QUEENS_MAX), 14772512);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(queens_stand_in_the_known_number_of_ways),
		cmocka_unit_test(the_largest_boards_are_known_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
