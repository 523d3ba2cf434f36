/* SPDX-License-Identifier: MIT */
/* Cells of a given width, and tables made of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "report/cell.h"
#include "report/report.h"

static void texts_are_measured_in_columns(void **unused)
{
	static const struct {
		const char *text;
		size_t columns;
	} examples[] = {
		{ "", 0 },
		{ "abc", 3 },
		{ "f\xc3\xbcr", 3 }, /* u with diaeresis */
		{ "u\xcc\x88", 1 }, /* the same, combined */
		{ "\xe8\xad\xa6\xe5\x91\x8a", 4 }, /* two wide characters */
		{ "\xf0\x9f\x90\x9b", 2 }, /* a bug */
		{ "a\tb\nc", 5 },
		{ "\x1b[31m", 5 },
		{ "\xff\xc3", 2 }, /* invalid */
		{ "\xed\xa0\x80", 3 }, /* a surrogate */
	};

	(void)unused;
	for (size_t at = 0; at < sizeof(examples) / sizeof(examples[0]); at++)
		assert_int_equal(sg_cell_columns(examples[at].text),
				 examples[at].columns);
}

static void cells_are_cut_between_characters(void **unused)
{
#define DOTS "\xe2\x80\xa6"
	static const struct {
		const char *text;
		size_t width;
		unsigned flags;
		const char *expected;
	} examples[] = {
		{ "abc", 3, 0, "abc" },
		{ "abcd", 3, 0, "ab" DOTS },
		{ "abcd", 3, SG_CELL_LEFT, DOTS "cd" },
		{ "abcd", 1, 0, DOTS },
		{ "abcd", 1, SG_CELL_LEFT, DOTS },
		{ "ab", 4, SG_CELL_PADDED, "ab  " },
		{ "\xc3\xbc\xc3\xbc\xc3\xbc", 2, 0, "\xc3\xbc" DOTS },
		/* half of a wide character is none */
		{ "\xe8\xad\xa6\xe5\x91\x8a", 3, SG_CELL_PADDED,
		  "\xe8\xad\xa6" DOTS },
		{ "\xe8\xad\xa6\xe5\x91\x8a\xe5\x91\x8a", 4, SG_CELL_PADDED,
		  "\xe8\xad\xa6" DOTS " " },
		{ "xyu\xcc\x88", 2, SG_CELL_LEFT, DOTS "u\xcc\x88" },
		{ "a\x1b[0m\nb\x7f\xff", 20, 0, "a?[0m b??" },
		/* right to left */
		{ "a\xe2\x80\xae"
		  "b",
		  20, 0, "a?b" },
	};

	(void)unused;
	for (size_t at = 0; at < sizeof(examples) / sizeof(examples[0]); at++) {
		struct sl_buffer out = { 0 };
		struct sl_error error = { 0 };

		assert_int_equal(sg_cell_put(&out, examples[at].text,
					     examples[at].width,
					     examples[at].flags, &error),
				 SL_OK);
		assert_int_equal(sg_report_put(&out, "", 1, &error), SL_OK);
		assert_string_equal(out.data, examples[at].expected);
		free(out.data);
	}
}

static void a_cell_of_combining_characters_is_bounded(void **unused)
{
	enum { MARKS = 1000 };
	struct sl_buffer out = { 0 };
	struct sl_error error = { 0 };
	char text[2 * MARKS + 2] = "u";

	(void)unused;
	for (size_t at = 0; at < MARKS; at++)
		memcpy(text + 1 + 2 * at, "\xcc\x88", 3);
	assert_int_equal(sg_cell_put(&out, text, 10, SG_CELL_PADDED, &error),
			 SL_OK);
	assert_int_equal(out.used, 79 + 9);
	free(out.data);
}

/* ---- tables ----------------------------------------------------------- */

static void put_all(struct sg_report *report, const struct sg_finding *findings,
		    size_t count, struct sl_buffer *text)
{
	struct sl_error error = { 0 };

	for (size_t at = 0; at < count; at++)
		assert_int_equal(
			sg_report_finding(report, &findings[at], text, &error),
			SL_OK);
}

