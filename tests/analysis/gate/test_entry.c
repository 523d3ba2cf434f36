/* SPDX-License-Identifier: MIT */
/* One entry: what it says, and what is said of one that is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "gate/entry.h"

#define HASH_A "0123456789abcdef0011223344556677"
#define HASH_B "fedcba98765432100000000000000001"
#define NEEDED \
	"\"path\":\"a.c\",\"tool\":\"gcc\",\"rule\":\"-Wx\"," \
	"\"message\":\"m\""

static enum sl_code parse(const char *line, size_t length,
			  struct sl_arena *arena, struct sg_suppression *entry,
			  struct sl_error *error)
{
	error->message[0] = '\0';
	return sg_entry_parse(line, length, arena, entry, error);
}

static void all_members_are_read(void **state)
{
	static const char line[] =
		"{\"path\":\"src/pool.c\",\"line\":157,\"tool\":\"cppcheck\","
		"\"rule\":\"unreadVariable\",\"function\":\"pool_done\","
		"\"message\":\"it\\u00e9s \\\"x\\\"\",\"code\":\"1:" HASH_A
		":" HASH_B "\",\"reason\":\"kept\",\"until\":\"2027-03-31\"}";
	struct sl_arena arena = { NULL };
	struct sg_suppression entry;
	struct sl_error error;

	(void)state;
	assert_int_equal(parse(line, strlen(line), &arena, &entry, &error),
			 SL_OK);
	assert_string_equal(entry.path, "src/pool.c");
	assert_int_equal(entry.line, 157);
	assert_string_equal(entry.tool, "cppcheck");
	assert_string_equal(entry.rule, "unreadVariable");
	assert_string_equal(entry.function, "pool_done");
	assert_string_equal(entry.message, "it\xc3\xa9s \"x\"");
	assert_true(entry.line_hash.high == 0x0123456789abcdef);
	assert_true(entry.line_hash.low == 0x0011223344556677);
	assert_true(entry.window_hash.high == 0xfedcba9876543210);
	assert_true(entry.window_hash.low == 1);
	assert_string_equal(entry.reason, "kept");
	assert_string_equal(entry.until, "2027-03-31");
	sl_arena_finish(&arena);
}

static void what_may_be_missing_may_be_null(void **state)
{
	static const char line[] =
		"{\"path\":null,\"line\":null,\"tool\":\"t\",\"rule\":\"\","
		"\"function\":null,\"message\":\"\",\"code\":null,"
		"\"reason\":\"r\",\"until\":null}";
	struct sl_arena arena = { NULL };
	struct sg_suppression entry;
	struct sl_error error;

	(void)state;
	assert_int_equal(parse(line, strlen(line), &arena, &entry, &error),
			 SL_OK);
	assert_null(entry.path);
	assert_int_equal(entry.line, 0);
	assert_string_equal(entry.rule, "");
	assert_null(entry.function);
	assert_null(entry.until);
	assert_true(sg_hash_is_zero(entry.line_hash));
	sl_arena_finish(&arena);
}

static void hashes_of_another_version_are_not_compared(void **state)
{
	static const char line[] =
		"{" NEEDED ",\"reason\":\"r\",\"code\":\"2:" HASH_A ":" HASH_B
		"\"}";
	struct sl_arena arena = { NULL };
	struct sg_suppression entry;
	struct sl_error error;

	(void)state;
	assert_int_equal(parse(line, strlen(line), &arena, &entry, &error),
			 SL_OK);
	assert_true(sg_hash_is_zero(entry.line_hash));
	assert_true(sg_hash_is_zero(entry.window_hash));
	sl_arena_finish(&arena);
}

#define MEMBERS_ARE \
	"path, line, tool, rule, function, message, code, reason and until"
#define WRONG(text, why) \
	{ \
		text, sizeof(text) - 1, why \
	}

static const struct {
	const char *line;
	size_t length;
	const char *why;
} wrong[] = {
	WRONG("{" NEEDED "}", "\"reason\" is missing"),
	WRONG("{\"tool\":\"t\",\"rule\":\"r\",\"message\":\"m\","
	      "\"reason\":\"r\"}",
	      "\"path\" is missing"),
	WRONG("{" NEEDED ",\"reason\":\" \\t\"}",
	      "the reason is empty; say why it is kept"),
	WRONG("{" NEEDED ",\"reason\":\"r\",\"reason\":\"s\"}",
	      "\"reason\" is there twice"),
	WRONG("{" NEEDED ",\"reason\":\"r\",\"reson\":\"s\"}",
	      "\"reson\" is no member of an entry; it has " MEMBERS_ARE),
	WRONG("{" NEEDED ",\"reason\":null}",
	      "\"reason\" is null; it takes a text"),
	WRONG("{" NEEDED ",\"reason\":[\"r\"]}",
	      "\"reason\" is an array; it takes a text"),
	WRONG("{" NEEDED ",\"reason\":\"r\",\"until\":{}}",
	      "\"until\" is an object; it takes a text or null"),
	WRONG("{" NEEDED ",\"reason\":\"r\",\"until\":true}",
	      "\"until\" is true; it takes a text or null"),
	WRONG("{" NEEDED ",\"reason\":\"r\",\"until\":\"2027-02-29\"}",
	      "\"2027-02-29\" is no day; days are written as 2027-03-31"),
	WRONG("{" NEEDED ",\"reason\":\"r\",\"line\":\"7\"}",
	      "\"line\" is a text; it takes a number or null"),
	WRONG("{" NEEDED ",\"reason\":\"r\",\"line\":0}",
	      "\"line\" is 0; it takes a whole number from 1 on"),
	WRONG("{" NEEDED ",\"reason\":\"r\",\"line\":-7}",
	      "\"line\" is -7; it takes a whole number from 1 on"),
	WRONG("{" NEEDED ",\"reason\":\"r\",\"line\":1e2}",
	      "\"line\" is 1e2; it takes a whole number from 1 on"),
	WRONG("{" NEEDED ",\"reason\":\"r\",\"line\":9223372036854775808}",
	      "\"line\" is 9223372036854775808; it takes a whole number from "
	      "1 on"),
	WRONG("{" NEEDED ",\"reason\":\"r\",\"code\":\"1:abc\"}",
	      "\"code\" is \"1:abc\"; it is VERSION:HASH:HASH, with hashes of "
	      "32 digits 0-9 and a-f"),
	WRONG("{" NEEDED ",\"reason\":\"r\",\"code\":\"\"}",
	      "\"code\" is \"\"; it is VERSION:HASH:HASH, with hashes of 32 "
	      "digits 0-9 and a-f"),
	WRONG("{\"path\":\"\",\"tool\":\"t\",\"rule\":\"\",\"message\":\"\","
	      "\"reason\":\"r\"}",
	      "\"path\" is empty; it is null for a finding without a place"),
	WRONG("{\"path\":\"a\",\"tool\":\"\",\"rule\":\"\",\"message\":\"\","
	      "\"reason\":\"r\"}",
	      "\"tool\" is empty"),
	WRONG("{" NEEDED ",\"reason\":\"a\\u0000b\"}",
	      "\"reason\" has a NUL in it"),
	WRONG("{" NEEDED ",\"reason\":\"a\\udc00b\"}",
	      "\"reason\" has half a surrogate pair in it, which is no "
	      "character"),
	WRONG("{" NEEDED ",\"reason\":\"a\0b\"}",
	      "byte 66 is a NUL; the file is text"),
	WRONG("{\"path\":\"\xe9\"}", "byte 10 is no UTF-8; the file is UTF-8"),
	WRONG("[]",
	      "an array; an entry is an object with the members " MEMBERS_ARE),
	WRONG("7",
	      "a number; an entry is an object with the members " MEMBERS_ARE),
};

static void what_is_wrong_is_said(void **state)
{
	struct sl_arena arena = { NULL };

	(void)state;
	for (size_t at = 0; at < sizeof(wrong) / sizeof(wrong[0]); at++) {
		struct sg_suppression entry;
		struct sl_error error;

		assert_int_equal(parse(wrong[at].line, wrong[at].length, &arena,
				       &entry, &error),
				 SL_EINVAL);
		assert_string_equal(error.message, wrong[at].why);
	}
	sl_arena_finish(&arena);
}

static const char *const no_json[] = {
	"{",
	"{\"path\"",
	"nonsense",
	"{} {}",
	"{\"reason\":\"a\tb\"}",
	"{\"path\":\"a\",}",
	"// comment",
	"{\"reason\":\"a\\x\"}",
};

static void broken_json_is_no_entry(void **state)
{
	struct sl_arena arena = { NULL };

	(void)state;
	for (size_t at = 0; at < sizeof(no_json) / sizeof(no_json[0]); at++) {
		struct sg_suppression entry;
		struct sl_error error;

		assert_int_equal(parse(no_json[at], strlen(no_json[at]), &arena,
				       &entry, &error),
				 SL_EINVAL);
		assert_non_null(strstr(error.message, "no JSON at byte "));
		assert_null(strchr(error.message, '\n'));
	}
	sl_arena_finish(&arena);
}

static void a_line_nested_without_end_is_refused(void **state)
{
	enum { DEPTH = 1000000 };
	struct sl_arena arena = { NULL };
	struct sg_suppression entry;
	struct sl_error error;
	char *line = malloc(DEPTH);

	(void)state;
	assert_non_null(line);
	memset(line, '[', DEPTH);
	assert_int_equal(parse(line, DEPTH, &arena, &entry, &error), SL_EINVAL);
	free(line);
	sl_arena_finish(&arena);
}

static void an_entry_is_one_line_with_members_in_order(void **state)
{
	const struct sg_suppression entry = {
		.path = "src/a b.c",
		.tool = "gcc",
		.rule = "-Wx",
		.message = "a\nb \x1b[31m",
		.line = 7,
		.line_hash = { 0x0123456789abcdef, 0x0011223344556677 },
		.reason = "r\xc3\xa9",
	};
	static const char expected[] =
		"{\"path\":\"src/a b.c\",\"line\":7,\"tool\":\"gcc\","
		"\"rule\":\"-Wx\",\"message\":\"a\\nb \\u001B[31m\","
		"\"code\":\"1:" HASH_A ":00000000000000000000000000000000\","
		"\"reason\":\"r\xc3\xa9\"}\n";
	struct sl_buffer text = { .data = NULL };

	(void)state;
	assert_int_equal(sg_entry_format(&entry, &text, NULL), SL_OK);
	assert_int_equal(text.used, strlen(expected));
	assert_memory_equal(text.data, expected, text.used);
	free(text.data);
}

static void days_are_those_of_the_calendar(void **state)
{
	static const struct {
		const char *text;
		bool is_day;
	} cases[] = {
		{ "2027-03-31", true },   { "2028-02-29", true },
		{ "2000-02-29", true },   { "9999-12-31", true },
		{ "1900-02-29", false },  { "2027-02-29", false },
		{ "2027-04-31", false },  { "2027-13-01", false },
		{ "2027-00-01", false },  { "2027-01-00", false },
		{ "2027-01-32", false },  { "0000-01-01", false },
		{ "2027-3-31", false },   { "27-03-31", false },
		{ "2027-03-31 ", false }, { "2027/03/31", false },
		{ "2027-03-3x", false },  { "", false },
		{ "tomorrow", false },
	};

	(void)state;
	for (size_t at = 0; at < sizeof(cases) / sizeof(cases[0]); at++)
		assert_int_equal(sg_is_day(cases[at].text), cases[at].is_day);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_members_are_read),
		cmocka_unit_test(what_may_be_missing_may_be_null),
		cmocka_unit_test(hashes_of_another_version_are_not_compared),
		cmocka_unit_test(what_is_wrong_is_said),
		cmocka_unit_test(broken_json_is_no_entry),
		cmocka_unit_test(a_line_nested_without_end_is_refused),
		cmocka_unit_test(an_entry_is_one_line_with_members_in_order),
		cmocka_unit_test(days_are_those_of_the_calendar),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
