/* SPDX-License-Identifier: MIT */
/* From the JSON of a plug or a Redfish service to figures. */
#include "plugins/http_plug/status.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static enum sl_code parse(struct plug_status *status, enum plug_kind kind,
			  const char *text, struct sl_error *error)
{
	return plug_status_parse(status, kind, text, strlen(text), error);
}

static void what_is_wanted_is_found_among_all_else(void **state)
{
	static const char text[] =
		"{\"x\":{\"apower\":5,\"total\":6},\"id\":0,\"y\":[{\"apower\":"
		"7}],\"apower\":12.50,\"aenergy\":{\"by_minute\":[1,2],"
		"\"total\":0.001,\"x\":{\"total\":9}},\"total\":8}";
	struct plug_status status;

	(void)state;
	assert_int_equal(parse(&status, PLUG_SHELLY, text, NULL), SL_OK);
	assert_true(status.apower.there && !status.apower.is_null);
	assert_int_equal(status.apower.value.digits, 1250);
	assert_int_equal(status.apower.value.exponent, -2);
	assert_int_equal(status.total_wh.value.digits, 1);
	assert_int_equal(status.total_wh.value.exponent, -3);
	assert_int_equal(status.member_count, 0);
}

static void members_are_called_by_their_id_or_their_place(void **state)
{
	static const char text[] =
		"{\"PowerControl\":[{\"Name\":\"a\",\"PowerConsumedWatts\":1,"
		"\"Oem\":{\"PowerConsumedWatts\":2}},{\"MemberId\":\"cpu\","
		"\"PowerConsumedWatts\":null},{\"MemberId\":null}]}";
	struct plug_status status;

	(void)state;
	assert_int_equal(parse(&status, PLUG_REDFISH, text, NULL), SL_OK);
	assert_int_equal(status.member_count, 3);
	assert_string_equal(status.members[0].id, "0");
	assert_string_equal(status.members[0].name, "a");
	assert_int_equal(status.members[0].watts.value.digits, 1);
	assert_string_equal(status.members[1].id, "cpu");
	assert_true(status.members[1].watts.is_null);
	assert_string_equal(status.members[2].id, "2");
	assert_false(status.members[2].watts.there);
}

static void a_name_is_cut_and_printable(void **state)
{
	static const char text[] =
		"{\"PowerControl\":[{\"Name\":\"a\\n\\u0001\\u00e4"
		"0123456789012345678901234567890123456789012345678901234\"}]}";
	struct plug_status status;

	(void)state;
	assert_int_equal(parse(&status, PLUG_REDFISH, text, NULL), SL_OK);
	assert_string_equal(status.members[0].name,
			    "a????"
			    "012345678901234567890123456789012345678901");
}

static void every_beginning_of_an_answer_is_refused(void **state)
{
	static const char text[] =
		"{\"apower\":1.5,\"aenergy\":{\"total\":2},\"z\":[true]}";
	struct plug_status status;

	(void)state;
	for (size_t size = 0; size < sizeof(text) - 1; size++)
		assert_int_equal(plug_status_parse(&status, PLUG_SHELLY, text,
						   size, NULL),
				 SL_EIO);
	assert_int_equal(parse(&status, PLUG_SHELLY, text, NULL), SL_OK);
}

static void a_failure_says_where(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "{\"apower\":", "byte 10: parse error: premature EOF" },
		{ "{\"apower\":\"1\"}",
		  "byte 13: apower is a string, a number is wanted" },
		{ "{\"aenergy\":{\"total\":{}}}",
		  "byte 21: total is an object, a number is wanted" },
		{ "{\"apower\":1,\"apower\":1}",
		  "byte 22: apower stands there twice" },
	};

	(void)state;
	for (size_t at = 0; at < sizeof(cases) / sizeof(cases[0]); at++) {
		struct plug_status status;
		struct sl_error error = { .message = "" };

		assert_int_equal(
			parse(&status, PLUG_SHELLY, cases[at].text, &error),
			SL_EIO);
		assert_string_equal(error.message, cases[at].message);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_wanted_is_found_among_all_else),
		cmocka_unit_test(members_are_called_by_their_id_or_their_place),
		cmocka_unit_test(a_name_is_cut_and_printable),
		cmocka_unit_test(every_beginning_of_an_answer_is_refused),
		cmocka_unit_test(a_failure_says_where),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
