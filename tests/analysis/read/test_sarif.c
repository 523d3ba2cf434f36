/* SPDX-License-Identifier: MIT */
/* SARIF: what of a log becomes which finding, and how the log ended. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/formats.h"
#include "tests/analysis/read/json_reading.h"

#define TOOL "\"tool\":{\"driver\":{\"name\":\"T\",\"version\":\"3\"}}"
#define LOG(members) "{\"version\":\"2.1.0\",\"runs\":[{" members "}]}"
#define RESULTS(results) LOG(TOOL ",\"results\":[" results "]")
#define AT(uri, line) \
	"\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":" \
	"\"" uri "\"},\"region\":{\"startLine\":" #line "}}}]"
#define TEXT(text) "\"message\":{\"text\":\"" text "\"}"

struct example {
	const char *log, *expected;
};

static void assert_examples(const struct example *examples, size_t count)
{
	for (size_t at = 0; at < count; at++) {
		const char *log = examples[at].log;

		assert_reads(&sg_format_sarif, log, strlen(log),
			     examples[at].expected, SG_COMPLETE, "");
		assert_reads_prefixes(&sg_format_sarif, log, strlen(log),
				      examples[at].expected);
	}
}

#define ASSERT_EXAMPLES(examples) \
	assert_examples(examples, sizeof(examples) / sizeof((examples)[0]))

static void a_result_tells_place_rule_level_and_message(void **unused)
{
	static const struct example examples[] = {
		{ RESULTS(""), "" },
		{ RESULTS("{" TEXT("m") "}"), " T 3 warning/warning: m\n" },
		{ RESULTS("{\"ruleId\":\"R\",\"level\":\"error\"," TEXT(
			  "m") "," AT("a/b.c", 12) "}"),
		  "a/b.c:12:0 T 3 [R] error/error: m\n" },
		{ RESULTS("{" TEXT(
			  "m") ",\"occurrenceCount\":3,"
			       "\"locations\":[{\"physicalLocation\":{"
			       "\"region\":{"
			       "\"endColumn\":9,\"startLine\":7,"
			       "\"startColumn\":5},"
			       "\"contextRegion\":{\"startLine\":1},"
			       "\"artifactLocation\":{\"uri\":\"x.c\"}},"
			       "\"message\":{\"text\":\"not this one\"},"
			       "\"logicalLocations\":[{\"name\":\"f\","
			       "\"fullyQualifiedName\":\"n::f\"},{\"name\":"
			       "\"n\"}]},"
			       "{\"physicalLocation\":{\"region\":{"
			       "\"startLine\":8}"
			       "}}]}"),
		  "x.c:7:5-7:9 T 3 warning/warning x3 n::f: m\n" },
		{ RESULTS("{" TEXT("m") ",\"analysisTarget\":{\"uri\":\"t.c\"}"
					"}"),
		  "t.c: T 3 warning/warning: m\n" },
		{ RESULTS("{" TEXT(
			  "m") ",\"locations\":[{\"physicalLocation\":"
			       "{\"region\":{\"startLine\":-1,\"startColumn\":"
			       "2147483647,\"endLine\":99999999999999999999999,"
			       "\"endColumn\":1e3}}}]}"),
		  "0:2147483647 T 3 warning/warning: m\n" },
	};

	(void)unused;
	ASSERT_EXAMPLES(examples);
}

static void the_level_comes_from_result_kind_or_rule(void **unused)
{
#define RULES(results) \
	LOG("\"tool\":{\"driver\":{\"name\":\"T\",\"rules\":[{\"id\":\"A\"}," \
	    "{\"id\":\"B\",\"defaultConfiguration\":{\"level\":\"error\"}}]}," \
	    "\"extensions\":[{\"rules\":[{\"id\":\"E\"," \
	    "\"defaultConfiguration\":{\"level\":\"note\"}}]}]},\"results\":" \
	    "[" results "]")
	static const struct example examples[] = {
		{ RULES("{\"ruleId\":\"B\"," TEXT("m") "}"),
		  " T [B] error/error: m\n" },
		{ RULES("{\"ruleId\":\"B/sub/case\"," TEXT("m") "}"),
		  " T [B/sub/case] error/error: m\n" },
		{ RULES("{\"ruleId\":\"BB\"," TEXT("m") "}"),
		  " T [BB] warning/warning: m\n" },
		{ RULES("{\"ruleIndex\":1," TEXT("m") "}"),
		  " T [B] error/error: m\n" },
		{ RULES("{\"ruleIndex\":-1," TEXT("m") "}"),
		  " T warning/warning: m\n" },
		{ RULES("{\"ruleIndex\":99," TEXT("m") "}"),
		  " T warning/warning: m\n" },
		{ RULES("{\"rule\":{\"index\":0,\"toolComponent\":{\"index\":0}"
			"}," TEXT("m") "}"),
		  " T [E] note/info: m\n" },
		{ RULES("{\"ruleIndex\":1,\"level\":\"none\"," TEXT("m") "}"),
		  " T [B] none/info: m\n" },
		{ RULES("{\"ruleIndex\":1,\"kind\":\"open\"," TEXT("m") "}"),
		  " T [B] none/info: m\n" },
		{ RULES("{\"ruleIndex\":1,\"kind\":\"fail\"," TEXT("m") "}"),
		  " T [B] error/error: m\n" },
	};

	(void)unused;
	ASSERT_EXAMPLES(examples);
}

static void what_passed_or_is_gone_is_no_finding(void **unused)
{
	static const struct example examples[] = {
		{ RESULTS("{\"kind\":\"pass\"," TEXT("m") "}"), "" },
		{ RESULTS("{" TEXT("m") ",\"kind\":\"notApplicable\"}"), "" },
		{ RESULTS("{" TEXT("m") ",\"baselineState\":\"absent\"}"), "" },
		{ RESULTS("{" TEXT("m") ",\"baselineState\":\"unchanged\"}"),
		  " T 3 warning/warning: m\n" },
	};

	(void)unused;
	ASSERT_EXAMPLES(examples);
}

static void accepted_suppressions_suppress(void **unused)
{
#define SUPPRESSED(list) RESULTS("{" TEXT("m") ",\"suppressions\":[" list "]}")
	static const struct example examples[] = {
		{ SUPPRESSED(""), " T 3 warning/warning: m\n" },
		{ SUPPRESSED("{\"kind\":\"inSource\"}"),
		  " T 3 warning/warning suppressed: m\n" },
		{ SUPPRESSED("{\"status\":\"accepted\"}"),
		  " T 3 warning/warning suppressed: m\n" },
		{ SUPPRESSED("{\"status\":\"underReview\"}"),
		  " T 3 warning/warning: m\n" },
		{ SUPPRESSED("{\"status\":\"accepted\"},"
			     "{\"status\":\"rejected\"}"),
		  " T 3 warning/warning: m\n" },
	};

	(void)unused;
	ASSERT_EXAMPLES(examples);
}

static void a_message_is_looked_up_and_filled_in(void **unused)
{
#define STRINGS(message) \
	LOG("\"tool\":{\"driver\":{\"name\":\"T\",\"globalMessageStrings\":{" \
	    "\"g\":{\"text\":\"global\"}},\"rules\":[{\"id\":\"A\"," \
	    "\"messageStrings\":{\"default\":{\"text\":\"'{0}' and {1}, {{0}}" \
	    " {2} " \
	    "{9}\"}}}]}},\"results\":[{\"ruleId\":\"A\",\"message\":{" message \
	    "}}]")
	static const struct example examples[] = {
		{ STRINGS("\"id\":\"default\",\"arguments\":[\"x\",\"y\"]"),
		  " T [A] warning/warning: 'x' and y, {0} {2} {9}\n" },
		{ STRINGS("\"id\":\"g\""), " T [A] warning/warning: global\n" },
		{ STRINGS("\"id\":\"none\""),
		  " T [A] warning/warning: none\n" },
		{ STRINGS("\"text\":\"a {0}\",\"arguments\":[\"b\"]"),
		  " T [A] warning/warning: a b\n" },
		{ STRINGS("\"text\":\"a {0} {{\""),
		  " T [A] warning/warning: a {0} {{\n" },
		{ STRINGS("\"markdown\":\"*a*\""),
		  " T [A] warning/warning: *a*\n" },
		{ STRINGS(""), " T [A] warning/warning: \n" },
	};

	(void)unused;
	ASSERT_EXAMPLES(examples);
}

static void weaknesses_come_from_taxa_relationships_and_tags(void **unused)
{
#define WEAK(rule, result) \
	LOG("\"tool\":{\"driver\":{\"name\":\"T\",\"rules\":[{\"id\":" \
	    "\"A\"" rule "}]}},\"results\":[{\"ruleIndex\":0" result \
	    "," TEXT("m") "}]")
	static const char found[] = " T [A] warning/warning cwe-476: m\n";
	static const struct example examples[] = {
		{ WEAK("", ",\"taxa\":[{\"id\":\"476\",\"toolComponent\":{"
			   "\"name\":\"cwe\"}}]"),
		  found },
		{ WEAK("", ",\"taxa\":[{\"toolComponent\":{\"name\":\"CWE\"},"
			   "\"id\":\"CWE-476\"},{\"id\":\"CWE-1\"}]"),
		  found },
		{ WEAK("", ",\"taxa\":[{\"id\":\"12\",\"toolComponent\":{"
			   "\"name\":\"OWASP\"}},{\"id\":\"CWE-476\"}]"),
		  found },
		{ WEAK(",\"relationships\":[{\"target\":{\"id\":\"476\","
		       "\"toolComponent\":{\"name\":\"CWE\"}}}]",
		       ""),
		  found },
		{ WEAK(",\"properties\":{\"tags\":[\"security\","
		       "\"external/cwe/cwe-476\"]}",
		       ""),
		  found },
		{ WEAK(",\"properties\":{\"cwe\":[\"CWE-476: NULL\"]}", ""),
		  found },
		{ WEAK(",\"properties\":{\"tags\":[\"cwe\",\"cwe-x\"]}", ""),
		  " T [A] warning/warning: m\n" },
	};

	(void)unused;
	ASSERT_EXAMPLES(examples);
}

static void uris_become_paths(void **unused)
{
	static const struct {
		const char *uri, *path;
	} examples[] = {
		{ "src/a.c", "src/a.c" },
		{ "file:///home/a%20b.c", "/home/a b.c" },
		{ "file:/home/a.c", "/home/a.c" },
		{ "FILE://localhost/a.c", "/a.c" },
		{ "file://server/share/a.c", "//server/share/a.c" },
		{ "file:///C:/a/b.c", "C:/a/b.c" },
		{ "file:///C%3A/a/b.c", "/C:/a/b.c" },
		{ "/C:/a.c", "/C:/a.c" },
		{ "file://C:/a.c", "C:/a.c" },
		{ "C:\\\\a%20b.c", "C:\\a%20b.c" },
		{ "%C3%A4%2b%zz%", "\xc3\xa4+%zz%" },
		{ "a%00%ff%c3.c", "a%00%ff%c3.c" },
		{ "https://host/a%20b.c", "https://host/a%20b.c" },
		{ "<source>", "<source>" },
	};
	char log[512], expected[256];

	(void)unused;
	for (size_t at = 0; at < sizeof(examples) / sizeof(examples[0]); at++) {
		snprintf(log, sizeof(log),
			 RESULTS("{" TEXT("m") ",\"locations\":[{"
					       "\"physicalLocation\":{"
					       "\"artifactLocation\":{"
					       "\"uri\":\"%s\"}}}]}"),
			 examples[at].uri);
		snprintf(expected, sizeof(expected),
			 "%s: T 3 warning/warning: m\n", examples[at].path);
		assert_reads(&sg_format_sarif, log, strlen(log), expected,
			     SG_COMPLETE, "");
	}
}

#define BASED(uri, base) \
	"{" TEXT("m") ",\"locations\":[{\"physicalLocation\":{" \
		      "\"artifactLocation\":{\"uri\":\"" uri \
		      "\",\"uriBaseId\":\"" base "\"}}}]}"
#define BASES \
	"\"originalUriBaseIds\":{\"R\":{\"uri\":\"file:///r%20t/\"},\"S\":{" \
	"\"uri\":\"src\",\"uriBaseId\":\"R\"},\"L\":{\"uri\":\"l/\"," \
	"\"uriBaseId\":\"L\"},\"N\":{}}"

static void paths_stand_on_their_base_folders(void **unused)
{
#define IN_BASES(result) LOG(TOOL "," BASES ",\"results\":[" result "]")
	static const struct example examples[] = {
		{ IN_BASES(BASED("a.c", "R")),
		  "/r t/a.c: T 3 warning/warning: m\n" },
		{ IN_BASES(BASED("a.c", "S")),
		  "/r t/src/a.c: T 3 warning/warning: m\n" },
		{ IN_BASES(BASED("a.c", "%SRCROOT%")),
		  "a.c: T 3 warning/warning: m\n" },
		{ IN_BASES(BASED("/a.c", "R")),
		  "/a.c: T 3 warning/warning: m\n" },
		{ IN_BASES(BASED("a.c", "N")),
		  "a.c: T 3 warning/warning: m\n" },
		{ IN_BASES(BASED("a.c", "L")),
		  "l/l/l/l/l/l/l/l/a.c: T 3 warning/warning: m\n" },
	};

	(void)unused;
	ASSERT_EXAMPLES(examples);
}

static void events_are_the_first_flow_and_related_places(void **unused)
{
#define STEP(line, text) \
	"{\"location\":{\"physicalLocation\":{\"artifactLocation\":{\"uri\":" \
	"\"f.c\"},\"region\":{\"startLine\":" #line ",\"startColumn\":2}}," \
	"\"message\":{\"text\":\"" text "\"},\"logicalLocations\":[{\"name\":" \
	"\"g\"}]}}"
#define THREAD(steps) "{\"locations\":[" steps "]}"
#define FIRST_THREAD THREAD(STEP(1, "one") "," STEP(2, "two") ",{}")
#define SECOND_THREAD THREAD(STEP(3, "other thread"))
#define SECOND_FLOW "{\"threadFlows\":[" THREAD(STEP(4, "other flow")) "]}"
#define FLOWS \
	"\"codeFlows\":[{\"threadFlows\":[" FIRST_THREAD "," SECOND_THREAD \
	"]}," SECOND_FLOW "]"
#define RELATED \
	"\"relatedLocations\":[{\"id\":1,\"message\":{\"text\":\"note\"}," \
	"\"physicalLocation\":{\"region\":{\"startLine\":5}," \
	"\"artifactLocation\":{\"uri\":\"r.c\"}}},{\"id\":2}]"
	static const struct example examples[] = {
		{ RESULTS("{" TEXT("m") "," FLOWS "," RELATED "}"),
		  " T 3 warning/warning: m\n f.c:1:2 g: one\n f.c:2:2 g: two\n"
		  " r.c:5:0: note\n" },
	};

	(void)unused;
	ASSERT_EXAMPLES(examples);
}

/* A member that comes behind the results: cut before it, a log tells less. */
static void results_may_come_before_what_they_refer_to(void **unused)
{
	static const struct example examples[] = {
		{ LOG("\"results\":[{\"ruleIndex\":0," TEXT(
			  "m") "},{\"ruleId\":\"A\",\"message\":{\"id\":\"d\"}}"
			       "]," TOOL),
		  " T 3 warning/warning: m\n T 3 [A] warning/warning: d\n" },
		{ LOG("\"results\":[{\"ruleIndex\":0," TEXT(
			  "m") "}],"
			       "\"tool\":{\"driver\":{\"rules\":[{"
			       "\"defaultConfiguration\":{\"level\":\"error\"},"
			       "\"id\":"
			       "\"A\"}],\"semanticVersion\":\"1.2\",\"name\":"
			       "\"T\"}}"),
		  " T 1.2 [A] error/error: m\n" },
		{ LOG(TOOL ",\"results\":[" BASED(
			  "a.c",
			  "R") ",{\"message\":{\"text\":\"second\"}}]," BASES),
		  "/r t/a.c: T 3 warning/warning: m\n"
		  " T 3 warning/warning: second\n" },
		{ LOG(TOOL ",\"results\":[{" TEXT(
			  "m") ",\"locations\":[{\"logicalLocations\":[{"
			       "\"index\":0}],\"physicalLocation\":{"
			       "\"artifactLocation\":{\"index\":1}}}]}],"
			       "\"artifacts\":[{},{\"location\":{\"uri\":"
			       "\"b.c\",\"uriBaseId\":\"R\"}}],"
			       "\"logicalLocations\":[{\"fullyQualifiedName\":"
			       "\"n::f\"}]," BASES),
		  "/r t/b.c: T 3 warning/warning n::f: m\n" },
	};

	(void)unused;
	for (size_t at = 0; at < sizeof(examples) / sizeof(examples[0]); at++) {
		const char *log = examples[at].log;

		assert_reads(&sg_format_sarif, log, strlen(log),
			     examples[at].expected, SG_COMPLETE, "");
		for (size_t cut = 0; cut < strlen(log); cut++) {
			struct reading reading = read_report(&sg_format_sarif,
							     log, cut, 1000000);

			assert_int_equal(reading.ending.kind,
					 cut ? SG_BROKEN_OFF : SG_NO_REPORT);
			reading_release(&reading);
		}
	}
}

