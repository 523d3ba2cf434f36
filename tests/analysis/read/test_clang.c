/* SPDX-License-Identifier: MIT */
/* The text of clang and clang-tidy. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/read/text_reading.h"
#include "read/formats.h"

static void a_rules_shape_tells_the_tool(void **unused)
{
	(void)unused;
	reads(&sg_format_clang,
	      "x.c:3:5: warning: unused [-Wunused-variable]\n"
	      "x.c:4:5: error: unused [-Werror,-Wunused-variable]\n"
	      "x.c:5:5: warning: null [core.NullDereference]\n"
	      "x.c:6:5: warning: no rule\n"
	      "x.c:7:5: warning: tidy [bugprone-foo]\n"
	      "e.c:47:15:{47:8-47:14}{47:17-47:24}: error: operands\n"
	      "2 warnings and 1 error generated.\n",
	      "clang|-Wunused-variable|4|x.c:3:5|-|unused\n"
	      "clang|-Wunused-variable|5|x.c:4:5|-|unused\n"
	      "clang|core.NullDereference|4|x.c:5:5|-|null\n"
	      "clang|-|4|x.c:6:5|-|no rule\n"
	      "clang-tidy|bugprone-foo|4|x.c:7:5|-|tidy\n"
	      "clang|-|5|e.c:47:15|-|operands\n"
	      "= failed 6\n");
}

static void a_chain_of_includes_has_a_line_each(void **unused)
{
	(void)unused;
	reads(&sg_format_clang,
	      "In file included from a.cpp:10:\n"
	      "In file included from b.h:3:\n"
	      "./c.h:1:2: warning: w [-Wx]\n"
	      "#include \"d.h\"\n"
	      "         ^~~~~\n",
	      "clang|-Wx|4|./c.h:1:2|-|w\n"
	      "> a.cpp:10:0|-|included from here\n"
	      "> b.h:3:0|-|included from here\n"
	      "= unverified 0\n");
}

static void notes_follow_and_fixes_are_skipped(void **unused)
{
	(void)unused;
	reads(&sg_format_clang_tidy,
	      "[1/2] Processing file /p/x.cpp.\n"
	      "/p/x.cpp:8:12: warning: Division by zero "
	      "[clang-analyzer-core.DivideZero]\n"
	      "  return 1 / x;\n"
	      "         ~ ^ ~\n"
	      "           static_cast<int>()\n"
	      "/p/x.cpp:8:12: note: Division by zero\n"
	      "/p/x.cpp:9:1: error: use = default "
	      "[modernize-use-equals-default,-warnings-as-errors]\n"
	      "Suppressed 3 warnings (3 in non-user code).\n"
	      "Use -header-filter=.* to display errors.\n",
	      "clang-tidy|clang-analyzer-core.DivideZero|4|/p/x.cpp:8:12|-|"
	      "Division by zero\n"
	      "> /p/x.cpp:8:12|-|Division by zero\n"
	      "clang-tidy|modernize-use-equals-default|5|/p/x.cpp:9:1|-|use = "
	      "default\n"
	      "= unverified 0\n");
}

static void a_crash_is_a_failure(void **unused)
{
	(void)unused;
	reads(&sg_format_clang,
	      "PLEASE submit a bug report to https://x/ and include the\n"
	      "Stack dump:\n"
	      "0.\tProgram arguments: clang -c x.c\n"
	      "clang: error: clang frontend command failed with exit code "
	      "139\n",
	      "clang|-|5|-:0:0|-|clang frontend command failed with exit code "
	      "139\n= failed 1\n");
	reads(&sg_format_clang_tidy, "Error while processing /p/x.cpp.\n",
	      "= failed 1\n");
	reads(&sg_format_clang_tidy, "hello\n", "= no report 0\n");
}

static void a_unit_that_did_not_compile_is_a_failure(void **unused)
{
	static const struct {
		const struct sg_format *format;
		const char *line;
		enum sg_ending_kind kind;
	} rows[] = {
		{ &sg_format_clang_tidy,
		  "x.c:3:5: error: undeclared 'y' [clang-diagnostic-error]",
		  SG_TOOL_FAILED },
		{ &sg_format_gcc,
		  "x.c:3:5: error: undeclared 'y' [clang-diagnostic-error]",
		  SG_TOOL_FAILED },
		{ &sg_format_clang_tidy,
		  "error: unknown argument: '-fx' [clang-diagnostic-error]",
		  SG_TOOL_FAILED },
		{ &sg_format_clang_tidy,
		  "x.c:3:5: error: long [bugprone-a,-warnings-as-errors]",
		  SG_UNVERIFIED },
		{ &sg_format_clang, "x.c:3:5: error: expected ';'",
		  SG_TOOL_FAILED },
		{ &sg_format_clang, "x.c:3:5: error: call [-Wimplicit-int]",
		  SG_TOOL_FAILED },
		{ &sg_format_clang, "x.c:3:5: error: a [-Werror,-Wb]",
		  SG_UNVERIFIED },
		{ &sg_format_clang, "error: unable to open output file 'a'",
		  SG_TOOL_FAILED },
		{ &sg_format_gcc, "clang -c x.c\nerror: pathspec 'x'",
		  SG_UNVERIFIED },
	};

	(void)unused;
	for (size_t at = 0; at < sizeof(rows) / sizeof(rows[0]); at++)
		assert_int_equal(
			ending_of(rows[at].format, rows[at].line, "\n").kind,
			rows[at].kind);
}

static void a_log_with_less_than_clang_counted_is_not_whole(void **unused)
{
	static const char one[] = "x.c:3:5: warning: a [-Wb]\n";
	static const char tidy[] = "x.c:3:5: warning: a [bugprone-b]\n";
	static const struct {
		const struct sg_format *format;
		const char *findings, *counts, *message;
	} rows[] = {
		{ &sg_format_clang, "", "12 warnings generated.\n",
		  "clang counted 12, the log has 0" },
		{ &sg_format_gcc, "", "1 error generated.\n",
		  "clang counted 1, the log has 0" },
		{ &sg_format_clang, "", "1 warning and 2 errors generated.\n",
		  "clang counted 3, the log has 0" },
		{ &sg_format_clang, "",
		  "1 warning generated when compiling for host.\n",
		  "clang counted 1, the log has 0" },
		{ &sg_format_clang, one, "1 warning generated.\n", NULL },
		{ &sg_format_clang, one, "2 warnings generated.\n",
		  "clang counted 2, the log has 1" },
		/* another unit's lines may come behind its count */
		{ &sg_format_clang, "1 warning generated.\n", one, NULL },
		{ &sg_format_clang, "1 warning generated.\n", "\n",
		  "clang counted 1, the log has 0" },
		{ &sg_format_clang,
		  "warning: unknown warning option '-Wx' "
		  "[-Wunknown-warning-option]\n",
		  "1 warning generated.\n", NULL },
		{ &sg_format_clang, "2 warnings\n",
		  "3 errors were generated.\n"
		  "clang -c x.c\n",
		  NULL },
		/* clang-tidy goes on counting, also what it hides */
		{ &sg_format_clang_tidy, "",
		  "3 warnings generated.\n12 warnings generated.\n"
		  "Suppressed 4 warnings (4 in non-user code).\n",
		  "clang-tidy counted 12 and suppressed 4, the log has 0" },
		{ &sg_format_clang, "5 warnings generated.\n",
		  "Suppressed 5 warnings (4 in non-user code, 1 NOLINT).\n"
		  "7 warnings generated.\n"
		  "Suppressed 7 warnings (7 in non-user code).\n",
		  NULL },
		{ &sg_format_clang_tidy, tidy, "9 warnings generated.\n",
		  NULL },
		{ &sg_format_clang, tidy, "9 warnings generated.\n", NULL },
		{ &sg_format_clang, one,
		  "9 warnings generated.\n"
		  "Suppressed 2 warnings (2 in non-user code).\n",
		  NULL },
	};

	(void)unused;
	for (size_t at = 0; at < sizeof(rows) / sizeof(rows[0]); at++) {
		struct sg_ending ending = ending_of(
			rows[at].format, rows[at].findings, rows[at].counts);

		assert_int_equal(ending.kind, rows[at].message ? SG_BROKEN_OFF
							       : SG_UNVERIFIED);
		if (rows[at].message)
			assert_string_equal(ending.message, rows[at].message);
	}
}

