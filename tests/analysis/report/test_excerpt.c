/* SPDX-License-Identifier: MIT */
/* Lines of source as people see them: numbers, the mark, the caret, and nothing
 * that steers the terminal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "report/excerpt.h"

static const char source[] = "int main(void)\n"
			     "{\n"
			     "\tint x;\r\n"
			     "\n"
			     "  a\tb\t\tc;\n"
			     "\xc3\xa9\xe6\xbc\xa2 = y;\n"
			     "\x1b[31m\x80 z\n"
			     "last";

#define OF_SOURCE .text = source, .length = sizeof(source) - 1, .width = 60

static const struct {
	struct sg_excerpt excerpt;
	const char *shown;
} cases[] = {
	{ { OF_SOURCE, .line = 1, .column = 5, .around = 2 },
	  "  > 1 | int main(void)\n"
	  "      |     ^\n"
	  "    2 | {\n"
	  "    3 |         int x;\n" },
	/* the third byte; for gcc the tenth column */
	{ { OF_SOURCE, .line = 3, .column = 3 },
	  "  > 3 |         int x;\n"
	  "      |          ^\n" },
	{ { OF_SOURCE, .line = 3, .column = 10, .shown_columns = true },
	  "  > 3 |         int x;\n"
	  "      |          ^\n" },
	{ { OF_SOURCE, .line = 5, .column = 8 },
	  "  > 5 |   a     b               c;\n"
	  "      |                         ^\n" },
	/* no column, or one that is not in the line */
	{ { OF_SOURCE, .line = 4, .around = 1 },
	  "    3 |         int x;\n"
	  "  > 4 |\n"
	  "    5 |   a     b               c;\n" },
	{ { OF_SOURCE, .line = 2, .column = 2 }, "  > 2 | {\n      |  ^\n" },
	{ { OF_SOURCE, .line = 2, .column = 3 }, "  > 2 | {\n" },
	{ { OF_SOURCE, .line = 2, .column = INT64_MAX }, "  > 2 | {\n" },
	/* two bytes and one column, three bytes and two */
	{ { OF_SOURCE, .line = 6, .column = 7 },
	  "  > 6 | \xc3\xa9\xe6\xbc\xa2 = y;\n"
	  "      |     ^\n" },
	{ { OF_SOURCE, .line = 7, .column = 8 },
	  "  > 7 | ?[31m? z\n"
	  "      |        ^\n" },
	{ { OF_SOURCE, .line = 8, .column = 1, .around = 1 },
	  "    7 | ?[31m? z\n"
	  "  > 8 | last\n"
	  "      | ^\n" },
	{ { OF_SOURCE, .line = 2, .column = 1, .color = true },
	  "  \x1b[1m> 2\x1b[0m | {\n"
	  "      | \x1b[1;32m^\x1b[0m\n" },
};

static void lines_are_shown_with_mark_and_caret(void **state)
{
	(void)state;
	for (size_t at = 0; at < sizeof(cases) / sizeof(cases[0]); at++) {
		struct sl_buffer out = { .data = NULL };

		assert_int_equal(sg_excerpt_put(&cases[at].excerpt, &out, NULL),
				 SL_OK);
		assert_int_equal(sl_buffer_reserve(&out, 1, NULL), SL_OK);
		out.data[out.used] = '\0';
		assert_string_equal(out.data, cases[at].shown);
		free(out.data);
	}
}

static void a_line_that_is_not_there_is_told(void **state)
{
	static const int64_t lines[] = { INT64_MIN, -1, 0, 9, INT64_MAX };

	(void)state;
	for (size_t at = 0; at < sizeof(lines) / sizeof(lines[0]); at++) {
		struct sg_excerpt excerpt = { OF_SOURCE, .line = lines[at] };
		struct sl_buffer out = { .data = NULL };

		assert_int_equal(sg_excerpt_put(&excerpt, &out, NULL), SL_END);
		assert_int_equal(out.used, 0);
	}
	assert_int_equal(sg_lines_count("", 0), 0);
	assert_int_equal(sg_lines_count("a", 1), 1);
	assert_int_equal(sg_lines_count("a\n", 2), 1);
	assert_int_equal(sg_lines_count("a\n\n", 3), 2);
}

static void a_nul_ends_no_line(void **state)
{
	static const char text[] = "a\0b\n";
	struct sg_excerpt excerpt = {
		.text = text, .length = 4, .line = 1, .column = 3, .width = 60
	};
	struct sl_buffer out = { .data = NULL };

	(void)state;
	assert_int_equal(sg_excerpt_put(&excerpt, &out, NULL), SL_OK);
	assert_int_equal(out.used, strlen("  > 1 | a?b\n      |   ^\n"));
	assert_memory_equal(out.data, "  > 1 | a?b\n      |   ^\n", out.used);
	free(out.data);
}

static void of_a_long_line_the_part_around_the_caret_is_shown(void **state)
{
	enum { LENGTH = 100000 };
	char *text = malloc(LENGTH);
	struct sg_excerpt excerpt = { .text = text,
				      .length = LENGTH,
				      .line = 1,
				      .column = 5001,
				      .width = 20 };
	struct sl_buffer out = { .data = NULL };
	static const char shown[] =
		"  > 1 | \xe2\x80\xa6xxxxxxxxxxYxxxxxxx\xe2\x80\xa6\n"
		"      |            ^\n";

	(void)state;
	assert_non_null(text);
	memset(text, 'x', LENGTH);
	text[5000] = 'Y';
	assert_int_equal(sg_excerpt_put(&excerpt, &out, NULL), SL_OK);
	assert_int_equal(out.used, sizeof(shown) - 1);
	assert_memory_equal(out.data, shown, out.used);
	/* Beyond what is looked at there is no caret. */
	excerpt.column = 99999;
	out.used = 0;
	assert_int_equal(sg_excerpt_put(&excerpt, &out, NULL), SL_OK);
	assert_null(memchr(out.data, '^', out.used));
	free(out.data);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_shown_with_mark_and_caret),
		cmocka_unit_test(a_line_that_is_not_there_is_told),
		cmocka_unit_test(a_nul_ends_no_line),
		cmocka_unit_test(
			of_a_long_line_the_part_around_the_caret_is_shown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
