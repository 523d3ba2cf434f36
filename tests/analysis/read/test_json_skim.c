/* SPDX-License-Identifier: MIT */
/* What is skimmed is read as YAJL alone would: the same events, the same ending
 * at the same place, in the same words. Documents are made by dice of a fixed
 * seed; most are then damaged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/reader.h"
#include "tests/analysis/read/json_oracle.h"

enum { DOCUMENTS = 6000, DOCUMENT_MAX = 4096 };

struct maker {
	uint64_t state;
	char text[DOCUMENT_MAX];
	size_t length;
};

/* xorshift64* */
static unsigned dice(struct maker *maker, unsigned sides)
{
	maker->state ^= maker->state >> 12;
	maker->state ^= maker->state << 25;
	maker->state ^= maker->state >> 27;
	return (unsigned)((maker->state * 0x2545f4914f6cdd1d) >> 33) % sides;
}

static void put(struct maker *maker, const char *text, size_t length)
{
	if (length <= sizeof(maker->text) - maker->length) {
		memcpy(maker->text + maker->length, text, length);
		maker->length += length;
	}
}

static void put_one_of(struct maker *maker, const char *const *texts,
		       unsigned count)
{
	const char *text = texts[dice(maker, count)];

	put(maker, text, strlen(text));
}

#define PUT_ONE_OF(maker, texts) \
	put_one_of(maker, texts, sizeof(texts) / sizeof(texts[0]))

static void put_blanks(struct maker *maker)
{
	static const char *const blanks[] = {
		"",   "",           "",       "",      " ",
		"\n", "\n        ", "\r\n\t", "\v \f", "\n                   ",
	};

	PUT_ONE_OF(maker, blanks);
}

static void put_string(struct maker *maker)
{
	static const char *const parts[] = {
		"a",
		"plain text of some length",
		"\\n",
		"\\\"",
		"\\\\",
		"\\u00e9",
		"\\ud83d\\ude00",
		"\\ud83d",
		"\\u0000",
		"\xc3\xa4",
		"\xe2\x80\x98",
		"\xff",
		"\xe2\x80",
		"\1",
		"\n",
		"\x7f",
		"\xf0\x9f\x98\x80",
		"seven 7",
		"eight__8",
	};

	put(maker, "\"", 1);
	for (unsigned left = dice(maker, 4); left; left--)
		PUT_ONE_OF(maker, parts);
	put(maker, "\"", 1);
}

static void put_key(struct maker *maker)
{
	static const char *const keys[] = {
		"\"a\"",
		"\"b\"",
		"\"c\"",
		"\"d\"",
		"\"e\"",
		"\"f\"",
		"\"known\"",
		"\"\\u0061\"",
		"\"longer_than_8\"",
		"\"longer_than_9\"",
		"\"other\"",
		"\"\\u0062\"",
	};

	if (dice(maker, 8))
		PUT_ONE_OF(maker, keys);
	else
		put_string(maker);
}

static void put_scalar(struct maker *maker)
{
	static const char *const scalars[] = {
		"0",
		"1",
		"-1",
		"12",
		"-0",
		"1.5",
		"1e5",
		"-2.25E+2",
		"1E-1",
		"123456789012345678",
		"1234567890123456789",
		"99999999999999999999",
		"true",
		"false",
		"null",
	};

	PUT_ONE_OF(maker, scalars);
}

static void put_value(struct maker *maker, unsigned depth);

static void put_members(struct maker *maker, unsigned depth, bool is_array)
{
	put(maker, is_array ? "[" : "{", 1);
	for (unsigned left = dice(maker, 4); left; left--) {
		put_blanks(maker);
		if (!is_array) {
			put_key(maker);
			put_blanks(maker);
			put(maker, ":", 1);
			put_blanks(maker);
		}
		put_value(maker, depth - 1);
		put_blanks(maker);
		if (left > 1)
			put(maker, ",", 1);
	}
	put_blanks(maker);
	put(maker, is_array ? "]" : "}", 1);
}

