/* SPDX-License-Identifier: MIT */
/* Commands made of units and templates, word by word. */
#include "run/analyzer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sys/stat.h>
#include <unistd.h>

#include "read/formats.h"
#include "run/unit_flags.h"

static const struct sg_exported exported = { "/r", "/x/tree", NULL };

/* A unit that is compiled in /r/build. */
static struct sg_unit unit_of(const char *source, const char *const *arguments)
{
	struct sg_unit unit = { .source = source,
				.directory = "/r/build",
				.arguments = arguments };

	while (arguments[unit.argument_count])
		unit.argument_count++;
	unit.language = sg_unit_language(&unit);
	return unit;
}

static void expect_words(const struct sg_command *command,
			 const char *const *expected)
{
	size_t at = 0;

	for (; expected[at]; at++) {
		if (!command->words[at])
			fail_msg("\"%s\" is missing", expected[at]);
		assert_string_equal(command->words[at], expected[at]);
	}
	if (command->words[at])
		fail_msg("\"%s\" is too much", command->words[at]);
}

/* The command of a template for a unit. */
static void expect_command(const struct sg_unit *unit,
			   const char *const *template,
			   const char *const *expected)
{
	const struct sg_analyzer analyzer = { .name = "test",
					      .command = template,
					      .format = &sg_format_gcc };
	struct sl_arena arena = { NULL };
	struct sg_command command;
	struct sl_error error;

	if (sg_analyzer_command(&analyzer, &unit, 1, &exported, "/x/report",
				&arena, &command, &error) != SL_OK)
		fail_msg("%s", error.message);
	expect_words(&command, expected);
	sl_arena_finish(&arena);
}

/* ---- compiling --------------------------------------------------------- */

static void a_unit_is_compiled_to_nothing(void **state)
{
	static const char *const arguments[] = { "/usr/bin/gcc", "-DA", "-Wall",
						 "-Werror",      "-O2", "-g",
						 "-MMD",         "-MF", "a.d",
						 "-o",           "a.o", "-c",
						 "../src/a.c",   NULL };
	static const char *const expected[] = { "/usr/bin/gcc",
						"-DA",
						"-Wall",
						"-O2",
						"-fsyntax-only",
						"-w",
						"-MD",
						"-MF",
						"/x/a.d",
						"-MT",
						"x",
						"/x/tree/src/a.c",
						NULL };
	struct sg_unit unit = unit_of("src/a.c", arguments);
	struct sl_arena arena = { NULL };
	struct sg_command command;

	(void)state;
	assert_int_equal(sg_compile_command(&unit, &exported, "/x/a.d", &arena,
					    &command, NULL),
			 SL_OK);
	expect_words(&command, expected);
	assert_string_equal(command.directory, "/x/tree/build");
	sl_arena_finish(&arena);
}

static void compilers_keep_their_place_and_lose_their_launchers(void **state)
{
	static const char *const rows[][3] = {
		{ "gcc", "-c", "gcc" },
		{ "ccache", "gcc-12", "gcc-12" },
		{ "/usr/bin/distcc", "clang", "clang" },
		{ "ccache", "-c", "ccache" },
		{ "../tools/cc", "-c", "/r/tools/cc" },
		{ "/r/tools/gcc", "-c", "/r/tools/gcc" },
	};

	(void)state;
	for (size_t at = 0; at < sizeof(rows) / sizeof(rows[0]); at++) {
		const char *const arguments[] = { rows[at][0], rows[at][1],
						  NULL };
		struct sg_unit unit = unit_of("a.c", arguments);
		struct sl_arena arena = { NULL };
		struct sg_command command;

		assert_int_equal(sg_compile_command(&unit, &exported, "/x/d",
						    &arena, &command, NULL),
				 SL_OK);
		assert_string_equal(command.words[0], rows[at][2]);
		sl_arena_finish(&arena);
	}
}

/* ---- which flags ------------------------------------------------------- */

static const char *const flags_alone[] = { "gcc", "{flags}", NULL };

