/* SPDX-License-Identifier: MIT */
/* The arena hands out zeroed, aligned memory of any size. */
#include "base/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

static void allocations_are_zeroed_aligned_and_apart(void **unused)
{
	static const size_t sizes[] = { 0, 1, 15, 16, 17, 4096, 100000, 3 };
	struct sl_arena arena = { 0 };
	char *last = NULL;

	(void)unused;
	for (int round = 0; round < 100; round++) {
		for (size_t at = 0; at < sizeof(sizes) / sizeof(sizes[0]);
		     at++) {
			char *bytes = sl_arena_alloc(&arena, sizes[at]);

			assert_non_null(bytes);
			assert_ptr_not_equal(bytes, last);
			assert_int_equal(
				(uintptr_t)bytes % _Alignof(max_align_t), 0);
			for (size_t i = 0; i < sizes[at]; i++)
				assert_int_equal(bytes[i], 0);
			memset(bytes, 0x5a, sizes[at]);
			last = bytes;
		}
	}
	sl_arena_finish(&arena);
	assert_null(arena.blocks);
}

static void a_cleared_arena_gives_zeroed_bytes_again(void **unused)
{
	static const size_t sizes[] = { 100, 100000, 40, 0, 4000 };
	struct sl_arena arena = { 0 };

	(void)unused;
	sl_arena_clear(&arena);
	assert_null(arena.blocks);
	for (size_t at = 0; at < sizeof(sizes) / sizeof(sizes[0]); at++) {
		char *bytes = sl_arena_alloc(&arena, sizes[at]);

		assert_non_null(bytes);
		for (size_t i = 0; i < sizes[at]; i++)
			assert_int_equal(bytes[i], 0);
		memset(bytes, 0x5a, sizes[at]);
		sl_arena_clear(&arena);
	}
	sl_arena_finish(&arena);
	assert_null(arena.blocks);
}

static void an_absurd_size_is_no_memory(void **unused)
{
	struct sl_arena arena = { 0 };

	(void)unused;
	assert_null(sl_arena_alloc(&arena, SIZE_MAX));
	assert_null(sl_arena_alloc(&arena, SIZE_MAX - 32));
	assert_null(sl_arena_text(&arena, "x", SIZE_MAX));
	sl_arena_finish(&arena);
}

static void texts_are_copied_and_formatted(void **unused)
{
	struct sl_arena arena = { 0 };

	(void)unused;
	assert_string_equal(sl_arena_text(&arena, "eth0 up", 4), "eth0");
	assert_string_equal(sl_arena_text(&arena, NULL, 0), "");
	assert_string_equal(sl_arena_printf(&arena, "%s/%d", "a", 7), "a/7");
	sl_arena_finish(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(allocations_are_zeroed_aligned_and_apart),
		cmocka_unit_test(a_cleared_arena_gives_zeroed_bytes_again),
		cmocka_unit_test(an_absurd_size_is_no_memory),
		cmocka_unit_test(texts_are_copied_and_formatted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
