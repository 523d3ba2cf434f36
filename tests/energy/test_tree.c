/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "energy/files.h"
#include "energy/near.h"
#include "sluice/tree.h"

static void a_number_is_all_that_may_be_in_a_file(void **state)
{
	static const struct {
		const char *text;
		enum sl_code code;
		uint64_t value;
		const char *message;
	} cases[] = {
		{ "240422366267\n", SL_OK, 240422366267, NULL },
		{ "7", SL_OK, 7, NULL },
		{ " 7 \n\n", SL_OK, 7, NULL },
		{ "18446744073709551615", SL_OK, UINT64_MAX, NULL },
		{ "18446744073709551616", SL_EINVAL, 0,
		  "a/x: \"18446744073709551616\" is no number that fits" },
		{ "-1\n", SL_EINVAL, 0, "a/x: \"-1\" is no number that fits" },
		{ "+1\n", SL_EINVAL, 0, "a/x: \"+1\" is no number that fits" },
		{ "12 13\n", SL_EINVAL, 0,
		  "a/x: \"12 13\" is no number that fits" },
		{ "0x10\n", SL_EINVAL, 0,
		  "a/x: \"0x10\" is no number that fits" },
		{ "\033[31m\n", SL_EINVAL, 0,
		  "a/x: \"?[31m\" is no number that fits" },
		{ "", SL_EINVAL, 0, "a/x: empty" },
		{ "\n", SL_EINVAL, 0, "a/x: empty" },
	};

	for (size_t at = 0; at < sizeof(cases) / sizeof(cases[0]); at++) {
		struct sl_error error = { .message = "" };
		uint64_t value = 0;

		put(*state, "a/x", cases[at].text);
		assert_int_equal(sl_tree_u64(*state, "a/x", &value, &error),
				 cases[at].code);
		assert_int_equal(value, cases[at].value);
		if (cases[at].message)
			assert_string_equal(error.message, cases[at].message);
	}
}

static void signed_numbers_may_be_negative(void **state)
{
	int64_t value = 0;

	put(*state, "x", "-44000\n");
	assert_int_equal(sl_tree_i64(*state, "x", &value, NULL), SL_OK);
	assert_int_equal(value, -44000);
	put(*state, "x", "-\n");
	assert_int_equal(sl_tree_i64(*state, "x", &value, NULL), SL_EINVAL);
}

static void a_missing_file_is_told_from_an_unreadable_one(void **state)
{
	struct sl_error error;
	uint64_t value;

	assert_int_equal(sl_tree_u64(*state, "gone", &value, &error), SL_END);
	assert_string_equal(error.message, "gone: No such file or directory");
	put(*state, "folder/x", "1");
	assert_int_equal(sl_tree_u64(*state, "folder", &value, &error), SL_EIO);
	assert_string_equal(error.message, "folder: Is a directory");
}

static void a_fifo_is_empty_and_does_not_wait(void **state)
{
	struct sl_error error;
	uint64_t value;

	assert_int_equal(mkfifo(path_of(*state, "fifo"), 0600), 0);
	assert_int_equal(sl_tree_u64(*state, "fifo", &value, &error),
			 SL_EINVAL);
	assert_string_equal(error.message, "fifo: empty");
}

static void long_and_binary_files_are_refused(void **state)
{
	char text[400];
	char word[8];
	struct sl_error error;

	memset(text, '1', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	put(*state, "x", text);
	assert_int_equal(sl_tree_text(*state, "x", word, sizeof(word), &error),
			 SL_EINVAL);
	assert_string_equal(error.message, "x: too long");
	put(*state, "x", "12345678");
	assert_int_equal(sl_tree_text(*state, "x", word, sizeof(word), &error),
			 SL_EINVAL);
	put_bytes(*state, "x", "1\0002", 3);
	assert_int_equal(sl_tree_text(*state, "x", word, sizeof(word), &error),
			 SL_EINVAL);
	assert_string_equal(error.message, "x: a NUL byte in it");
}

static void a_whole_file_has_a_limit(void **state)
{
	struct sl_buffer text = { NULL, 0, 0 };
	struct sl_error error;

	put(*state, "x", "cpu  1 2 3\ncpu0 1 2 3\n");
	assert_int_equal(sl_tree_load(*state, "x", 22, &text, &error), SL_OK);
	assert_int_equal(text.used, 22);
	assert_string_equal(text.data, "cpu  1 2 3\ncpu0 1 2 3\n");
	assert_int_equal(sl_tree_load(*state, "x", 21, &text, &error),
			 SL_EINVAL);
	assert_string_equal(error.message, "x: longer than 21 bytes");
	free(text.data);
}

static void names_come_in_the_order_of_their_numbers(void **state)
{
	static const char *const expected[] = { "hwmon2", "hwmon10", "hwmon10a",
						"hwmon_x" };
	struct sl_tree_names names;

	put(*state, "c/hwmon10/name", "a");
	put(*state, "c/hwmon2/name", "a");
	put(*state, "c/hwmon_x/name", "a");
	put(*state, "c/hwmon10a/name", "a");
	put(*state, "c/other/name", "a");
	put(*state, "c/.hidden", "a");
	assert_int_equal(sl_tree_list(*state, "c", "hwmon", &names, NULL),
			 SL_OK);
	assert_int_equal(names.count, 4);
	for (size_t at = 0; at < 4; at++)
		assert_string_equal(names.names[at], expected[at]);
	sl_tree_names_finish(&names);
	assert_int_equal(sl_tree_list(*state, "d", "", &names, NULL), SL_END);
	assert_int_equal(names.count, 0);
}

int main(void)
{
#define test(name) cmocka_unit_test_setup_teardown(name, make_tree, remove_tree)
	const struct CMUnitTest tests[] = {
		test(a_number_is_all_that_may_be_in_a_file),
		test(signed_numbers_may_be_negative),
		test(a_missing_file_is_told_from_an_unreadable_one),
		test(a_fifo_is_empty_and_does_not_wait),
		test(long_and_binary_files_are_refused),
		test(a_whole_file_has_a_limit),
		test(names_come_in_the_order_of_their_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
