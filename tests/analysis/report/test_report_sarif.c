/* SPDX-License-Identifier: MIT */
/* SARIF logs that our own reader takes for what was written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "read/formats.h"
#include "report/report.h"

/* Findings that are expected, one after the other. */
struct expected {
	const struct sg_finding *findings;
	size_t count, seen;
};

static void assert_same_text(const char *one, const char *other)
{
	assert_int_equal(!one, !other);
	if (one)
		assert_string_equal(one, other);
}

static enum sl_code compare(void *context, const struct sg_finding *is,
			    struct sl_error *error)
{
	struct expected *expected = context;
	const struct sg_finding *was = &expected->findings[expected->seen++];

	(void)error;
	assert_true(expected->seen <= expected->count);
	assert_string_equal(is->tool, was->tool);
	assert_same_text(is->tool_version, was->tool_version);
	assert_same_text(is->rule, was->rule);
	assert_int_equal(is->severity, was->severity);
	assert_same_text(is->severity_word, was->severity_word);
	assert_same_text(is->verbose, was->verbose);
	assert_int_equal(is->inconclusive, was->inconclusive);
	assert_int_equal(is->unit_count, was->unit_count);
	for (size_t at = 0; at < is->unit_count; at++)
		assert_string_equal(is->units[at], was->units[at]);
	assert_string_equal(is->message, was->message);
	assert_same_text(is->path, was->path);
	assert_int_equal(is->line, was->line);
	assert_int_equal(is->column, was->column);
	assert_int_equal(is->end_line, was->end_line);
	assert_int_equal(is->end_column, was->end_column);
	assert_same_text(is->function, was->function);
	assert_int_equal(is->cwe, was->cwe);
	assert_int_equal(is->suppressed, was->suppressed);
	assert_int_equal(is->repeats, was->repeats);
	assert_int_equal(is->event_count, was->event_count);
	for (size_t at = 0; at < is->event_count; at++) {
		const struct sg_event *event = &is->events[at];

		assert_same_text(event->path, was->events[at].path);
		assert_int_equal(event->line, was->events[at].line);
		assert_int_equal(event->column, was->events[at].column);
		assert_same_text(event->message, was->events[at].message);
		assert_same_text(event->function, was->events[at].function);
	}
	return SL_OK;
}

static struct sl_buffer write_log(const struct sg_finding *findings,
				  size_t count, bool complete)
{
	struct sl_buffer text = { 0 };
	struct sl_error error = { 0 };
	struct sg_report *report;

	assert_int_equal(
		sg_report_begin(&report, &sg_writer_sarif, NULL, &error),
		SL_OK);
	for (size_t at = 0; at < count; at++)
		assert_int_equal(
			sg_report_finding(report, &findings[at], &text, &error),
			SL_OK);
	assert_int_equal(sg_report_end(report, complete, &text, &error), SL_OK);
	sg_report_destroy(report);
	return text;
}

static struct sg_ending read_log(const struct sl_buffer *text,
				 sg_finding_fn *take, void *context)
{
	struct sg_ending ending = { 0 };
	struct sl_error error = { 0 };
	void *reader = sg_format_sarif.create(take, context);

	assert_non_null(reader);
	assert_int_equal(
		sg_format_sarif.feed(reader, text->data, text->used, &error),
		SL_OK);
	assert_int_equal(sg_format_sarif.finish(reader, &ending, &error),
			 SL_OK);
	sg_format_sarif.destroy(reader);
	return ending;
}

static void assert_round_trip(const struct sg_finding *findings, size_t count)
{
	struct sl_buffer text = write_log(findings, count, true);
	struct expected expected = { .findings = findings, .count = count };
	struct sg_ending ending = read_log(&text, compare, &expected);

	assert_string_equal(ending.message, "");
	assert_int_equal(ending.kind, SG_COMPLETE);
	assert_int_equal(expected.seen, count);
	free(text.data);
}