static void
a_result_kept_back_is_handed_on_when_the_log_breaks_off(void **unused)
{
	static const char log[] = "{\"runs\":[{\"results\":[{" TEXT("m") "}],";

	(void)unused;
	assert_reads(&sg_format_sarif, log, strlen(log),
		     " sarif warning/warning: m\n", SG_BROKEN_OFF,
		     "ends in the middle of the document");
}

static void gcc_is_known_by_its_name(void **unused)
{
#define GCC(rule) \
	LOG("\"tool\":{\"driver\":{\"name\":\"GNU C17\"}},\"results\":[{" \
	    "\"ruleId\":\"" rule "\",\"level\":\"error\"," TEXT("m") "}]")
	static const struct example examples[] = {
		{ GCC("-Wall"), " gcc [-Wall] error/error: m\n" },
		{ GCC("error"), " gcc error/error: m\n" },
		{ GCC("fatal error"), " gcc error/error: m\n" },
		{ GCC("InvalidRead"), " gcc [InvalidRead] error/error: m\n" },
	};

	(void)unused;
	ASSERT_EXAMPLES(examples);
}

static void our_own_bag_has_the_severity_and_no_other(void **unused)
{
#define BAG(members) \
	RESULTS("{" TEXT("m") ",\"level\":\"note\",\"properties\":{" members \
			      "}}")
	static const struct example examples[] = {
		{ BAG("\"severity\":\"error\""), " T 3 note/info: m\n" },
		{ BAG("\"scgate\":{\"severity\":\"style\","
		      "\"severityWord\":\"performance\"}"),
		  " T 3 performance/style: m\n" },
		{ BAG("\"scgate\":{\"severity\":\"grave\","
		      "\"severityWord\":\"x\"}"),
		  " T 3 note/info: m\n" },
		{ BAG("\"scgate\":{\"units\":[\"a.c\",1,null,\"b.c\"],"
		      "\"verbose\":\"v\",\"units\":[\"c.c\"]}"),
		  " T 3 note/info: m\n" },
		{ BAG("\"scgate\":[{\"severity\":\"error\"}]"),
		  " T 3 note/info: m\n" },
	};

	(void)unused;
	ASSERT_EXAMPLES(examples);
}

