/* SPDX-License-Identifier: MIT */
/* Compilation databases as build systems write them, and as nobody does. */
#include "run/units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "run/shell.h"

static struct sg_units parsed(const char *text)
{
	struct sg_units units;
	struct sl_error error;

	if (sg_units_parse(&units, text, strlen(text), "db.json", "/r",
			   &error) != SL_OK)
		fail_msg("line %d: %s", (int)error.input_line, error.message);
	return units;
}

static void expect_words(const struct sg_unit *unit,
			 const char *const *expected, size_t count)
{
	assert_int_equal(unit->argument_count, count);
	for (size_t at = 0; at < count; at++)
		assert_string_equal(unit->arguments[at], expected[at]);
	assert_null(unit->arguments[count]);
}

/* ---- what is read ------------------------------------------------------ */

static void a_database_of_cmake_is_read(void **state)
{
	static const char *const words[] = { "/usr/bin/cc", "-DA=1", "-o",
					     "a.o",         "-c",    "/r/a.c" };
	struct sg_units units = parsed(
		"[\n"
		"{\n"
		"  \"directory\": \"/r/build\",\n"
		"  \"command\": \"/usr/bin/cc -DA=1 -o a.o -c /r/a.c\",\n"
		"  \"file\": \"/r/a.c\",\n"
		"  \"output\": \"a.o\"\n"
		"},\n"
		"{\n"
		"  \"directory\": \"/r/build\",\n"
		"  \"command\": \"/usr/bin/c++ -c ../b.cc\",\n"
		"  \"file\": \"../b.cc\"\n"
		"}\n"
		"]\n");

	(void)state;
	assert_int_equal(units.count, 2);
	assert_string_equal(units.units[0].source, "a.c");
	assert_string_equal(units.units[0].directory, "/r/build");
	assert_int_equal(units.units[0].language, SG_LANGUAGE_C);
	expect_words(&units.units[0], words, 6);
	assert_string_equal(units.units[1].source, "b.cc");
	assert_int_equal(units.units[1].language, SG_LANGUAGE_CXX);
	sg_units_finish(&units);
}

static void arguments_come_before_a_command(void **state)
{
	static const char *const words[] = { "gcc", "-DX=a b", "a.c" };
	struct sg_units units =
		parsed("[{\"arguments\":[\"gcc\",\"-DX=a b\",\"a.c\"],"
		       "\"command\":\"other 'x\",\"extra\":[{\"file\":1},[]],"
		       "\"n\":null,\"file\":\"a.c\",\"directory\":\"/r\"}]");

	(void)state;
	assert_int_equal(units.count, 1);
	expect_words(&units.units[0], words, 3);
	sg_units_finish(&units);
}

static void sources_are_relative_to_the_root_if_they_are_below(void **state)
{
	static const char *const rows[][3] = {
		/* directory, file, source */
		{ "/r", "a.c", "a.c" },
		{ "/r/./b//x/..", "../a.c", "a.c" },
		{ "/r/b", "/r/c/../a.c", "a.c" },
		{ "/r/b", "../../s/a.c", "/s/a.c" },
		{ "/r2", "a.c", "/r2/a.c" },
		{ "/elsewhere", "/r/a b.c", "a b.c" },
		{ "b", "a.c", "b/a.c" },
		{ ".", "a.c", "a.c" },
		{ "/", "r/a.c", "a.c" },
	};

	(void)state;
	for (size_t at = 0; at < sizeof(rows) / sizeof(rows[0]); at++) {
		struct sg_units units;
		char text[256];

		snprintf(text, sizeof(text),
			 "[{\"directory\":\"%s\",\"file\":\"%s\","
			 "\"command\":\"cc\"}]",
			 rows[at][0], rows[at][1]);
		units = parsed(text);
		assert_string_equal(units.units[0].source, rows[at][2]);
		sg_units_finish(&units);
	}
}

