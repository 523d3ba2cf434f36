/* SPDX-License-Identifier: MIT */
/* The streaming JSON parser: paths, mended bytes, encodings, endings. */
#include "read/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/reader.h"

struct seen {
	struct sg_json *json;
	char *text;
	size_t length, size;
	size_t longest; /* string */
	enum sl_code answer;
};

static void add(struct seen *seen, const char *text, size_t length)
{
	if (seen->length + length + 1 > seen->size) {
		seen->size = 2 * seen->size + length + 1;
		seen->text = realloc(seen->text, seen->size);
		assert_non_null(seen->text);
	}
	memcpy(seen->text + seen->length, text, length);
	seen->length += length;
	seen->text[seen->length] = '\0';
}

/* "ID=value " a value, "ID( " and "ID) " an object or array. */
static enum sl_code take(void *context, const struct sg_json_event *event,
			 struct sl_error *error)
{
	struct seen *seen = context;
	char text[64];

	(void)error;
	snprintf(text, sizeof(text), "%d", event->id);
	add(seen, text, strlen(text));
	if (event->key_length) {
		add(seen, "@", 1);
		add(seen, event->key, event->key_length);
	}
	switch (event->kind) {
	case SG_JSON_OPEN:
		add(seen, event->number ? "[ " : "{ ", 2);
		break;
	case SG_JSON_CLOSE:
		add(seen, ") ", 2);
		break;
	case SG_JSON_STRING:
		if (event->length > seen->longest)
			seen->longest = event->length;
		add(seen, "='", 2);
		add(seen, event->text, event->length);
		add(seen, "' ", 2);
		break;
	case SG_JSON_NUMBER:
	case SG_JSON_BOOLEAN:
		snprintf(text, sizeof(text), "=%lld ",
			 (long long)event->number);
		add(seen, text, strlen(text));
		break;
	case SG_JSON_NULL:
		add(seen, "=null ", 6);
		break;
	}
	if (event->id >= 90) {
		snprintf(text, sizeof(text), "(%zu,%zu) ",
			 sg_json_index(seen->json, 0),
			 sg_json_index(seen->json, 1));
		add(seen, text, strlen(text));
	}
	return seen->answer;
}

static const struct sg_json_path paths[] = {
	{ "", 1 },         { "a", 2 },         { "b.c", 3 }, { "l[]", 4 },
	{ "l[].x", 5 },    { "any.*.v", 6 },   { "[]", 7 },  { "[].k", 8 },
	{ "[][].at", 90 }, { "any.known", 9 },
};

static struct seen parse(const char *text, size_t length, size_t piece,
			 bool many, struct sg_ending *ending)
{
	struct seen seen = { 0 };
	struct sl_error error;

	seen.json = sg_json_create(paths, sizeof(paths) / sizeof(paths[0]),
				   many, take, &seen);
	assert_non_null(seen.json);
	add(&seen, "", 0);
	for (size_t at = 0; at < length; at += piece) {
		size_t size = length - at < piece ? length - at : piece;
		char *copy = malloc(size);

		assert_non_null(copy);
		memcpy(copy, text + at, size);
		assert_int_equal(sg_json_feed(seen.json, copy, size, &error),
				 SL_OK);
		free(copy);
	}
	assert_int_equal(sg_json_finish(seen.json, ending, &error), SL_OK);
	sg_json_destroy(seen.json);
	return seen;
}

static void assert_parses(const char *text, size_t length, bool many,
			  const char *expected, const struct sg_ending *wanted)
{
	static const size_t pieces[] = { SIZE_MAX / 2, 1, 2, 3, 5 };

	for (size_t at = 0; at < sizeof(pieces) / sizeof(pieces[0]); at++) {
		struct sg_ending ending;
		struct seen seen =
			parse(text, length, pieces[at], many, &ending);

		assert_string_equal(seen.text, expected);
		assert_int_equal(ending.kind, wanted->kind);
		assert_int_equal(ending.line, wanted->line);
		assert_int_equal(ending.column, wanted->column);
		if (*wanted->message)
			assert_string_equal(ending.message, wanted->message);
		free(seen.text);
	}
	for (size_t cut = 0; cut < length; cut++) {
		struct sg_ending ending;
		struct seen seen =
			parse(text, cut, SIZE_MAX / 2, many, &ending);

		free(seen.text);
	}
}

static const struct sg_ending complete = { .kind = SG_COMPLETE };

