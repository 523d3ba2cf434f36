/* SPDX-License-Identifier: MIT */
/* .scgate.conf: what it means, and what is wrong with it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gate/config.h"
#include "gate/config_options.h"

#define ONE "analyzers = ( { name = \"cppcheck\"; } );\n"

static void parse(struct sg_config *config, const char *text)
{
	struct sl_problems problems = { .count = 0 };
	struct sl_error error = { .code = SL_OK };
	enum sl_code code = sg_config_parse(config, text, strlen(text),
					    ".scgate.conf", &problems, &error);

	if (problems.count)
		fail_msg("line %d: %s", problems.rows[0].line,
			 problems.rows[0].text);
	assert_int_equal(code, SL_OK);
	sl_problems_finish(&problems);
}

/* Problems as lines, each "LINE: TEXT". */
static void assert_problems(const char *text, const char *const *expected)
{
	struct sg_config config;
	struct sl_problems problems = { .count = 0 };
	struct sl_error error = { .code = SL_OK };
	size_t count = 0;

	assert_int_equal(sg_config_parse(&config, text, strlen(text), "x.conf",
					 &problems, &error),
			 SL_EINVAL);
	while (expected[count])
		count++;
	for (size_t at = 0; at < count && at < problems.count; at++) {
		char *line = sl_problems_text(&problems, at);

		assert_non_null(line);
		assert_string_equal(line, expected[at]);
		free(line);
	}
	assert_int_equal(problems.count, count);
	sl_problems_finish(&problems);
}

#define PROBLEMS(text, ...) \
	assert_problems(text, (const char *const[]){ __VA_ARGS__, NULL })

static void assert_words(const char *const *words, const char *const *expected)
{
	for (; *expected; expected++, words++) {
		assert_non_null(*words);
		assert_string_equal(*words, *expected);
	}
	assert_null(*words);
}

#define WORDS(words, ...) \
	assert_words(words, (const char *const[]){ __VA_ARGS__, NULL })

/* @return where @p word stands in @p words; -1: nowhere. */
static int find(const char *const *words, const char *word)
{
	for (int at = 0; words[at]; at++)
		if (strcmp(words[at], word) == 0)
			return at;
	return -1;
}

/* ---- what it means ------------------------------------------------------ */

static void what_is_not_said_has_a_default(void **state)
{
	struct sg_config config;

	(void)state;
	parse(&config, "build = \"build\";\n" ONE);
	assert_int_equal(config.policy, SG_POLICY_NO_RAISE);
	assert_int_equal(config.lowest, SG_INFO);
	assert_string_equal(config.build, "build");
	assert_null(config.sources);
	assert_string_equal(config.compiler, "cc");
	assert_null(*config.flags);
	assert_null(*config.exclude);
	assert_string_equal(config.suppressions, ".scgate-suppressions");
	assert_false(config.new_suppressions);
	assert_int_equal(config.inline_suppressions, SG_INLINE_ALLOW);
	assert_null(config.baseline);
	assert_int_equal(config.hook_budget_ns, INT64_C(60000000000));
	assert_int_equal(config.jobs, 0);
	assert_int_equal(config.path_count, 0);
	assert_non_null(config.analyzers[0]);
	assert_null(config.analyzers[1]);
	assert_string_equal(config.analyzers[0]->name, "cppcheck");
	assert_int_equal(config.analyzers[0]->timeout_ns,
			 INT64_C(300000000000));
	assert_null(config.analyzers[0]->files);
	sg_config_finish(&config);
}

