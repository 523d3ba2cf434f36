/* SPDX-License-Identifier: MIT */
/* Pairs of nearest points, against a search through all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "match/nearest.h"
#include "sluice/random.h"

enum { POINTS_MAX = 12 };

struct pairs {
	uint32_t olds[POINTS_MAX], news[POINTS_MAX];
	size_t count;
};

static void note(void *context, uint32_t old_at, uint32_t new_at)
{
	struct pairs *pairs = context;

	assert_true(pairs->count < POINTS_MAX);
	pairs->olds[pairs->count] = old_at;
	pairs->news[pairs->count++] = new_at;
}

static void the_nearest_get_partners_and_no_pairs_cross(void **state)
{
	static const struct sg_point olds[] = { { 10, 0 }, { 50, 1 } };
	static const struct sg_point news[] = { { 1, 0 },
						{ 48, 1 },
						{ 55, 2 } };
	static const struct sg_point here[] = { { 7, 0 }, { 7, 1 } };
	struct pairs pairs = { .count = 0 };

	(void)state;
	assert_int_equal(sg_pair_nearest(olds, 2, news, 3, note, &pairs),
			 SL_OK);
	assert_int_equal(sg_pair_nearest(here, 2, here, 2, note, &pairs),
			 SL_OK);
	assert_int_equal(pairs.count, 4);
	for (uint32_t at = 0; at < 4; at++) {
		assert_int_equal(pairs.olds[at], at % 2);
		assert_int_equal(pairs.news[at], at % 2);
	}
}

static void nothing_is_paired_with_nothing(void **state)
{
	static const struct sg_point olds[] = { { 10, 0 } };
	struct pairs pairs = { .count = 0 };

	(void)state;
	assert_int_equal(sg_pair_nearest(olds, 1, NULL, 0, note, &pairs),
			 SL_OK);
	assert_int_equal(sg_pair_nearest(NULL, 0, olds, 1, note, &pairs),
			 SL_OK);
	assert_int_equal(pairs.count, 0);
}

static size_t random_points(uint64_t seed, struct sg_point *points)
{
	size_t count = sl_random_at(seed, 0) % POINTS_MAX;
	int64_t line = 0;

	for (size_t at = 0; at < count; at++) {
		line += (int64_t)(sl_random_at(seed, at + 1) >> 30);
		points[at] = (struct sg_point){ line, (uint32_t)at };
	}
	return count;
}

/* Which points the nearest pairs are made of, a bit each. @return the number
 * of pairs. */
static size_t model(const struct sg_point *olds, size_t old_count,
		    const struct sg_point *news, size_t new_count,
		    unsigned *old_taken, unsigned *new_taken)
{
	size_t count = 0;

	*old_taken = *new_taken = 0;
	for (;;) {
		int64_t best = INT64_MAX;
		size_t best_old = 0, best_new = 0;

		for (size_t at = 0; at < old_count; at++)
			for (size_t to = 0; to < new_count; to++) {
				int64_t far =
					llabs(olds[at].line - news[to].line);

				if (*old_taken >> at & 1 ||
				    *new_taken >> to & 1 || far >= best)
					continue;
				best = far;
				best_old = at;
				best_new = to;
			}
		if (best == INT64_MAX)
			return count;
		*old_taken |= 1u << best_old;
		*new_taken |= 1u << best_new;
		count++;
	}
}

static void the_chosen_are_those_of_a_search_through_all(void **state)
{
	struct sg_point olds[POINTS_MAX], news[POINTS_MAX];
	struct pairs pairs;

	(void)state;
	for (uint64_t round = 0; round < 20000; round++) {
		size_t old_count = random_points(2 * round, olds);
		size_t new_count = random_points(2 * round + 1, news);
		unsigned old_taken, new_taken;
		size_t count = model(olds, old_count, news, new_count,
				     &old_taken, &new_taken);

		pairs.count = 0;
		assert_int_equal(sg_pair_nearest(olds, old_count, news,
						 new_count, note, &pairs),
				 SL_OK);
		assert_int_equal(pairs.count, count);
		for (size_t at = 0; at < count; at++) {
			assert_true(old_taken >> pairs.olds[at] & 1);
			assert_true(new_taken >> pairs.news[at] & 1);
			assert_true(at == 0 ||
				    (pairs.olds[at] > pairs.olds[at - 1] &&
				     pairs.news[at] > pairs.news[at - 1]));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_nearest_get_partners_and_no_pairs_cross),
		cmocka_unit_test(nothing_is_paired_with_nothing),
		cmocka_unit_test(the_chosen_are_those_of_a_search_through_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