static void findings_are_read_back_as_they_were(void **unused)
{
	static const char *const units[] = { "a.c", "", "b c.c" };
	static const struct sg_event events[] = {
		{ .path = "a.c",
		  .line = 6,
		  .column = 12,
		  .message = "Assignment",
		  .function = "g" },
		{ .message = "a note without a place" },
		{ .path = "/usr/include/stdio.h", .line = 3 },
		{ .function = "main" },
		{ .line = 9 },
		{ .path = NULL },
	};
	static const struct sg_finding findings[] = {
		{ .tool = "cppcheck",
		  .tool_version = "2.10",
		  .rule = "nullPointer",
		  .severity = SG_ERROR,
		  .severity_word = "error",
		  .message = "Null \"pointer\" {0} \\ \x01 \xc3\xbc",
		  .verbose = "much longer",
		  .path = "src/a.c",
		  .line = 7,
		  .column = 3,
		  .end_line = 8,
		  .end_column = 9,
		  .function = "n::f(int)",
		  .cwe = 476,
		  .inconclusive = true,
		  .suppressed = true,
		  .units = units,
		  .unit_count = 3,
		  .events = events,
		  .event_count = 6,
		  .repeats = 3 },
		{ .tool = "cppcheck",
		  .tool_version = "2.10",
		  .rule = "unusedFunction",
		  .severity = SG_STYLE,
		  .message = "",
		  .function = "f",
		  .repeats = 1 },
		{ .tool = "cppcheck",
		  .tool_version = "2.10",
		  .severity = SG_LOW,
		  .message = "no place",
		  .repeats = 1 },
		{ .tool = "cppcheck",
		  .tool_version = "2.10",
		  .severity = SG_ERROR,
		  .message = "a line of no file",
		  .line = 12,
		  .column = 5,
		  .repeats = 1 },
		{ .tool = "gcc",
		  .rule = "analyzer-rule",
		  .severity = SG_INFO,
		  .severity_word = "Hinweis",
		  .message = "a rule that is no option of gcc's",
		  .repeats = 1 },
		{ .tool = "memcheck",
		  .message = "of unknown severity",
		  .path = "a.c",
		  .repeats = 1 },
		{ .tool = "memcheck",
		  .severity = SG_WARNING,
		  .message = "m",
		  .path = "a.c",
		  .line = 2147483647,
		  .repeats = 1 },
	};

	(void)unused;
	assert_round_trip(findings, sizeof(findings) / sizeof(findings[0]));
}

static void paths_come_back_from_their_uris(void **unused)
{
	static const struct {
		const char *path, *uri;
	} examples[] = {
		{ "src/a.c", "src/a.c" },
		{ "/a b/%41/#x?.c", "file:///a%20b/%2541/%23x%3F.c" },
		{ "c:x/y.c", "c%3Ax/y.c" },
		{ "src\\a.c", "src%5Ca.c" },
		{ "C:/x y/a.c", "file:///C:/x%20y/a.c" },
		{ "//host/share/a.c", "file://host/share/a.c" },
		{ "\xc3\xbc.c", "%C3%BC.c" },
		{ "https://a.org/x%20y", "https://a.org/x%20y" },
		{ "<built-in>", "%3Cbuilt-in%3E" },
	};

	(void)unused;
	for (size_t at = 0; at < sizeof(examples) / sizeof(examples[0]); at++) {
		struct sg_finding finding = { .tool = "t",
					      .message = "m",
					      .path = examples[at].path,
					      .line = 1,
					      .repeats = 1 };
		struct sl_buffer text = write_log(&finding, 1, true);
		struct sl_error error = { 0 };
		char *uri;

		assert_int_equal(sg_report_put(&text, "", 1, &error), SL_OK);
		uri = strstr(text.data, "\"uri\":\"");
		assert_non_null(uri);
		uri += strlen("\"uri\":\"");
		uri[strcspn(uri, "\"")] = '\0';
		assert_string_equal(uri, examples[at].uri);
		free(text.data);
		assert_round_trip(&finding, 1);
	}
}

static void a_path_of_windows_gets_slashes(void **unused)
{
	const struct sg_finding written = { .tool = "t",
					    .message = "m",
					    .path = "C:\\x\\y%5C.c",
					    .repeats = 1 };
	struct sg_finding read = written;
	struct expected expected = { .findings = &read, .count = 1 };
	struct sl_buffer text = write_log(&written, 1, true);

	(void)unused;
	read.path = "C:/x/y%5C.c";
	assert_int_equal(read_log(&text, compare, &expected).kind, SG_COMPLETE);
	assert_int_equal(expected.seen, 1);
	free(text.data);
}