static void only_asked_for_places_are_told(void **unused)
{
	static const struct {
		const char *text, *expected;
	} examples[] = {
		{ "{}", "1{ 1) " },
		{ "{\"z\":{\"a\":[1,{\"a\":2}]},\"a\":3}", "1{ 2=3 1) " },
		{ "{\"a\":\"x\",\"b\":{\"c\":true,\"d\":1}}",
		  "1{ 2='x' 3=1 1) " },
		{ "{\"b\":{\"c\":{\"a\":1}},\"a\":null}",
		  "1{ 3{ 3) 2=null 1) " },
		{ "{\"l\":[1,\"s\",{\"x\":false},[2]]}",
		  "1{ 4=1 4='s' 4{ 5=0 4) 4[ 4) 1) " },
		{ "{\"l\":{\"x\":1}}", "1{ 1) " },
		{ "{\"any\":{\"n m\":{\"v\":1},\"known\":2}}",
		  "1{ 6@n m=1 9@n m=2 1@n m) " },
		{ "[[{},{\"at\":1}],[{\"at\":2},{\"at\":3}]]",
		  "1[ 7[ 90=1 (0,1) 7) 7[ 90=2 (1,0) 90=3 (1,1) 7) 1) " },
		{ "\"s\"", "1='s' " },
	};

	(void)unused;
	for (size_t at = 0; at < sizeof(examples) / sizeof(examples[0]); at++)
		assert_parses(examples[at].text, strlen(examples[at].text),
			      false, examples[at].expected, &complete);
}

static void numbers_are_cut_to_64_bits(void **unused)
{
	static const struct {
		const char *text, *expected;
	} examples[] = {
		{ "[0]", "1[ 7=0 1) " },
		{ "[-1]", "1[ 7=-1 1) " },
		{ "[4294967296]", "1[ 7=4294967296 1) " },
		{ "[9223372036854775807]", "1[ 7=9223372036854775807 1) " },
		{ "[9223372036854775808]", "1[ 7=9223372036854775807 1) " },
		{ "[-9999999999999999999999]",
		  "1[ 7=-9223372036854775807 1) " },
		{ "[12.75]", "1[ 7=12 1) " },
		{ "[-0.5]", "1[ 7=0 1) " },
		{ "[1.5e2]", "1[ 7=100 1) " },
		{ "[2E+3]", "1[ 7=2000 1) " },
		{ "[5e-3]", "1[ 7=5 1) " },
		{ "[1e99999999999999999999]", "1[ 7=9223372036854775807 1) " },
	};

	(void)unused;
	for (size_t at = 0; at < sizeof(examples) / sizeof(examples[0]); at++)
		assert_parses(examples[at].text, strlen(examples[at].text),
			      false, examples[at].expected, &complete);
}

#define BYTES(text) text, sizeof(text) - 1
#define FFFD "\xef\xbf\xbd"

static void bytes_that_json_forbids_are_mended(void **unused)
{
	static const struct {
		const char *text;
		size_t length;
		const char *expected;
	} examples[] = {
		{ BYTES("[\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\"]"),
		  "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80" },
		{ BYTES("[\"a\xff\"]"), "a" FFFD },
		{ BYTES("[\"\x80\xc3\"]"), FFFD FFFD },
		{ BYTES("[\"\xc0\xaf\xed\xa0\x80\"]"),
		  FFFD FFFD FFFD FFFD FFFD },
		{ BYTES("[\"\xf0\x9f\x98z\xf4\x90\"]"), FFFD "z" FFFD FFFD },
		{ BYTES("[\"a\0b\"]"), "a" FFFD "b" },
		{ BYTES("[\"a\tb\nc\rd\x1b\x01\"]"), "a\tb\nc\rd\x1b\x01" },
		{ BYTES("[\"\\u0000\\u0041\\n\\\\\\\"\\/\"]"),
		  FFFD "A\n\\\"/" },
		{ BYTES("[\"\\ud83d\\ude00\"]"), "\xf0\x9f\x98\x80" },
		{ BYTES("[\"\\ud83d\"]"), FFFD },
		{ BYTES("[\"\\ud83dxy\"]"), FFFD "xy" },
		{ BYTES("[\"\\ud83d\\n\"]"), FFFD "\n" },
		{ BYTES("[\"\\ud83d\\u0041\"]"), FFFD "A" },
		{ BYTES("[\"\\ud83d\\ud83d\\ude00\"]"),
		  FFFD "\xf0\x9f\x98\x80" },
		{ BYTES("[\"\\ude00\xff\"]"), FFFD FFFD },
		{ BYTES("[ \0\"x\"]\0\0"), "x" },
	};
	char expected[128];

	(void)unused;
	for (size_t at = 0; at < sizeof(examples) / sizeof(examples[0]); at++) {
		snprintf(expected, sizeof(expected), "1[ 7='%s' 1) ",
			 examples[at].expected);
		assert_parses(examples[at].text, examples[at].length, false,
			      expected, &complete);
	}
}