static void bytes_that_are_no_utf_8_stay(void **state)
{
	struct sg_units units =
		parsed("\xef\xbb\xbf[{\"directory\":\"/r\",\"file\":"
		       "\"\xff\xc3.c\",\"command\":\"cc \xff\xc3.c\"}]");

	(void)state;
	assert_string_equal(units.units[0].source, "\xff\xc3.c");
	assert_string_equal(units.units[0].arguments[1], "\xff\xc3.c");
	sg_units_finish(&units);
}

static void an_empty_database_has_no_units(void **state)
{
	struct sg_units units = parsed(" [ ] ");

	(void)state;
	assert_int_equal(units.count, 0);
	sg_units_finish(&units);
}

static void a_long_command_is_not_cut(void **state)
{
	enum { WORDS = 20000 };
	char *text = malloc(WORDS * 12 + 200);
	size_t used;
	struct sg_units units;

	(void)state;
	assert_non_null(text);
	used = (size_t)snprintf(text, 100,
				"[{\"file\":\"a.c\",\"directory\":\"/r\","
				"\"command\":\"cc");
	for (int at = 0; at < WORDS; at++) {
		memcpy(text + used, " -Iabcdefgh", 11);
		used += 11;
	}
	memcpy(text + used, "\"}]", 4);
	units = parsed(text);
	free(text);
	assert_int_equal(units.units[0].argument_count, WORDS + 1);
	assert_string_equal(units.units[0].arguments[WORDS], "-Iabcdefgh");
	sg_units_finish(&units);
}

/* ---- which are one ----------------------------------------------------- */

#define ROW(file, command) \
	"{\"directory\":\"/r\",\"file\":\"" file "\",\"command\":\"" command \
	"\"}"

static void units_stand_by_source_then_as_in_the_database(void **state)
{
	struct sg_units units = parsed(
		"[" ROW("b.c", "cc b.c") "," ROW("a.c", "cc -DZ a.c") "," ROW(
			"a.c", "cc -DA a.c") "," ROW("a.c", "cc -DM a.c") "]");

	(void)state;
	assert_int_equal(units.count, 4);
	assert_string_equal(units.units[0].arguments[1], "-DZ");
	assert_string_equal(units.units[1].arguments[1], "-DA");
	assert_string_equal(units.units[2].arguments[1], "-DM");
	assert_string_equal(units.units[3].source, "b.c");
	sg_units_finish(&units);
}

static void units_that_differ_in_outputs_alone_are_one(void **state)
{
	struct sg_units units =
		parsed("[" ROW("a.c", "cc -DA -c a.c -o x.o") "," ROW(
			"a.c",
			"cc -DA -c a.c -o y.o -MD -MF y.d") "," ROW("./a.c",
								    "ccache cc "
								    "-DA -g "
								    "-Wl,-x -c "
								    "a.c") "]");

	(void)state;
	assert_int_equal(units.count, 1);
	assert_string_equal(units.units[0].arguments[5], "x.o");
	sg_units_finish(&units);
}

static void other_flags_compilers_and_folders_make_other_units(void **state)
{
	static const char text[] = "[" ROW("a.c", "cc -DA a.c") "," ROW("a.c", "cc a.c") "," ROW(
		"a.c",
		"cc -D A a.c") "," ROW("a.c",
				       "gcc -DA a.c") "," ROW("a.c",
							      "cc -O2 "
							      "-DA a.c") ","
									 "{\"di"
									 "recto"
									 "ry\":"
									 "\"/r/"
									 "b\","
									 "\"fil"
									 "e\":"
									 "\"../"
									 "a."
									 "c\","
									 "\"com"
									 "mand"
									 "\":"
									 "\"cc "
									 "-DA "
									 "a."
									 "c\"}"
									 "]";
	struct sg_units units = parsed(text);

	(void)state;
	assert_int_equal(units.count, 6);
	sg_units_finish(&units);
}

/* ---- other names of the root ------------------------------------------- */

