/* SPDX-License-Identifier: MIT */
/* Sources, and the tokens of their lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "match/tokens.h"
#include "sluice/random.h"

/* The tokens of a line or window, with a space between. */
static void print_span(const struct sg_source *source,
		       struct sg_token_span span, char *to, size_t size)
{
	size_t used = 0;

	for (size_t at = 0; at < span.count; at++) {
		assert_true(used + span.tokens[at].length + 2 < size);
		if (at > 0)
			to[used++] = ' ';
		used += sg_token_copy(source, &span.tokens[at], to + used);
	}
	to[used] = '\0';
}

static void assert_line(const char *text, int64_t line, const char *expected)
{
	struct sg_source source;
	char printed[256];

	assert_int_equal(sg_source_init(&source, text, strlen(text)), SL_OK);
	print_span(&source, sg_source_line(&source, line), printed,
		   sizeof(printed));
	assert_string_equal(printed, expected);
	sg_source_finish(&source);
}

struct line_case {
	const char *text;
	int64_t line;
	const char *tokens;
};

static const struct line_case cases[] = {
	{ "int a=b+1;", 1, "int a = b + 1 ;" },
	{ "a;\nb;\nc;\n", 2, "b ;" },
	{ "a;\r\nb;\r\n", 2, "b ;" },
	{ "A::b", 1, "A :: b" },
	/* comments */
	{ "a /* x */ b // y", 1, "a b" },
	{ "a /* x\n y */ b\nc", 2, "b" },
	{ "a /* x\n\n\n */ b\nc", 3, "" },
	{ "a // x \\\n still x\nb", 2, "" },
	{ "a // x \\\n still x\nb", 3, "b" },
	{ "/\\\n* x */ a", 2, "a" },
	{ "a /*/ b */ c", 1, "a c" },
	{ "a /* without end\nb", 1, "a / * without end" },
	{ "a /* without end\nb", 2, "b" },
	/* strings and characters */
	{ "f(\"/* \\\" // \", '\"', '\\'')", 1,
	  "f ( \"/* \\\" // \" , '\"' , '\\'' )" },
	{ "f(\"a  b\")", 1, "f ( \"a  b\" )" },
	{ "f(\"a\\\nb\", c)", 1, "f ( \"ab\"" },
	{ "f(\"a\\\nb\", c)", 2, ", c )" },
	{ "a \"no end\nb", 1, "a \"no end" },
	{ "a \"no end\nb", 2, "b" },
	{ "#error don't\nb", 2, "b" },
	{ "L\"x\" u8'y'", 1, "L \"x\" u8 'y'" },
	{ "R\"x(a \" )\" // )x\" b", 1, "R\"x(a \" )\" // )x\" b" },
	{ "R\"(a\nb)\" c", 2, "c" },
	{ "R\"(no end\nb", 2, "b" },
	/* numbers */
	{ "1'000'000u .5e-3f 0x1p+4 1..2", 1, "1'000'000u .5e-3f 0x1p+4 1..2" },
	{ "f(1,'a')", 1, "f ( 1 , 'a' )" },
	/* joined lines */
	{ "ab\\\ncd e", 1, "abcd" },
	{ "ab\\\r\ncd e", 1, "abcd" },
	{ "ab\\\ncd e", 2, "e" },
	{ "a \\", 1, "a \\" },
	/* what is not there */
	{ "", 1, "" },
	{ "a", 0, "" },
	{ "a", -1, "" },
	{ "a", 2, "" },
	{ "a", INT64_MAX, "" },
	{ "\xef\xbb\xbf"
	  "a",
	  1, "a" },
	{ "\xc3\xa9t\xc3\xa9 = 1", 1, "\xc3\xa9t\xc3\xa9 = 1" },
};

static void a_line_has_its_tokens(void **state)
{
	(void)state;
	for (size_t at = 0; at < sizeof(cases) / sizeof(cases[0]); at++)
		assert_line(cases[at].text, cases[at].line, cases[at].tokens);
}

static void a_window_skips_lines_without_tokens(void **state)
{
	static const char text[] = "a\nb\n\nc\n/* x */\nd\n// y\n\ne\nf\ng\n";
	struct sg_source source;
	char printed[64];

	(void)state;
	assert_int_equal(sg_source_init(&source, text, strlen(text)), SL_OK);
	print_span(&source, sg_source_window(&source, 6, 2), printed,
		   sizeof(printed));
	assert_string_equal(printed, "b c d e f");
	print_span(&source, sg_source_window(&source, 1, 2), printed,
		   sizeof(printed));
	assert_string_equal(printed, "a b c");
	print_span(&source, sg_source_window(&source, 7, 1), printed,
		   sizeof(printed));
	assert_string_equal(printed, "d e");
	assert_int_equal(sg_source_window(&source, 12, 2).count, 0);
	sg_source_finish(&source);
}

static void directives_are_known(void **state)
{
	static const char text[] = "#define A \\\n b\nc # d\n /* x */ # e\n";
	static const bool expected[] = { true,  true,  true, true, false,
					 false, false, true, true };
	struct sg_source source;

	(void)state;
	assert_int_equal(sg_source_init(&source, text, strlen(text)), SL_OK);
	assert_int_equal(source.token_count, 9);
	for (size_t at = 0; at < source.token_count; at++)
		assert_int_equal(source.tokens[at].directive, expected[at]);
	sg_source_finish(&source);
}

static void
many_comments_without_end_take_no_more_than_linear_time(void **state)
{
	size_t length = 4u << 20;
	char *text = malloc(length);
	struct sg_source source;

	(void)state;
	assert_non_null(text);
	for (size_t at = 0; at < length; at++)
		text[at] = "/* "[at % 3];
	assert_int_equal(sg_source_init(&source, text, length), SL_OK);
	assert_true(source.token_count > length / 2);
	sg_source_finish(&source);
	free(text);
}

/* Tokens ascend and lie within the text, whatever it is. */
static void any_bytes_have_tokens(void **state)
{
	static const char alphabet[] = "ab1.'\"\\\n\r/* #R():e+\xff\0{};<";
	char text[40];

	(void)state;
	for (uint64_t round = 0; round < 100000; round++) {
		uint64_t chance = sl_random_at(2, round);
		size_t length = chance % sizeof(text), end = 0;
		struct sg_source source;

		for (size_t at = 0; at < length; at++)
			text[at] = alphabet[sl_random_at(chance, at) %
					    sizeof(alphabet)];
		assert_int_equal(sg_source_init(&source, text, length), SL_OK);
		for (size_t at = 0; at < source.token_count; at++) {
			const struct sg_token *token = &source.tokens[at];

			assert_true(token->offset >= end && token->length > 0);
			assert_true(token->line >= 1 &&
				    token->line <= source.line_count);
			end = token->offset + token->length;
			assert_true(end <= length);
		}
		for (int64_t line = 0; line < 45; line++)
			(void)sg_source_window(&source, line, 2);
		sg_source_finish(&source);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_has_its_tokens),
		cmocka_unit_test(a_window_skips_lines_without_tokens),
		cmocka_unit_test(directives_are_known),
		cmocka_unit_test(
			many_comments_without_end_take_no_more_than_linear_time),
		cmocka_unit_test(any_bytes_have_tokens),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
