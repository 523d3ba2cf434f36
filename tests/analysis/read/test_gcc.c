/* SPDX-License-Identifier: MIT */
/* gcc's text: findings, what belongs to them, and how its runs end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/read/text_reading.h"
#include "read/formats.h"

static void a_line_is_taken_apart(void **unused)
{
	static const struct {
		const char *line, *finding;
	} rows[] = {
		{ "x.c:3:5: warning: unused variable 'a' [-Wunused-variable]",
		  "gcc|-Wunused-variable|4|x.c:3:5|-|unused variable 'a'" },
		{ "x.c:3:5: error: unused 'a' [-Werror=unused-variable]",
		  "gcc|-Wunused-variable|5|x.c:3:5|-|unused 'a'" },
		{ "x.c:3: warning: old gcc names no column",
		  "gcc|-|4|x.c:3:0|-|old gcc names no column" },
		{ "x.c:12:15: y.h: No such file or directory",
		  "gcc|-|0|x.c:12:15|-|y.h: No such file or directory" },
		{ "C:\\a b\\x.c:3:5: error: no", "gcc|-|5|C:\\a b\\x.c:3:5|-|"
						 "no" },
		{ "/a b/c:12:d.c:3:5: error: no",
		  "gcc|-|5|/a b/c:12:d.c:3:5|-|no" },
		{ "x.c:3:5: warning: leak of 'p' [CWE-401] "
		  "[-Wanalyzer-malloc-leak]",
		  "gcc|-Wanalyzer-malloc-leak|4|x.c:3:5|-|leak of 'p'" },
		{ "x.c:3:5: Warnung: Variable [-Wunused-variable]",
		  "gcc|-Wunused-variable|4|x.c:3:5|-|Variable" },
		{ "x.c:3:5: erreur: non", "gcc|-|5|x.c:3:5|-|non" },
		{ "x.c:3:5: attention : non", "gcc|-|4|x.c:3:5|-|non" },
		{ "x.c:3:5: ошибка: нет", "gcc|-|5|x.c:3:5|-|нет" },
		{ "x.c:3:5: 警告： 未使用", "gcc|-|4|x.c:3:5|-|未使用" },
		{ "\x1b[01m\x1b[Kx.c:3:5:\x1b[m\x1b[K \x1b[01;35m\x1b[K"
		  "warning: \x1b[m\x1b[Kc "
		  "[\x1b]8;;https://g/#i\a-Wx\x1b]8;;\a]",
		  "gcc|-Wx|4|x.c:3:5|-|c" },
		{ "cc1: warning: -Wformat-security ignored [-Wformat-security]",
		  "gcc|-Wformat-security|4|-:0:0|-|-Wformat-security ignored" },
		{ "arm-none-eabi-gcc-12: error: x.c: No such file",
		  "gcc|-|5|-:0:0|-|x.c: No such file" },
		{ "x.c: warning: illegal sequence",
		  "gcc|-|4|x.c:0:0|-|illegal sequence" },
		{ "C/C++: /p/x.cpp:3:5: warning: a [-Wb]",
		  "gcc|-Wb|4|/p/x.cpp:3:5|-|a" },
		{ "x.c:3:5: style: unread [unreadVariable]",
		  "cppcheck|unreadVariable|2|x.c:3:5|-|unread" },
		{ "x.c:3:5: error: inconclusive: null [nullPointer]",
		  "cppcheck|nullPointer|5|x.c:3:5|-|null" },
		{ "x.c:64: error[uninitvar]: Uninitialized: top",
		  "cppcheck|uninitvar|5|x.c:64:0|-|Uninitialized: top" },
		{ "x.c:4: error: uninitvar(CWE-908): Uninitialized: k "
		  "<--[cppcheck]",
		  "cppcheck|uninitvar|5|x.c:4:0|-|Uninitialized: k" },
		{ "x.c:4: style: x(CWE-0): inconclusive: a <--[cppcheck]",
		  "cppcheck|x|2|x.c:4:0|-|a" },
		{ "x.c:4: error: uninitvar: Uninitialized: k",
		  "cppcheck|uninitvar|5|x.c:4:0|-|Uninitialized: k" },
		/* somebody else's word and colon */
		{ "x.c:4: error: stdio: no such file",
		  "gcc|-|5|x.c:4:0|-|stdio: no such file" },
		{ "x.c:4: error: uninitvar: Words <--[gcc]",
		  "gcc|-|5|x.c:4:0|-|uninitvar: Words" },
		{ "x.c:4:1: error: uninitvar: Words",
		  "gcc|-|5|x.c:4:1|-|uninitvar: Words" },
		{ "x.c:4: error: uninitvar(CWE-: Words",
		  "gcc|-|5|x.c:4:0|-|uninitvar(CWE-: Words" },
		{ "s:21:7: note: Use $(..) [SC2006] <--[shellcheck]",
		  "shellcheck|SC2006|1|s:21:7|-|Use $(..)" },
		{ "x.c:76 choose() warn: inconsistent indenting",
		  "smatch|-|4|x.c:76:0|choose|inconsistent indenting" },
		{ "x.cpp:4:1: warning: a [bugprone-b,-warnings-as-errors]",
		  "clang-tidy|bugprone-b|4|x.cpp:4:1|-|a" },
		{ "x.c:2147483647:1: error: far",
		  "gcc|-|5|x.c:2147483647:1|-|far" },
		{ "x.c:-1:5: error: no", "gcc|-|5|x.c:0:0|-|no" },
		{ "x.c:4294967296:5: error: no", "gcc|-|5|x.c:0:0|-|no" },
		{ "x.adb:96:80: (style) this line is too long",
		  "gcc|-|2|x.adb:96:80|-|this line is too long" },
	};

	(void)unused;
	for (size_t at = 0; at < sizeof(rows) / sizeof(rows[0]); at++) {
		bool is_error = strncmp(rows[at].finding, "gcc|-|5|", 8) == 0;
		char expected[512];

		(void)snprintf(expected, sizeof(expected), "%s\n= %s\n",
			       rows[at].finding,
			       is_error ? "failed 1" : "unverified 0");
		reads(&sg_format_gcc, rows[at].line, expected);
	}
}