static void assert_table(const struct sg_look *look,
			 const struct sg_finding *findings, size_t count,
			 const char *expected)
{
	struct sl_buffer text = { 0 };
	struct sl_error error = { 0 };
	struct sg_report *report;

	assert_int_equal(
		sg_report_begin(&report, &sg_writer_table, look, &error),
		SL_OK);
	put_all(report, findings, count, &text);
	assert_int_equal(sg_report_end(report, true, &text, &error), SL_OK);
	assert_int_equal(sg_report_put(&text, "", 1, &error), SL_OK);
	assert_string_equal(text.data, expected);
	sg_report_destroy(report);
	free(text.data);
}

static const struct sg_finding two[] = {
	{ .tool = "cppcheck",
	  .rule = "nullPointer",
	  .severity = SG_ERROR,
	  .message = "Null pointer dereference: p",
	  .path = "src/a.c",
	  .line = 7,
	  .repeats = 1 },
	{ .tool = "memcheck",
	  .severity = SG_WARNING,
	  .message = "lost",
	  .suppressed = true,
	  .repeats = 12 },
};

static void columns_are_as_wide_as_they_need(void **unused)
{
	(void)unused;
	assert_table(
		NULL, two, 2,
		"SEVERITY  RULE         PLACE      MESSAGE\n"
		"error     nullPointer  src/a.c:7  Null pointer "
		"dereference: p\n"
		"warning                           (suppressed) 12x lost\n");
}

static void colors_are_there_when_asked_for(void **unused)
{
	static const struct sg_look look = { .width = 80, .color = true };

	(void)unused;
	assert_table(&look, two, 2,
		     "SEVERITY  RULE         PLACE      MESSAGE\n"
		     "\033[1;31merror   \033[0m  nullPointer  src/a.c:7  Null "
		     "pointer dereference: p\n"
		     "\033[33mwarning \033[0m                          "
		     "(suppressed) 12x lost\n");
}

static void a_line_is_no_wider_than_the_terminal(void **unused)
{
	static const struct sg_look narrow = { .width = 50 };
	static const struct sg_finding finding = {
		.tool = "t",
		.rule = "clang-analyzer-core.NullDereference",
		.severity = SG_WARNING,
		.message = "Dereference of null pointer (loaded from p)",
		.path = "a/very/long/way/to/file.c",
		.line = 1234,
		.repeats = 1
	};

	(void)unused;
	assert_table(&narrow, &finding, 1,
		     "SEVERITY  RULE        PLACE           MESSAGE\n"
		     "warning   clang-ana" DOTS "  " DOTS
		     "o/file.c:1234  Dereference" DOTS "\n");
}

static void a_table_of_nothing_is_nothing(void **unused)
{
	(void)unused;
	assert_table(NULL, NULL, 0, "");
}

static void later_rows_keep_the_columns_of_the_first(void **unused)
{
	struct sg_finding finding = two[0];
	struct sl_buffer text = { 0 };
	struct sl_error error = { 0 };
	struct sg_report *report;

	(void)unused;
	assert_int_equal(
		sg_report_begin(&report, &sg_writer_table, NULL, &error),
		SL_OK);
	for (size_t row = 0; row < 255; row++)
		put_all(report, &finding, 1, &text);
	assert_int_equal(text.used, 0);
	put_all(report, &finding, 1, &text);
	assert_int_not_equal(text.used, 0);
	text.used = 0;
	finding.rule = "aRuleLongerThanThat";
	put_all(report, &finding, 1, &text);
	assert_int_equal(sg_report_end(report, true, &text, &error), SL_OK);
	assert_int_equal(sg_report_put(&text, "", 1, &error), SL_OK);
	assert_string_equal(text.data, "error     aRuleLonge" DOTS
				       "  src/a.c:7  Null pointer "
				       "dereference: p\n");
	sg_report_destroy(report);
	free(text.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_are_measured_in_columns),
		cmocka_unit_test(cells_are_cut_between_characters),
		cmocka_unit_test(a_cell_of_combining_characters_is_bounded),
		cmocka_unit_test(columns_are_as_wide_as_they_need),
		cmocka_unit_test(colors_are_there_when_asked_for),
		cmocka_unit_test(a_line_is_no_wider_than_the_terminal),
		cmocka_unit_test(a_table_of_nothing_is_nothing),
		cmocka_unit_test(later_rows_keep_the_columns_of_the_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
