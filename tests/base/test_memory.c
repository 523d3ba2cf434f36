/* SPDX-License-Identifier: MIT */
/* Tests of sluice/memory.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sluice/memory.h"

#define LARGE_PAGE ((size_t)2 << 20)

static const size_t sizes[] = { 1,
				64,
				65,
				LARGE_PAGE - 1,
				LARGE_PAGE,
				LARGE_PAGE + 1,
				3 * LARGE_PAGE,
				3 * LARGE_PAGE + 4096 };

static void a_table_is_zeroed_aligned_and_ours(void **state)
{
	(void)state;
	for (size_t at = 0; at < sizeof(sizes) / sizeof(sizes[0]); at++) {
		/* twice, so that memory that was used comes back */
		for (int turn = 0; turn < 2; turn++) {
			unsigned char *table = sl_table_alloc(sizes[at]);
			size_t zeros = 0;

			assert_non_null(table);
			assert_int_equal((uintptr_t)table % SL_CACHE_LINE, 0);
			while (zeros < sizes[at] && !table[zeros])
				zeros++;
			assert_int_equal(zeros, sizes[at]);
			memset(table, 0xff, sizes[at]);
			sl_table_free(table, sizes[at]);
		}
	}
}

static void a_large_table_starts_with_a_large_page(void **state)
{
	void *tables[4];

	(void)state;
	for (size_t at = 0; at < 4; at++) {
		tables[at] = sl_table_alloc(LARGE_PAGE + at * 4096);
		assert_non_null(tables[at]);
		assert_int_equal((uintptr_t)tables[at] % LARGE_PAGE, 0);
	}
	for (size_t at = 0; at < 4; at++)
		sl_table_free(tables[at], LARGE_PAGE + at * 4096);
}

static void what_no_machine_has_is_refused(void **state)
{
	(void)state;
	assert_null(sl_table_alloc(SIZE_MAX));
	assert_null(sl_table_alloc(SIZE_MAX - LARGE_PAGE));
	assert_null(sl_table_alloc(SIZE_MAX / 2));
}

static void nothing_may_be_freed(void **state)
{
	(void)state;
	sl_table_free(NULL, 0);
	sl_table_free(NULL, LARGE_PAGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_table_is_zeroed_aligned_and_ours),
		cmocka_unit_test(a_large_table_starts_with_a_large_page),
		cmocka_unit_test(what_no_machine_has_is_refused),
		cmocka_unit_test(nothing_may_be_freed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