static void lines_of_other_things_are_no_findings(void **unused)
{
	static const char *const lines[] = {
		"configure.ac:9: installing `auto/config.guess'",
		"oid:b694f709.1b014e0d.bf63.6c:03:05:8f:bc:23@v:84:a1 1",
		"12:34:56: started",
		"2024-01-01 12:34:56: error in nothing",
		"    printf(\"x.c:3:5: error: no\");",
		":3:5: error: no",
	};

	(void)unused;
	for (size_t at = 0; at < sizeof(lines) / sizeof(lines[0]); at++)
		reads(&sg_format_gcc, lines[at], "= no report 0\n");
	reads(&sg_format_gcc, "", "= unverified 0\n");
	reads(&sg_format_gcc, "gcc -c x.c -o x.o\n", "= unverified 0\n");
}

static void notes_and_includes_are_the_findings_events(void **unused)
{
	(void)unused;
	reads(&sg_format_gcc,
	      "In file included from a.h:3,\n"
	      "                 from b.c:1:\n"
	      "c.h:7:1: warning: one [-Wx]\n"
	      "    7 | int x;\n"
	      "      | ^~~\n"
	      "d.h:2:4: note: declared here\n"
	      "c.h:9:1: warning: two [-Wy]\n",
	      "gcc|-Wx|4|c.h:7:1|-|one\n"
	      "> a.h:3:0|-|included from here\n"
	      "> b.c:1:0|-|included from here\n"
	      "> d.h:2:4|-|declared here\n"
	      "gcc|-Wy|4|c.h:9:1|-|two\n"
	      "= unverified 0\n");
	reads(&sg_format_gcc,
	      "t.cpp: In instantiation of 'struct A<1>':\n"
	      "t.cpp:64:49:   required from here\n"
	      "t.cpp:2:6: error: incomplete\n",
	      "gcc|-|5|t.cpp:2:6|-|incomplete\n"
	      "> t.cpp:64:49|-|required from here\n"
	      "= failed 3\n");
	/* a note's own way is not the next finding's */
	reads(&sg_format_gcc,
	      "x.c:8:1: warning: one\n"
	      "In file included from x.c:1:\n"
	      "/usr/include/s.h:592:14: note: in a call\n"
	      "x.c:9:1: warning: two\n",
	      "gcc|-|4|x.c:8:1|-|one\n"
	      "> /usr/include/s.h:592:14|-|in a call\n"
	      "gcc|-|4|x.c:9:1|-|two\n"
	      "= unverified 0\n");
	reads(&sg_format_gcc, "x.c:3:5: note: alone\n",
	      "gcc|-|1|x.c:3:5|-|alone\n= unverified 0\n");
}

