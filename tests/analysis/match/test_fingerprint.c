/* SPDX-License-Identifier: MIT */
/* What fingerprints have in common, and what not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "match/fingerprint.h"

static const struct sg_words leak = { "cppcheck", "memleak", "f",
				      "Memory leak: p, 40 bytes" };

/* The keys of @p words on line @p line of @p text; NULL: bare. */
static struct sg_keys keys_of(const struct sg_words *words, const char *text,
			      int64_t line, const char *path)
{
	struct sg_fingerprint print;
	struct sg_source source;

	if (text)
		assert_int_equal(sg_source_init(&source, text, strlen(text)),
				 SL_OK);
	assert_int_equal(
		sg_fingerprint_init(&print, words, text ? &source : NULL, line),
		SL_OK);
	if (text)
		sg_source_finish(&source);
	return sg_fingerprint_keys(&print, path);
}

static bool equal(struct sg_hash a, struct sg_hash b)
{
	return sg_hash_equal(a, b);
}

static void comments_and_white_space_change_no_key(void **state)
{
	struct sg_keys a = keys_of(&leak, "a;\np = q(1);\nb;\n", 2, "a.c");
	struct sg_keys b =
		keys_of(&leak, "a;\n\n  p=q( 1 ); // x\n\nb ;\n", 3, "a.c");

	(void)state;
	assert_true(equal(a.k1, b.k1));
	assert_true(equal(a.k2, b.k2));
	assert_true(equal(a.k3, b.k3));
	assert_true(equal(a.k4, b.k4));
}

static void a_backslash_newline_within_a_token_changes_no_key(void **state)
{
	char text[1024], joined[1024];
	struct sg_keys a, b;

	(void)state;
	memset(text, 'a', 600);
	memcpy(text + 600, ";\n", 3);
	memset(joined, 'a', 300);
	memcpy(joined + 300, "\\\n", 2);
	memset(joined + 302, 'a', 300);
	memcpy(joined + 602, "\n;\n", 4);
	a = keys_of(&leak, text, 1, "a.c");
	b = keys_of(&leak, joined, 1, "a.c");
	assert_true(equal(a.k4, b.k4));
}

static void the_path_is_in_all_keys_but_k2(void **state)
{
	struct sg_keys a = keys_of(&leak, "p;\n", 1, "a/x.c");
	struct sg_keys b = keys_of(&leak, "p;\n", 1, "b/x.c");

	(void)state;
	assert_false(equal(a.k1, b.k1));
	assert_true(equal(a.k2, b.k2));
	assert_false(equal(a.k3, b.k3));
	assert_false(equal(a.k4, b.k4));
}

static void the_message_is_masked_and_not_in_k4(void **state)
{
	struct sg_words more = leak, other = leak;
	struct sg_keys a, b, c;

	(void)state;
	more.message = "Memory leak: p, 48 bytes";
	other.message = "Memory leak: q, 40 bytes";
	a = keys_of(&leak, "p;\n", 1, "a.c");
	b = keys_of(&more, "p;\n", 1, "a.c");
	c = keys_of(&other, "p;\n", 1, "a.c");
	assert_true(equal(a.k1, b.k1));
	assert_false(equal(a.k1, c.k1));
	assert_false(equal(a.k3, c.k3));
	assert_true(equal(a.k4, c.k4));
}

static void tools_rules_and_functions_are_kept_apart(void **state)
{
	struct sg_keys a = keys_of(&leak, "p;\n", 1, "a.c");

	(void)state;
	for (int field = 0; field < 3; field++) {
		struct sg_words other = leak;
		struct sg_keys b;

		*(field == 0   ? &other.tool
		  : field == 1 ? &other.rule
			       : &other.function) = "other";
		b = keys_of(&other, "p;\n", 1, "a.c");
		assert_false(equal(a.k1, b.k1));
		assert_false(equal(a.k2, b.k2));
		assert_false(equal(a.k3, b.k3));
		assert_true(equal(a.k4, b.k4) == (field == 2));
	}
}

