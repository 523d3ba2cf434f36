/* SPDX-License-Identifier: MIT */
/* The outputs of a line a finding: classic and jsonl; and the writers' list. */
#include "report/report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static void assert_writes(const char *name, const struct sg_finding *finding,
			  const char *expected)
{
	struct sl_buffer text = { 0 };
	struct sl_error error = { 0 };
	struct sg_report *report;

	assert_int_equal(
		sg_report_begin(&report, sg_writer_named(name), NULL, &error),
		SL_OK);
	assert_int_equal(sg_report_finding(report, finding, &text, &error),
			 SL_OK);
	assert_int_equal(sg_report_end(report, true, &text, &error), SL_OK);
	assert_int_equal(sg_report_put(&text, "", 1, &error), SL_OK);
	assert_string_equal(text.data, expected);
	sg_report_destroy(report);
	free(text.data);
}

static void writers_are_found_by_name(void **unused)
{
	(void)unused;
	assert_ptr_equal(sg_writer_named("table"), &sg_writer_table);
	assert_ptr_equal(sg_writer_named("sarif"), &sg_writer_sarif);
	assert_null(sg_writer_named("tables"));
	assert_null(sg_writer_named(""));
}

static void classic_shows_path_line_and_the_longer_message(void **unused)
{
	struct sg_finding finding = { .tool = "t",
				      .message = "short",
				      .verbose = "long\nand\r\nlonger",
				      .path = ".../src/pool.c",
				      .line = 157,
				      .repeats = 1 };

	(void)unused;
	assert_writes("classic", &finding,
		      ".../src/pool.c:157:long and  longer\n");
	finding.verbose = NULL;
	assert_writes("classic", &finding, ".../src/pool.c:157:short\n");
}

static void classic_shows_a_finding_without_a_place(void **unused)
{
	const struct sg_finding finding = { .tool = "t",
					    .message = "m",
					    .repeats = 1 };

	(void)unused;
	assert_writes("classic", &finding, ":0:m\n");
}

static void jsonl_has_all_keys_of_a_finding(void **unused)
{
	static const char *const units[] = { "a.c", "b.c" };
	static const struct sg_event events[] = {
		{ .path = "a.c",
		  .line = 6,
		  .column = 12,
		  .message = "Assignment",
		  .function = "g" },
		{ .message = "note" },
	};
	const struct sg_finding finding = { .tool = "cppcheck",
					    .rule = "nullPointer",
					    .severity = SG_STYLE,
					    .severity_word = "style",
					    .message =
						    "a \"quoted\"\nword \x01",
					    .path = "a.c",
					    .line = 7,
					    .column = 3,
					    .function = "f",
					    .cwe = 476,
					    .suppressed = true,
					    .units = units,
					    .unit_count = 2,
					    .events = events,
					    .event_count = 2,
					    .repeats = 4 };

	(void)unused;
	assert_writes(
		"jsonl", &finding,
		"{\"tool\":\"cppcheck\",\"rule\":\"nullPointer\",\"severity\":"
		"\"style\",\"severity_word\":\"style\",\"message\":\"a "
		"\\\"quoted\\\"\\nword \\u0001\",\"path\":\"a.c\",\"line\":7,"
		"\"column\":3,\"function\":\"f\",\"cwe\":476,\"suppressed\":"
		"true,\"repeats\":4,\"units\":[\"a.c\",\"b.c\"],\"events\":"
		"[{\"path\":\"a.c\",\"line\":6,\"column\":12,\"message\":"
		"\"Assignment\",\"function\":\"g\"},{\"path\":null,\"line\":"
		"null,\"column\":null,\"message\":\"note\",\"function\":null}]"
		"}\n");
}

static void jsonl_says_null_for_what_is_not_given(void **unused)
{
	const struct sg_finding finding = { .tool = "t",
					    .message = "m",
					    .repeats = 1 };

	(void)unused;
	assert_writes("jsonl", &finding,
		      "{\"tool\":\"t\",\"rule\":null,\"severity\":\"unknown\","
		      "\"severity_word\":null,\"message\":\"m\",\"path\":null,"
		      "\"line\":null,\"column\":null,\"function\":null,\"cwe\":"
		      "null,\"suppressed\":false,\"repeats\":1,\"units\":[],"
		      "\"events\":[]}\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writers_are_found_by_name),
		cmocka_unit_test(
			classic_shows_path_line_and_the_longer_message),
		cmocka_unit_test(classic_shows_a_finding_without_a_place),
		cmocka_unit_test(jsonl_has_all_keys_of_a_finding),
		cmocka_unit_test(jsonl_says_null_for_what_is_not_given),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