/* What is left of the words of one flag for gcc itself and for others. */
static void every_flag_goes_where_it_belongs(void **state)
{
	enum { NOWHERE, OWN, EVERYWHERE };
	static const struct {
		const char *words[5];
		int where;
	} rows[] = {
		{ { "-o", "x" }, NOWHERE },
		{ { "-ox" }, NOWHERE },
		{ { "-c" }, NOWHERE },
		{ { "-S" }, NOWHERE },
		{ { "-E" }, NOWHERE },
		{ { "-w" }, NOWHERE },
		{ { "-Werror" }, NOWHERE },
		{ { "-Werror=unused" }, NOWHERE },
		{ { "-fdiagnostics-color=always" }, NOWHERE },
		{ { "-fno-diagnostics-show-caret" }, NOWHERE },
		{ { "-MD" }, NOWHERE },
		{ { "-MF", "-DX" }, NOWHERE },
		{ { "-MQx" }, NOWHERE },
		{ { "-Wp,-MMD,x.d" }, NOWHERE },
		{ { "-g" }, NOWHERE },
		{ { "-ggdb3" }, NOWHERE },
		{ { "-gsplit-dwarf" }, NOWHERE },
		{ { "-save-temps=obj" }, NOWHERE },
		{ { "-flto=auto" }, NOWHERE },
		{ { "--coverage" }, NOWHERE },
		{ { "-Lx" }, NOWHERE },
		{ { "-l", "m" }, NOWHERE },
		{ { "-Xlinker", "-DX" }, NOWHERE },
		{ { "-Wl,-z,now" }, NOWHERE },
		{ { "other.o" }, NOWHERE },
		{ { "../src/a.c" }, NOWHERE },
		{ { "-include-pch", "x" }, NOWHERE },
		{ { "-Xclang", "-include-pch", "-Xclang", "x" }, NOWHERE },
		{ { "-Wextra" }, OWN },
		{ { "-Wno-unused" }, OWN },
		{ { "-fanalyzer" }, OWN },
		{ { "-fstack-protector" }, OWN },
		{ { "-Xclang", "-x" }, OWN },
		{ { "--param", "x=1" }, OWN },
		{ { "-mpreferred-stack-boundary=3" }, OWN },
		{ { "-DA" }, EVERYWHERE },
		{ { "-D", "A=b c" }, EVERYWHERE },
		{ { "-UA" }, EVERYWHERE },
		{ { "-Iinc" }, EVERYWHERE },
		{ { "-I", "inc" }, EVERYWHERE },
		{ { "-isystem", "inc" }, EVERYWHERE },
		{ { "-isysteminc" }, EVERYWHERE },
		{ { "-iquote", "inc" }, EVERYWHERE },
		{ { "-idirafter", "inc" }, EVERYWHERE },
		{ { "-include", "x.h" }, EVERYWHERE },
		{ { "-imacros", "x.h" }, EVERYWHERE },
		{ { "-std=gnu11" }, EVERYWHERE },
		{ { "-ansi" }, EVERYWHERE },
		{ { "-O2" }, EVERYWHERE },
		{ { "-m32" }, EVERYWHERE },
		{ { "-march=native" }, EVERYWHERE },
		{ { "-pthread" }, EVERYWHERE },
		{ { "-nostdinc" }, EVERYWHERE },
		{ { "--sysroot", "x" }, EVERYWHERE },
		{ { "--sysroot=x" }, EVERYWHERE },
		{ { "-funsigned-char" }, EVERYWHERE },
		{ { "-fPIC" }, EVERYWHERE },
		{ { "@x.rsp" }, EVERYWHERE },
	};
	static const char *const others[] = { "mytool", "{flags}", NULL };

	(void)state;
	for (size_t at = 0; at < sizeof(rows) / sizeof(rows[0]); at++) {
		const char *arguments[8] = { "gcc" };
		const char *expected[8] = { "gcc" };
		struct sg_unit unit;
		size_t count = 1;

		for (; rows[at].words[count - 1]; count++) {
			arguments[count] = rows[at].words[count - 1];
			if (rows[at].where != NOWHERE)
				expected[count] = arguments[count];
		}
		unit = unit_of("src/a.c", arguments);
		expect_command(&unit, flags_alone, expected);
		expected[0] = "mytool";
		if (rows[at].where == OWN)
			expected[1] = NULL;
		expect_command(&unit, others, expected);
	}
}

static void a_forced_include_of_clang_is_one_for_all(void **state)
{
	static const char *const arguments[] = { "clang",
						 "-Xclang",
						 "-include-pch",
						 "-Xclang",
						 "p.pch",
						 "-Xclang",
						 "-include",
						 "-Xclang",
						 "/r/b/p.h",
						 "-fcolor-diagnostics",
						 NULL };
	static const char *const expected[] = { "gcc", "-include",
						"/x/tree/b/p.h", NULL };
	struct sg_unit unit = unit_of("a.c", arguments);

	(void)state;
	expect_command(&unit, flags_alone, expected);
}

static void a_language_that_is_given_is_passed_on(void **state)
{
	static const char *const rows[][3] = {
		/* compiler, flag, language */
		{ "gcc", "-xc", "c" },
		{ "gcc", "-xc++", "c++" },
		{ "g++", "-DA", "c++" }, /* of a .c */
		{ "clang++", "-DA", "c++" },
	};

	(void)state;
	for (size_t at = 0; at < 4; at++) {
		const char *const arguments[] = { rows[at][0], rows[at][1],
						  NULL };
		const char *expected[] = { "mytool", "-x", rows[at][2],
					   rows[at][1], NULL };
		static const char *const template[] = { "mytool", "{flags}",
							NULL };
		struct sg_unit unit = unit_of("a.c", arguments);

		if (at < 2)
			expected[3] = NULL;
		expect_command(&unit, template, expected);
	}
}

