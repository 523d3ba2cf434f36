/* SPDX-License-Identifier: MIT */
/* Messages and what is left of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "match/mask.h"
#include "sluice/random.h"

struct mask_case {
	const char *message, *masked;
};

static const struct mask_case cases[] = {
	{ "", "" },
	{ "null pointer", "null pointer" },
	/* numbers */
	{ "index 64 of 40", "index # of #" },
	{ "value -1, +2 or 3.5e-7", "value #, # or #" },
	{ "40u, 0x1f, 1'000 and 1.2.3", "#, #, # and #" },
	{ "a-1 is a - 1", "a-# is a - #" },
	{ "it is 12.", "it is #." },
	{ "12-byte", "#-byte" },
	/* names keep their digits, but not those that compilers make */
	{ "md5 of int32_t is C4996", "md5 of int32_t is C4996" },
	{ "'D.1234' and foo.isra.0", "'D.#' and foo.isra.#" },
	{ "'_12' is used", "'#' is used" },
	/* addresses */
	{ "at 0x7ffe01a4, by 0x55D0", "at @, by #" },
	{ "at 00007ff6a1b2c3d4", "at @" },
	{ "at deadbeef00ff", "at @" },
	{ "the facade", "the facade" },
	/* places that a message quotes */
	{ "see pool.c:12:7 and list.c(40)", "see pool.c:#:# and list.c(#)" },
	{ "line 40, column 3", "line #, column #" },
	{ "[pool.c:3] -> [pool.c:9]", "[pool.c:#] -> [pool.c:#]" },
	/* trees stand in different folders */
	{ "in /tmp/tree-a1/src/pool.c:3", "in pool.c:#" },
	{ "in '/b/x.c'", "in 'x.c'" },
	{ "in C:\\build\\x.c(3)", "in x.c(#)" },
	{ "in src/pool.c", "in src/pool.c" },
	{ "a / b, and/or, // no, /x", "a / b, and/or, // no, /x" },
	{ "in /tmp/x/", "in /tmp/x/" },
	/* locales quote differently */
	{ "\xe2\x80\x98p\xe2\x80\x99 is `null'", "'p' is 'null'" },
	{ "\xc2\xabp\xc2\xbb", "'p'" },
	{ "\xe7\xac\xac"
	  "12"
	  "\xe8\xa1\x8c",
	  "\xe7\xac\xac"
	  "#"
	  "\xe8\xa1\x8c" },
	/* white space */
	{ "  a \t b\r\n c ", "a b c" },
};

static void assert_masked(const char *message, const char *expected)
{
	char masked[256];
	size_t length = sg_mask(message, strlen(message), masked);

	masked[length] = '\0';
	assert_string_equal(masked, expected);
}

static void what_changes_becomes_a_placeholder(void **state)
{
	(void)state;
	for (size_t at = 0; at < sizeof(cases) / sizeof(cases[0]); at++)
		assert_masked(cases[at].message, cases[at].masked);
}

static void a_nul_is_a_byte_like_others(void **state)
{
	char masked[5];

	(void)state;
	assert_int_equal(sg_mask("a\0"
				 "12b",
				 5, masked),
			 3);
	assert_memory_equal(masked, "a\0#", 3);
}

static void masking_a_masked_message_changes_nothing(void **state)
{
	(void)state;
	for (size_t at = 0; at < sizeof(cases) / sizeof(cases[0]); at++)
		assert_masked(cases[at].masked, cases[at].masked);
}

static void masking_never_makes_longer(void **state)
{
	static const char alphabet[] = "019afx.'-+/\\: _#@`e\xe2\x80\x98(";
	char text[24], masked[24];

	(void)state;
	for (uint64_t round = 0; round < 300000; round++) {
		uint64_t chance = sl_random_at(1, round);
		size_t length = chance % 24;

		for (size_t at = 0; at < length; at++)
			text[at] = alphabet[sl_random_at(chance, at) %
					    (sizeof(alphabet) - 1)];
		assert_true(sg_mask(text, length, masked) <= length);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_changes_becomes_a_placeholder),
		cmocka_unit_test(a_nul_is_a_byte_like_others),
		cmocka_unit_test(masking_a_masked_message_changes_nothing),
		cmocka_unit_test(masking_never_makes_longer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