static void a_root_that_is_reached_by_a_link_is_the_root(void **state)
{
	char folder[] = "/tmp/sg_units.XXXXXX";
	char command[128], root[64], text[512], flag[64], directory[64];
	struct sg_units units;
	struct sl_error error;

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(command, sizeof(command),
		 "cd %s && mkdir -p a/r/b o && ln -s a/r l", folder);
	assert_int_equal(system(command), 0);
	snprintf(root, sizeof(root), "%s/a/r", folder);
	snprintf(text, sizeof(text),
		 "[{\"directory\":\"%s/o\",\"file\":\"%s/l/x.c\","
		 "\"command\":\"cc -I%s/l x.c\"},"
		 "{\"directory\":\"%s/l/b\",\"file\":\"../y.c\","
		 "\"command\":\"cc -I%s/l2\"}]",
		 folder, folder, folder, folder, folder);
	if (sg_units_parse(&units, text, strlen(text), "db", root, &error) !=
	    SL_OK)
		fail_msg("%s", error.message);
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	assert_int_equal(system(command), 0);
	assert_int_equal(units.count, 2);
	assert_string_equal(units.units[0].source, "x.c");
	snprintf(flag, sizeof(flag), "-I%s/a/r", folder);
	assert_string_equal(units.units[0].arguments[1], flag);
	assert_string_equal(units.units[1].source, "y.c");
	snprintf(directory, sizeof(directory), "%s/a/r/b", folder);
	assert_string_equal(units.units[1].directory, directory);
	snprintf(flag, sizeof(flag), "-I%s/l2", folder);
	assert_string_equal(units.units[1].arguments[1], flag);
	sg_units_finish(&units);
}

/* ---- languages --------------------------------------------------------- */

static void a_language_is_told_by_flag_name_and_compiler(void **state)
{
	static const struct {
		const char *file, *command;
		enum sg_language language;
	} rows[] = {
		{ "a.c", "gcc a.c", SG_LANGUAGE_C },
		{ "a.C", "gcc a.C", SG_LANGUAGE_CXX },
		{ "a.c++", "gcc a.c++", SG_LANGUAGE_CXX },
		{ "a.cp", "gcc a.cp", SG_LANGUAGE_CXX },
		{ "a.S", "gcc a.S", SG_LANGUAGE_OTHER },
		{ "a.cu", "nvcc a.cu", SG_LANGUAGE_OTHER },
		{ "a", "gcc a", SG_LANGUAGE_OTHER },
		{ ".c", "gcc .c", SG_LANGUAGE_OTHER },
		{ "a.c", "g++ a.c", SG_LANGUAGE_CXX },
		{ "a.c", "x86_64-linux-gnu-g++-12 a.c", SG_LANGUAGE_CXX },
		{ "a.c", "ccache /usr/bin/clang++-14 a.c", SG_LANGUAGE_CXX },
		{ "a.c", "gcc -x c++ a.c", SG_LANGUAGE_CXX },
		{ "a.c", "gcc -xc++ a.c", SG_LANGUAGE_CXX },
		{ "a.inc", "gcc -x c a.inc", SG_LANGUAGE_C },
		{ "a.c", "g++ -x c a.c", SG_LANGUAGE_C },
		{ "a.c", "gcc -x c++ -x none a.c", SG_LANGUAGE_C },
		{ "a.c", "gcc a.c -x c++ b.q", SG_LANGUAGE_C },
		{ "a.c", "gcc -x assembler a.c", SG_LANGUAGE_OTHER },
		{ "a.c", "gcc -o -xc++ a.c", SG_LANGUAGE_C },
	};

	(void)state;
	for (size_t at = 0; at < sizeof(rows) / sizeof(rows[0]); at++) {
		struct sg_units units;
		char text[256];

		snprintf(text, sizeof(text),
			 "[{\"directory\":\"/r\",\"file\":\"%s\","
			 "\"command\":\"%s\"}]",
			 rows[at].file, rows[at].command);
		units = parsed(text);
		if (units.units[0].language != rows[at].language)
			fail_msg("%s", rows[at].command);
		sg_units_finish(&units);
	}
}

/* ---- shells ------------------------------------------------------------ */