static void families_are_told_by_name(void **state)
{
	static const struct {
		const char *program;
		enum sg_family family;
	} rows[] = {
		{ "gcc", SG_FAMILY_GCC },
		{ "/usr/bin/g++", SG_FAMILY_GCC },
		{ "gcc-12", SG_FAMILY_GCC },
		{ "g++-4.9", SG_FAMILY_GCC },
		{ "arm-none-eabi-gcc", SG_FAMILY_GCC },
		{ "x86_64-linux-gnu-g++-12", SG_FAMILY_GCC },
		{ "clang", SG_FAMILY_CLANG },
		{ "clang++-14", SG_FAMILY_CLANG },
		{ "/usr/lib/llvm-14/bin/clang-tidy", SG_FAMILY_CLANG },
		{ "cppcheck", SG_FAMILY_NONE },
		{ "mygcc", SG_FAMILY_NONE },
		{ "icc", SG_FAMILY_NONE },
		{ "nvcc", SG_FAMILY_NONE },
		{ "gcc-wrapper", SG_FAMILY_NONE },
		{ "", SG_FAMILY_NONE },
	};

	(void)state;
	for (size_t at = 0; at < sizeof(rows) / sizeof(rows[0]); at++)
		if (sg_family_of(rows[at].program) != rows[at].family)
			fail_msg("%s", rows[at].program);
}

static void cppcheck_is_told_what_it_knows(void **state)
{
	static const char *const arguments[] = {
		"gcc",      "-DA=1",      "-U",     "B",
		"-I../inc", "-iquote",    "/r/q",   "-isystem",
		"/usr/x",   "-include",   "/r/c.h", "-O2",
		"-Wall",    "-std=gnu99", "-m32",   NULL
	};
	static const char *const template[] = { "cppcheck", "{defines}",
						"--language={language}", NULL };
	static const char *const expected[] = {
		"cppcheck",  "-DA=1",        "-UB",
		"-I../inc",  "-I/x/tree/q",  "--include=/x/tree/c.h",
		"--std=c99", "--language=c", NULL
	};
	struct sg_unit unit = unit_of("a.c", arguments);

	(void)state;
	expect_command(&unit, template, expected);
}

static void standards_become_those_of_cppcheck(void **state)
{
	static const char *const rows[][3] = {
		/* source, flag, what is said */
		{ "a.c", "-ansi", "--std=c89" },
		{ "a.c", "-std=c90", "--std=c89" },
		{ "a.c", "-std=gnu89", "--std=c89" },
		{ "a.c", "--std=c11", "--std=c11" },
		{ "a.c", "-std=gnu17", "--std=c11" },
		{ "a.c", "-std=c2x", "--std=c11" },
		{ "a.c", "-std=iso9899:1999", "--std=c99" },
		{ "a.cc", "-ansi", "--std=c++03" },
		{ "a.cc", "-std=c++98", "--std=c++03" },
		{ "a.cc", "-std=gnu++0x", "--std=c++11" },
		{ "a.cc", "-std=gnu++14", "--std=c++14" },
		{ "a.cc", "-std=c++1z", "--std=c++17" },
		{ "a.cc", "-std=c++2b", "--std=c++20" },
	};
	static const char *const template[] = { "cppcheck", "{defines}", NULL };

	(void)state;
	for (size_t at = 0; at < sizeof(rows) / sizeof(rows[0]); at++) {
		const char *const arguments[] = { "gcc", rows[at][1], NULL };
		const char *const expected[] = { "cppcheck", rows[at][2],
						 NULL };
		struct sg_unit unit = unit_of(rows[at][0], arguments);

		expect_command(&unit, template, expected);
	}
}

/* ---- paths ------------------------------------------------------------- */

