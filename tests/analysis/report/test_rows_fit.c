/* SPDX-License-Identifier: MIT */
/* Tables at widths that do not suffice. */
#include "report/rows_fit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "report/rows.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define TEXT(literal) \
	{ \
		.kind = SG_FIELD_TEXT, .text = (literal), \
		.length = sizeof(literal) - 1 \
	}
#define INTEGER(number) \
	{ \
		.kind = SG_FIELD_INTEGER, .integer = (number) \
	}
#define DOTS "\xe2\x80\xa6"

enum { QUERY_COLUMNS = 8 };

static const struct sg_field of_query[][QUERY_COLUMNS] = {
	{ INTEGER(7), TEXT("error"), TEXT("cppcheck"), TEXT("nullPointer"),
	  TEXT("src/pool/list.c"), INTEGER(17), INTEGER(0),
	  TEXT("Null pointer dereference: the value of p is not checked") },
	{ INTEGER(12), TEXT("style"), TEXT("cppcheck"), TEXT("unreadVariable"),
	  TEXT("src/b.c"), INTEGER(3), INTEGER(0),
	  TEXT("Variable 'x' is assigned a value that is never used") },
};

/* What scgate query new says, at some width. */
static void assert_query(unsigned width, const char *expected)
{
	static const char *const columns[QUERY_COLUMNS] = {
		"finding", "severity", "tool",       "rule",
		"path",    "line",     "suppressed", "message"
	};
	const struct sg_look look = { .width = width };
	struct sg_rows *rows = NULL;
	struct sg_row row = { .names = columns, .count = QUERY_COLUMNS };
	struct sl_buffer text = { 0 };
	struct sl_error error = { 0 };

	assert_int_equal(sg_rows_begin(&rows, &sg_rows_table, &look, &error),
			 SL_OK);
	assert_int_equal(sg_rows_put(rows, &row, &text, &error), SL_OK);
	for (size_t at = 0; at < COUNT(of_query); at++) {
		row.fields = of_query[at];
		assert_int_equal(sg_rows_put(rows, &row, &text, &error), SL_OK);
	}
	assert_int_equal(sg_rows_end(rows, &text, &error), SL_OK);
	assert_int_equal(sg_report_put(&text, "", 1, &error), SL_OK);
	sg_rows_destroy(rows);
	assert_string_equal(text.data, expected);
	free(text.data);
}

static void names_give_way_before_texts(void **unused)
{
	(void)unused;
	assert_query(
		130,
		"finding  severi" DOTS
		"  tool      rule            path             line  suppr" DOTS
		"  message\n"
		"      7  error    cppcheck  nullPointer     src/pool/list.c   "
		" 17       0  Null pointer dereference: the value of p is not "
		"checked\n"
		"     12  style    cppcheck  unreadVariable  src/b.c           "
		"  3       0  Variable 'x' is assigned a value that is never "
		"used\n");
}

static void the_message_keeps_a_third_of_the_line(void **unused)
{
	(void)unused;
	assert_query(
		80,
		"fin" DOTS " seve" DOTS
		" tool     rule        path        line sup" DOTS " message\n"
		"   7 error cppcheck nullPointer " DOTS
		"ool/list.c   17    0 Null pointer dereference:" DOTS "\n"
		"  12 style cppcheck unreadVari" DOTS
		" src/b.c        3    0 Variable 'x' is assigned " DOTS "\n");
}

static void a_narrow_table_fits_still(void **unused)
{
	(void)unused;
	assert_query(60, "fi" DOTS " seve" DOTS " tool    rule   path   li" DOTS
			 " su" DOTS " message\n"
			 "  7 error cppche" DOTS " nullP" DOTS " " DOTS
			 "ist.c  17   0 Null pointer derefe" DOTS "\n"
			 " 12 style cppche" DOTS " unrea" DOTS " " DOTS
			 "c/b.c   3   0 Variable 'x' is ass" DOTS "\n");
	assert_query(40, "fi" DOTS " se" DOTS " to" DOTS " ru" DOTS " " DOTS
			 "th li" DOTS " su" DOTS " message\n"
			 "  7 er" DOTS " cp" DOTS " nu" DOTS " " DOTS
			 ".c  17   0 Null pointe" DOTS "\n"
			 " 12 st" DOTS " cp" DOTS " un" DOTS " " DOTS
			 ".c   3   0 Variable 'x" DOTS "\n");
}

static void times_are_not_cut(void **unused)
{
	struct sg_fit columns[] = {
		{ .title = 4,
		  .content = 16,
		  .is_even = true,
		  .is_dated = true },
		{ .title = 5, .content = 20, .is_even = true },
		{ .title = 7, .content = 60 },
	};

	(void)unused;
	assert_int_equal(sg_fit_columns(columns, 3, 60), 2);
	assert_int_equal(columns[0].width, 16);
	assert_int_equal(columns[1].width, 20);
	assert_int_equal(columns[2].width, 20);
	/* other texts are, before a line is too long */
	assert_int_equal(sg_fit_columns(columns, 3, 40), 1);
	assert_int_equal(columns[0].width, 16);
	assert_int_equal(columns[1].width, 9);
	assert_int_equal(columns[2].width, 13);
}

static void numbers_are_never_cut(void **unused)
{
	struct sg_fit columns[] = {
		{ .title = 3, .content = 30, .is_number = true },
		{ .title = 7, .content = 30 },
	};

	(void)unused;
	assert_int_equal(sg_fit_columns(columns, 2, 30), 1);
	assert_int_equal(columns[0].width, 30);
	assert_int_equal(columns[1].width, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_give_way_before_texts),
		cmocka_unit_test(the_message_keeps_a_third_of_the_line),
		cmocka_unit_test(a_narrow_table_fits_still),
		cmocka_unit_test(times_are_not_cut),
		cmocka_unit_test(numbers_are_never_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