static void a_bom_and_utf16_are_read(void **unused)
{
	static const struct {
		const char *text;
		size_t length;
	} examples[] = {
		{ BYTES("\xef\xbb\xbf[\"\xc3\xa4\"]") },
		{ BYTES("\xff\xfe[\0\"\0\xe4\0\"\0]\0") },
		{ BYTES("\xfe\xff\0[\0\"\0\xe4\0\"\0]") },
		{ BYTES("[\0\"\0\xe4\0\"\0]\0") },
		{ BYTES("\0[\0\"\0\xe4\0\"\0]") },
	};
	static const char pair[] = "[\0\"\0\x3d\xd8\x00\xde\x00\xd8x\0\"\0]\0";

	(void)unused;
	for (size_t at = 0; at < sizeof(examples) / sizeof(examples[0]); at++)
		assert_parses(examples[at].text, examples[at].length, false,
			      "1[ 7='\xc3\xa4' 1) ", &complete);
	assert_parses(pair, sizeof(pair) - 1, false,
		      "1[ 7='\xf0\x9f\x98\x80" FFFD "x' 1) ", &complete);
}

#define ENDING(how, at_line, at_column, why) \
	{ \
		.kind = how, .line = at_line, .column = at_column, \
		.message = why \
	}

static void what_is_malformed_is_told_with_its_place(void **unused)
{
	static const struct {
		const char *text, *expected;
		struct sg_ending ending;
	} examples[] = {
		{ "x", "", ENDING(SG_MALFORMED, 1, 1, "") },
		{ "{\"a\":1,}", "1{ 2=1 ", ENDING(SG_MALFORMED, 1, 8, "") },
		{ "{\n \"a\": 1,\n \"b\" }", "1{ 2=1 ",
		  ENDING(SG_MALFORMED, 3, 6, "") },
		{ "[\"\xc3\xa4\xc3\xa4\" x]", "1[ 7='\xc3\xa4\xc3\xa4' ",
		  ENDING(SG_MALFORMED, 1, 7,
			 "lexical error: invalid char in json text.") },
		{ "[1] [2]", "1[ 7=1 1) ", ENDING(SG_MALFORMED, 1, 5, "") },
		{ "[\"\\q\"]", "1[ ", ENDING(SG_MALFORMED, 1, 3, "") },
		/* mended bytes around it */
		{ "[\"\1\1\\q\1\1\"]", "1[ ", ENDING(SG_MALFORMED, 1, 5, "") },
		{ "[\"\n\n\\q\n\n\"]", "1[ ", ENDING(SG_MALFORMED, 3, 1, "") },
		{ "[\"\n\\u12\n\n\n\"]", "1[ ",
		  ENDING(SG_MALFORMED, 2, 4, "") },
		{ "[\"\xff\xff\xff\\uz\xff\xff\"]", "1[ ",
		  ENDING(SG_MALFORMED, 1, 7, "") },
	};

	(void)unused;
	for (size_t at = 0; at < sizeof(examples) / sizeof(examples[0]); at++)
		assert_parses(examples[at].text, strlen(examples[at].text),
			      false, examples[at].expected,
			      &examples[at].ending);
}

static void what_ends_too_early_is_broken_off(void **unused)
{
	static const struct {
		const char *text, *expected;
		struct sg_ending ending;
	} examples[] = {
		{ "", "", ENDING(SG_NO_REPORT, 0, 0, "nothing is in it") },
		{ " \r\n\t", "", ENDING(SG_NO_REPORT, 0, 0, "") },
		{ "{", "1{ ", ENDING(SG_BROKEN_OFF, 1, 2, "") },
		{ "[1,\n\"x", "1[ 7=1 ", ENDING(SG_BROKEN_OFF, 2, 3, "") },
		{ "[tru", "1[ ", ENDING(SG_BROKEN_OFF, 1, 5, "") },
		{ "[\"\\u00", "1[ ", ENDING(SG_BROKEN_OFF, 1, 7, "") },
	};

	(void)unused;
	for (size_t at = 0; at < sizeof(examples) / sizeof(examples[0]); at++)
		assert_parses(examples[at].text, strlen(examples[at].text),
			      false, examples[at].expected,
			      &examples[at].ending);
}

