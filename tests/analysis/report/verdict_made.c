/* SPDX-License-Identifier: MIT */
/* What happened: a null dereference is new, a leak was swapped for another,
 * and somebody put odd things into a path and a message. */
#include "verdict_made.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static const struct sg_event events[] = {
	{ "src/pool.c", 150, 12, "'p' is NULL", NULL },
	{ "src/pool.c", 157, 22, "dereference of NULL 'p'", "pool_done" },
};

static struct sg_judged judged[] = {
	{ .finding = { .tool = "gcc",
		       .message = "no place and no rule",
		       .severity = SG_SEVERITY_UNKNOWN },
	  .identity = { 1, 1 },
	  .verdict = SG_SAME,
	  .policy = SG_POLICY_NO_RAISE,
	  .counts = true },
	{ .finding = { .tool = "cppcheck",
		       .tool_version = "2.10",
		       .rule = "memleak",
		       .severity = SG_ERROR,
		       .severity_word = "error",
		       .message = "Memory leak: p",
		       .path = "src/a.c",
		       .line = 12,
		       .column = 1,
		       .function = "f",
		       .cwe = 401 },
	  .identity = { 1, 2 },
	  .verdict = SG_NEW,
	  .policy = SG_POLICY_NO_RAISE,
	  .counts = true,
	  .is_swap = true,
	  .swapped = &judged[2] },
	{ .finding = { .tool = "cppcheck",
		       .tool_version = "2.9",
		       .rule = "memleak",
		       .severity = SG_ERROR,
		       .message = "Memory leak: q",
		       .path = "src/b.c",
		       .line = 40 },
	  .identity = { 1, 3 },
	  .verdict = SG_FIXED,
	  .policy = SG_POLICY_NO_RAISE,
	  .counts = true,
	  .swapped = &judged[1] },
	{ .finding = { .tool = "cppcheck",
		       .rule = "unreadVariable",
		       .severity = SG_STYLE,
		       .message = "x is never read",
		       .path = "src/c.c",
		       .line = 3 },
	  .identity = { 1, 4 },
	  .verdict = SG_UNKNOWN,
	  .policy = SG_POLICY_NO_RAISE,
	  .counts = true },
	{ .finding = { .tool = "clang-tidy",
		       .rule = "bugprone-x",
		       .severity = SG_WARNING,
		       .message = "moved",
		       .path = "src/d.c",
		       .line = 9,
		       .end_line = 11 },
	  .identity = { 1, 5 },
	  .verdict = SG_SAME,
	  .was_path = "src/old.c",
	  .was_line = 7,
	  .policy = SG_POLICY_NO_RAISE,
	  .counts = true },
	{ .finding = { .tool = "gcc",
		       .rule = "-Wanalyzer-malloc-leak",
		       .severity = SG_WARNING,
		       .message = "leak of 'all'",
		       .path = "src/main.c",
		       .line = 88,
		       .column = 2 },
	  .identity = { 1, 6 },
	  .verdict = SG_NEW,
	  .accepted = true,
	  .entry_is_new = true,
	  .reason = "freed when the process ends",
	  .until = "2027-03-31",
	  .policy = SG_POLICY_NO_RAISE,
	  .counts = true },
	{ .finding = { .tool = "odd",
		       .rule = "r,1:%",
		       .severity = SG_LOW,
		       .message = "50% of\r\n::error::\x1b[31mred",
		       .path = "src/odd,name:1%.c",
		       .line = 1 },
	  .identity = { 1, 7 },
	  .verdict = SG_NEW,
	  .policy = SG_POLICY_NO_RAISE,
	  .counts = true },
	{ .finding = { .tool = "gcc",
		       .tool_version = "12.2.0",
		       .rule = "-Wanalyzer-null-dereference",
		       .severity = SG_WARNING,
		       .severity_word = "warning",
		       .message = "dereference of NULL 'p'",
		       .path = "src/pool.c",
		       .line = 2,
		       .column = 22,
		       .function = "pool_done",
		       .cwe = 476,
		       .events = events,
		       .event_count = 2 },
	  .identity = { 1, 8 },
	  .verdict = SG_NEW,
	  .policy = SG_POLICY_NO_RAISE,
	  .counts = true,
	  .is_objected = true },
	{ .finding = { .tool = "gcc",
		       .rule = "-Wunused",
		       .severity = SG_INFO,
		       .message = "too light",
		       .path = "src/pool.c",
		       .line = 3 },
	  .identity = { 1, 9 },
	  .verdict = SG_NEW,
	  .policy = SG_POLICY_NO_RAISE },
};

