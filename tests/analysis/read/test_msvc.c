/* SPDX-License-Identifier: MIT */
/* Microsoft's lines, and those of its debug heap. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/read/text_reading.h"
#include "read/formats.h"

static void a_line_is_taken_apart(void **unused)
{
	static const struct {
		const char *line, *finding;
	} rows[] = {
		{ "file(12) : warning C4996: text",
		  "msvc|C4996|4|file:12:0|-|text" },
		{ "file.c(12,5): error C2065: 'x': undeclared",
		  "msvc|C2065|5|file.c:12:5|-|'x': undeclared" },
		{ "D:\\p (x86)\\a.cs (26,57,334,3):  warning CS8625: t "
		  "[D:\\p\\a.csproj]",
		  "msvc|CS8625|4|D:\\p (x86)\\a.cs:26:57|-|t" },
		{ "x.h(334,3): error : use of undeclared",
		  "msvc|-|5|x.h:334:3|-|use of undeclared" },
		{ "LINK : warning LNK4217: symbol",
		  "msvc|LNK4217|4|-:0:0|-|symbol" },
		{ "main.obj : error LNK2001: unresolved",
		  "msvc|LNK2001|5|main.obj:0:0|-|unresolved" },
		{ "cl : Command line warning D9002: ignoring",
		  "msvc|D9002|4|-:0:0|-|ignoring" },
		{ "14:57:52       [exec] 1>c:\\n.cpp(125) : warning C4706: a",
		  "msvc|C4706|4|c:\\n.cpp:125:0|-|a" },
		{ "17:4>F.cs(229,34): warning CS0168 : m",
		  "msvc|CS0168|4|F.cs:229:34|-|m" },
		{ "a.pas(4522): Hint warning H2164: unused",
		  "msvc|H2164|4|a.pas:4522:0|-|unused" },
		{ "x.c(1460): (col. 20) remark: LOOP WAS VECTORIZED.",
		  "msvc|-|1|x.c:1460:20|-|LOOP WAS VECTORIZED." },
		{ "x.c(721): remark #1: last line",
		  "msvc|#1|1|x.c:721:0|-|last line" },
		{ "MSBUILD : warning : CA1823 : It appears",
		  "msvc|CA1823|4|-:0:0|-|It appears" },
		{ "x.cpp(9): Fehler C2065: nicht deklariert",
		  "msvc|C2065|5|x.cpp:9:0|-|nicht deklariert" },
	};

	(void)unused;
	for (size_t at = 0; at < sizeof(rows) / sizeof(rows[0]); at++) {
		bool is_error = strstr(rows[at].finding, "|5|") &&
				!strstr(rows[at].finding, "msvc|-|");
		char expected[512];

		(void)snprintf(expected, sizeof(expected), "%s\n= %s\n",
			       rows[at].finding,
			       is_error ? "failed 1" : "unverified 0");
		reads(&sg_format_msvc, rows[at].line, expected);
	}
}

static void lines_of_other_things_are_no_findings(void **unused)
{
	static const char *const lines[] = {
		"x.c:52: warning: gcc's",
		"f(12) is 13",
		"x.c(-1): warning C1: a",
		"x.c(4294967296): warning C1: a",
		"some text: error: with a sentence before",
	};

	(void)unused;
	for (size_t at = 0; at < 2; at++)
		reads(&sg_format_msvc, lines[at], "= no report 0\n");
	reads(&sg_format_msvc, lines[4], "= no report 0\n");
	reads(&sg_format_msvc, "m.c(1): (col. 2", "= no report 0\n");
	/* a place that cannot be: the finding stays */
	reads(&sg_format_msvc, lines[2],
	      "msvc|C1|4|x.c:0:0|-|a\n= unverified 0\n");
	reads(&sg_format_msvc, lines[3],
	      "msvc|C1|4|x.c:0:0|-|a\n= unverified 0\n");
}

static void notes_are_events_and_fatal_errors_failures(void **unused)
{
	(void)unused;
	reads(&sg_format_msvc,
	      "m.cpp(97): warning C4996: 's': unsafe\n"
	      "          C:\\i\\s.h(854): see declaration of 's'\n"
	      "C:\\i\\s.h(855): note: see it\n"
	      "a.h(18) : fatal error C1083: Cannot open include file\n",
	      "msvc|C4996|4|m.cpp:97:0|-|'s': unsafe\n"
	      "> C:\\i\\s.h:854:0|-|see declaration of 's'\n"
	      "> C:\\i\\s.h:855:0|-|see it\n"
	      "msvc|C1083|5|a.h:18:0|-|Cannot open include file\n"
	      "= failed 4\n");
}