static void the_log_of_two_tools(void **unused)
{
	static const struct sg_finding findings[] = {
		{ .tool = "gcc",
		  .rule = "-Wunused",
		  .severity = SG_WARNING,
		  .message = "one",
		  .repeats = 1 },
		{ .tool = "clang",
		  .tool_version = "14",
		  .severity = SG_INFO,
		  .message = "two",
		  .path = "a.c",
		  .line = 2,
		  .repeats = 1 },
		{ .tool = "gcc",
		  .rule = "-Wunused",
		  .severity = SG_WARNING,
		  .message = "three",
		  .repeats = 1 },
	};
	static const char expected[] =
		"{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\""
		",\"version\":\"2.1.0\",\"runs\":[\n"
		"{\"tool\":{\"driver\":{\"name\":\"gcc\",\"rules\":[{\"id\":"
		"\"-Wunused\",\"defaultConfiguration\":{\"level\":\"warning\"}}"
		"]}}\n"
		",\"taxonomies\":[{\"name\":\"CWE\"}]\n"
		",\"results\":[\n"
		"{\"ruleId\":\"-Wunused\",\"level\":\"warning\",\"message\":{"
		"\"text\":\"one\"},\"properties\":{\"scgate\":{\"severity\":"
		"\"warning\"}}}\n"
		",{\"ruleId\":\"-Wunused\",\"level\":\"warning\",\"message\":{"
		"\"text\":\"three\"},\"properties\":{\"scgate\":{\"severity\":"
		"\"warning\"}}"
		"}\n"
		"]}\n"
		",{\"tool\":{\"driver\":{\"name\":\"clang\",\"version\":\"14\","
		"\"rules\":[]}}\n"
		",\"taxonomies\":[{\"name\":\"CWE\"}]\n"
		",\"results\":[\n"
		"{\"level\":\"note\",\"message\":{\"text\":\"two\"},"
		"\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{"
		"\"uri\":\"a.c\"},\"region\":{\"startLine\":2}}}],"
		"\"properties\":{\"scgate\":{\"severity\":\"info\"}}}\n"
		"]}\n"
		"]}\n";
	struct sl_buffer text = write_log(findings, 3, true);
	struct sl_error error = { 0 };

	(void)unused;
	assert_int_equal(sg_report_put(&text, "", 1, &error), SL_OK);
	assert_string_equal(text.data, expected);
	free(text.data);
}

static void no_finding_is_a_complete_log_too(void **unused)
{
	(void)unused;
	assert_round_trip(NULL, 0);
}

static void what_was_not_read_to_its_end_says_so(void **unused)
{
	static const struct sg_finding finding = { .tool = "t",
						   .message = "m",
						   .repeats = 1 };

	(void)unused;
	for (size_t count = 0; count < 2; count++) {
		struct expected expected = { .findings = &finding,
					     .count = count };
		struct sl_buffer text = write_log(&finding, count, false);

		assert_int_equal(read_log(&text, compare, &expected).kind,
				 SG_TOOL_FAILED);
		assert_int_equal(expected.seen, count);
		free(text.data);
	}
}

/* ---- many ------------------------------------------------------------- */

static enum sl_code add_line(void *context, const struct sg_finding *finding,
			     struct sl_error *error)
{
	int64_t *sum = context;

	(void)error;
	*sum += finding->line;
	return SL_OK;
}

static void a_large_log_is_written_in_parts(void **unused)
{
	enum { COUNT = 3000, LONG = 16384, TOOLS = 20 };
	static const char names[] = "abcdefghijklmnopqrst";
	char *message = malloc(LONG + 1);
	char tool[2] = "", rule[24] = "";
	struct sg_finding finding = {
		.tool = tool, .rule = rule, .path = "a.c", .repeats = 1
	};
	struct sl_buffer text = { 0 };
	struct sl_error error = { 0 };
	struct sg_report *report;
	int64_t sum = 0;

	(void)unused;
	assert_non_null(message);
	memset(message, 'x', LONG);
	message[LONG] = '\0';
	finding.message = message;
	assert_int_equal(
		sg_report_begin(&report, &sg_writer_sarif, NULL, &error),
		SL_OK);
	for (int64_t line = 1; line <= COUNT; line++) {
		tool[0] = names[line % TOOLS];
		rule[0] = names[line % 7];
		finding.line = line;
		assert_int_equal(
			sg_report_finding(report, &finding, &text, &error),
			SL_OK);
	}
	assert_true(text.used > (size_t)LONG * COUNT / 2);
	assert_int_equal(sg_report_end(report, true, &text, &error), SL_OK);
	sg_report_destroy(report);
	assert_int_equal(read_log(&text, add_line, &sum).kind, SG_COMPLETE);
	assert_int_equal(sum, (int64_t)COUNT * (COUNT + 1) / 2);
	free(text.data);
	free(message);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(findings_are_read_back_as_they_were),
		cmocka_unit_test(paths_come_back_from_their_uris),
		cmocka_unit_test(a_path_of_windows_gets_slashes),
		cmocka_unit_test(the_log_of_two_tools),
		cmocka_unit_test(no_finding_is_a_complete_log_too),
		cmocka_unit_test(what_was_not_read_to_its_end_says_so),
		cmocka_unit_test(a_large_log_is_written_in_parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
