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
	      "= unverified 0\n");
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
	reads(&sg_format_clang_tidy, "12 warnings generated.\n",
	      "= unverified 0\n");
	reads(&sg_format_clang_tidy, "hello\n", "= no report 0\n");
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
		cmocka_unit_test(the_formats_know_their_logs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