static void a_finding_knows_its_function_also_interleaved(void **unused)
{
	(void)unused;
	reads(&sg_format_gcc,
	      "a.c: In function ‘f’:\n"
	      "b.c: In function 'g':\n"
	      "a.c:3:5: warning: one\n"
	      "b.c:4:5: warning: two\n"
	      "a.c: At top level:\n"
	      "a.c:9:5: warning: three\n",
	      "gcc|-|4|a.c:3:5|f|one\n"
	      "gcc|-|4|b.c:4:5|g|two\n"
	      "gcc|-|4|a.c:9:5|-|three\n"
	      "= unverified 0\n");
	reads(&sg_format_gcc,
	      "In function ‘memcpy’,\n"
	      "    inlined from ‘main’ at t.c:6:3:\n"
	      "/usr/include/s.h:29:10: warning: over [-Wx]\n"
	      "/usr/include/s.h:30:10: warning: next\n",
	      "gcc|-Wx|4|/usr/include/s.h:29:10|memcpy|over\n"
	      "> t.c:6:3|-|inlined from ‘main’\n"
	      "gcc|-|4|/usr/include/s.h:30:10|memcpy|next\n"
	      "= unverified 0\n");
}

static void a_function_is_that_of_its_whole_block(void **unused)
{
	(void)unused;
	reads(&sg_format_gcc,
	      "x.c: In function ‘main’:\n"
	      "x.c:2:1: warning: zero\n"
	      "In function ‘sum’,\n"
	      "    inlined from ‘main’ at x.c:23:2:\n"
	      "x.c:8:27: warning: one\n"
	      "x.c:8:23: warning: two\n"
	      "y.h:1:1: warning: elsewhere\n"
	      "x.c: In function ‘main’:\n"
	      "x.c:6:13: note: declared here\n"
	      "x.c:9:1: warning: three\n"
	      "In function ‘sum’,\n"
	      "    inlined from ‘main’ at x.c:23:2:\n"
	      "x.c:8:1: warning: four\n"
	      "x.c: At top level:\n"
	      "x.c:8:2: warning: five\n",
	      "gcc|-|4|x.c:2:1|main|zero\n"
	      "gcc|-|4|x.c:8:27|sum|one\n"
	      "> x.c:23:2|-|inlined from ‘main’\n"
	      "gcc|-|4|x.c:8:23|sum|two\n"
	      "gcc|-|4|y.h:1:1|-|elsewhere\n"
	      "> x.c:6:13|-|declared here\n"
	      "gcc|-|4|x.c:9:1|main|three\n"
	      "gcc|-|4|x.c:8:1|sum|four\n"
	      "> x.c:23:2|-|inlined from ‘main’\n"
	      "gcc|-|4|x.c:8:2|-|five\n"
	      "= unverified 0\n");
	/* the linker's, too, but not of what has no place */
	reads(&sg_format_gcc,
	      "/usr/bin/ld: x.o: in function `f':\n"
	      "x.c:(.text+0x5): undefined reference to `g'\n"
	      "x.c:(.text+0x9): undefined reference to `h'\n"
	      "/usr/bin/ld: cannot find -lnone\n",
	      "ld|-|5|x.c:0:0|f|undefined reference to `g'\n"
	      "ld|-|5|x.c:0:0|f|undefined reference to `h'\n"
	      "ld|-|5|-:0:0|-|cannot find -lnone\n"
	      "= failed 2\n");
}