static void the_ending_tells_what_is_wrong(void **unused)
{
	static const struct {
		const char *log;
		enum sg_ending_kind kind;
		const char *message;
	} examples[] = {
		{ "", SG_NO_REPORT, "nothing is in it" },
		{ " \n", SG_NO_REPORT, "nothing is in it" },
		{ "{}", SG_NO_REPORT, "JSON, but no SARIF log" },
		{ "[{\"runs\":[]}]", SG_NO_REPORT, "JSON, but no SARIF log" },
		{ "hello", SG_NO_REPORT,
		  "lexical error: invalid char in json text." },
		{ "{\"version\":\"1.0.0\",\"runs\":[{\"results\":[{}]}]}",
		  SG_NO_REPORT, "SARIF 1.0.0 is not read, only 2.1.0 is" },
		{ "{\"version\":\"2.1.0\",\"runs\":[]}", SG_UNVERIFIED,
		  "the log has no run" },
		{ LOG(TOOL), SG_UNVERIFIED,
		  "a run has no array of results, not even an empty one" },
		{ LOG(TOOL ",\"results\":null"), SG_UNVERIFIED,
		  "a run has no array of results, not even an empty one" },
		{ LOG(TOOL ",\"externalPropertyFileReferences\":{\"results\":"
			   "[{}]}"),
		  SG_UNVERIFIED,
		  "results are in other files, which are not read" },
		{ LOG(TOOL ",\"invocations\":[{\"executionSuccessful\":false}],"
			   "\"results\":[]"),
		  SG_TOOL_FAILED, "the tool says that it failed" },
		{ LOG(TOOL ",\"invocations\":[{\"executionSuccessful\":true,"
			   "\"toolExecutionNotifications\":[{\"message\":{"
			   "\"text\":\"a note\"}},{\"level\":\"error\","
			   "\"message\":{\"text\":\"Out of\\nmemory\"}}]}],"
			   "\"results\":[]"),
		  SG_TOOL_FAILED,
		  "the tool says that it failed: Out of?memory" },
		{ RESULTS("") " x", SG_MALFORMED,
		  "parse error: trailing garbage" },
	};

	(void)unused;
	for (size_t at = 0; at < sizeof(examples) / sizeof(examples[0]); at++)
		assert_reads(&sg_format_sarif, examples[at].log,
			     strlen(examples[at].log), "", examples[at].kind,
			     examples[at].message);
}

