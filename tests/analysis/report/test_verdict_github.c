/* SPDX-License-Identifier: MIT */
/* Annotations: what GitHub would take for its own is escaped. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "verdict_made.h"

static void what_rejects_is_an_error_and_the_rest_a_warning(void **state)
{
	(void)state;
	assert_verdict(
		&sg_verdict_writer_github, made_rejected(),
		"::error title=scgate check::no-raise: the count of gcc "
		"-Wanalyzer-null-dereference rose from 0 to 1\n"
		"::error file=src/pool.c,line=2,col=22,title=gcc "
		"-Wanalyzer-null-dereference::dereference of NULL 'p'\n"
		"::warning file=src/a.c,line=12,col=1,title=cppcheck "
		"memleak::Memory leak: p\n"
		"::warning file=src/odd%2Cname%3A1%25.c,line=1,title=odd "
		"r%2C1%3A%25::50%25 of%0D%0A::error::?[31mred\n"
		"::warning file=src/c.c,title=scgate check limited::gcc: "
		"gave up on a function: -Wanalyzer-too-complex\n");
}

static void troubles_are_errors(void **state)
{
	(void)state;
	assert_verdict(&sg_verdict_writer_github, made_incomplete(),
		       "::error file=src/a.c,title=scgate check "
		       "incomplete::compile: exited with 1%0Asrc/a.c:3:1: "
		       "error: expected ';'%0A?[31mred%0A\n"
		       "::error file=src/b.c,title=scgate check "
		       "incomplete::cppcheck: timed out after 5 min (in the "
		       "base)\n"
		       "::error title=scgate check incomplete::clang-tidy: is "
		       "not on PATH\n");
}

static void a_pass_is_silent(void **state)
{
	(void)state;
	assert_verdict(&sg_verdict_writer_github, made_passed(), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			what_rejects_is_an_error_and_the_rest_a_warning),
		cmocka_unit_test(troubles_are_errors),
		cmocka_unit_test(a_pass_is_silent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