static void every_line_of_the_debug_heap_is_a_finding(void **unused)
{
	static const struct {
		const char *line, *rule;
	} rows[] = {
		{ "HEAP CORRUPTION DETECTED: before Normal block (#61) at "
		  "0x00852CE0.",
		  "heap-corruption" },
		{ "HEAP CORRUPTION DETECTED: after Normal block (#61) at "
		  "0x00852CE0.",
		  "heap-corruption" },
		{ "HEAP CORRUPTION DETECTED: on top of Free block at "
		  "0x00852CE0.",
		  "heap-corruption" },
		{ "Detected memory leaks!", "memory-leak" },
		{ "Client hook allocation failure.", "client-hook-failure" },
		{ "Client hook re-allocation failure.", "client-hook-failure" },
		{ "Client hook free failure.", "client-hook-failure" },
		{ "Error: memory allocation: bad memory block type.",
		  "bad-block-type" },
		{ "Damage before 0x00852CE0 which was allocated by aligned "
		  "routine",
		  "aligned-block-damage" },
		{ "Bad memory block found at 0x00852CE0.", "bad-block" },
		{ "_heapchk fails with _HEAPBADBEGIN.", "heapchk-bad-begin" },
		{ "_heapchk fails with _HEAPBADNODE.", "heapchk-bad-node" },
		{ "_heapchk fails with _HEAPBADEND.", "heapchk-bad-end" },
		{ "_heapchk fails with _HEAPBADPTR.", "heapchk-bad-pointer" },
		{ "_heapchk fails with unknown return value!",
		  "heapchk-unknown" },
	};

	(void)unused;
	for (size_t at = 0; at < sizeof(rows) / sizeof(rows[0]); at++) {
		char expected[512];

		(void)snprintf(expected, sizeof(expected),
			       "msvc-debug-heap|%s|5|-:0:0|-|%s\n"
			       "= unverified 0\n",
			       rows[at].rule, rows[at].line);
		reads(&sg_format_msvc, rows[at].line, expected);
		assert_int_equal(sg_format_msvc.sniff(rows[at].line,
						      strlen(rows[at].line)),
				 90);
	}
}

static void leaks_are_told_block_by_block(void **unused)
{
	(void)unused;
	reads(&sg_format_msvc,
	      "Detected memory leaks!\r\n"
	      "Dumping objects ->\r\n"
	      "c:\\p\\file.c(12) : {61} normal block at 0x00852CE0, 40 bytes "
	      "long.\r\n"
	      " Data: <        > CD CD CD CD\r\n"
	      "{60} client block at 0x00852CA0, subtype 0, 8 bytes long.\r\n"
	      "Object dump complete.\r\n"
	      "Client hook free failure at file m.c line 7.\r\n",
	      "msvc-debug-heap|memory-leak|5|c:\\p\\file.c:12:0|-|{61} normal "
	      "block at 0x00852CE0, 40 bytes long.\n"
	      "msvc-debug-heap|memory-leak|5|-:0:0|-|{60} client block at "
	      "0x00852CA0, subtype 0, 8 bytes long.\n"
	      "msvc-debug-heap|client-hook-failure|5|m.c:7:0|-|Client hook "
	      "free failure at file m.c line 7.\n"
	      "= unverified 0\n");
}

static void a_corrupted_block_knows_who_made_it(void **unused)
{
	(void)unused;
	reads(&sg_format_msvc,
	      "HEAP CORRUPTION DETECTED: after Normal block (#61) at "
	      "0x00852CE0.\n"
	      "CRT detected that the application wrote to memory after end of "
	      "heap buffer.\n\n"
	      "Memory allocated at main.c(12).\n",
	      "msvc-debug-heap|heap-corruption|5|main.c:12:0|-|HEAP CORRUPTION "
	      "DETECTED: after Normal block (#61) at 0x00852CE0. CRT detected "
	      "that the application wrote to memory after end of heap buffer.\n"
	      "= unverified 0\n");
}

static void a_unit_that_did_not_compile_is_a_failure(void **unused)
{
	static const struct {
		const char *line;
		bool fails;
	} rows[] = {
		{ "x.c(3): error C2065: 'y': undeclared identifier", true },
		{ "x.c(3): error C3861: 'y': not found", true },
		{ "main.obj : error LNK2019: unresolved external", true },
		{ "x.c(1): fatal error C1083: Cannot open y.h", true },
		{ "x.c(3): error C2220: a warning is treated as an error",
		  false },
		{ "x.c(3): error C4996: 'f': deprecated", false },
		{ "x.c(3): warning C4996: 'f': deprecated", false },
		{ "main.obj : warning LNK4099: no PDB", false },
		{ "x.cs(3,4): error CS2065: other compilers'", false },
	};

	(void)unused;
	for (size_t at = 0; at < sizeof(rows) / sizeof(rows[0]); at++)
		assert_int_equal(
			ending_of(&sg_format_msvc, rows[at].line, "\n").kind,
			rows[at].fails ? SG_TOOL_FAILED : SG_UNVERIFIED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_is_taken_apart),
		cmocka_unit_test(lines_of_other_things_are_no_findings),
		cmocka_unit_test(notes_are_events_and_fatal_errors_failures),
		cmocka_unit_test(every_line_of_the_debug_heap_is_a_finding),
		cmocka_unit_test(leaks_are_told_block_by_block),
		cmocka_unit_test(a_corrupted_block_knows_who_made_it),
		cmocka_unit_test(a_unit_that_did_not_compile_is_a_failure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