static void each_run_has_its_own_tool_and_rules(void **unused)
{
	static const struct example examples[] = {
		{ "{\"runs\":[{\"tool\":{\"driver\":{\"name\":\"T\",\"rules\":"
		  "[{\"id\":\"A\"}]}},\"results\":[{\"ruleIndex\":0," TEXT(
			  "m") "}]},{" TOOL
			       ",\"results\":[{\"ruleIndex\":0," TEXT(
				       "n") "}]}]}",
		  " T [A] warning/warning: m\n T 3 warning/warning: n\n" },
	};

	(void)unused;
	ASSERT_EXAMPLES(examples);
}

static void a_long_message_is_cut(void **unused)
{
	static const char before[] = "{\"runs\":[{" TOOL ",\"results\":[{"
				     "\"message\":{\"text\":\"";
	static const char behind[] = "\"}}]}]}";
	const size_t size = 10 << 20;
	char *log = malloc(sizeof(before) + size + sizeof(behind));
	struct reading reading;

	(void)unused;
	assert_non_null(log);
	memcpy(log, before, sizeof(before) - 1);
	memset(log + sizeof(before) - 1, 'x', size);
	memcpy(log + sizeof(before) - 1 + size, behind, sizeof(behind));
	reading = read_report(&sg_format_sarif, log, strlen(log), 65536);
	assert_int_equal(reading.ending.kind, SG_COMPLETE);
	assert_int_equal(reading.length,
			 strlen(" T 3 warning/warning: \n") + SG_TEXT_MAX);
	reading_release(&reading);
	free(log);
}

