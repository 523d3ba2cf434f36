/* SPDX-License-Identifier: MIT */
/* What texts include, and what they silence. */
#include "run/includes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void expect_bytes(const char *text, size_t length, const char *expected)
{
	struct sl_buffer out = { .data = NULL };
	/* of the very size, so that a sanitizer sees what is read beyond */
	char *copy = malloc(length ? length : 1);

	assert_non_null(copy);
	memcpy(copy, text, length);
	assert_int_equal(sg_includes_scan(copy, length, &out, NULL), SL_OK);
	assert_non_null(out.data);
	if (strcmp(out.data, expected) != 0)
		print_message("of: %.*s\n", (int)length, text);
	assert_string_equal(out.data, expected);
	assert_int_equal(out.used, strlen(expected));
	free(out.data);
	free(copy);
}

struct sample {
	const char *text, *expected;
};

static void expect_all(const struct sample *samples, size_t count)
{
	for (size_t at = 0; at < count; at++)
		expect_bytes(samples[at].text, strlen(samples[at].text),
			     samples[at].expected);
}

#define EXPECT_ALL(samples) \
	expect_all(samples, sizeof(samples) / sizeof((samples)[0]))

static void names_of_all_ways_to_include(void **state)
{
	static const struct sample samples[] = {
		{ "", "" },
		{ "int x;\n", "" },
		{ "#include \"a.h\"\n", "\"a.h\n" },
		{ "#include <a.h>", "\"a.h\n" },
		{ "  #  include<sys/a.h>\r\n", "\"sys/a.h\n" },
		{ "#include_next <a.h>\n", "\"a.h\n" },
		{ "#import \"a.h\"\n", "\"a.h\n" },
		{ "#embed <a.bin> limit(3)\n", "\"a.bin\n" },
		{ "%:include \"a.h\"\n", "\"a.h\n" },
		{ "?\?=include \"a.h\"\n", "\"a.h\n" },
		{ "\xef\xbb\xbf#include \"a.h\"\n", "\"a.h\n" },
		{ "#include \"../b c/\xc3\xa9.h\"\n", "\"../b c/\xc3\xa9.h\n" },
		{ "#include \"a//b.h\"\n#include <c/*d.h>\n/**/\n",
		  "\"a//b.h\n\"c/*d.h\n" },
		{ "#if __has_include(<a.h>) && __has_include( \"b.h\" )\n",
		  "\"a.h\n\"b.h\n" },
		{ "#ifdef __has_include\n#endif\n", "" },
		{ "#define __has_include(x) 0\n", "" },
		{ "#if 0\n#include \"a.h\"\n#endif\n", "\"a.h\n" },
		{ "#include \"a.h\"\n#include <b.h>\n#include <a.h>\n",
		  "\"a.h\n\"b.h\n" },
		{ "#include \"a.h\r#include \"b.h\"\n", "\"a.h\r#include \n" },
		{ "#include \"a.h\"\r#include \"b.h\"\r", "\"a.h\n\"b.h\n" },
		{ "#include\n\"a.h\"\n", "" },
		{ "#included \"a.h\"\n", "" },
		{ "x #include \"a.h\"\n", "" },
	};

	(void)state;
	EXPECT_ALL(samples);
}

static void an_include_of_a_macro_is_a_star(void **state)
{
	static const struct sample samples[] = {
		{ "#include CONFIG\n#include OTHER(x)\n", "*\n" },
		{ "#include \"a.h\"\n#include CONFIG\n", "\"a.h\n*\n" },
		{ "#define HAS(x) __has_include(x)\n", "*\n" },
	};

	(void)state;
	EXPECT_ALL(samples);
}

static void comments_stand_wherever_blanks_may(void **state)
{
	static const struct sample samples[] = {
		{ "/* x */ #include \"a.h\"\n", "\"a.h\n" },
		{ "/* x\n*/#/**/include/* y */\"a.h\"\n", "\"a.h\n" },
		{ "// #include \"a.h\"\n#include \"b.h\"\n", "\"b.h\n" },
		{ "/*\n#include \"a.h\"\n*/\n#include \"b.h\"\n", "\"b.h\n" },
		{ "/\\\n* \n#include \"a.h\"\n*\\\n/#include \"b.h\"\n",
		  "\"b.h\n" },
		{ "// x \\\n#include \"a.h\"\n#include \"b.h\"\n", "\"b.h\n" },
		{ "// x \\ \t\r\n#include \"a.h\"\n#include \"b.h\"\n",
		  "\"b.h\n" },
		{ "/* no end\n#include \"a.h\"\n", "\"a.h\n" },
	};

	(void)state;
	EXPECT_ALL(samples);
}

