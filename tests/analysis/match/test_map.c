/* SPDX-License-Identifier: MIT */
/* Lines of old trees and where they are in new ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "match/map.h"

/* Lines 3 and 4 became three others, two lines came behind 6, 10 to 12 went. */
static const struct sg_hunk hunks[] = {
	{ 3, 2, 3, 3 },
	{ 6, 0, 8, 2 },
	{ 10, 3, 12, 0 },
};

static const struct sg_file_change changes[] = {
	{ "z.c", "a.c", NULL, 0 },
	{ NULL, "added.c", NULL, 0 },
	{ "m.c", "m.c", hunks, 3 },
	{ "gone.c", NULL, NULL, 0 },
};

struct place_case {
	const char *path;
	int64_t line;
	const char *new_path;
	int64_t new_line;
	bool exact;
};

static const struct place_case cases[] = {
	{ "m.c", 1, "m.c", 1, true },
	{ "m.c", 2, "m.c", 2, true },
	{ "m.c", 3, "m.c", 3, false },
	{ "m.c", 4, "m.c", 4, false },
	{ "m.c", 5, "m.c", 6, true },
	{ "m.c", 6, "m.c", 7, true },
	{ "m.c", 7, "m.c", 10, true },
	{ "m.c", 9, "m.c", 12, true },
	{ "m.c", 10, "m.c", 13, false },
	{ "m.c", 12, "m.c", 13, false },
	{ "m.c", 13, "m.c", 13, true },
	{ "m.c", 0, "m.c", 0, true },
	{ "z.c", 7, "a.c", 7, true },
	{ "gone.c", 1, NULL, 1, false },
	{ "other.c", 5, "other.c", 5, true },
	{ "m.c", INT64_MAX, "m.c", INT64_MAX, true },
};

static void every_line_has_its_place(void **state)
{
	struct sg_map map;

	(void)state;
	assert_int_equal(sg_map_init(&map, changes, 4), SL_OK);
	for (size_t at = 0; at < sizeof(cases) / sizeof(cases[0]); at++) {
		struct sg_place place =
			sg_map_place(&map, cases[at].path, cases[at].line);

		assert_int_equal(place.line, cases[at].new_line);
		assert_int_equal(place.exact, cases[at].exact);
		if (cases[at].new_path)
			assert_string_equal(place.path, cases[at].new_path);
		else
			assert_null(place.path);
	}
	sg_map_finish(&map);
}

static void a_zeroed_map_changes_nothing(void **state)
{
	struct sg_map map = { 0 };
	struct sg_place place = sg_map_place(&map, "a.c", 7);

	(void)state;
	assert_string_equal(place.path, "a.c");
	assert_int_equal(place.line, 7);
	assert_true(place.exact);
}

static void assert_refused(const struct sg_hunk *of, size_t count)
{
	struct sg_file_change change = { "a.c", "a.c", of, count };
	struct sg_map map;

	assert_int_equal(sg_map_init(&map, &change, 1), SL_EINVAL);
}

static void hunks_that_no_diff_has_are_refused(void **state)
{
	static const struct sg_hunk descending[] = { { 5, 1, 5, 1 },
						     { 3, 1, 3, 1 } };
	static const struct sg_hunk apart[] = { { 5, 1, 5, 1 },
						{ 8, 1, 9, 1 } };
	static const struct sg_hunk overlapping[] = { { 5, 3, 5, 3 },
						      { 7, 1, 7, 1 } };
	static const struct sg_hunk zero[] = { { 0, 1, 1, 1 } };
	static const struct sg_hunk shifted[] = { { 5, 1, 6, 1 } };

	(void)state;
	assert_refused(descending, 2);
	assert_refused(apart, 2);
	assert_refused(overlapping, 2);
	assert_refused(zero, 1);
	assert_refused(shifted, 1);
}

static void two_changes_of_one_file_are_refused(void **state)
{
	static const struct sg_file_change twice[] = {
		{ "a.c", "b.c", NULL, 0 },
		{ "a.c", "c.c", NULL, 0 },
	};
	struct sg_map map;

	(void)state;
	assert_int_equal(sg_map_init(&map, twice, 2), SL_EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_line_has_its_place),
		cmocka_unit_test(a_zeroed_map_changes_nothing),
		cmocka_unit_test(hunks_that_no_diff_has_are_refused),
		cmocka_unit_test(two_changes_of_one_file_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