static void the_sniffer_knows_a_log_by_its_start(void **unused)
{
	static const struct {
		const char *start;
		size_t length;
		int sure;
	} examples[] = {
		{ "", 0, 0 },
		{ "[]", 2, 0 },
		{ "{\"a\":1}", 7, 0 },
		{ "{\"runs\":[", 9, 85 },
		{ "\xef\xbb\xbf \n{\"runs\"", 12, 85 },
		{ "{\"$schema\":\"sarif-2.1.0.json\",\"runs\"", 37, 98 },
		{ "\xff\xfe{\0\"\0r\0u\0n\0s\0\"\0:\0", 18, 85 },
	};

	(void)unused;
	for (size_t at = 0; at < sizeof(examples) / sizeof(examples[0]); at++)
		assert_int_equal(sg_format_sarif.sniff(examples[at].start,
						       examples[at].length),
				 examples[at].sure);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_result_tells_place_rule_level_and_message),
		cmocka_unit_test(the_level_comes_from_result_kind_or_rule),
		cmocka_unit_test(what_passed_or_is_gone_is_no_finding),
		cmocka_unit_test(accepted_suppressions_suppress),
		cmocka_unit_test(a_message_is_looked_up_and_filled_in),
		cmocka_unit_test(
			weaknesses_come_from_taxa_relationships_and_tags),
		cmocka_unit_test(uris_become_paths),
		cmocka_unit_test(paths_stand_on_their_base_folders),
		cmocka_unit_test(events_are_the_first_flow_and_related_places),
		cmocka_unit_test(results_may_come_before_what_they_refer_to),
		cmocka_unit_test(
			a_result_kept_back_is_handed_on_when_the_log_breaks_off),
		cmocka_unit_test(gcc_is_known_by_its_name),
		cmocka_unit_test(our_own_bag_has_the_severity_and_no_other),
		cmocka_unit_test(the_ending_tells_what_is_wrong),
		cmocka_unit_test(each_run_has_its_own_tool_and_rules),
		cmocka_unit_test(a_long_message_is_cut),
		cmocka_unit_test(the_sniffer_knows_a_log_by_its_start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
