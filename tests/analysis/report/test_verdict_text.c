/* SPDX-License-Identifier: MIT */
/* Verdicts as people see them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "verdict_made.h"

static void a_rejection_shows_why_where_and_what_next(void **state)
{
	(void)state;
	assert_verdict(
		&sg_verdict_writer_text, made_rejected(),
		"scgate check: rejected: 3 new, 1 new and accepted, 1 "
		"fixed, 1 unknown, 6 open in 3 affected units (staged "
		"changes against HEAD 1a2b3c4d)\n"
		"  no-raise: the count of gcc "
		"-Wanalyzer-null-dereference rose from 0 to 1\n"
		"\n"
		"src/pool.c:2:22: warning: dereference of NULL 'p' [gcc "
		"-Wanalyzer-null-dereference]\n"
		"  > 2 |         if (!p) free(p->x);\n"
		"      |                      ^\n"
		"src/a.c:12:1: error: Memory leak: p [cppcheck memleak]\n"
		"src/odd,name:1%.c:1: low: 50% of  ::error::?[31mred "
		"[odd r,1:%]\n"
		"\n"
		"swap  src/a.c:12: Memory leak: p [cppcheck memleak] for "
		"src/b.c:40: Memory leak: q\n"
		"fixed  src/b.c:40: Memory leak: q [cppcheck memleak]\n"
		"unknown  src/c.c:3: x is never read [cppcheck "
		"unreadVariable]\n"
		"accepted  src/main.c:88: leak of 'all' [gcc "
		"-Wanalyzer-malloc-leak]: freed when the process ends "
		"(until 2027-03-31)\n"
		"1 new one is not severe enough to count\n"
		"limited  src/c.c: gcc: gave up on a function: "
		"-Wanalyzer-too-complex\n"
		"\n"
		"in the 3 affected units          before   after\n"
		"  all                                 4       6  3 new, "
		"1 fixed, 1 unknown\n"
		"  clang-tidy                          1       1\n"
		"  cppcheck                            2       2  1 new, "
		"1 fixed, 1 unknown\n"
		"    memleak                           1       1  1 new, "
		"1 fixed\n"
		"    unreadVariable                    1       1  1 "
		"unknown\n"
		"  gcc                                 1       2  1 new\n"
		"    -Wanalyzer-null-dereference       0       1  1 new\n"
		"  odd                                 0       1  1 new\n"
		"    r,1:%                             0       1  1 new\n"
		"\n"
		"3 of 100 units affected; 7 runs of analyzers, 2 kept "
		"results; 2.3 s, 2.2 s of it waiting for tools\n"
		"note: judged by the parent's .scgate.conf\n"
		"next: fix it, or accept it: scgate suppress "
		"src/pool.c:2 --reason TEXT\n");
}

static void what_cannot_be_told_shows_the_tools_last_words(void **state)
{
	(void)state;
	assert_verdict(
		&sg_verdict_writer_text, made_incomplete(),
		"scgate check: incomplete: src/a.c: compile: exited with "
		"1, and 2 more (work tree against no parent)\n"
		"\n"
		"incomplete  src/a.c: compile: exited with 1\n"
		"    src/a.c:3:1: error: expected ';'\n"
		"    ?[31mred\n"
		"incomplete  src/b.c: cppcheck: timed out after 5 min "
		"(in the base)\n"
		"incomplete  clang-tidy: is not on PATH\n");
}

static void a_pass_is_short(void **state)
{
	(void)state;
	assert_verdict(&sg_verdict_writer_text, made_passed(),
		       "scgate check: passed: nothing new (HEAD 1a2b3c4d "
		       "against merge base 99887766)\n"
		       "\n"
		       "0 of 100 units affected; 0 runs of analyzers, 0 kept "
		       "results; 42 ms\n");
}

/* @return a judgement of @p count new ones, in @p judged. */
static struct sg_judgement make_many(struct sg_judged *judged, size_t count)
{
	for (size_t at = 0; at < count; at++)
		judged[at] = (struct sg_judged){
			.finding = { .tool = "gcc",
				     .rule = "-Wx",
				     .severity = SG_WARNING,
				     .message = "m",
				     .path = "a.c",
				     .line = (int64_t)at + 1 },
			.verdict = SG_NEW,
			.counts = true,
			.is_objected = true,
		};
	return (struct sg_judgement){ .outcome = SG_REJECTED,
				      .judged = judged,
				      .judged_count = count };
}

static void a_long_list_is_cut_and_says_by_how_much(void **state)
{
	enum { COUNT = 51 };
	struct sg_judged judged[COUNT];
	const struct sg_judgement judgement = make_many(judged, COUNT);
	struct sl_buffer text = { .data = NULL };

	(void)state;
	write_verdict(&sg_verdict_writer_text, &judgement, false, &text);
	assert_non_null(strstr(text.data, "scgate check: rejected: 51 new\n"));
	assert_non_null(strstr(text.data,
			       "a.c:20: warning: m [gcc -Wx]\n"
			       "and 31 more: scgate check --output json\n"));
	assert_null(strstr(text.data, "a.c:21"));
	free(text.data);
}

static void what_a_policy_holds_against_old_ones_is_said(void **state)
{
	struct sg_judged judged[3];
	struct sg_judgement judgement = make_many(judged, 3);

	(void)state;
	judged[0].verdict = SG_SAME;
	judged[1].verdict = SG_SAME;
	judged[1].accepted_before = true;
	judged[2].entry_is_new = true;
	assert_verdict(&sg_verdict_writer_text, &judgement,
		       "scgate check: rejected: 1 new, 1 no longer accepted\n"
		       "\n"
		       "a.c:3: warning: m [gcc -Wx]\n"
		       "  its entry among the suppressions comes with this "
		       "change, and does not count\n"
		       "\n"
		       "again  a.c:2: m [gcc -Wx]\n"
		       "open  a.c:1: m [gcc -Wx]\n");
}

static void colours_come_on_demand(void **state)
{
	struct sl_buffer text = { .data = NULL };

	(void)state;
	write_verdict(&sg_verdict_writer_text, made_rejected(), true, &text);
	assert_non_null(
		strstr(text.data, "scgate check: \x1b[1;31mrejected\x1b[0m: "));
	assert_non_null(strstr(text.data,
			       "\x1b[1msrc/pool.c:2:22\x1b[0m: "
			       "\x1b[1;31mwarning\x1b[0m: dereference"));
	/* that of the message is not among them */
	assert_null(strstr(text.data, "\x1b[31m"));
	free(text.data);
}

static void writers_are_found_by_name(void **state)
{
	static const char *const names[] = { "text", "github", "gitlab",
					     "sarif", "json" };

	(void)state;
	for (size_t at = 0; at < 5; at++)
		assert_string_equal(sg_verdict_writer_named(names[at])->name,
				    names[at]);
	assert_null(sg_verdict_writer_named("table"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_rejection_shows_why_where_and_what_next),
		cmocka_unit_test(
			what_cannot_be_told_shows_the_tools_last_words),
		cmocka_unit_test(a_pass_is_short),
		cmocka_unit_test(a_long_list_is_cut_and_says_by_how_much),
		cmocka_unit_test(what_a_policy_holds_against_old_ones_is_said),
		cmocka_unit_test(colours_come_on_demand),
		cmocka_unit_test(writers_are_found_by_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
