/* SPDX-License-Identifier: MIT */
/* Problems: their order, and guesses at misspelt names. */
#include "base/problems.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static void expect(const struct sl_problems *problems,
		   const char *const *expected, size_t count)
{
	assert_int_equal(problems->count, count);
	for (size_t at = 0; at < count; at++) {
		char *text = sl_problems_text(problems, at);

		assert_non_null(text);
		assert_string_equal(text, expected[at]);
		free(text);
	}
}

static void problems_are_sorted_by_line_and_files_as_first_met(void **unused)
{
	static const char *const expected[] = {
		"b.conf: everywhere", "b.conf:2: x", "b.conf:2: w",
		"b.conf:7: y",        "b.conf:9: z", "a.conf:1: u",
		"a.conf:3: t",        "no place",
	};
	struct sl_problems problems = { 0 };

	(void)unused;
	sl_problems_add(&problems, "b.conf", 7, "y");
	sl_problems_add(&problems, "a.conf", 3, "t");
	sl_problems_add(&problems, "b.conf", 2, "x");
	sl_problems_add(&problems, NULL, 0, "no place");
	sl_problems_add(&problems, "b.conf", 9, "z");
	sl_problems_add(&problems, "b.conf", 2, "w");
	sl_problems_add(&problems, "a.conf", 1, "u");
	sl_problems_add(&problems, "b.conf", 0, "every%s", "where");
	expect(&problems, expected, 8);
	sl_problems_finish(&problems);
	assert_int_equal(problems.count, 0);
}

static void a_problem_is_added_once(void **unused)
{
	static const char *const expected[] = { "a:1: x", "a:1: y", "a:2: x" };
	struct sl_problems problems = { 0 };

	(void)unused;
	for (int round = 0; round < 3; round++) {
		sl_problems_add(&problems, "a", 1, "x");
		sl_problems_add(&problems, "a", 1, "y");
		sl_problems_add(&problems, "a", 2, "x");
	}
	expect(&problems, expected, 3);
	sl_problems_finish(&problems);
}

static void many_problems_are_all_kept_on_one_line_each(void **unused)
{
	struct sl_problems problems = { 0 };

	(void)unused;
	for (int at = 0; at < 10000; at++)
		sl_problems_add(&problems, "a", 10000 - at, "line\nend");
	assert_int_equal(problems.count, 10000);
	assert_int_equal(problems.rows[0].line, 1);
	assert_int_equal(problems.rows[9999].line, 10000);
	assert_string_equal(problems.rows[0].text, "line?end");
	assert_false(problems.incomplete);
	sl_problems_finish(&problems);
}

static void a_misspelt_name_is_guessed(void **unused)
{
	static const char *const names[] = { "external_address", "nat", "size",
					     "timeout", "if" };
	static const struct {
		const char *given, *meant;
	} rows[] = {
		{ "external_adress", "external_address" },
		{ "xetrenal_address", "external_address" },
		{ "natt", "nat" },
		{ "nta", "nat" }, /* swapped */
		{ "na", "nat" },
		{ "at", "nat" },
		{ "Size", "size" },
		{ "timout", "timeout" },
		{ "time", NULL }, /* 3 of 4 letters are missing */
		{ "fi", "if" },
		{ "x", NULL }, /* nothing of it would be left */
		{ "", NULL },
		{ "colour", NULL },
		{ "external_address_external_address_external_address_"
		  "external_",
		  NULL },
	};

	(void)unused;
	for (size_t at = 0; at < sizeof(rows) / sizeof(rows[0]); at++) {
		const char *guess = sl_did_you_mean(rows[at].given, names, 5);

		if (rows[at].meant)
			assert_string_equal(guess ? guess : "(none)",
					    rows[at].meant);
		else
			assert_null(guess);
	}
	assert_null(sl_did_you_mean("nat", NULL, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			problems_are_sorted_by_line_and_files_as_first_met),
		cmocka_unit_test(a_problem_is_added_once),
		cmocka_unit_test(many_problems_are_all_kept_on_one_line_each),
		cmocka_unit_test(a_misspelt_name_is_guessed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