static void a_path_of_the_analyzer_is_events(void **unused)
{
	(void)unused;
	reads(&sg_format_gcc,
	      "t.c: In function ‘f’:\n"
	      "t.c:5:3: warning: double-‘free’ of ‘p’ [CWE-415] "
	      "[-Wanalyzer-double-free]\n"
	      "    5 |   free(p);\n"
	      "      |   ^~~~~~~\n"
	      "  ‘f’: events 1-3\n"
	      "    |\n"
	      "    |    4 |   free(p);\n"
	      "    |      |   ^~~~~~~\n"
	      "    |      |   |\n"
	      "    |      |   (1) first ‘free’ here\n"
	      "    |    5 |   free(p);\n"
	      "    |      |   ~~~~~~~\n"
	      "    |      |   |\n"
	      "    |      |   |       (3) and done\n"
	      "    |      |   (2) second ‘free’ here\n"
	      "    |\n"
	      "t.c:8:3: warning: other\n",
	      "gcc|-Wanalyzer-double-free|4|t.c:5:3|f|double-‘free’ of ‘p’\n"
	      "> t.c:4:0|f|first ‘free’ here\n"
	      "> t.c:5:0|f|second ‘free’ here\n"
	      "> t.c:5:0|f|and done\n"
	      "gcc|-|4|t.c:8:3|f|other\n"
	      "= unverified 0\n");
}

static void a_path_of_the_analyzer_crosses_files(void **unused)
{
	(void)unused;
	reads(&sg_format_gcc,
	      "u.h:9:24: warning: null [-Wanalyzer-null-dereference]\n"
	      "    9 |                 return *p;\n"
	      "  ‘main’: event 1\n"
	      "    |\n"
	      "    |src/main.c:4:5:\n"
	      "    |    4 | int main(int argc, char **argv)\n"
	      "    |      |     (1) entry to ‘main’\n"
	      "    +--> ‘first’: events 2-3\n"
	      "           |\n"
	      "           |u.h:6:19:\n"
	      "           |    6 | static inline int first(int *p)\n"
	      "           |      |                   (2) entry to ‘first’\n"
	      "           |    9 |                 return *p;\n"
	      "           |      |                        (3) null\n"
	      "    <------+\n"
	      "  ‘main’: event 4\n"
	      "    |    5 |   no file is said\n"
	      "    |      |   (4) back\n",
	      "gcc|-Wanalyzer-null-dereference|4|u.h:9:24|-|null\n"
	      "> src/main.c:4:0|main|entry to ‘main’\n"
	      "> u.h:6:0|first|entry to ‘first’\n"
	      "> u.h:9:0|first|null\n"
	      "> u.h:5:0|main|back\n"
	      "= unverified 0\n");
}

static void relative_paths_are_under_makes_directory(void **unused)
{
	(void)unused;
	reads(&sg_format_gcc,
	      "make[1]: Entering directory '/p/a'\n"
	      "x.c:1:1: warning: one\n"
	      "make[2]: Entering directory `/p/a/b'\n"
	      "../y.c:1:1: warning: two\n"
	      "/q/z.c:1:1: warning: three\n"
	      "make[2]: Leaving directory `/p/a/b'\n"
	      "x.c:2:1: warning: four\n"
	      "make[1]: Entering directory '/p/c'\n"
	      "x.c:3:1: warning: side by side\n",
	      "gcc|-|4|/p/a/x.c:1:1|-|one\n"
	      "gcc|-|4|/p/a/b/../y.c:1:1|-|two\n"
	      "gcc|-|4|/q/z.c:1:1|-|three\n"
	      "gcc|-|4|/p/a/x.c:2:1|-|four\n"
	      "gcc|-|4|x.c:3:1|-|side by side\n"
	      "= unverified 0\n");
}

static void the_linkers_lines_are_findings(void **unused)
{
	(void)unused;
	reads(&sg_format_gcc,
	      "/usr/bin/ld: main.o: in function `main':\n"
	      "main.c:(.text+0x5): undefined reference to `foo'\n"
	      "/usr/bin/ld: b.o:/p/b.c:4: multiple definition of `x'; "
	      "a.o:/p/a.c:3: first defined here\n"
	      "/usr/bin/ld: cannot find -lnone\n"
	      "collect2: error: ld returned 1 exit status\n",
	      "ld|-|5|main.c:0:0|main|undefined reference to `foo'\n"
	      "ld|-|5|/p/b.c:4:0|-|multiple definition of `x'; a.o:/p/a.c:3: "
	      "first defined here\n"
	      "ld|-|5|-:0:0|-|cannot find -lnone\n"
	      "gcc|-|5|-:0:0|-|ld returned 1 exit status\n"
	      "= failed 2\n");
}