static void what_is_said_holds(void **state)
{
	struct sg_config config;

	(void)state;
	parse(&config, "policy = \"must-reduce\";\n"
		       "lowest = \"warning\";\n"
		       "sources = [ \"src/**/*.c\", \"a.c\" ];\n"
		       "compiler = \"gcc\"; flags = [ \"-Iinclude\" ];\n"
		       "exclude = [ \"third_party/\" ];\n"
		       "suppressions = \"ci/accepted\";\n"
		       "new_suppressions = true;\n"
		       "inline_suppressions = \"forbid\";\n"
		       "baseline = \".scgate-baseline\";\n"
		       "hook_budget = \"0\"; timeout = \"90 s\"; jobs = 3;\n"
		       "analyzers = ( { name = \"gcc\"; }, { name = \"clang\"; "
		       "timeout = \"1 s\"; files = [ \"src/\" ]; } );\n");
	assert_int_equal(config.policy, SG_POLICY_MUST_REDUCE);
	assert_int_equal(config.lowest, SG_WARNING);
	assert_null(config.build);
	WORDS(config.sources, "src/**/*.c", "a.c");
	assert_string_equal(config.compiler, "gcc");
	WORDS(config.flags, "-Iinclude");
	WORDS(config.exclude, "third_party/");
	assert_string_equal(config.suppressions, "ci/accepted");
	assert_true(config.new_suppressions);
	assert_int_equal(config.inline_suppressions, SG_INLINE_FORBID);
	assert_string_equal(config.baseline, ".scgate-baseline");
	assert_int_equal(config.hook_budget_ns, 0);
	assert_int_equal(config.jobs, 3);
	assert_int_equal(config.analyzers[0]->timeout_ns, INT64_C(90000000000));
	assert_int_equal(config.analyzers[1]->timeout_ns, INT64_C(1000000000));
	WORDS(config.analyzers[1]->files, "src/");
	assert_true(sg_config_excludes(&config, "third_party/x/y.c"));
	assert_false(sg_config_excludes(&config, "src/a.c"));
	sg_config_finish(&config);
}

static void an_analyzer_can_be_any_command(void **state)
{
	static const int statuses[] = { 0, 1, -1 };
	struct sg_config config;
	const struct sg_analyzer *one;

	(void)state;
	parse(&config,
	      "build = \"b/\";\n"
	      "analyzers = ( { name = \"mine\"; command = [ \"mytool\", "
	      "\"{flags}\", \"--out={report}\", \"{{}}\", \"{file}\" ];\n"
	      "format = \"sarif\"; output = \"report\"; languages = [ \"c++\" "
	      "];\nfiles = [ \"src/\" ]; statuses = [ 0, 1 ]; timeout = \"2 "
	      "min\";\nversion = [ \"mytool\", \"-V\" ]; },\n"
	      "{ name = \"all\"; command = [ \"x\", \"{files}\" ]; format = "
	      "\"gcc\"; once = true; } );\n");
	assert_string_equal(config.build, "b");
	one = config.analyzers[0];
	assert_string_equal(one->name, "mine");
	WORDS(one->command, "mytool", "{flags}", "--out={report}", "{{}}",
	      "{file}");
	WORDS(one->version, "mytool", "-V");
	assert_ptr_equal(one->format, sg_format_named("sarif"));
	assert_int_equal(one->output, SG_ANALYZER_REPORT);
	assert_int_equal(one->languages, 1u << SG_LANGUAGE_CXX);
	assert_memory_equal(one->statuses, statuses, sizeof(statuses));
	assert_int_equal(one->timeout_ns, INT64_C(120000000000));
	assert_false(one->once);
	one = config.analyzers[1];
	assert_int_equal(one->output, SG_ANALYZER_STDOUT);
	assert_int_equal(one->languages,
			 1u << SG_LANGUAGE_C | 1u << SG_LANGUAGE_CXX);
	assert_null(one->statuses);
	assert_null(one->version);
	assert_true(one->once);
	sg_config_finish(&config);
}

static void added_words_stand_in_front_of_the_source(void **state)
{
	struct sg_config config;
	const char *const *words;

	(void)state;
	parse(&config,
	      "build = \".\";\n"
	      "analyzers = ( { name = \"gcc\"; add = [ \"-Wconversion\", "
	      "\"-I{root}\" ]; } );\n");
	words = config.analyzers[0]->command;
	assert_true(find(words, "-Wconversion") > 0);
	assert_int_equal(find(words, "-I{root}"),
			 find(words, "-Wconversion") + 1);
	assert_int_equal(find(words, "{file}"), find(words, "-I{root}") + 1);
	assert_true(find(words, "-Wall") < find(words, "-Wconversion"));
	sg_config_finish(&config);
}

static void of_paths_the_last_that_fits_holds(void **state)
{
	struct sg_config config;

	(void)state;
	parse(&config,
	      "build = \".\"; lowest = \"style\";\n" ONE
	      "paths = ( { path = \"src/\"; policy = \"zero\"; lowest = "
	      "\"error\"; },\n"
	      "{ path = \"src/old/\"; policy = \"must-reduce\"; },\n"
	      "{ path = \"*.h\"; lowest = \"info\"; } );\n");
	assert_int_equal(sg_config_policy(&config, "main.c"),
			 SG_POLICY_NO_RAISE);
	assert_int_equal(sg_config_policy(&config, "src/a.c"), SG_POLICY_ZERO);
	assert_int_equal(sg_config_policy(&config, "src/old/a.c"),
			 SG_POLICY_MUST_REDUCE);
	assert_int_equal(sg_config_policy(&config, "src/a.h"), SG_POLICY_ZERO);
	assert_int_equal(sg_config_policy(&config, NULL), SG_POLICY_NO_RAISE);
	assert_int_equal(sg_config_lowest(&config, "main.c"), SG_STYLE);
	assert_int_equal(sg_config_lowest(&config, "src/old/a.c"), SG_ERROR);
	assert_int_equal(sg_config_lowest(&config, "src/a.h"), SG_INFO);
	assert_int_equal(sg_config_lowest(&config, NULL), SG_STYLE);
	sg_config_finish(&config);
}