static void paths_of_the_tree_are_mapped_in_every_form(void **state)
{
	static const char *const rows[][2] = {
		{ "-I/r/x", "-I/x/tree/x" },
		{ "-I/r", "-I/x/tree" },
		{ "-I/r/", "-I/x/tree" },
		{ "-I/r/x/../y", "-I/x/tree/y" },
		{ "-isystem/r/x", "-isystem/x/tree/x" },
		{ "-DX=\"/r/y\"", "-DX=\"/x/tree/y\"" },
		{ "-DX=/r", "-DX=/x/tree" },
		{ "-DX=\\\"/r\\\"", "-DX=\\\"/x/tree\\\"" },
		{ "-DX=/r/a:/r/b", "-DX=/x/tree/a:/x/tree/b" },
		{ "--sysroot=/r/s", "--sysroot=/x/tree/s" },
		{ "-fprofile-use=/r/p", "-fprofile-use=/x/tree/p" },
		{ "-ffile-prefix-map=/r=.", "-ffile-prefix-map=/x/tree=." },
		{ "-Wp,-I/r/x,-I/r/y", "-Wp,-I/x/tree/x,-I/x/tree/y" },
		{ "@/r/x.rsp", "@/x/tree/x.rsp" },
		/* others */
		{ "-I/r2", "-I/r2" },
		{ "-I/r-x/y", "-I/r-x/y" },
		{ "-I/usr/r/x", "-I/usr/r/x" },
		{ "-I/r/../r2/x", "-I/r2/x" },
		{ "-DX=\"/my/r\"", "-DX=\"/my/r\"" },
		{ "-DX=a/r", "-DX=a/r" },
		{ "-DX=/r.d/y", "-DX=/r.d/y" },
		/* relative, from /r/build */
		{ "-I.", "-I." },
		{ "-I../x", "-I../x" },
		{ "-I../../r/x", "-I../../r/x" },
		{ "-I../../out", "-I/out" },
		{ "--sysroot=../../sdk", "--sysroot=/sdk" },
		{ "@../../x.rsp", "@/x.rsp" },
		{ "-I=/r/x", "-I=/r/x" },
	};

	(void)state;
	for (size_t at = 0; at < sizeof(rows) / sizeof(rows[0]); at++) {
		const char *const arguments[] = { "gcc", rows[at][0], NULL };
		const char *const expected[] = { "gcc", rows[at][1], NULL };
		struct sg_unit unit = unit_of("a.c", arguments);

		expect_command(&unit, flags_alone, expected);
	}
}

static void paths_into_the_tree_from_outside_are_mapped(void **state)
{
	static const char *const arguments[] = { "gcc",    "-I../r/x",
						 "-I../q", "-isystem",
						 "/r/y",   NULL };
	static const char *const expected[] = { "gcc",       "-I/x/tree/x",
						"-I../q",    "-isystem",
						"/x/tree/y", NULL };
	struct sg_unit unit = unit_of("a.c", arguments);

	(void)state;
	unit.directory = "/build";
	expect_command(&unit, flags_alone, expected);
}

/* ---- templates --------------------------------------------------------- */

static void a_template_is_filled_in(void **state)
{
	static const char *const arguments[] = { "cc", "a.c", NULL };
	static const char *const template[] = { "{root}/tool",
						"--in={file}",
						"{report}",
						"{{x}}",
						"{language}",
						"--dir=/r/x",
						"a{root}b{root}c",
						"{root}/r/x",
						"{c:-a/{language}}",
						"{c++:-b}",
						"",
						NULL };
	static const char *const expected[] = { "/x/tree/tool",
						"--in=/x/tree/src/a.c",
						"/x/report",
						"{x}",
						"c",
						"--dir=/x/tree/x",
						"a/x/treeb/x/treec",
						"/x/tree/r/x",
						"-a/c",
						"",
						NULL };
	struct sg_unit unit = unit_of("src/a.c", arguments);

	(void)state;
	expect_command(&unit, template, expected);
}

static void a_program_of_this_machine_is_not_mapped(void **state)
{
	static const char *const arguments[] = { "cc", "a.c", NULL };
	static const char *const template[] = { "/r/bin/tool", "/r/x", NULL };
	static const char *const expected[] = { "/r/bin/tool", "/x/tree/x",
						NULL };
	struct sg_unit unit = unit_of("/elsewhere/a.c", arguments);

	(void)state;
	expect_command(&unit, template, expected);
}

static void the_units_own_compiler_is_taken_if_it_fits(void **state)
{
	static const char *const rows[][4] = {
		/* source, compiler, {gcc}, {clang} */
		{ "a.c", "gcc", "gcc", "clang" },
		{ "a.cc", "/opt/gcc-13", "/opt/gcc-13", "clang++" },
		{ "a.cc", "clang++-14", "g++", "clang++-14" },
		{ "a.c", "arm-none-eabi-gcc", "arm-none-eabi-gcc", "clang" },
		{ "a.c", "icc", "gcc", "clang" },
	};
	static const char *const template[] = { "x", "{gcc}", "{clang}", NULL };

	(void)state;
	for (size_t at = 0; at < sizeof(rows) / sizeof(rows[0]); at++) {
		const char *const arguments[] = { rows[at][1], NULL };
		const char *const expected[] = { "x", rows[at][2], rows[at][3],
						 NULL };
		struct sg_unit unit = unit_of(rows[at][0], arguments);

		expect_command(&unit, template, expected);
	}
}