static void a_wrapped_message_finds_its_rule(void **unused)
{
	(void)unused;
	reads(&sg_format_gcc,
	      "x.c:3:5: warning: size 18446744073709551612\n"
	      "exceeds maximum [-Wstringop-overflow=]\n",
	      "gcc|-Wstringop-overflow=|4|x.c:3:5|-|size 18446744073709551612 "
	      "exceeds maximum\n= unverified 0\n");
}

static void an_old_fortran_says_the_place_first(void **unused)
{
	(void)unused;
	reads(&sg_format_gcc,
	      "g.f90:81.24-26:\n\ncall d(x)\n        1\n"
	      "Error: Interface mismatch at (1)\n"
	      "l.f90:5.8:\n\nuse m\n    1\n"
	      "Internal Error at (1):\nfree_pi_tree(): Unresolved fixup\n",
	      "gcc|-|5|g.f90:81:24|-|Interface mismatch at (1)\n"
	      "gcc|-|5|l.f90:5:8|-|free_pi_tree(): Unresolved fixup\n"
	      "= failed 5\n");
}

static void a_run_that_gave_up_has_failed(void **unused)
{
	static const char *const lines[] = {
		"compilation terminated.",
		"gcc: internal compiler error: Killed",
		"make: *** [Makefile:3: x.o] Killed",
		"gcc: fatal error: Killed signal terminated program cc1",
		"cc1: out of memory allocating 65536 bytes",
	};
	struct sg_ending ending;

	(void)unused;
	reads(&sg_format_gcc,
	      "x.c:1:1: warning: one\n"
	      "x.c:1:10: fatal error: y.h: No such file or directory\n",
	      "gcc|-|4|x.c:1:1|-|one\n"
	      "gcc|-|5|x.c:1:10|-|y.h: No such file or directory\n"
	      "= failed 2\n");
	for (size_t at = 0; at < sizeof(lines) / sizeof(lines[0]); at++) {
		void *state = sg_format_gcc.create(NULL, NULL);

		assert_non_null(state);
		assert_int_equal(sg_format_gcc.feed(state, "ok\n", 3, NULL),
				 SL_OK);
		/* findings among them have no taker */
		if (!strstr(lines[at], "error:")) {
			assert_int_equal(sg_format_gcc.feed(state, lines[at],
							    strlen(lines[at]),
							    NULL),
					 SL_OK);
			assert_int_equal(
				sg_format_gcc.finish(state, &ending, NULL),
				SL_OK);
			assert_int_equal(ending.kind, SG_TOOL_FAILED);
			assert_int_equal(ending.line, 2);
			assert_string_equal(ending.message, lines[at]);
		}
		sg_format_gcc.destroy(state);
	}
	reads(&sg_format_gcc, lines[1], "gcc|-|5|-:0:0|-|Killed\n= failed 1\n");
}

static void a_unit_that_did_not_compile_is_a_failure(void **unused)
{
	static const struct {
		const char *line;
		bool fails;
	} rows[] = {
		{ "x.c:3:5: error: expected ';'", true },
		{ "x.c:3: erreur: non", true },
		{ "x.cpp:3:5: error: invalid conversion [-fpermissive]", true },
		/* not -Werror's: gcc stops before it looks at the flow */
		{ "x.c:3:5: error: no cast [-Wint-conversion]", true },
		{ "x.c:3:5: error: no such name <--[gcc]", true },
		{ "ld.lld: error: undefined symbol: f", true },
		{ "collect2: error: ld returned 1 exit status", true },
		{ "main.c:5: error: undefined reference to 'f'", true },
		{ "x.s:3: Error: no such instruction: `foo'", true },
		{ "x.c:3:5: error: unused 'a' [-Werror=unused-variable]",
		  false },
		{ "x.c:3:5: error: unused 'a' [-Werror,-Wunused]", false },
		{ "x.c:3:5: error: of no option [-Werror]", false },
		{ "x.c:3:5: error: null [nullPointer]", false },
		{ "x.c:3:5: error: null <--[cppcheck]", false },
		{ "x.c:3:5: error: long [bugprone-x,-warnings-as-errors]",
		  false },
		{ "s:21:7: error: Use $(..) [SC2006]", false },
		{ "x.c:3:5: runtime error: division by zero", false },
		{ "x.c:76 choose() error: inconsistent", false },
		{ "cc1: all warnings being treated as errors", false },
		{ "make: *** [Makefile:3: x.o] Error 1", false },
	};

	(void)unused;
	for (size_t at = 0; at < sizeof(rows) / sizeof(rows[0]); at++) {
		struct sg_ending ending = ending_of(
			&sg_format_gcc, "gcc -c x.c\n", rows[at].line);

		assert_int_equal(ending.kind, rows[at].fails ? SG_TOOL_FAILED
							     : SG_UNVERIFIED);
		if (rows[at].fails)
			assert_string_equal(ending.message, rows[at].line);
	}
}