/* ---- what is wrong ------------------------------------------------------ */

static void all_problems_come_at_once(void **state)
{
	(void)state;
	PROBLEMS("polcy = \"zero\";\n"
		 "lowest = \"warnin\";\n"
		 "build = 7;\n"
		 "jobs = 9999;\n"
		 "hook_budget = 60;\n"
		 "exclude = [ \"/usr/\", \"\" ];\n"
		 "analyzers = ( { name = \"cpcheck\"; },\n"
		 "  { name = \"gcc\"; ad = [ \"-W\" ]; } );\n",
		 "x.conf:1: unknown option \"polcy\" (did you mean "
		 "\"policy\"?)",
		 "x.conf:2: option \"lowest\": \"warnin\" is none of \"info\", "
		 "\"style\", \"low\", \"warning\", \"error\" (did you mean "
		 "\"warning\"?)",
		 "x.conf:3: option \"build\": an integer given, a string "
		 "wanted",
		 "x.conf:4: option \"jobs\": 9999 is out of range 0 to 1024",
		 "x.conf:5: option \"hook_budget\": 60 is no duration (like "
		 "10ms, 5 s, 2 min)",
		 "x.conf:6: option \"exclude\": \"/usr/\": the pattern is "
		 "absolute: write it from the root of the tree, like \"src/\" "
		 "or \"./main.c\"",
		 "x.conf:6: option \"exclude\": \"\": the pattern is empty",
		 "x.conf:7: analyzer \"cpcheck\": it is not built in (did you "
		 "mean \"cppcheck\"?), so it needs a \"command\"; built in are "
		 "cppcheck, gcc, clang, clang-tidy",
		 "x.conf:8: analyzer \"gcc\": unknown option \"ad\" (did you "
		 "mean \"add\"?)");
}

static void where_units_come_from_must_be_clear(void **state)
{
	(void)state;
	PROBLEMS(ONE, "x.conf: it says neither \"build\" (the folder of a "
		      "compile_commands.json) nor \"sources\"");
	PROBLEMS("build = \"b\";\nsources = [ \"*.c\" ];\n" ONE,
		 "x.conf:2: option \"sources\": \"build\" is given too, and "
		 "only one of them can say what is compiled");
	PROBLEMS("build = \"b\";\ncompiler = \"gcc\";\nflags = [ \"-O\" "
		 "];\n" ONE,
		 "x.conf:2: option \"compiler\": it is for \"sources\"; of "
		 "\"build\" the compile_commands.json says it",
		 "x.conf:3: option \"flags\": it is for \"sources\"; of "
		 "\"build\" the compile_commands.json says it");
	PROBLEMS("sources = [ ];\n" ONE,
		 "x.conf:1: option \"sources\": there is no pattern in it");
	PROBLEMS("build = \"\";\n" ONE,
		 "x.conf:1: option \"build\": it is empty; the root is \".\"");
}

static void a_gate_without_analyzers_is_none(void **state)
{
	(void)state;
	PROBLEMS("build = \"b\";\n",
		 "x.conf: it names no analyzer: analyzers = ( { name = "
		 "\"cppcheck\"; } );");
	PROBLEMS("build = \"b\";\nanalyzers = ( );\n",
		 "x.conf:2: it names no analyzer: analyzers = ( { name = "
		 "\"cppcheck\"; } );");
	PROBLEMS("build = \"b\";\nanalyzers = [ \"gcc\" ];\n",
		 "x.conf:2: in \"analyzers\" stand groups: write { name = "
		 "\"cppcheck\"; }");
	PROBLEMS("build = \"b\";\nanalyzers = { name = \"gcc\"; };\n",
		 "x.conf:2: \"analyzers\" is a list: write ( { name = "
		 "\"cppcheck\"; } )");
}

