/* SPDX-License-Identifier: MIT */
/* gcc's JSON: what of a diagnostic becomes which finding. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "read/formats.h"
#include "tests/analysis/read/json_reading.h"

#define POINT(file, line, column) \
	"{\"byte-column\":99,\"display-column\":98,\"line\":" #line \
	",\"file\":" \
	"\"" file "\",\"column\":" #column "}"
#define CARET(file, line, column) \
	"\"locations\":[{\"caret\":" POINT(file, line, column) "}]"

struct example {
	const char *report, *expected;
	enum sg_ending_kind kind;
	const char *message;
};

#define KIND(kind, message) "\"kind\":\"" kind "\",\"message\":\"" message "\""
#define RANGE \
	"\"locations\":[{\"caret\":" POINT("a.c", 7, 5) ",\"finish\":" POINT( \
		"a.c", 8, \
		13) ",\"start\":" POINT("a.c", 6, \
					1) "},{\"caret\":" POINT("b.c", 1, \
								 1) "}]"
#define NOTES \
	"\"children\":[{" KIND( \
		"note", \
		"first") ",\"locations\":[{" \
			 "\"caret\":" POINT( \
				 "b.c", 4, \
				 5) "},{\"caret\":" POINT("no.c", 1, \
							  1) "}]},{" \
							     "\"locations\":[" \
							     "]" \
							     "," KIND("note", \
								      "secon" \
								      "d") "}" \
									   "]"
#define STEPS \
	"\"path\":[{\"location\":" POINT( \
		"p.c", 1, \
		2) ",\"description\":\"entry\",\"function\":\"f\",\"depth\":" \
		   "1}," \
		   "{\"location\":" POINT( \
			   "p.c", 3, \
			   4) ",\"description\":\"freed\",\"depth\":2}]"

static const struct example examples[] = {
	{ "[]", "", SG_COMPLETE, "" },
	{ "[]\n[]\n", "", SG_COMPLETE, "" },
	{ "[{" KIND("warning", "m") ",\"option\":\"-Wx\",\"option_url\":\"u\","
				    "\"column-origin\":1,\"children\":[]," RANGE
				    "}]",
	  "a.c:7:5-8:13 gcc [-Wx] warning/warning: m\n", SG_COMPLETE, "" },
	{ "[{\"locations\":[]," KIND("error", "m") "}]",
	  " gcc error/error: m\n", SG_TOOL_FAILED,
	  "a unit did not compile: m" },
	{ "[{" CARET("a.c", 2, 3) "," KIND("error", "m") "}]",
	  "a.c:2:3 gcc error/error: m\n", SG_TOOL_FAILED,
	  "a unit did not compile: a.c:2: m" },
	/* -pedantic-errors */
	{ "[{" KIND("error", "m") ",\"option\":\"-Wpedantic\"}]",
	  " gcc [-Wpedantic] error/error: m\n", SG_TOOL_FAILED,
	  "a unit did not compile: m" },
	{ "[{" KIND("error", "m") ",\"option\":\"-Werror\"}]",
	  " gcc [-Werror] error/error: m\n", SG_COMPLETE, "" },
	{ "[{" KIND("error", "m") ",\"option\":\"-Werror=x\"}]",
	  " gcc [-Wx] error/error: m\n", SG_COMPLETE, "" },
	/* the first one counts, in whichever unit */
	{ "[]\n[{" KIND("error", "1") "},{" KIND("error", "2") "}]\n[]",
	  " gcc error/error: 1\n gcc error/error: 2\n", SG_TOOL_FAILED,
	  "a unit did not compile: 1" },
	/* a note belongs to what is before it, but not in another array */
	{ "[{" KIND("warning", "1") "},{" CARET("a.c", 2, 3) "," KIND(
		  "note", "n") "},{" KIND("warning", "2") "," NOTES
							  "},{" KIND("note",
								     "m") "}]",
	  " gcc warning/warning: 1\n a.c:2:3: n\n gcc warning/warning: 2\n"
	  " b.c:4:5: first\n : second\n : m\n",
	  SG_COMPLETE, "" },
	{ "[{" KIND("warning", "1") "},{" KIND("note", "n") "," NOTES "}]",
	  " gcc warning/warning: 1\n : n\n b.c:4:5: first\n : second\n",
	  SG_COMPLETE, "" },
	{ "[{" KIND("note", "n") "},{" KIND("note", "m") "}]",
	  " gcc note/info: n\n : m\n", SG_COMPLETE, "" },
	{ "[{" KIND("warning", "1") "},{" KIND("note",
					       "n") ",\"option\":\"-Wx\"}]",
	  " gcc warning/warning: 1\n gcc [-Wx] note/info: n\n", SG_COMPLETE,
	  "" },
	{ "[{" CARET("a.c", 2, 3) "," KIND("warning", "outer") "," NOTES "}]",
	  "a.c:2:3 gcc warning/warning: outer\n b.c:4:5: first\n : second\n",
	  SG_COMPLETE, "" },
	{ "[{\"metadata\":{\"cwe\":415}," STEPS
	  "," KIND("warning", "free") "," CARET("p.c", 3, 4) "}]",
	  "p.c:3:4 gcc warning/warning cwe-415: free\n"
	  " p.c:1:2 f: entry\n p.c:3:4: freed\n",
	  SG_COMPLETE, "" },
	{ "[{\"kind\":\"warning\",\"message\":\"1\"}]\n"
	  "[{\"kind\":\"note\",\"message\":\"2\"}]",
	  " gcc warning/warning: 1\n gcc note/info: 2\n", SG_COMPLETE, "" },
	{ "[{\"kind\":\"warning\",\"message\":\"1\"}]\n"
	  "collect2: error: ld returned 1 exit status\n[]\n",
	  " gcc warning/warning: 1\n", SG_COMPLETE,
	  "1 lines between the arrays are no JSON" },
	{ "[{\"kind\":\"fatal error\",\"message\":\"no x.h\"}]",
	  " gcc fatal error/error: no x.h\n", SG_TOOL_FAILED,
	  "gcc gave up: no x.h" },
};