static void lines_go_on_behind_a_backslash(void **state)
{
	static const struct sample samples[] = {
		{ "#inc\\\nlude \\\n \"a\\\r\n.h\"\n", "\"a.h\n" },
		{ "\\\n#include \"a.h\"\n", "\"a.h\n" },
		{ "#include \"a.h\"\\", "\"a.h\n" },
		{ "#include \"a\\b.h\"\n", "\"a\\b.h\n" },
	};

	(void)state;
	EXPECT_ALL(samples);
}

static void strings_and_characters_hide_what_is_in_them(void **state)
{
	static const struct sample samples[] = {
		{ "f(\"/*\");\n#include \"a.h\"\n/* */\n", "\"a.h\n" },
		{ "f(\"\\\"/*\");\n#include \"a.h\"\n/* */\n", "\"a.h\n" },
		{ "f('\"', '/*');\n#include \"a.h\"\n/* */\n", "\"a.h\n" },
		{ "f(\"no end\n#include \"a.h\"\n", "\"a.h\n" },
		{ "#error don't\n#include \"a.h\"\n", "\"a.h\n" },
		{ "x = 1'000'/*'*/+ 0x1'f;\n#include \"a.h\"\n", "\"a.h\n" },
		{ "x = 1'000; /* ' */\n#include \"a.h\"\n", "\"a.h\n" },
		{ "x = 1e+5'0; y = '\"';\n#include \"a.h\"\n", "\"a.h\n" },
		{ "s = R\"(\n#include \"a.h\"\n/*)\";\n#include \"b.h\"\n",
		  "\"b.h\n" },
		{ "s = u8R\"x(\n)\"\n#include \"a.h\"\n)x\";\n"
		  "#include \"b.h\"\n",
		  "\"b.h\n" },
		{ "s = R\"(\\\n)\\\n\";\n#include \"a.h\"\n)\";\n"
		  "#include \"b.h\"\n",
		  "\"b.h\n" },
		{ "s = R\"(no end\n#include \"a.h\"\n", "\"a.h\n" },
		{ "s = FOOR\"(\";\n#include \"a.h\"\n// )\"\n", "\"a.h\n" },
	};

	(void)state;
	EXPECT_ALL(samples);
}

static void silences_of_cppcheck_and_clang_tidy(void **state)
{
	static const struct sample samples[] = {
		{ "int x; // NOLINT\n", "!1:11 NOLINT\n" },
		{ "\n/* NOLINTNEXTLINE(a-b, c) why */ int x;\n",
		  "!2:4 NOLINTNEXTLINE(a-b, c) why\n" },
		{ "// NOLINTBEGIN(x)\n// NOLINTEND(x)\n// NOLINTING\n",
		  "!1:4 NOLINT" /* else it is one */
		  "BEGIN(x)\n" },
		{ "f(\"NOLINT\");\n", "!1:4 NOLINT\");\n" },
		{ "// cppcheck-suppress nullPointer ; why\r\n",
		  "!1:4 cppcheck-suppress nullPointer ; why\n" },
		{ "/*\n  cppcheck-suppress-begin [a,b]\n*/\n"
		  "// cppcheck-suppress-end [a,b]\n",
		  "!2:3 cppcheck-suppress-begin [a,b]\n" },
		{ "// cppcheck-suppress-file x\n"
		  "// cppcheck-suppress-macro y\n",
		  "!1:4 cppcheck-suppress-file x\n"
		  "!2:4 cppcheck-suppress-macro y\n" },
		{ "f(\"cppcheck-suppress x\");\n", "" },
		{ "// NOLINT cppcheck-suppress x\n#include \"a.h\"\n",
		  "\"a.h\n"
		  "!1:4 NOLINT cppcheck-suppress x\n"
		  "!1:11 cppcheck-suppress x\n" },
	};

	(void)state;
	EXPECT_ALL(samples);
}