static void a_command_is_split_as_a_shell_does(void **state)
{
	static const struct {
		const char *command;
		const char *words[6];
	} rows[] = {
		{ "", { NULL } },
		{ "  \t\n ", { NULL } },
		{ "a  b\tc\nd", { "a", "b", "c", "d" } },
		{ "'a b' \"c d\" e\\ f", { "a b", "c d", "e f" } },
		{ "-DX=\\\"y\\\"", { "-DX=\"y\"" } },
		{ "-DX='\"y\"' z", { "-DX=\"y\"", "z" } },
		{ "\"a\\\"b\\\\c\\$d\\`e\\nf\"", { "a\"b\\c$d`e\\nf" } },
		{ "'a\\b'", { "a\\b" } },
		{ "a''b \"\" ''", { "ab", "", "" } },
		{ "a\\\nb \\\n c", { "ab", "c" } },
		{ "\"a\\\nb\"", { "ab" } },
		{ "a#b #c $X * ~ ; x", { "a#b", "#c", "$X", "*", "~", ";" } },
		{ "a\\", { "a\\" } },
		{ "\\'a\\'", { "'a'" } },
	};

	(void)state;
	for (size_t at = 0; at < sizeof(rows) / sizeof(rows[0]); at++) {
		struct sl_arena arena = { NULL };
		struct sg_list list = { .arena = &arena };

		assert_int_equal(sg_shell_split(rows[at].command, &list, NULL),
				 SL_OK);
		for (size_t word = 0; word < 6 && rows[at].words[word];
		     word++) {
			assert_true(word < list.count);
			assert_string_equal(list.words[word],
					    rows[at].words[word]);
		}
		assert_true(!rows[at].words[0] || rows[at].words[5] ||
			    !rows[at].words[list.count]);
		sl_arena_finish(&arena);
	}
}

/* ---- what is wrong ----------------------------------------------------- */

static void what_is_wrong_is_told_with_its_line(void **state)
{
	static const struct {
		const char *text;
		int line;
		const char *message;
	} rows[] = {
		{ "", 1, "it ends in the middle of the database" },
		{ "[\n{\"file\":\n", 3,
		  "it ends in the middle of the database" },
		{ "{}", 1, "a compilation database is an array of objects" },
		{ "7", 1, "a compilation database is an array of objects" },
		{ "[\n[]]", 2,
		  "a compilation database is an array of objects" },
		{ "[\n\n\"x\"]", 3,
		  "a compilation database is an array of objects" },
		{ "[\n{\n}\n]", 2, "the unit has no \"file\"" },
		{ "[\n{\"file\":\"a.c\"\n}\n]", 2,
		  "the unit has no \"directory\"" },
		{ "[{\"file\":\"a.c\",\"directory\":\"/r\"}]", 1,
		  "the unit has neither \"arguments\" nor a \"command\"" },
		{ "[{\"file\":\"a.c\",\"directory\":\"/r\","
		  "\"arguments\":[]}]",
		  1, "the unit's command is empty" },
		{ "[{\"file\":\"a.c\",\"directory\":\"/r\","
		  "\"command\":\" \"}]",
		  1, "the unit's command is empty" },
		{ "[{\"file\":\"\",\"directory\":\"/r\","
		  "\"command\":\"cc\"}]",
		  1, "the unit's \"file\" is \"\"" },
		{ "[\n{\"file\":\"a.c\",\"directory\":\"/r\","
		  "\"command\":\"cc '\"}]",
		  2, "a quote is not closed in the command" },
		{ "[{\n\"file\":7}]", 2, "a string is missing here" },
		{ "[{\n\"arguments\":\"x\"}]", 2,
		  "\"arguments\" is an array of strings" },
		{ "[{\"arguments\":[\n[]]}]", 2, "a string is missing here" },
		{ "[{\"arguments\":[\n7]}]", 2, "a string is missing here" },
		{ "[{\"arguments\":{}}]", 1, "a string is missing here" },
		{ "[{\"file\":\"a\\u0000b\"}]", 1, "a NUL is in a string" },
		{ "[\n{]", 2, NULL },
		{ "[]\n\n[]", 3, NULL },
		{ "\x1f\x8b", 1, NULL },
	};

	(void)state;
	for (size_t at = 0; at < sizeof(rows) / sizeof(rows[0]); at++) {
		struct sg_units units;
		struct sl_error error = { .code = SL_OK };

		assert_int_equal(sg_units_parse(&units, rows[at].text,
						strlen(rows[at].text),
						"db.json", "/r", &error),
				 SL_EINVAL);
		if (rows[at].message)
			assert_string_equal(error.message, rows[at].message);
		assert_true(error.message[0] != '\0');
		assert_int_equal(error.input_line, rows[at].line);
		assert_string_equal(error.input, "db.json");
	}
}

