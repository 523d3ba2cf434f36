/* SPDX-License-Identifier: MIT */
/* The built-in analyzers, run for real on an exported tree while the real one
 * is not there, and read by the readers that they name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <unistd.h>

#include "run/analyzer.h"
#include "run/jobs.h"

static char folder[64];

static void write_file(const char *name, const char *text)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "w");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

/* A leak and, in a header, a null pointer and a comparison of signs. */
static const char leak[] = "#include <stdlib.h>\n"
			   "#include \"h.h\"\n"
			   "int first(int *p)\n"
			   "{\n"
			   "\tchar *q = malloc(4);\n"
			   "\tif (!q)\n"
			   "\t\treturn 0;\n"
			   "\tq[0] = 1;\n"
			   "\treturn *p + q[0];\n"
			   "}\n"
			   "int second(void)\n"
			   "{\n"
			   "\treturn inner(0) + low(1u, 2);\n"
			   "}\n";
static const char header[] = "static inline int inner(int *x)\n"
			     "{\n"
			     "\treturn x ? 1 : *x;\n"
			     "}\n"
			     "static inline int low(unsigned a, int b)\n"
			     "{\n"
			     "\treturn a < b;\n"
			     "}\n";

static int make_folder(void **state)
{
	char command[256];

	(void)state;
	snprintf(folder, sizeof(folder), "/tmp/sg_builtin.XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	snprintf(command, sizeof(command),
		 "cd %s && mkdir -p tree/src 'tree/a b'", folder);
	if (system(command) != 0)
		return -1;
	write_file("tree/src/leak.c", leak);
	write_file("tree/a b/h.h", header);
	write_file("tree/src/clean.c", "int clean(void);\n"
				       "int clean(void) { return 0; }\n");
	write_file("tree/src/broken.c", "int broken = ;\n");
	write_file("tree/src/missing.c", "#include \"nowhere.h\"\n");
	write_file("tree/src/x.cc", "#include \"h.h\"\n"
				    "int x() { return inner(nullptr); }\n");
	return 0;
}

static int remove_folder(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return system(command);
}

/* ---- what came of a run ------------------------------------------------ */

struct outcome {
	struct sg_job_result result;
	struct sg_ending ending;
	char found[8192]; /* "NAME:LINE RULE\n" of each finding */
};

static enum sl_code end(void *context, const struct sg_job *job,
			const struct sg_job_result *result,
			struct sl_error *error)
{
	struct outcome *outcome = context;

	(void)job;
	(void)error;
	outcome->result = *result;
	return SL_OK;
}

static enum sl_code find(void *context, const struct sg_finding *finding,
			 struct sl_error *error)
{
	struct outcome *outcome = context;
	size_t used = strlen(outcome->found);
	const char *name = finding->path ? strrchr(finding->path, '/') : NULL;

	(void)error;
	snprintf(outcome->found + used, sizeof(outcome->found) - used,
		 "%s:%d %s\n", name ? name + 1 : "?", (int)finding->line,
		 finding->rule ? finding->rule : "?");
	return SL_OK;
}

static void run(const struct sg_command *command, struct outcome *outcome)
{
	const struct sg_jobs_settings settings = { .parallel = 1 };
	char out[96], err[96];
	const struct sg_job job = { .words = command->words,
				    .directory = command->directory,
				    .out = out,
				    .err = err };
	struct sg_jobs *jobs;

	snprintf(out, sizeof(out), "%s/out", folder);
	snprintf(err, sizeof(err), "%s/err", folder);
	assert_int_equal(sg_jobs_create(&jobs, &settings, NULL), SL_OK);
	assert_int_equal(sg_jobs_add(jobs, &job, NULL), SL_OK);
	assert_int_equal(sg_jobs_run(jobs, end, outcome, NULL, NULL), SL_OK);
	sg_jobs_destroy(jobs);
}

