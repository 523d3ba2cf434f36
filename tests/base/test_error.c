/* SPDX-License-Identifier: MIT */
/* Errors: what is recorded, what is cut, and how. */
#include "sluice/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

static void a_failure_records_its_code_message_and_place(void **unused)
{
	struct sl_error error = { .input = "old", .input_line = 3 };

	(void)unused;
	assert_int_equal(sl_error_set(&error, SL_EIO, "plugins/nat.c", 12,
				      "%d bytes", 5),
			 SL_EIO);
	assert_int_equal(error.code, SL_EIO);
	assert_string_equal(error.message, "5 bytes");
	assert_string_equal(error.file, "plugins/nat.c");
	assert_int_equal(error.line, 12);
	assert_string_equal(error.input, "");
	assert_int_equal(error.input_line, 0);
	sl_error_at(&error, "p.conf", 7);
	assert_string_equal(error.input, "p.conf");
	assert_int_equal(error.input_line, 7);
}

static void nobody_need_want_the_details(void **unused)
{
	(void)unused;
	assert_int_equal(SL_FAIL(NULL, SL_ENOSPC, "%s", "x"), SL_ENOSPC);
	sl_error_at(NULL, "p.conf", 7);
}

static void a_long_message_is_cut_and_a_long_path_keeps_its_tail(void **unused)
{
	struct sl_error error;
	char text[600];

	(void)unused;
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	memcpy(text + sizeof(text) - 7, "/y.conf", 7);
	text[sizeof(text) - 1] = '\0';
	assert_int_equal(sl_error_set(&error, SL_EINVAL, text, 1, "%s", text),
			 SL_EINVAL);
	sl_error_at(&error, text, 1);
	assert_int_equal(strlen(error.message), sizeof(error.message) - 1);
	assert_int_equal(strlen(error.input), sizeof(error.input) - 1);
	assert_string_equal(error.input + sizeof(error.input) - 7, "/y.con");
	assert_int_equal(strlen(error.file), sizeof(error.file) - 1);
}

static void an_error_can_be_wrapped_into_itself(void **unused)
{
	struct sl_error error;

	(void)unused;
	assert_int_equal(SL_FAIL(&error, SL_EIO, "gone"), SL_EIO);
	assert_int_equal(
		SL_FAIL(&error, SL_EIO, "cannot read: %s", error.message),
		SL_EIO);
	assert_string_equal(error.message, "cannot read: gone");
}

static void a_message_is_one_line_that_cannot_steer_the_terminal(void **unused)
{
	struct sl_error error;

	(void)unused;
	assert_int_equal(SL_FAIL(&error, SL_EIO, "%s", "a\nb\033[2J\xc3\xa9"),
			 SL_EIO);
	assert_string_equal(error.message, "a?b?[2J\xc3\xa9");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_failure_records_its_code_message_and_place),
		cmocka_unit_test(nobody_need_want_the_details),
		cmocka_unit_test(
			a_long_message_is_cut_and_a_long_path_keeps_its_tail),
		cmocka_unit_test(an_error_can_be_wrapped_into_itself),
		cmocka_unit_test(
			a_message_is_one_line_that_cannot_steer_the_terminal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