static void deep_nesting_is_no_trouble(void **state)
{
	enum { DEPTH = 100000 };
	char *text = malloc(2 * DEPTH + 100);
	size_t used;
	struct sg_units units;

	(void)state;
	assert_non_null(text);
	used = (size_t)snprintf(text, 100,
				"[{\"file\":\"a.c\",\"directory\":\"/r\","
				"\"command\":\"cc\",\"x\":");
	memset(text + used, '[', DEPTH);
	memset(text + used + DEPTH, ']', DEPTH);
	memcpy(text + used + 2 * DEPTH, "}]", 3);
	units = parsed(text);
	free(text);
	assert_int_equal(units.count, 1);
	sg_units_finish(&units);
}

/* ---- without a database ------------------------------------------------ */

static void a_unit_can_be_made_of_a_source(void **state)
{
	static const char *const flags[] = { "-Iinclude", "-DX", NULL };
	static const char *const words[] = { "gcc", "-Iinclude", "-DX", "-c",
					     "src/b.c" };
	struct sg_units units = { .count = 0 };

	(void)state;
	assert_int_equal(
		sg_units_add(&units, "src/b.c", "/r", "gcc", flags, NULL),
		SL_OK);
	assert_int_equal(
		sg_units_add(&units, "src/a.cc", "/r", "gcc", flags, NULL),
		SL_OK);
	assert_int_equal(
		sg_units_add(&units, "src/b.c", "/r", "gcc", flags, NULL),
		SL_OK);
	sg_units_sort(&units);
	assert_int_equal(units.count, 2);
	assert_string_equal(units.units[0].source, "src/a.cc");
	assert_int_equal(units.units[0].language, SG_LANGUAGE_CXX);
	assert_string_equal(units.units[1].directory, "/r");
	expect_words(&units.units[1], words, 5);
	sg_units_finish(&units);
}

static void many_units_can_be_made(void **state)
{
	static const char *const flags[] = { NULL };
	struct sg_units units = { .count = 0 };

	(void)state;
	for (int at = 0; at < 1000; at++) {
		char name[32];

		snprintf(name, sizeof(name), "%d.c", 999 - at);
		assert_int_equal(
			sg_units_add(&units, name, "/r", "cc", flags, NULL),
			SL_OK);
	}
	sg_units_sort(&units);
	assert_int_equal(units.count, 1000);
	assert_string_equal(units.units[0].source, "0.c");
	assert_string_equal(units.units[999].source, "999.c");
	sg_units_finish(&units);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_database_of_cmake_is_read),
		cmocka_unit_test(arguments_come_before_a_command),
		cmocka_unit_test(
			sources_are_relative_to_the_root_if_they_are_below),
		cmocka_unit_test(bytes_that_are_no_utf_8_stay),
		cmocka_unit_test(an_empty_database_has_no_units),
		cmocka_unit_test(a_long_command_is_not_cut),
		cmocka_unit_test(units_stand_by_source_then_as_in_the_database),
		cmocka_unit_test(units_that_differ_in_outputs_alone_are_one),
		cmocka_unit_test(
			other_flags_compilers_and_folders_make_other_units),
		cmocka_unit_test(a_root_that_is_reached_by_a_link_is_the_root),
		cmocka_unit_test(a_language_is_told_by_flag_name_and_compiler),
		cmocka_unit_test(a_command_is_split_as_a_shell_does),
		cmocka_unit_test(what_is_wrong_is_told_with_its_line),
		cmocka_unit_test(deep_nesting_is_no_trouble),
		cmocka_unit_test(a_unit_can_be_made_of_a_source),
		cmocka_unit_test(many_units_can_be_made),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
