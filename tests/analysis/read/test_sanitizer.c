/* SPDX-License-Identifier: MIT */
/* Logs of sanitizers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/read/text_reading.h"
#include "read/formats.h"
#include "read/spans.h"
#include "read/stack.h"

static void a_frame_is_taken_apart(void **unused)
{
	static const struct {
		const char *line, *function, *path;
		int64_t number, column;
		bool users;
	} rows[] = {
		{ "    #0 0x5555 in use /p/a.c:3:12", "use", "/p/a.c", 3, 12,
		  true },
		{ "    #1 0x55 in f(unsigned long, int) /p q/a.c:7",
		  "f(unsigned long, int)", "/p q/a.c", 7, 0, true },
		{ "#0 main t.c:4:61 (t+0xd0126) (BuildId: 1d6588f5)", "main",
		  "t.c", 4, 61, true },
		{ "#0 pthread_create <null> (t+0x513ad)", "pthread_create", "",
		  0, 0, false },
		{ "#4 0x555555555140 in _start (/p/a+0x1140)", "_start", "", 0,
		  0, false },
		{ "#4 0x555555555140 (/p/a+0x1140)", "", "", 0, 0, false },
		{ "#0 0x7f in __interceptor_free ../../../../src/libsanitizer/"
		  "asan/asan_malloc_linux.cpp:52",
		  "__interceptor_free",
		  "../../../../src/libsanitizer/asan/asan_malloc_linux.cpp", 52,
		  0, false },
		{ "#2 0x7 in x /usr/include/c++/12/new:9", "x",
		  "/usr/include/c++/12/new", 9, 0, false },
		{ "#1 0x5 in f+0x1)", "f+0x1)", "", 0, 0, false },
		{ "#0 0x5 in f C:\\p\\a.c:7", "f", "C:\\p\\a.c", 7, 0, true },
	};
	static const char *const none[] = { "# 0 x", "#x 0 in f", "#0", "0" };
	struct sg_frame frame;

	(void)unused;
	for (size_t at = 0; at < sizeof(rows) / sizeof(rows[0]); at++) {
		struct sg_span line = { rows[at].line, strlen(rows[at].line) };

		assert_true(sg_frame_parse(line, &frame));
		assert_true(sg_span_is(frame.function, rows[at].function));
		assert_true(sg_span_is(frame.path, rows[at].path));
		assert_int_equal(frame.line, rows[at].number);
		assert_int_equal(frame.column, rows[at].column);
		assert_int_equal(frame.users, rows[at].users);
	}
	for (size_t at = 0; at < sizeof(none) / sizeof(none[0]); at++)
		assert_false(sg_frame_parse(
			(struct sg_span){ none[at], strlen(none[at]) },
			&frame));
}

static void a_report_of_asan_has_its_stacks(void **unused)
{
	(void)unused;
	reads(&sg_format_sanitizer,
	      "=================================================\n"
	      "==18==ERROR: AddressSanitizer: heap-use-after-free on address "
	      "0x6020 at pc 0x55 bp 0x7f sp 0x7e\n"
	      "READ of size 1 at 0x6020 thread T0\n"
	      "    #0 0x55 in use /p/a.c:3\n"
	      "    #1 0x56 in main /p/a.c:7\n\n"
	      "freed by thread T0 here:\n"
	      "    #0 0x7f in __interceptor_free ../x/libsanitizer/a.cpp:52\n\n"
	      "SUMMARY: AddressSanitizer: heap-use-after-free /p/a.c:3 in use\n"
	      "Shadow bytes around the buggy address:\n"
	      "  0x0c047fff7fb0: 00 00 00 00\n"
	      "==18==ABORTING\n",
	      "asan|heap-use-after-free|5|/p/a.c:3:0|use|heap-use-after-free "
	      "on address 0x6020\n"
	      "> -:0:0|-|READ of size 1 at 0x6020 thread T0\n"
	      "> /p/a.c:3:0|use|-\n"
	      "> /p/a.c:7:0|main|-\n"
	      "> -:0:0|-|freed by thread T0 here:\n"
	      "> ../x/libsanitizer/a.cpp:52:0|__interceptor_free|-\n"
	      "= unverified 0\n");
}

static void the_place_is_the_first_frame_of_the_users(void **unused)
{
	(void)unused;
	reads(&sg_format_sanitizer,
	      "==18==ERROR: AddressSanitizer: attempting double-free on 0x60 "
	      "in thread T0:\n"
	      "    #0 0x7f in __interceptor_free ../x/libsanitizer/a.cpp:52\n"
	      "    #1 0x56 in main /p/a.c:11\n",
	      "asan|double-free|5|/p/a.c:11:0|main|attempting double-free on "
	      "0x60 in thread T0:\n"
	      "> ../x/libsanitizer/a.cpp:52:0|__interceptor_free|-\n"
	      "> /p/a.c:11:0|main|-\n"
	      "= unverified 0\n");
}

static void each_leak_is_a_finding(void **unused)
{
	(void)unused;
	reads(&sg_format_sanitizer,
	      "==2==ERROR: LeakSanitizer: detected memory leaks\n\n"
	      "Direct leak of 10 byte(s) in 1 object(s) allocated from:\n"
	      "    #1 0x55 in main /p/a.c:9\n\n"
	      "Indirect leak of 4 byte(s) in 2 object(s) allocated from:\n"
	      "    #1 0x55 in f /p/a.c:6\n\n"
	      "SUMMARY: AddressSanitizer: 14 byte(s) leaked\n",
	      "lsan|direct-leak|5|/p/a.c:9:0|main|Direct leak of 10 byte(s) in "
	      "1 object(s)\n"
	      "> /p/a.c:9:0|main|-\n"
	      "lsan|indirect-leak|5|/p/a.c:6:0|f|Indirect leak of 4 byte(s) in "
	      "2 object(s)\n"
	      "> /p/a.c:6:0|f|-\n"
	      "= unverified 0\n");
	reads(&sg_format_sanitizer,
	      "==2==ERROR: LeakSanitizer: detected memory leaks\n",
	      "= unverified 0\n");
}

static void a_race_has_both_accesses(void **unused)
{
	(void)unused;
	reads(&sg_format_sanitizer,
	      "==================\n"
	      "WARNING: ThreadSanitizer: data race (pid=1886)\n"
	      "  Write of size 4 at 0x55 by main thread:\n"
	      "    #0 main /p/t.c:4:61 (t+0xd0126)\n\n"
	      "  Previous write of size 4 at 0x55 by thread T1:\n"
	      "    #0 f /p/t.c:3:28 (t+0xd0194)\n\n"
	      "SUMMARY: ThreadSanitizer: data race /p/t.c:4:61 in main\n"
	      "==================\n"
	      "ThreadSanitizer: reported 1 warnings\n",
	      "tsan|data race|5|/p/t.c:4:61|main|data race\n"
	      "> -:0:0|-|Write of size 4 at 0x55 by main thread:\n"
	      "> /p/t.c:4:61|main|-\n"
	      "> -:0:0|-|Previous write of size 4 at 0x55 by thread T1:\n"
	      "> /p/t.c:3:28|f|-\n"
	      "= unverified 0\n");
}

static void an_uninitialised_value_is_msans(void **unused)
{
	(void)unused;
	reads(&sg_format_sanitizer,
	      "==18==WARNING: MemorySanitizer: use-of-uninitialized-value\n"
	      "    #0 0x55 in main /p/m.c:3:42\n",
	      "msan|use-of-uninitialized-value|5|/p/m.c:3:42|main|"
	      "use-of-uninitialized-value\n"
	      "> /p/m.c:3:42|main|-\n"
	      "= unverified 0\n");
}

static void undefined_behaviour_is_named_by_its_check(void **unused)
{
	(void)unused;
	reads(&sg_format_sanitizer,
	      "hello from the program\n"
	      "a.c:10:42: runtime error: signed integer overflow: 2147483647 + "
	      "4 cannot be represented in type 'int'\n"
	      "    #0 0x55 in main /p/a.c:10\n"
	      "a.c:633:8: runtime error: member access within misaligned "
	      "address 0xaa for type 'struct s'\n"
	      "0xaa: note: pointer points here\n"
	      "a.c:13:10: runtime error: load of value 7, which is not a valid "
	      "value for type 'enum E'\n"
	      "a.c:14:10: runtime error: something new\n",
	      "ubsan|signed-integer-overflow|5|a.c:10:42|-|signed integer "
	      "overflow: 2147483647 + 4 cannot be represented in type 'int'\n"
	      "> /p/a.c:10:0|main|-\n"
	      "ubsan|alignment|5|a.c:633:8|-|member access within misaligned "
	      "address 0xaa for type 'struct s'\n"
	      "> -:0:0|-|0xaa: note: pointer points here\n"
	      "ubsan|enum|5|a.c:13:10|-|load of value 7, which is not a valid "
	      "value for type 'enum E'\n"
	      "ubsan|undefined-behavior|5|a.c:14:10|-|something new\n"
	      "= unverified 0\n");
}

static void a_checker_that_breaks_has_failed(void **unused)
{
	(void)unused;
	reads(&sg_format_sanitizer,
	      "==9==LeakSanitizer has encountered a fatal error.\n",
	      "= failed 1\n");
	reads(&sg_format_sanitizer,
	      "x\n==9==ASan runtime does not come first in initial library "
	      "list\n",
	      "= failed 2\n");
	reads(&sg_format_sanitizer, "all is well\n", "= no report 0\n");
	reads(&sg_format_sanitizer, "", "= unverified 0\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_frame_is_taken_apart),
		cmocka_unit_test(a_report_of_asan_has_its_stacks),
		cmocka_unit_test(the_place_is_the_first_frame_of_the_users),
		cmocka_unit_test(each_leak_is_a_finding),
		cmocka_unit_test(a_race_has_both_accesses),
		cmocka_unit_test(an_uninitialised_value_is_msans),
		cmocka_unit_test(undefined_behaviour_is_named_by_its_check),
		cmocka_unit_test(a_checker_that_breaks_has_failed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