static void put_value(struct maker *maker, unsigned depth)
{
	unsigned kind = dice(maker, depth ? 6 : 2);

	if (kind == 0)
		put_string(maker);
	else if (kind == 1)
		put_scalar(maker);
	else
		put_members(maker, depth, kind % 2);
}

/* A byte is changed, taken away, or put in: mostly one that means something. */
static void damage(struct maker *maker)
{
	static const char bytes[] = "\"\\{}[]:,0123456789-+.eEtfnul \n/x\xc3";
	size_t at = dice(maker, (unsigned)maker->length);
	char *place = maker->text + at;
	size_t behind = maker->length - at;
	char byte = bytes[dice(maker, sizeof(bytes) - 1)];

	switch (dice(maker, 4)) {
	case 0:
		memmove(place, place + 1, behind - 1);
		maker->length--;
		break;
	case 1:
		if (maker->length == sizeof(maker->text))
			return;
		memmove(place + 1, place, behind);
		maker->length++;
		*place = byte;
		break;
	case 2:
		maker->length = at + 1;
		break;
	default:
		*place = byte;
		break;
	}
}

static void assert_alike(const char *text, size_t length, size_t piece)
{
	char *ours, *oracle;

	json_oracle_ask(text, length, piece, &ours, &oracle);
	if (strcmp(ours, oracle) != 0)
		print_error("in pieces of %zu: %.*s\n", piece, (int)length,
			    text);
	assert_string_equal(ours, oracle);
	free(ours);
	free(oracle);
}

static void what_is_skimmed_is_read_as_yajl_would(void **unused)
{
	static struct maker maker;

	(void)unused;
	maker.state = 20240229;
	for (unsigned at = 0; at < DOCUMENTS; at++) {
		maker.length = 0;
		put_blanks(&maker);
		put_value(&maker, 1 + at % 6);
		put_blanks(&maker);
		if (at % 4)
			for (unsigned left = 1 + dice(&maker, 2); left; left--)
				if (maker.length)
					damage(&maker);
		assert_alike(maker.text, maker.length, SIZE_MAX / 2);
		assert_alike(maker.text, maker.length, 1);
		assert_alike(maker.text, maker.length, 2 + dice(&maker, 20));
	}
}

/* The filter cuts a string there, and looks no more at what is behind: not even
 * at an escape that is none. */
static void strings_of_the_longest_size_are_cut_alike(void **unused)
{
	static char text[SG_TEXT_MAX + 100];

	(void)unused;
	for (size_t length = SG_TEXT_MAX - 20; length < SG_TEXT_MAX + 20;
	     length++) {
		static const char *const ends[] = { "\",1]", "\\q\",1]",
						    "\xc3\xa4\",1]" };

		for (size_t at = 0; at < sizeof(ends) / sizeof(ends[0]); at++) {
			memset(text, 'x', length);
			memcpy(text, "[\"", 2);
			memcpy(text + length, ends[at], strlen(ends[at]));
			assert_alike(text, length + strlen(ends[at]),
				     SIZE_MAX / 2);
			assert_alike(text, length + strlen(ends[at]), 60000);
		}
	}
}

static void nesting_ends_at_the_same_bracket(void **unused)
{
	char text[2 * SG_TEXT_MAX / 64];

	(void)unused;
	memset(text, '[', sizeof(text));
	assert_alike(text, sizeof(text), SIZE_MAX / 2);
	assert_alike(text, sizeof(text), 7);
	for (size_t at = 0; at + 5 <= sizeof(text); at += 5)
		memcpy(text + at, "{\"b\":", 5);
	assert_alike(text, sizeof(text), SIZE_MAX / 2);
	assert_alike(text, sizeof(text), 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_skimmed_is_read_as_yajl_would),
		cmocka_unit_test(strings_of_the_longest_size_are_cut_alike),
		cmocka_unit_test(nesting_ends_at_the_same_bracket),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