static void a_template_that_cannot_be_filled_in_is_refused(void **state)
{
	static const struct {
		const char *word, *message;
	} rows[] = {
		{ "{fle}", "{fle} stands for nothing; there are {file}, "
			   "{flags}, {language}, {defines}, {report}, {root}, "
			   "{build}, {files}, {gcc}, {clang}, {tidy}, "
			   "{c:...} and {c++:...}" },
		{ "x{flags}", "{flags} has to be a word of its own" },
		{ "--f={files}", "{files} has to be a word of its own" },
		{ "a{file", "a brace is not closed in \"{file\"; {{ and }} "
			    "stand for braces" },
		{ "a}", "a brace is not closed in \"}\"; {{ and }} stand for "
			"braces" },
		{ "{build}", "there is nothing for {build} to stand for" },
	};
	static const char *const arguments[] = { "cc", "a.c", NULL };

	(void)state;
	for (size_t at = 0; at < sizeof(rows) / sizeof(rows[0]); at++) {
		const char *const template[] = { "x", rows[at].word, NULL };
		const struct sg_analyzer analyzer = { .command = template };
		struct sg_unit unit = unit_of("a.c", arguments);
		const struct sg_unit *units = &unit;
		struct sl_arena arena = { NULL };
		struct sg_command command;
		struct sl_error error;

		assert_int_equal(sg_analyzer_command(&analyzer, &units, 1,
						     &exported, "/x/report",
						     &arena, &command, &error),
				 SL_EINVAL);
		assert_string_equal(error.message, rows[at].message);
		sl_arena_finish(&arena);
	}
}

static void one_run_for_all_has_all_sources_once(void **state)
{
	static const char *const arguments[] = { "cc", "-DA", NULL };
	static const char *const more[] = { "cc", "-DB", NULL };
	static const char *const template[] = { "tool", "{files}", NULL };
	static const char *const expected[] = { "tool", "/x/tree/a.c",
						"/x/tree/b.c", NULL };
	static const char *const wrong[] = { "tool", "{flags}", NULL };
	struct sg_unit a = unit_of("a.c", arguments);
	struct sg_unit again = unit_of("a.c", more);
	struct sg_unit b = unit_of("b.c", arguments);
	const struct sg_unit *const units[] = { &a, &again, &b };
	struct sg_analyzer analyzer = { .command = template, .once = true };
	struct sl_arena arena = { NULL };
	struct sg_command command;

	(void)state;
	assert_int_equal(sg_analyzer_command(&analyzer, units, 3, &exported,
					     NULL, &arena, &command, NULL),
			 SL_OK);
	expect_words(&command, expected);
	assert_string_equal(command.directory, "/x/tree");
	analyzer.command = wrong;
	assert_int_equal(sg_analyzer_command(&analyzer, units, 3, &exported,
					     NULL, &arena, &command, NULL),
			 SL_EINVAL);
	sl_arena_finish(&arena);
}

static void every_builtin_makes_a_command(void **state)
{
	static const char *const arguments[] = { "cc", "a.c", NULL };
	struct sg_unit unit = unit_of("a.c", arguments);
	const struct sg_unit *units = &unit;
	struct sl_arena arena = { NULL };
	size_t count = 0;

	(void)state;
	for (const char *const *name = sg_analyzer_builtins(); *name; name++) {
		const struct sg_analyzer *analyzer =
			sg_analyzer_builtin(*name, SG_INLINE_ALLOW, &arena);
		struct sg_command command;

		assert_non_null(analyzer);
		assert_string_equal(analyzer->name, *name);
		assert_int_equal(sg_analyzer_command(analyzer, &units, 1,
						     &exported, "/x/report",
						     &arena, &command, NULL),
				 SL_OK);
		count++;
	}
	assert_int_equal(count, 4);
	assert_null(sg_analyzer_builtin("lint", SG_INLINE_ALLOW, &arena));
	sl_arena_finish(&arena);
}

static void an_exported_tree_has_a_database_of_its_own(void **state)
{
	static const char *const arguments[] = { "ccache", "cc",     "-I/r/inc",
						 "-g",     "-o",     "a.o",
						 "-c",     "../a.c", NULL };
	static const char expected[] = "[\n"
				       "  {\n"
				       "    \"directory\": \"/x/tree/build\",\n"
				       "    \"file\": \"/x/tree/a.c\",\n"
				       "    \"arguments\": [\n"
				       "      \"cc\",\n"
				       "      \"-I/x/tree/inc\",\n"
				       "      \"-c\",\n"
				       "      \"/x/tree/a.c\"\n"
				       "    ]\n"
				       "  }\n"
				       "]\n";
	struct sg_unit unit = unit_of("a.c", arguments);
	const struct sg_unit *units = &unit;
	struct sl_buffer text = { .data = NULL };

	(void)state;
	assert_int_equal(
		sg_exported_database(&units, 1, &exported, &text, NULL), SL_OK);
	assert_int_equal(text.used, sizeof(expected) - 1);
	assert_memory_equal(text.data, expected, text.used);
	free(text.data);
}

/* ---- what they depend on ----------------------------------------------- */

