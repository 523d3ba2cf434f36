/* SPDX-License-Identifier: MIT */
/* Backtracking over rows with one bit a column. Written for what compilers
 * make of it: with the sum passed down instead of added up on the way back,
 * and additions that become address computations, it needs no instruction
 * beyond plain x86-64 to be fast. */
#include "queens.h"

/* `open`: columns without a queen. `left`, `right`: columns of this row that
 * a queen above attacks along a diagonal. A queen's bit is in none of them,
 * so adding it sets it. */
static unsigned place(unsigned found, unsigned open, unsigned left,
		      unsigned right)
{
	unsigned safe = open & ~(left | right);

	if (!open)
		return found + 1;
	while (safe) {
		unsigned queen = safe & -safe;

		safe -= queen;
		found = place(found, open - queen, (left + queen) * 2,
			      (right + queen) / 2);
	}
	return found;
}

unsigned queens_count(unsigned size)
{
	return place(0, (1u << size) - 1, 0, 0);
}

unsigned queens_known(unsigned size)
{
	static const unsigned known[QUEENS_MAX + 1] = {
		1,   1,   0,    0,     2,     10,     4,       40,       92,
		352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512,
	};

	return known[size];
}
