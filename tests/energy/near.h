/* SPDX-License-Identifier: MIT */
/** @file
 * Figures that must be nearly equal: cmocka's own assertion takes floats.
 */
#ifndef TESTS_ENERGY_NEAR_H
#define TESTS_ENERGY_NEAR_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static inline void assert_near_at(double value, double expected, double within,
				  const char *file, int line)
{
	if (fabs(value - expected) <= within)
		return;
	print_error("%.9g is not %.9g +- %g\n", value, expected, within);
	_fail(file, line);
}

#define assert_near(value, expected, within) \
	assert_near_at((value), (expected), (within), __FILE__, __LINE__)

#endif