static void read_output(const struct sg_analyzer *analyzer,
			struct outcome *outcome)
{
	static const char *const names[] = { "out", "err", "report" };
	void *reader = analyzer->format->create(find, outcome);
	char path[96], bytes[4096];
	size_t length;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, names[analyzer->output]);
	file = fopen(path, "r");
	outcome->ending.kind = SG_NO_REPORT;
	assert_non_null(reader);
	while (file && (length = fread(bytes, 1, sizeof(bytes), file)))
		assert_int_equal(
			analyzer->format->feed(reader, bytes, length, NULL),
			SL_OK);
	assert_int_equal(
		analyzer->format->finish(reader, &outcome->ending, NULL),
		SL_OK);
	analyzer->format->destroy(reader);
	if (file)
		fclose(file);
	(void)unlink(path);
}

static struct sg_unit unit_of(const char *source, const char *flag)
{
	static const char *arguments[] = { "cc", "-I/real/a b", "-c", NULL,
					   NULL };
	struct sg_unit unit = { .source = source,
				.directory = "/real/build",
				.arguments = arguments,
				.argument_count = 4 };

	arguments[3] = flag;
	unit.language = sg_language_of(source);
	return unit;
}

static void analyze(const char *name, const char *source,
		    struct outcome *outcome)
{
	char tree[96], report[96];
	const struct sg_exported exported = { "/real", tree, NULL };
	struct sg_unit unit = unit_of(source, "-DA");
	const struct sg_unit *units = &unit;
	struct sl_arena arena = { NULL };
	const struct sg_analyzer *analyzer =
		sg_analyzer_builtin(name, SG_INLINE_ALLOW, &arena);
	struct sg_command command;

	memset(outcome, 0, sizeof(*outcome));
	snprintf(tree, sizeof(tree), "%s/tree", folder);
	snprintf(report, sizeof(report), "%s/report", folder);
	assert_non_null(analyzer);
	assert_int_equal(sg_analyzer_command(analyzer, &units, 1, &exported,
					     report, &arena, &command, NULL),
			 SL_OK);
	run(&command, outcome);
	read_output(analyzer, outcome);
	sl_arena_finish(&arena);
}

static void expect_found(const struct outcome *outcome, const char *line)
{
	if (!strstr(outcome->found, line))
		fail_msg("%s is not in:\n%s", line, outcome->found);
}

static void expect_done(const struct outcome *outcome)
{
	assert_int_equal(outcome->result.end, SG_JOB_EXITED);
	assert_int_equal(outcome->result.status, 0);
	if (outcome->ending.kind != SG_COMPLETE &&
	    outcome->ending.kind != SG_UNVERIFIED)
		fail_msg("%s: %s", sg_ending_text(outcome->ending.kind),
			 outcome->ending.message);
}

/* ---- tests ------------------------------------------------------------- */

static void findings_are_seen_also_in_headers(void **state)
{
	static const char *const rows[][3] = {
		{ "cppcheck", "leak.c:9 memleak\n",
		  "h.h:3 nullPointerRedundantCheck\n" },
		{ "gcc", "leak.c:9 -Wanalyzer-malloc-leak\n",
		  "h.h:7 -Wsign-compare\n" },
		{ "clang", "leak.c:9 unix.Malloc\n",
		  "h.h:3 core.NullDereference\n" },
		{ "clang-tidy", "leak.c:9 clang-analyzer-unix.Malloc\n",
		  "h.h:3 clang-analyzer-core.NullDereference\n" },
	};
	struct outcome outcome;

	(void)state;
	for (size_t at = 0; at < sizeof(rows) / sizeof(rows[0]); at++) {
		analyze(rows[at][0], "src/leak.c", &outcome);
		expect_done(&outcome);
		expect_found(&outcome, rows[at][1]);
		expect_found(&outcome, rows[at][2]);
	}
}

static void clean_code_has_a_whole_report_without_findings(void **state)
{
	struct outcome outcome;

	(void)state;
	for (const char *const *name = sg_analyzer_builtins(); *name; name++) {
		analyze(*name, "src/clean.c", &outcome);
		expect_done(&outcome);
		assert_string_equal(outcome.found, "");
	}
}

static void code_in_cxx_is_analysed_as_such(void **state)
{
	struct outcome outcome;

	(void)state;
	for (const char *const *name = sg_analyzer_builtins(); *name; name++) {
		analyze(*name, "src/x.cc", &outcome);
		expect_done(&outcome);
	}
	expect_found(&outcome, "h.h:3 clang-analyzer-core.NullDereference\n");
}