static void analyzers_that_cannot_be_are_refused(void **state)
{
	(void)state;
	PROBLEMS("build = \"b\";\nanalyzers = (\n"
		 "{ name = \"gcc\"; },\n"
		 "{ name = \"gcc\"; },\n"
		 "{ format = \"gcc\"; },\n"
		 "{ name = \"a b\"; },\n"
		 "{ name = \"clang\"; format = \"gcc\"; once = true; } );\n",
		 "x.conf:4: analyzer \"gcc\": another one has that name",
		 "x.conf:5: analyzer 3: option \"name\" is missing",
		 "x.conf:6: analyzer \"a b\": option \"name\": letters, digits "
		 "and any of -+._ make a name",
		 "x.conf:7: analyzer \"clang\": option \"format\": it is for "
		 "those with a \"command\"; clang is built in",
		 "x.conf:7: analyzer \"clang\": option \"once\": it is for "
		 "those with a \"command\"; clang is built in");
}

static void an_unknown_format_gets_the_list(void **state)
{
	struct sg_config config;
	struct sl_problems problems = { .count = 0 };
	static const char text[] =
		"build = \"b\";\nanalyzers = (\n{ name = \"x\"; command = [ "
		"\"x\", \"{file}\" ];\nformat = \"sarf\"; } );\n";

	(void)state;
	assert_int_equal(sg_config_parse(&config, text, sizeof(text) - 1, "x",
					 &problems, NULL),
			 SL_EINVAL);
	assert_int_equal(problems.count, 1);
	assert_int_equal(problems.rows[0].line, 4);
	for (size_t at = 0; sg_formats[at]; at++)
		assert_non_null(
			strstr(problems.rows[0].text, sg_formats[at]->name));
	assert_non_null(
		strstr(problems.rows[0].text, "(did you mean \"sarif\"?)"));
	sl_problems_finish(&problems);
}

#define MINE "build = \"b\";\nanalyzers = ( { name = \"x\"; format = \"gcc\";\n"

static void commands_that_cannot_work_are_refused(void **state)
{
	(void)state;
	PROBLEMS(MINE "command = [ ]; } );\n",
		 "x.conf:3: analyzer \"x\": option \"command\": there is no "
		 "program in it");
	PROBLEMS(MINE "command = [ \"x\" ]; } );\n",
		 "x.conf:3: analyzer \"x\": option \"command\": it runs once a "
		 "unit, and {file} is nowhere in it (or once = true)");
	PROBLEMS(MINE "command = [ \"x\", \"{fil}\",\n\"{file}\" ]; } );\n",
		 "x.conf:3: analyzer \"x\": option \"command\": \"{fil}\": "
		 "there is no {fil} (did you mean {file}?)");
	PROBLEMS(MINE "command = [ \"x\", \"{file}\",\n\"-D{flags}\",\n"
		      "\"{files}\",\n\"a{\" ]; } );\n",
		 "x.conf:4: analyzer \"x\": option \"command\": \"-D{flags}\": "
		 "{flags} must be a word of its own",
		 "x.conf:5: analyzer \"x\": option \"command\": \"{files}\": "
		 "a run of one unit has no {files}",
		 "x.conf:6: analyzer \"x\": option \"command\": \"a{\": a "
		 "brace is written twice: {{ and }}");
	PROBLEMS(MINE "command = [ \"x\", \"{file}\" ]; once = true; } );\n",
		 "x.conf:3: analyzer \"x\": option \"command\": \"{file}\": a "
		 "run for all units has no {file}");
	PROBLEMS(MINE "command = [ \"x\", \"{file}\" ];\noutput = "
		      "\"report\"; } );\n",
		 "x.conf:3: analyzer \"x\": option \"command\": output = "
		 "\"report\", and {report} is nowhere in it");
	PROBLEMS(MINE "command = [ \"x\", \"{file}\", \"{report}\" ]; } );\n",
		 "x.conf:3: analyzer \"x\": option \"command\": for {report} "
		 "write output = \"report\"");
	PROBLEMS(MINE "command = [ \"x\", \"{file}\" ];\nadd = [ \"y\" ]; } "
		      ");\n",
		 "x.conf:4: analyzer \"x\": option \"add\": it is for built-in "
		 "ones; write the words into \"command\"");
}