static void expect_names(const struct sg_unit *unit,
			 const struct sg_analyzer *analyzer,
			 const char *const *expected)
{
	struct sl_arena arena = { NULL };
	const char *const *names;
	size_t count;

	assert_int_equal(
		sg_unit_forced(unit, analyzer, &arena, &names, &count, NULL),
		SL_OK);
	for (size_t at = 0; at < count; at++) {
		assert_non_null(expected[at]);
		assert_string_equal(names[at], expected[at]);
	}
	assert_null(expected[count]);
	sl_arena_finish(&arena);
}

static void forced_includes_are_named(void **state)
{
	static const char *const arguments[] = {
		"gcc",         "-include", "../inc/a.h", "-imacrosb.h",
		"-include",    "/r/c/d.h", "@x.rsp",     "-Xclang",
		"-include",    "-Xclang",  "e.h",        "-include",
		"f/../../g.h", "-DX=y.h",  NULL
	};
	static const char *const expected[] = { "inc/a.h", "b.h", "d.h",
						"x.rsp",   "*",   "e.h",
						"g.h",     NULL };
	struct sg_unit unit = unit_of("a.c", arguments);

	(void)state;
	expect_names(&unit, NULL, expected);
}

static void forced_includes_are_named_in_every_form(void **state)
{
	static const char *const arguments[] = {
		"gcc",
		"--include",
		"a.h",
		"--include=b.h",
		"--imacros",
		"c.h",
		"--imacros=d.h",
		"-Wp,-include,e.h,-imacros,f/g.h",
		"-Xpreprocessor",
		"-include",
		"-Xpreprocessor",
		"h.h",
		NULL
	};
	static const char *const expected[] = { "a.h", "b.h",   "c.h", "d.h",
						"e.h", "f/g.h", "h.h", NULL };
	struct sg_unit unit = unit_of("a.c", arguments);

	(void)state;
	expect_names(&unit, NULL, expected);
}

static void flags_that_are_not_read_may_name_any_file(void **state)
{
	static const char *const flags[] = {
		"@x.rsp",
		"-specs=x",
		"-Wp,@x",
		"--config=x",
	};
	struct sg_unit unit;

	(void)state;
	for (size_t at = 0; at < sizeof(flags) / sizeof(flags[0]); at++) {
		const char *const arguments[] = { "gcc", "-Wp,-DX", flags[at],
						  NULL };
		struct sl_arena arena = { NULL };
		const char *const *names;
		size_t count;

		unit = unit_of("a.c", arguments);
		assert_int_equal(sg_unit_forced(&unit, NULL, &arena, &names,
						&count, NULL),
				 SL_OK);
		assert_true(count);
		assert_string_equal(names[count - 1], "*");
		sl_arena_finish(&arena);
	}
}

static void files_that_an_analyzer_names_are_named(void **state)
{
	static const char *const arguments[] = { "gcc", NULL };
	static const char *const command[] = { "{root}/tools/lint.py",
					       "--rules=conf/lint.cfg",
					       "-x",
					       "lib.supp",
					       "{file}",
					       "--c={root}/a/b",
					       NULL };
	static const char *const expected[] = { "tools/lint.py",
						"conf/lint.cfg", "lib.supp",
						"a/b", NULL };
	static const char *const tidy[] = { "clang-tidy-14", "{file}", NULL };
	static const char *const of_tidy[] = { ".clang-tidy", NULL };
	struct sg_analyzer analyzer = { .command = command };
	struct sg_unit unit = unit_of("a.c", arguments);

	(void)state;
	expect_names(&unit, &analyzer, expected);
	analyzer.command = tidy;
	expect_names(&unit, &analyzer, of_tidy);
}

static struct sg_hash hash_of(const char *root, const char *folder,
			      const char *flag)
{
	const char *const arguments[] = { "gcc", flag, "-c", "a.c", NULL };
	struct sg_unit unit = unit_of("a.c", arguments);

	unit.directory = folder;
	return sg_unit_hash(&unit, root);
}

static void clones_of_a_repository_have_equal_units(void **state)
{
	struct sg_hash hash = hash_of("/r", "/r/b", "-I/r/x");

	(void)state;
	assert_true(sg_hash_equal(hash, hash_of("/q/c", "/q/c/b", "-I/q/c/x")));
	assert_false(sg_hash_equal(hash, hash_of("/q", "/r/b", "-I/r/x")));
	assert_false(sg_hash_equal(hash, hash_of("/r", "/r/b", "-I/r/y")));
	assert_false(sg_hash_equal(hash, hash_of("/r", "/r/c", "-I/r/x")));
	assert_false(sg_hash_equal(hash, hash_of("/r", "/r/b", "-I/x")));
	assert_true(sg_hash_equal(hash_of("/r", "/r", "-g"),
				  hash_of("/r", "/r", "-g3")));
}