/* "ab" + "c" is not "a" + "bc". */
static void fields_and_tokens_do_not_run_into_one_another(void **state)
{
	const struct sg_words ab_c = { "t", "ab", "c", "m" };
	const struct sg_words a_bc = { "t", "a", "bc", "m" };
	struct sg_keys a = keys_of(&leak, "ab c;\n", 1, "a.c");
	struct sg_keys b = keys_of(&leak, "a bc;\n", 1, "a.c");

	(void)state;
	assert_false(equal(a.k2, b.k2));
	assert_false(equal(a.k4, b.k4));
	a = keys_of(&ab_c, NULL, 1, "a.c");
	b = keys_of(&a_bc, NULL, 1, "a.c");
	assert_false(equal(a.k3, b.k3));
}

static void a_bare_one_has_k3_alone(void **state)
{
	struct sg_keys bare = keys_of(&leak, NULL, 1, "a.c");
	struct sg_keys full = keys_of(&leak, "p;\n", 1, "a.c");

	(void)state;
	assert_true(sg_hash_is_zero(bare.k1));
	assert_true(sg_hash_is_zero(bare.k2));
	assert_true(equal(bare.k3, full.k3));
	assert_true(sg_hash_is_zero(bare.k4));
}

static void what_is_not_given_is_the_same_as_empty(void **state)
{
	const struct sg_words none = { "t", NULL, NULL, NULL };
	const struct sg_words empty = { "t", "", "", "" };
	struct sg_keys a = keys_of(&none, NULL, 0, "");
	struct sg_keys b = keys_of(&empty, NULL, 0, NULL);

	(void)state;
	assert_true(equal(a.k3, b.k3));
}

static void a_long_message_is_hashed_as_a_short_one(void **state)
{
	struct sg_words words = leak;
	char *message = malloc(100001);
	struct sg_keys a, b;

	(void)state;
	assert_non_null(message);
	memset(message, 'x', 100000);
	message[99999] = '1';
	message[99998] = ' ';
	message[100000] = '\0';
	words.message = message;
	a = keys_of(&words, NULL, 1, "a.c");
	message[99999] = '2';
	b = keys_of(&words, NULL, 1, "a.c");
	assert_true(equal(a.k3, b.k3));
	free(message);
}

/* Stored keys are only good as long as these stay. Whoever must change them
 * raises SG_FINGERPRINT_VERSION. */
static void the_keys_of_this_version_are_these(void **state)
{
	struct sg_keys keys = keys_of(&leak, "a;\np = q(1);\nb;\n", 2, "a.c");
	char text[SG_HASH_TEXT];

	(void)state;
	assert_int_equal(SG_FINGERPRINT_VERSION, 1);
	sg_hash_format(keys.k1, text);
	assert_string_equal(text, "9eb51bb2228423993b827a6d2bf9ae1e");
	sg_hash_format(keys.k2, text);
	assert_string_equal(text, "7310ac658a7893c90c6a9fe518729188");
	sg_hash_format(keys.k3, text);
	assert_string_equal(text, "5ab80e6506f3a5fee1b56ea78192d0d1");
	sg_hash_format(keys.k4, text);
	assert_string_equal(text, "181b36c5da07c441ad730e9875093297");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(comments_and_white_space_change_no_key),
		cmocka_unit_test(
			a_backslash_newline_within_a_token_changes_no_key),
		cmocka_unit_test(the_path_is_in_all_keys_but_k2),
		cmocka_unit_test(the_message_is_masked_and_not_in_k4),
		cmocka_unit_test(tools_rules_and_functions_are_kept_apart),
		cmocka_unit_test(fields_and_tokens_do_not_run_into_one_another),
		cmocka_unit_test(a_bare_one_has_k3_alone),
		cmocka_unit_test(what_is_not_given_is_the_same_as_empty),
		cmocka_unit_test(a_long_message_is_hashed_as_a_short_one),
		cmocka_unit_test(the_keys_of_this_version_are_these),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