static struct sg_judged_count counts[] = {
	{ NULL, NULL, 4, 6, 3, 1, 1 },
	{ "clang-tidy", NULL, 1, 1, 0, 0, 0 },
	{ "clang-tidy", "bugprone-x", 1, 1, 0, 0, 0 },
	{ "cppcheck", NULL, 2, 2, 1, 1, 1 },
	{ "cppcheck", "memleak", 1, 1, 1, 1, 0 },
	{ "cppcheck", "unreadVariable", 1, 1, 0, 0, 1 },
	{ "gcc", NULL, 1, 2, 1, 0, 0 },
	{ "gcc", "", 1, 1, 0, 0, 0 },
	{ "gcc", "-Wanalyzer-null-dereference", 0, 1, 1, 0, 0 },
	{ "odd", NULL, 0, 1, 1, 0, 0 },
	{ "odd", "r,1:%", 0, 1, 1, 0, 0 },
};

static const struct sg_trouble limits[] = {
	{ .limited = true,
	  .unit = "src/c.c",
	  .tool = "gcc",
	  .why = "gave up on a function: -Wanalyzer-too-complex" },
};

const struct sg_judgement *made_rejected(void)
{
	static const char *const objections[] = {
		"no-raise: the count of gcc -Wanalyzer-null-dereference rose "
		"from 0 to 1",
		NULL,
	};
	static const char *const notes[] = {
		"judged by the parent's .scgate.conf", NULL
	};
	static const char *const steps[] = {
		"fix it, or accept it: scgate suppress src/pool.c:2 --reason "
		"TEXT",
		NULL,
	};
	static const struct sg_judgement judgement = {
		.outcome = SG_REJECTED,
		.objections = objections,
		.tested = "staged changes",
		.base = "HEAD 1a2b3c4d",
		.judged = judged,
		.judged_count = sizeof(judged) / sizeof(judged[0]),
		.counts = counts,
		.count_count = sizeof(counts) / sizeof(counts[0]),
		.troubles = limits,
		.trouble_count = 1,
		.notes = notes,
		.steps = steps,
		.changes_code = true,
		.units = 100,
		.affected = 3,
		.analysed = 7,
		.cached = 2,
		.elapsed_ns = 2340000000,
		.tools_ns = 2190000000,
	};

	return &judgement;
}

const struct sg_judgement *made_incomplete(void)
{
	static const struct sg_trouble troubles[] = {
		{ .unit = "src/a.c",
		  .tool = "compile",
		  .why = "exited with 1",
		  .words = "src/a.c:3:1: error: expected ';'\n\x1b[31mred\n" },
		{ .unit = "src/b.c",
		  .tool = "cppcheck",
		  .why = "timed out after 5 min",
		  .in_base = true },
		{ .tool = "clang-tidy", .why = "is not on PATH" },
	};
	static const struct sg_judgement judgement = {
		.outcome = SG_INCOMPLETE,
		.tested = "work tree",
		.base = "no parent",
		.troubles = troubles,
		.trouble_count = 3,
		.units = 2,
		.affected = 2,
	};

	return &judgement;
}

const struct sg_judgement *made_passed(void)
{
	static const struct sg_judgement judgement = {
		.outcome = SG_PASS,
		.tested = "HEAD 1a2b3c4d",
		.base = "merge base 99887766",
		.units = 100,
		.elapsed_ns = 42000000,
		.is_whole = true,
	};

	return &judgement;
}

static enum sl_code source(void *context, const char *path, const char **text,
			   size_t *length, struct sl_error *error)
{
	static const char pool[] = "void pool_done(struct pool *p)\n"
				   "\tif (!p)\tfree(p->x);\n"
				   "}\n";

	(void)context;
	(void)error;
	*text = strcmp(path, "src/pool.c") == 0 ? pool : NULL;
	*length = *text ? sizeof(pool) - 1 : 0;
	return SL_OK;
}

void write_verdict(const struct sg_verdict_writer *writer,
		   const struct sg_judgement *judgement, bool color,
		   struct sl_buffer *text)
{
	const struct sg_verdict_view view = {
		.judgement = judgement,
		.look = { .color = color },
		.source = source,
	};
	struct sl_error error = { .code = SL_OK };

	assert_int_equal(writer->write(&view, text, &error), SL_OK);
	assert_int_equal(sg_report_put(text, "", 1, &error), SL_OK);
	text->used--;
}

void assert_verdict(const struct sg_verdict_writer *writer,
		    const struct sg_judgement *judgement, const char *expected)
{
	struct sl_buffer text = { .data = NULL };

	write_verdict(writer, judgement, false, &text);
	assert_string_equal(text.data, expected);
	free(text.data);
}
