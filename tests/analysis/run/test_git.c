/* SPDX-License-Identifier: MIT */
/* Commands of git. */
#include "run/git.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void git_is_given_every_word_of_a_long_command(void **state)
{
	enum { WORDS = 300 };
	const char *command[WORDS + 3] = { "rev-parse", "--sq-quote" };
	char expected[4 * WORDS + 1] = "";
	char *line;

	(void)state;
	for (size_t at = 0; at < WORDS; at++) {
		command[at + 2] = "x";
		memcpy(expected + 4 * at, " 'x'", 5);
	}
	assert_int_equal(sg_git_line("/", command, &line, NULL), SL_OK);
	assert_string_equal(line, expected);
	free(line);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(git_is_given_every_word_of_a_long_command),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