static void diagnostics_become_findings(void **unused)
{
	(void)unused;
	for (size_t at = 0; at < sizeof(examples) / sizeof(examples[0]); at++) {
		const struct example *example = &examples[at];
		size_t length = strlen(example->report);

		assert_reads(&sg_format_gcc_json, example->report, length,
			     example->expected, example->kind,
			     example->message);
		assert_reads_prefixes(&sg_format_gcc_json, example->report,
				      length, example->expected);
	}
}

static void what_is_no_report_is_said_to_be_none(void **unused)
{
	static const struct example others[] = {
		{ "", "", SG_NO_REPORT, "nothing is in it" },
		{ "a.c:1:1: warning: m\n", "", SG_NO_REPORT,
		  "no array of diagnostics is in it" },
		{ "{\"kind\":\"warning\"}", "", SG_NO_REPORT,
		  "no array of diagnostics is in it" },
		{ "[1,null,{}]", "", SG_COMPLETE, "" },
	};

	(void)unused;
	for (size_t at = 0; at < sizeof(others) / sizeof(others[0]); at++)
		assert_reads(&sg_format_gcc_json, others[at].report,
			     strlen(others[at].report), others[at].expected,
			     others[at].kind, others[at].message);
}

static void findings_before_a_fault_are_kept(void **unused)
{
	static const char report[] = "[{\"kind\":\"warning\",\"message\":\"1\"}"
				     ",\n {\"kind\" 1}]";
	struct reading reading =
		read_report(&sg_format_gcc_json, report, strlen(report), 3);

	(void)unused;
	assert_string_equal(reading.text, " gcc warning/warning: 1\n");
	assert_int_equal(reading.ending.kind, SG_MALFORMED);
	assert_int_equal(reading.ending.line, 2);
	assert_int_equal(reading.ending.findings, 1);
	reading_release(&reading);
}

static void the_sniffer_knows_arrays_of_diagnostics(void **unused)
{
	static const struct {
		const char *start;
		int sure;
	} starts[] = {
		{ "", 0 },
		{ "{}", 0 },
		{ "[1]", 0 },
		{ " [ ]\n", 30 },
		{ "[{\"kind\":\"error\",\"locations\":[{\"caret\":{}}],"
		  "\"message\":\"m\"}]",
		  95 },
		{ "[{\"kind\":\"error\",\"locations\":[],\"message\":\"m\"}]",
		  80 },
	};

	(void)unused;
	for (size_t at = 0; at < sizeof(starts) / sizeof(starts[0]); at++)
		assert_int_equal(
			sg_format_gcc_json.sniff(starts[at].start,
						 strlen(starts[at].start)),
			starts[at].sure);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(diagnostics_become_findings),
		cmocka_unit_test(what_is_no_report_is_said_to_be_none),
		cmocka_unit_test(findings_before_a_fault_are_kept),
		cmocka_unit_test(the_sniffer_knows_arrays_of_diagnostics),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