/* But by cppcheck, which says so for some errors alone: compiling tells. */
static void what_does_not_compile_is_told(void **state)
{
	static const char *const names[] = { "gcc", "clang", "clang-tidy" };
	static const char *const sources[] = { "src/broken.c",
					       "src/missing.c" };
	struct outcome outcome;

	(void)state;
	for (size_t at = 0; at < 6; at++) {
		analyze(names[at / 2], sources[at % 2], &outcome);
		assert_int_equal(outcome.result.end, SG_JOB_EXITED);
		assert_int_equal(outcome.result.status, 1);
	}
}

static void a_broken_clang_tidy_is_told(void **state)
{
	struct outcome outcome;

	(void)state;
	write_file("tree/src/.clang-tidy", "Checks: [\n");
	analyze("clang-tidy", "src/clean.c", &outcome);
	assert_int_equal(outcome.result.status, 1);
}

static void warnings_that_a_project_calls_errors_are_findings(void **state)
{
	struct outcome outcome;

	(void)state;
	write_file("tree/.clang-tidy", "WarningsAsErrors: '*'\n"
				       "UseColor: true\n");
	analyze("clang-tidy", "src/leak.c", &outcome);
	expect_done(&outcome);
	expect_found(&outcome, "leak.c:9 clang-analyzer-unix.Malloc\n");
}

/* ---- compiling --------------------------------------------------------- */

static enum sl_code take_path(void *context, const char *path,
			      struct sl_error *error)
{
	(void)error;
	if (strstr(path, "/a b/h.h"))
		*(bool *)context = true;
	return SL_OK;
}

static void compile(const char *source, const char *flag,
		    struct outcome *outcome, char *rule, size_t size)
{
	char tree[96], report[96];
	const struct sg_exported exported = { "/real", tree, NULL };
	struct sg_unit unit = unit_of(source, flag);
	struct sl_arena arena = { NULL };
	struct sg_command command;
	FILE *file;

	memset(outcome, 0, sizeof(*outcome));
	snprintf(tree, sizeof(tree), "%s/tree", folder);
	snprintf(report, sizeof(report), "%s/rule", folder);
	assert_int_equal(sg_compile_command(&unit, &exported, report, &arena,
					    &command, NULL),
			 SL_OK);
	run(&command, outcome);
	sl_arena_finish(&arena);
	file = fopen(report, "r");
	rule[file ? fread(rule, 1, size - 1, file) : 0] = '\0';
	if (file)
		fclose(file);
}

static void compiling_tells_what_was_read(void **state)
{
	char rule[65536];
	struct outcome outcome;
	bool seen = false;

	(void)state;
	compile("src/leak.c", "-Werror", &outcome, rule, sizeof(rule));
	assert_int_equal(outcome.result.end, SG_JOB_EXITED);
	assert_int_equal(outcome.result.status, 0);
	assert_int_equal(
		sg_make_rule_read(rule, strlen(rule), take_path, &seen, NULL),
		SL_OK);
	assert_true(seen);
}

static void compiling_tells_errors(void **state)
{
	static const char *const sources[] = { "src/broken.c",
					       "src/missing.c" };
	char rule[4096];
	struct outcome outcome;

	(void)state;
	for (size_t at = 0; at < 2; at++) {
		compile(sources[at], "-DA", &outcome, rule, sizeof(rule));
		assert_int_equal(outcome.result.end, SG_JOB_EXITED);
		assert_int_equal(outcome.result.status, 1);
	}
}

#define TEST(name) \
	cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(findings_are_seen_also_in_headers),
		TEST(clean_code_has_a_whole_report_without_findings),
		TEST(code_in_cxx_is_analysed_as_such),
		TEST(what_does_not_compile_is_told),
		TEST(a_broken_clang_tidy_is_told),
		TEST(warnings_that_a_project_calls_errors_are_findings),
		TEST(compiling_tells_what_was_read),
		TEST(compiling_tells_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