static void silences_of_compilers(void **state)
{
	static const struct sample samples[] = {
		{ "#pragma GCC diagnostic ignored \"-Wall\"\n",
		  "!1:1 pragma diagnostic ignored \"-Wall\"\n" },
		{ " #  pragma  clang /**/ diagnostic\\\n ignored \"-Wx\" "
		  "/**/\n",
		  "!1:2 pragma diagnostic ignored \"-Wx\"\n" },
		{ "#pragma GCC diagnostic push\n"
		  "#pragma GCC diagnostic warning \"-Wall\"\n"
		  "#pragma once\n",
		  "" },
		{ "#define OFF _Pragma(\"GCC diagnostic ignored "
		  "\\\"-Wall\\\"\") x\n",
		  "!1:13 pragma diagnostic ignored \"-Wall\"\n" },
		{ "_Pragma ( L\"clang diagnostic ignored \\\"-Wx\\\"\" )\n",
		  "!1:1 pragma diagnostic ignored \"-Wx\"\n" },
		{ "#define P(x) _Pragma(#x)\nP(GCC diagnostic ignored "
		  "\"-Wx\")\n",
		  "!1:14 computed _Pragma(#x)\n"
		  "!2:3 pragma diagnostic ignored \"-Wx\")\n" },
		{ "#define P _Pragma\n", "!1:11 computed _Pragma\n" },
		{ "P(clang diagnostic push) GCC", "" },
		{ "#ifdef __cppcheck__\n#if !defined(__clang_analyzer__)\n",
		  "!1:8 __cppcheck__\n"
		  "!2:14 __clang_analyzer__)\n" },
		{ "# 1 \"a.c\"\n# 1 \"a.c\" 1 3 4\n",
		  "!1:1 #line \"a.c\"\n"
		  "!2:1 line marker \"a.c\" 1 3 4\n" },
		{ "#line 7\n #line 7 \"x 3.h\"\n", "!2:2 #line \"x 3.h\"\n" },
		{ "#line L\n#line 1 F\n", "!1:1 #line L\n!2:1 #line 1 F\n" },
		{ "#pragma GCC system_header\n"
		  "#pragma clang system_header // why\n",
		  "!1:1 pragma system_header\n"
		  "!2:1 pragma system_header // why\n" },
		{ "_Pragma(\"/*\")\n#include \"a.h\"\n/**/\n", "\"a.h\n" },
		{ "_Pragma(R\"x(GCC diagnostic ignored)x\")\n",
		  "!1:1 pragma diagnostic ignored)x\n" },
	};

	(void)state;
	EXPECT_ALL(samples);
}

static void what_a_silence_says_is_cut_between_characters(void **state)
{
	char text[256] = "// NOLINT", expected[256] = "!1:4 NOLINT";

	(void)state;
	for (int at = 0; at < 93; at++) {
		text[9 + at] = 'x';
		expected[11 + at] = ' ';
	}
	text[9] = ' ';
	memcpy(expected + 11, text + 9, 93);
	memcpy(text + 9 + 93, "\xc3\xa9\n", 4);
	expected[11 + 93] = '\n';
	expect_bytes(text, strlen(text), expected);
}

static void bytes_that_are_no_text_are_minded(void **state)
{
	static const char text[] = "\0#include \"a\0b.h\"\n\0'\0// NOLINT\0x\n";

	(void)state;
	expect_bytes(text, sizeof(text) - 1, "\"ab.h\n!2:7 NOLINT x\n");
	expect_bytes("#include \"a\0b.h\"\n", 17, "\"ab.h\n");
}

/* Each would take minutes if a scan were not linear. */
static void long_texts_take_no_longer_than_their_length(void **state)
{
	static const char *const pieces[] = {
		"_Pragma(\"/*",   "R\"a(",    "/*",     "\\\n",
		"#include <a\n",  "\\      ", "'",      "NOLINT",
		"#pragma /*x*/ ", "/*\\\n",   "u8R\"(", "__has_include(",
	};
	enum { LENGTH = 1 << 20 };
	char *text = malloc(LENGTH + 32);

	(void)state;
	assert_non_null(text);
	for (size_t at = 0; at < sizeof(pieces) / sizeof(pieces[0]); at++) {
		struct sl_buffer out = { .data = NULL };
		size_t length = 0, step = strlen(pieces[at]);

		while (length < LENGTH) {
			memcpy(text + length, pieces[at], step);
			length += step;
		}
		memcpy(text + length, "*/", 2);
		assert_int_equal(sg_includes_scan(text, length + 2, &out, NULL),
				 SL_OK);
		free(out.data);
	}
	free(text);
}

static void it_appends(void **state)
{
	struct sl_buffer out = { .data = NULL };
	static const char text[] = "#include \"a.h\"\n";

	(void)state;
	for (int time = 0; time < 2; time++)
		assert_int_equal(
			sg_includes_scan(text, strlen(text), &out, NULL),
			SL_OK);
	assert_string_equal(out.data, "\"a.h\n\"a.h\n");
	free(out.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_all_ways_to_include),
		cmocka_unit_test(an_include_of_a_macro_is_a_star),
		cmocka_unit_test(comments_stand_wherever_blanks_may),
		cmocka_unit_test(lines_go_on_behind_a_backslash),
		cmocka_unit_test(strings_and_characters_hide_what_is_in_them),
		cmocka_unit_test(silences_of_cppcheck_and_clang_tidy),
		cmocka_unit_test(silences_of_compilers),
		cmocka_unit_test(what_a_silence_says_is_cut_between_characters),
		cmocka_unit_test(bytes_that_are_no_text_are_minded),
		cmocka_unit_test(long_texts_take_no_longer_than_their_length),
		cmocka_unit_test(it_appends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