static void the_formats_know_their_logs(void **unused)
{
	static const struct {
		const char *log;
		const struct sg_format *format;
	} rows[] = {
		{ "x.c:3:5: warning: a [-Wb]\n1 warning generated.\n",
		  &sg_format_clang },
		{ "x.c:3:5: error: a [-Werror,-Wb]\n", &sg_format_clang },
		{ "x.c:3:5: warning: a [bugprone-b]\n", &sg_format_clang_tidy },
		{ "x.c: In function 'f':\nx.c:3:5: warning: a [-Wb]\n",
		  &sg_format_gcc },
		{ "x.c:3:5: warning: ‘a’ [-Wb]\n", &sg_format_gcc },
		{ "x.c:3:5: warning: a [-Wb]\n", &sg_format_gcc },
		{ "\xff\xfex\0.\0c\0", NULL },
		{ "hello, world\n", NULL },
		/* csdiff's text */
		{ "Error: CLANG_WARNING:\nx.c:3:5: warning: a\n", NULL },
		{ "Error: UNINIT (CWE-457): [#def1]\nx.c: hint: b\n"
		  "x.c:3:5: warning[-Wb]: a\n",
		  NULL },
		{ "Error: CLANG_WARNING: no\nx.c:3:5: warning: a\n",
		  &sg_format_gcc },
		{ "Error: FAILED:\nIn file included from y.c:1:\n"
		  "x.c:3:5: warning: a\n",
		  &sg_format_gcc },
	};
	static const struct sg_format *const formats[] = {
		&sg_format_clang_tidy, &sg_format_clang, &sg_format_gcc
	};

	(void)unused;
	for (size_t at = 0; at < sizeof(rows) / sizeof(rows[0]); at++) {
		const struct sg_format *best = NULL;
		int surest = 0;

		for (size_t one = 0; one < 3; one++) {
			int sure = formats[one]->sniff(rows[at].log,
						       strlen(rows[at].log));

			assert_in_range(sure, 0, 100);
			if (sure > surest) {
				surest = sure;
				best = formats[one];
			}
		}
		assert_ptr_equal(best, rows[at].format);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_rules_shape_tells_the_tool),
		cmocka_unit_test(a_chain_of_includes_has_a_line_each),
		cmocka_unit_test(notes_follow_and_fixes_are_skipped),
		cmocka_unit_test(a_crash_is_a_failure),
		cmocka_unit_test(a_unit_that_did_not_compile_is_a_failure),
		cmocka_unit_test(
			a_log_with_less_than_clang_counted_is_not_whole),
		cmocka_unit_test(the_formats_know_their_logs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
