/* SPDX-License-Identifier: MIT */
/* What an instrument of the meter scpi may answer, and what is made of it. */
#include "plugins/scpi/answer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void figures_are_numbers_or_say_why_not(void **state)
{
	struct figure figures[5];

	(void)state;
	assert_int_equal(answer_figures("103.50E+00,NAN,-INF,9.91E37,9.9E+37",
					figures, 5, NULL),
			 SL_OK);
	assert_int_equal(figures[0].kind, FIGURE_NUMBER);
	assert_int_equal(figures[0].value.digits, 10350);
	assert_int_equal(figures[0].value.exponent, -2);
	assert_int_equal(figures[1].kind, FIGURE_NONE);
	assert_int_equal(figures[2].kind, FIGURE_OVER);
	assert_int_equal(figures[3].kind, FIGURE_NONE);
	assert_int_equal(figures[4].kind, FIGURE_OVER);
	assert_int_equal(
		answer_figures(":NUMERIC:NORMAL:VALUE 1,2", figures, 2, NULL),
		SL_OK);
	assert_int_equal(figures[1].value.digits, 2);
}

static void expect_message(const char *answer, const char *message)
{
	struct figure figures[2];
	struct sl_error error = { .message = "" };

	assert_int_equal(answer_figures(answer, figures, 2, &error), SL_EIO);
	assert_string_equal(error.message, message);
}

static void figures_of_another_count_are_refused(void **state)
{
	(void)state;
	expect_message("1", "\"1\": 2 figures are wanted");
	expect_message("1,2,3", "\"1,2,3\": 2 figures are wanted");
	expect_message("1,", "\"1,\": figure 2 is no number");
	expect_message("", "\"\": figure 1 is no number");
	expect_message("1,2;3", "\"1,2;3\": figure 2 is no number");
	expect_message("1,\x1b"
		       "2",
		       "\"1,?2\": figure 2 is no number");
	expect_message("12345678901234567890123456789012345678901234567890",
		       "\"12345678901234567890123456789012345678901234...\": "
		       "2 figures are wanted");
}

static void a_state_may_be_short_or_long(void **state)
{
	static const struct {
		const char *answer;
		enum integration integration;
	} cases[] = {
		{ "RES", INTEGRATION_RESET },
		{ "READY", INTEGRATION_READY },
		{ "STAR", INTEGRATION_START },
		{ ":INTEGRATE:STATE START", INTEGRATION_START },
		{ "stop", INTEGRATION_STOP },
		{ "ERR", INTEGRATION_ERROR },
		{ "TIM", INTEGRATION_TIMEUP },
	};
	enum integration integration;

	(void)state;
	for (size_t at = 0; at < sizeof(cases) / sizeof(cases[0]); at++) {
		assert_int_equal(answer_integration(cases[at].answer,
						    &integration, NULL),
				 SL_OK);
		assert_int_equal(integration, cases[at].integration);
	}
	assert_int_equal(answer_integration("RE", &integration, NULL), SL_EIO);
	assert_int_equal(answer_integration("STARTED", &integration, NULL),
			 SL_EIO);
	assert_int_equal(answer_integration("", &integration, NULL), SL_EIO);
}

static void only_one_unit_is_sent_back(void **state)
{
	(void)state;
	assert_true(answer_is_plain("URMS,1", 8));
	assert_false(answer_is_plain("URMS,1", 6));
	assert_false(answer_is_plain("", 8));
	assert_false(answer_is_plain("U;*RST", 8));
	assert_false(answer_is_plain("U\n*RST", 8));
}

static void an_identity_has_four_fields_and_the_maker(void **state)
{
	(void)state;
	assert_true(answer_is_identity("YOKOGAWA,WT310,C2QA12345E,F1.01"));
	assert_false(answer_is_identity("YOKOGAWA,WT310,C2QA12345E"));
	assert_false(answer_is_identity("FLUKE,8846A,1,2"));
	assert_false(answer_is_identity("YOKOGAWA,WT310,\x01,F1.01"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_are_numbers_or_say_why_not),
		cmocka_unit_test(figures_of_another_count_are_refused),
		cmocka_unit_test(a_state_may_be_short_or_long),
		cmocka_unit_test(only_one_unit_is_sent_back),
		cmocka_unit_test(an_identity_has_four_fields_and_the_maker),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
