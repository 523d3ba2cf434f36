/* SPDX-License-Identifier: MIT */
/* Words of response files, as gcc splits them. */
#include "run/units_response.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* What files there are: a path, its text; NULL at the end. */
static enum sl_code read_one(void *context, const char *path, const char **text,
			     size_t *length, struct sl_error *error)
{
	const char *const *files = context;

	(void)error;
	*text = NULL;
	for (; *files; files += 2)
		if (strcmp(files[0], path) == 0) {
			*text = files[1];
			*length = strlen(files[1]);
		}
	return SL_OK;
}

/* The words of a unit "cc WORD -c a.c" in /r/b, with '|' between them. */
static void expect(const char *word, const char **files, const char *expected)
{
	const char *flags[] = { word, NULL };
	char said[4096] = "";
	struct sg_units units = { .count = 0 };
	struct sl_error error;

	assert_int_equal(
		sg_units_add(&units, "a.c", "/r/b", "cc", flags, &error),
		SL_OK);
	assert_int_equal(sg_units_expand(&units, read_one, files, &error),
			 SL_OK);
	for (size_t at = 0; at < units.units[0].argument_count; at++)
		snprintf(said + strlen(said), sizeof(said) - strlen(said),
			 "%s%s", at ? "|" : "", units.units[0].arguments[at]);
	assert_string_equal(said, expected);
	assert_null(units.units[0].arguments[units.units[0].argument_count]);
	sg_units_finish(&units);
}

static void words_are_split_as_gcc_splits_them(void **state)
{
	static const struct {
		const char *text, *words;
	} rows[] = {
		{ "", "" },
		{ " \t\r\n\v\f", "" },
		{ "-a", "-a|" },
		{ "-a\n-b  -c\n", "-a|-b|-c|" },
		{ "'-a b' \"-c d\"", "-a b|-c d|" },
		{ "-D'x y'z", "-Dx yz|" },
		{ "'a\\'b'", "a'b|" },
		{ "'a\"b' \"c'd\"", "a\"b|c'd|" },
		{ "a\\ b \\\\", "a b|\\|" },
		{ "\"a\\n\"", "an|" },
		{ "''", "|" },
		{ "'open -x", "open -x|" },
		{ "end\\", "end|" },
		{ "# $(x) ;", "#|$(x)|;|" },
	};

	(void)state;
	for (size_t at = 0; at < sizeof(rows) / sizeof(rows[0]); at++) {
		const char *files[] = { "/r/b/f", rows[at].text, NULL };
		char expected[256];

		snprintf(expected, sizeof(expected), "cc|%s-c|a.c",
			 rows[at].words);
		expect("@f", files, expected);
	}
}

static void files_name_files_from_the_units_folder(void **state)
{
	const char *files[] = { "/r/b/x/f", "1 @x/g @../h 5", "/r/b/x/g",
				"2 3",      "/r/h",           "4",
				NULL };

	(void)state;
	expect("@x/f", files, "cc|1|2|3|4|5|-c|a.c");
	expect("@/r/b/x/g", files, "cc|2|3|-c|a.c");
}

static void what_names_no_file_stays(void **state)
{
	const char *files[] = { "/r/b/f", "@gone @ -I@x", NULL };

	(void)state;
	expect("@f", files, "cc|@gone|@|-I@x|-c|a.c");
	expect("@none", files, "cc|@none|-c|a.c");
}

static void one_that_names_itself_ends(void **state)
{
	const char *files[] = { "/r/b/f", "@f @f", NULL };
	const char *flags[] = { "@f", NULL };
	struct sg_units units = { .count = 0 };
	struct sl_error error;

	(void)state;
	assert_int_equal(
		sg_units_add(&units, "a.c", "/r/b", "cc", flags, &error),
		SL_OK);
	assert_true(sg_units_have_responses(&units));
	assert_int_equal(sg_units_expand(&units, read_one, files, &error),
			 SL_OK);
	assert_true(sg_units_have_responses(&units));
	sg_units_finish(&units);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_split_as_gcc_splits_them),
		cmocka_unit_test(files_name_files_from_the_units_folder),
		cmocka_unit_test(what_names_no_file_stays),
		cmocka_unit_test(one_that_names_itself_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