static void definitions_differ_by_what_is_run_and_read(void **state)
{
	static const char *const one[] = { "tool", "a b", NULL };
	static const char *const two[] = { "tool", "a", "b", NULL };
	static const int statuses[] = { 0, 1, -1 };
	struct sg_analyzer analyzer = { .name = "t",
					.command = one,
					.format = &sg_format_gcc };
	struct sg_hash hash = sg_analyzer_hash(&analyzer);

	(void)state;
	analyzer.timeout_ns = 7;
	analyzer.languages = 1;
	assert_true(sg_hash_equal(hash, sg_analyzer_hash(&analyzer)));
	analyzer.statuses = statuses;
	assert_false(sg_hash_equal(hash, sg_analyzer_hash(&analyzer)));
	analyzer.statuses = NULL;
	analyzer.command = two;
	assert_false(sg_hash_equal(hash, sg_analyzer_hash(&analyzer)));
	analyzer.command = one;
	analyzer.format = &sg_format_clang;
	assert_false(sg_hash_equal(hash, sg_analyzer_hash(&analyzer)));
}

/* ---- clang-tidy's configuration ---------------------------------------- */

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

/* The words of {tidy} for sub/a.c, with the texts of ./.clang-tidy and
 * sub/.clang-tidy (NULL: there is none). */
static void expect_tidy(const char *above, const char *beside, const char *file,
			bool filter)
{
	static const char *const arguments[] = { "cc", "a.c", NULL };
	static const char *const template[] = { "clang-tidy", "{tidy}", NULL };
	char folder[] = "/tmp/sg_analyzer.XXXXXX";
	char words[2][96], path[96], command[96];
	const char *expected[] = { "clang-tidy", words[0], words[1], NULL };
	struct sg_exported here = { "/r", folder, NULL };
	struct sg_analyzer analyzer = { .command = template };
	struct sg_unit unit = unit_of("sub/a.c", arguments);
	const struct sg_unit *units = &unit;
	struct sl_arena arena = { NULL };
	struct sg_command made;

	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/sub", folder);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/.clang-tidy", folder);
	if (above)
		write_file(path, above);
	snprintf(path, sizeof(path), "%s/sub/.clang-tidy", folder);
	if (beside)
		write_file(path, beside);
	snprintf(words[0], sizeof(words[0]), "--config={}");
	if (file)
		snprintf(words[0], sizeof(words[0]), "--config-file=%s/%s",
			 folder, file);
	snprintf(words[1], sizeof(words[1]), "--header-filter=.*");
	if (!filter)
		expected[2] = NULL;
	assert_int_equal(sg_analyzer_command(&analyzer, &units, 1, &here, NULL,
					     &arena, &made, NULL),
			 SL_OK);
	expect_words(&made, expected);
	sl_arena_finish(&arena);
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	assert_int_equal(system(command), 0);
}

static void a_projects_own_clang_tidy_holds(void **state)
{
	static const char plain[] = "Checks: '*'\n";
	static const char filters[] = "---\nHeaderFilterRegex: 'src/.*'\n...\n";
	static const char empty[] = "HeaderFilterRegex: ''\n";
	static const char json[] = "{ \"HeaderFilterRegex\": \"x\" }\n";
	static const char inherits[] = "InheritParentConfig: true\n";

	(void)state;
	expect_tidy(NULL, NULL, NULL, true);
	expect_tidy(plain, NULL, ".clang-tidy", true);
	expect_tidy(plain, empty, "sub/.clang-tidy", true);
	expect_tidy(filters, NULL, ".clang-tidy", false);
	expect_tidy(json, NULL, ".clang-tidy", false);
	expect_tidy(filters, plain, "sub/.clang-tidy", true);
	expect_tidy(filters, inherits, "sub/.clang-tidy", false);
	expect_tidy(plain, inherits, "sub/.clang-tidy", true);
	expect_tidy(NULL, inherits, "sub/.clang-tidy", true);
}

/* ---- make rules -------------------------------------------------------- */

struct taken {
	char text[512]; /* a '|' behind each */
	enum sl_code answer;
};

static enum sl_code take(void *context, const char *path,
			 struct sl_error *error)
{
	struct taken *taken = context;
	size_t used = strlen(taken->text);

	(void)error;
	snprintf(taken->text + used, sizeof(taken->text) - used, "%s|", path);
	return taken->answer;
}