static void a_log_in_utf16_is_read(void **unused)
{
	static const char log[] = "\xff\xfex\0.\0c\0:\0"
				  "3\0:\0"
				  "5\0:\0 \0e\0r\0r\0o\0r\0:\0 \0n\0";

	(void)unused;
	reads_bytes(&sg_format_gcc, log, sizeof(log) - 1,
		    "gcc|-|5|x.c:3:5|-|n\n= failed 1\n");
}

static enum sl_code refuse(void *context, const struct sg_finding *finding,
			   struct sl_error *error)
{
	int *left = context;

	(void)finding;
	(void)error;
	return (*left)-- ? SL_OK : SL_ESTOPPED;
}

static void a_taker_ends_the_reading(void **unused)
{
	static const char log[] = "x.c:1:1: error: a\nx.c:2:1: error: b\n"
				  "x.c:3:1: error: c\n";
	int left = 1;
	void *state = sg_format_gcc.create(refuse, &left);

	(void)unused;
	assert_int_equal(sg_format_gcc.feed(state, log, sizeof(log) - 1, NULL),
			 SL_ESTOPPED);
	sg_format_gcc.destroy(state);
	sg_format_gcc.destroy(NULL);
}

static enum sl_code measure(void *context, const struct sg_finding *finding,
			    struct sl_error *error)
{
	size_t *most = context;

	(void)error;
	if (strlen(finding->message) > most[0])
		most[0] = strlen(finding->message);
	if (finding->event_count > most[1])
		most[1] = finding->event_count;
	return SL_OK;
}

static void endless_messages_and_notes_are_bounded(void **unused)
{
	static const char note[] = "x.c:1:1: note: again and again\n";
	char *message = malloc(1 << 20);
	size_t most[2] = { 0, 0 };
	void *state = sg_format_gcc.create(measure, most);
	struct sg_ending ending;

	(void)unused;
	assert_non_null(message);
	memset(message, 'm', 1 << 20);
	memcpy(message, "x.c:1:1: error: ", 16);
	message[(1 << 20) - 1] = '\n';
	assert_int_equal(sg_format_gcc.feed(state, message, 1 << 20, NULL),
			 SL_OK);
	for (int at = 0; at < 100000; at++)
		assert_int_equal(
			sg_format_gcc.feed(state, note, sizeof(note) - 1, NULL),
			SL_OK);
	assert_int_equal(sg_format_gcc.finish(state, &ending, NULL), SL_OK);
	assert_int_equal(ending.findings, 1);
	assert_int_equal(most[0], SG_TEXT_MAX);
	assert_int_equal(most[1], 1024);
	sg_format_gcc.destroy(state);
	free(message);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_is_taken_apart),
		cmocka_unit_test(lines_of_other_things_are_no_findings),
		cmocka_unit_test(notes_and_includes_are_the_findings_events),
		cmocka_unit_test(a_finding_knows_its_function_also_interleaved),
		cmocka_unit_test(a_function_is_that_of_its_whole_block),
		cmocka_unit_test(a_path_of_the_analyzer_is_events),
		cmocka_unit_test(a_path_of_the_analyzer_crosses_files),
		cmocka_unit_test(relative_paths_are_under_makes_directory),
		cmocka_unit_test(the_linkers_lines_are_findings),
		cmocka_unit_test(a_wrapped_message_finds_its_rule),
		cmocka_unit_test(an_old_fortran_says_the_place_first),
		cmocka_unit_test(a_run_that_gave_up_has_failed),
		cmocka_unit_test(a_unit_that_did_not_compile_is_a_failure),
		cmocka_unit_test(a_log_in_utf16_is_read),
		cmocka_unit_test(a_taker_ends_the_reading),
		cmocka_unit_test(endless_messages_and_notes_are_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