static void paths_that_say_nothing_are_refused(void **state)
{
	(void)state;
	PROBLEMS("build = \"b\";\n" ONE "paths = (\n{ path = \"src/\"; },\n"
		 "{ policy = \"zero\"; },\n"
		 "{ path = \"/src\"; policy = \"zer\"; } );\n",
		 "x.conf:4: path \"src/\": it says neither \"policy\" nor "
		 "\"lowest\"",
		 "x.conf:5: path 2: option \"path\" is missing",
		 "x.conf:6: path \"/src\": option \"policy\": \"zer\" is none "
		 "of \"zero\", \"no-raise\", \"no-new\", \"must-reduce\" (did "
		 "you mean \"zero\"?)",
		 "x.conf:6: path \"/src\": the pattern is absolute: write it "
		 "from the root of the tree, like \"src/\" or \"./main.c\"");
}

static void tracked_files_are_in_the_tree(void **state)
{
	(void)state;
	PROBLEMS("build = \"b\";\n" ONE "suppressions = \"../x\";\n"
		 "baseline = \"/x\";\n",
		 "x.conf:3: option \"suppressions\": \"../x\" is no file of "
		 "the tree, named from its root",
		 "x.conf:4: option \"baseline\": \"/x\" is no file of the "
		 "tree, named from its root");
}

static void what_is_no_configuration_says_where(void **state)
{
	(void)state;
	PROBLEMS("", "x.conf: there is no setting in it");
	PROBLEMS("build = \"b\";\npolicy = ;\n",
		 "x.conf:2: syntax error (is a ',' or ';' missing before "
		 "it, a text without quotes, or a list of groups in [ ] and "
		 "not ( )?)");
	PROBLEMS("build = \"b\";\n@include \"y\"\n",
		 "x.conf:2: this configuration cannot include another file");
	PROBLEMS("build = \"b\";\njobs = 4294967296;\n",
		 "x.conf:2: 4294967296 does not fit in 32 bits: write "
		 "4294967296L");
}

/* ---- the manual --------------------------------------------------------- */

static void say(char *row, size_t size, const char *words)
{
	size_t used = strlen(row);

	snprintf(row + used, size - used, "%s", words);
}

/* "| `policy` | zero, no-raise | no-raise | What ... |" */
static void write_row(const struct sl_option *option, char *row, size_t size)
{
	row[0] = '\0';
	say(row, size, "| `");
	say(row, size, option->name);
	say(row, size, "` | ");
	if (option->type == SL_LIST)
		say(row, size, "list of ");
	if (option->choices)
		for (size_t at = 0; option->choices[at]; at++) {
			say(row, size, at ? ", " : "");
			say(row, size, option->choices[at]);
		}
	else
		say(row, size,
		    sl_option_type_word(option->type == SL_LIST
						? option->element
						: option->type));
	if (option->type == SL_LIST && !option->choices)
		say(row, size, "s");
	say(row, size, " | ");
	say(row, size,
	    option->required       ? "(wanted)"
	    : option->default_text ? option->default_text
				   : "");
	say(row, size, " | ");
	say(row, size, option->help);
	say(row, size, " |\n");
}

static void the_manual_has_all_keys(void **state)
{
	static const struct sl_option_table *const tables[] = {
		&sg_config_options, &sg_analyzer_options, &sg_path_options
	};
	static char manual[1 << 17];
	FILE *file = fopen(SG_MANUAL, "r");
	char row[1024];

	(void)state;
	assert_non_null(file);
	manual[fread(manual, 1, sizeof(manual) - 1, file)] = '\0';
	fclose(file);
	for (size_t table = 0; table < 3; table++)
		for (size_t at = 0; at < tables[table]->count; at++) {
			const struct sl_option option =
				sl_option_row(tables[table], at);

			write_row(&option, row, sizeof(row));
			if (!strstr(manual, row))
				fail_msg("the manual lacks this row:\n%s", row);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_not_said_has_a_default),
		cmocka_unit_test(what_is_said_holds),
		cmocka_unit_test(an_analyzer_can_be_any_command),
		cmocka_unit_test(added_words_stand_in_front_of_the_source),
		cmocka_unit_test(of_paths_the_last_that_fits_holds),
		cmocka_unit_test(all_problems_come_at_once),
		cmocka_unit_test(where_units_come_from_must_be_clear),
		cmocka_unit_test(a_gate_without_analyzers_is_none),
		cmocka_unit_test(analyzers_that_cannot_be_are_refused),
		cmocka_unit_test(an_unknown_format_gets_the_list),
		cmocka_unit_test(commands_that_cannot_work_are_refused),
		cmocka_unit_test(paths_that_say_nothing_are_refused),
		cmocka_unit_test(tracked_files_are_in_the_tree),
		cmocka_unit_test(what_is_no_configuration_says_where),
		cmocka_unit_test(the_manual_has_all_keys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