static void the_prerequisites_of_a_rule_are_read(void **state)
{
	static const char *const rows[][2] = {
		{ "x: a.c b.h\n", "a.c|b.h|" },
		{ "x: a.c \\\n  /usr/include/b.h \\\n c.h\n",
		  "a.c|/usr/include/b.h|c.h|" },
		{ "x: a.c \\\r\n b.h\r\n", "a.c|b.h|" },
		{ "x:\n", "" },
		{ "x : a.c\n", "a.c|" },
		{ "x: a.c\\\n b.h\n", "a.c|b.h|" },
		{ "x: a\\ b.c c$$d \\#e\n", "a b.c|c$d|#e|" },
		{ "x: a\\\\\\ b.c a\\\\ b\n", "a\\ b.c|a\\|b|" },
		{ "x: a\\b.c C:\\x\n", "a\\b.c|C:\\x|" },
		{ "x: a\\:b\n", "a:b|" },
		{ "x: a.c b.h\n\nb.h:\n", "a.c|b.h|" },
		{ "x y: a.c\n", "a.c|" },
		{ "x: \xc3\xa4.c\n", "\xc3\xa4.c|" },
	};

	(void)state;
	for (size_t at = 0; at < sizeof(rows) / sizeof(rows[0]); at++) {
		struct taken taken = { "", SL_OK };
		struct sl_error error;

		if (sg_make_rule_read(rows[at][0], strlen(rows[at][0]), take,
				      &taken, &error) != SL_OK)
			fail_msg("%s: %s", rows[at][0], error.message);
		assert_string_equal(taken.text, rows[at][1]);
	}
}

static void what_is_no_rule_or_breaks_off_is_refused(void **state)
{
	static const char *const rows[] = {
		"",          "\n",          "x",       "x\n",       "x: a.c",
		"x: a.c \\", "x: a.c \\\n", "a b c\n", "x: a.c\ny",
	};
	struct taken taken = { "", SL_OK };

	(void)state;
	for (size_t at = 0; at < sizeof(rows) / sizeof(rows[0]); at++)
		if (sg_make_rule_read(rows[at], strlen(rows[at]), take, &taken,
				      NULL) != SL_EINVAL)
			fail_msg("\"%s\"", rows[at]);
	assert_int_equal(sg_make_rule_read("x: a\0b\n", 7, take, &taken, NULL),
			 SL_EINVAL);
}

static void what_the_taker_says_ends_the_reading(void **state)
{
	struct taken taken = { "", SL_END };

	(void)state;
	assert_int_equal(sg_make_rule_read("x: a b\n", 7, take, &taken, NULL),
			 SL_END);
	assert_string_equal(taken.text, "a|");
}

/* ---- programs ---------------------------------------------------------- */

static void programs_are_found_along_the_path(void **state)
{
	struct sl_arena arena = { NULL };
	const char *path = sg_program_find("sh", &arena);

	(void)state;
	assert_non_null(path);
	assert_int_equal(path[0], '/');
	assert_null(sg_program_find("no-such-program", &arena));
	assert_null(sg_program_find("", &arena));
	assert_null(sg_program_find("/", &arena));
	assert_null(sg_program_find("/etc/passwd", &arena));
	assert_non_null(sg_program_find("/bin/sh", &arena));
	sl_arena_finish(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_unit_is_compiled_to_nothing),
		cmocka_unit_test(
			compilers_keep_their_place_and_lose_their_launchers),
		cmocka_unit_test(every_flag_goes_where_it_belongs),
		cmocka_unit_test(a_forced_include_of_clang_is_one_for_all),
		cmocka_unit_test(a_language_that_is_given_is_passed_on),
		cmocka_unit_test(families_are_told_by_name),
		cmocka_unit_test(cppcheck_is_told_what_it_knows),
		cmocka_unit_test(standards_become_those_of_cppcheck),
		cmocka_unit_test(paths_of_the_tree_are_mapped_in_every_form),
		cmocka_unit_test(paths_into_the_tree_from_outside_are_mapped),
		cmocka_unit_test(a_template_is_filled_in),
		cmocka_unit_test(a_program_of_this_machine_is_not_mapped),
		cmocka_unit_test(the_units_own_compiler_is_taken_if_it_fits),
		cmocka_unit_test(
			a_template_that_cannot_be_filled_in_is_refused),
		cmocka_unit_test(one_run_for_all_has_all_sources_once),
		cmocka_unit_test(every_builtin_makes_a_command),
		cmocka_unit_test(an_exported_tree_has_a_database_of_its_own),
		cmocka_unit_test(forced_includes_are_named),
		cmocka_unit_test(forced_includes_are_named_in_every_form),
		cmocka_unit_test(flags_that_are_not_read_may_name_any_file),
		cmocka_unit_test(files_that_an_analyzer_names_are_named),
		cmocka_unit_test(clones_of_a_repository_have_equal_units),
		cmocka_unit_test(definitions_differ_by_what_is_run_and_read),
		cmocka_unit_test(a_projects_own_clang_tidy_holds),
		cmocka_unit_test(the_prerequisites_of_a_rule_are_read),
		cmocka_unit_test(what_is_no_rule_or_breaks_off_is_refused),
		cmocka_unit_test(what_the_taker_says_ends_the_reading),
		cmocka_unit_test(programs_are_found_along_the_path),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