static void documents_may_stand_behind_one_another(void **unused)
{
	static const char text[] = "make: *** x\n[1]\nld: error [2]\n[3][4]\n"
				   "collect2: \"error\"";
	static const char stray[] = "[1]\n]\n\n}\n:\n[2]";
	static const char broken[] = "[1]\n[2,";
	static const struct sg_ending ending = ENDING(SG_BROKEN_OFF, 2, 4, "");

	(void)unused;
	assert_parses(text, strlen(text), true,
		      "1[ 7=1 1) 1[ 7=3 1) 1[ 7=4 1) ", &complete);
	assert_parses(stray, strlen(stray), true, "1[ 7=1 1) 1[ 7=2 1) ",
		      &complete);
	assert_parses(broken, strlen(broken), true, "1[ 7=1 1) 1[ 7=2 ",
		      &ending);
}

static void deep_nesting_is_refused(void **unused)
{
	enum { DEPTH = 100000 };
	char *text = malloc(DEPTH);
	struct sg_ending ending;
	struct seen seen;

	(void)unused;
	assert_non_null(text);
	for (unsigned kind = 0; kind < 2; kind++) {
		for (size_t at = 0; at < DEPTH; at++)
			text[at] = kind ? '[' : "{\"a\":"[at % 5];
		seen = parse(text, DEPTH, 4096, false, &ending);
		assert_int_equal(ending.kind, SG_MALFORMED);
		assert_string_equal(ending.message,
				    "nested deeper than 1000 levels");
		assert_int_equal(ending.column,
				 kind ? SG_JSON_DEPTH_MAX + 1
				      : SG_JSON_DEPTH_MAX * 5 + 1);
		free(seen.text);
	}
	free(text);
}

static void long_strings_and_numbers_are_cut(void **unused)
{
	enum { SIZE = 3 << 20 };
	char *text = malloc(SIZE);
	struct sg_ending ending;
	struct seen seen;

	(void)unused;
	assert_non_null(text);
	memset(text, 'x', SIZE);
	memcpy(text, "[\"", 2);
	for (size_t at = 2; at + 2 < 100000; at += 2)
		memcpy(text + at, "\xc3\xa4", 2);
	memcpy(text + SIZE - 6, "\\\"\",1]", 6);
	seen = parse(text, SIZE, 4096, false, &ending);
	assert_int_equal(ending.kind, SG_COMPLETE);
	assert_true(seen.longest <= SG_TEXT_MAX);
	assert_true(seen.longest > SG_TEXT_MAX - 16);
	assert_string_equal(seen.text + seen.length - 11, "\xc3\xa4' 7=1 1) ");
	free(seen.text);

	memset(text, 0xff, SIZE);
	memcpy(text, "[\"", 2);
	memcpy(text + SIZE - 6, "\xff\xff\",1]", 6);
	seen = parse(text, SIZE, 65536, false, &ending);
	assert_int_equal(ending.kind, SG_COMPLETE);
	assert_true(seen.longest <= SG_TEXT_MAX);
	assert_true(seen.longest > SG_TEXT_MAX - 16);
	assert_string_equal(seen.text + seen.length - 12, FFFD "' 7=1 1) ");
	free(seen.text);

	memset(text, '1', SIZE);
	text[0] = '[';
	text[SIZE - 1] = ']';
	seen = parse(text, SIZE, 100, false, &ending);
	assert_string_equal(seen.text, "1[ 7=9223372036854775807 1) ");
	free(seen.text);
	free(text);
}

static void what_the_callback_returns_ends_the_parsing(void **unused)
{
	struct seen seen = { .answer = SL_ESTOPPED };
	struct sl_error error;

	(void)unused;
	seen.json = sg_json_create(paths, 1, false, take, &seen);
	assert_non_null(seen.json);
	assert_int_equal(sg_json_feed(seen.json, "[1]", 3, &error),
			 SL_ESTOPPED);
	sg_json_destroy(seen.json);
	sg_json_destroy(NULL);
	free(seen.text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_asked_for_places_are_told),
		cmocka_unit_test(numbers_are_cut_to_64_bits),
		cmocka_unit_test(bytes_that_json_forbids_are_mended),
		cmocka_unit_test(a_bom_and_utf16_are_read),
		cmocka_unit_test(what_is_malformed_is_told_with_its_place),
		cmocka_unit_test(what_ends_too_early_is_broken_off),
		cmocka_unit_test(documents_may_stand_behind_one_another),
		cmocka_unit_test(deep_nesting_is_refused),
		cmocka_unit_test(long_strings_and_numbers_are_cut),
		cmocka_unit_test(what_the_callback_returns_ends_the_parsing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
