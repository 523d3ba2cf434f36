/* SPDX-License-Identifier: MIT */
/* The table of edits, and that docs/matching.md prints it as it is. With
 * SG_WRITE_TABLE in the environment the document is written anew instead. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/match/edits.h"
#include "analysis/match/support.h"

#define BEGIN "<!-- table of edits: written by test_match_edits -->\n"
#define END "<!-- end of the table -->\n"

/* @return whether finding @p at of a side is as expected; else says how not. */
static bool is_as_expected(const struct edit *edit,
			   const struct test_finding *finding,
			   const struct sg_match_row *row)
{
	if (row->verdict == finding->expected &&
	    (finding->step == 0 || finding->step == (int)row->step))
		return true;
	print_error("%s: %s:%d: %s: %s %d, expected %s %d\n", edit->name,
		    finding->path, (int)finding->line, finding->message,
		    sg_verdict_text(row->verdict), (int)row->step,
		    sg_verdict_text(finding->expected), finding->step);
	return false;
}

static bool check(const struct edit *edit, struct test_tree *before,
		  struct test_tree *after)
{
	struct sg_match match;
	bool good = true;

	tree_init(before, edit->before, edit->bare_before);
	tree_init(after, edit->after, edit->bare_after);
	trees_match(before, after, edit->renamed, !edit->unhealthy, &match);
	for (size_t at = 0; at < before->finding_count; at++)
		good &= is_as_expected(edit, &before->findings[at],
				       &match.olds[at]);
	for (size_t at = 0; at < after->finding_count; at++)
		good &= is_as_expected(edit, &after->findings[at],
				       &match.news[at]);
	sg_match_finish(&match);
	tree_finish(before);
	tree_finish(after);
	return good;
}

static void every_edit_has_its_verdict(void **state)
{
	static struct test_tree before, after;
	bool good = true;

	(void)state;
	for (size_t at = 0; at < edit_count; at++)
		good &= check(&edits[at], &before, &after);
	assert_true(good);
}

/* "same, fixed" */
static void put_verdicts(FILE *to, const struct test_tree *tree, bool is_new)
{
	for (size_t at = 0; at < tree->finding_count; at++) {
		const struct test_finding *finding = &tree->findings[at];

		fprintf(to, "%s%s", at > 0 ? ", " : " ",
			sg_verdict_text(finding->expected));
		if (is_new && finding->expected == SG_SAME)
			fprintf(to, " (%d)", finding->step);
	}
	fprintf(to, "%s |", tree->finding_count > 0 ? "" : " none");
}

/* @return the table, owned by the caller. */
static char *make_table(void)
{
	static struct test_tree tree;
	char *text = NULL;
	size_t length;
	FILE *to = open_memstream(&text, &length);

	assert_non_null(to);
	fputs("| edit | old findings | new findings (step) | why |\n"
	      "|---|---|---|---|\n",
	      to);
	for (size_t at = 0; at < edit_count; at++) {
		const struct edit *edit = &edits[at];

		fprintf(to, "| %s |", edit->name);
		tree_init(&tree, edit->before, false);
		put_verdicts(to, &tree, false);
		tree_finish(&tree);
		tree_init(&tree, edit->after, false);
		put_verdicts(to, &tree, true);
		tree_finish(&tree);
		fprintf(to, " %s |\n", edit->why);
	}
	assert_int_equal(fclose(to), 0);
	return text;
}

static char *read_document(void)
{
	char *text = calloc(1, 1 << 16);
	FILE *from = fopen(SG_DOCUMENT, "r");

	assert_non_null(text);
	assert_non_null(from);
	assert_true(fread(text, 1, (1 << 16) - 1, from) > 0);
	fclose(from);
	return text;
}

static void write_document(const char *text, const char *begin,
			   const char *table, const char *end)
{
	FILE *to = fopen(SG_DOCUMENT, "w");

	assert_non_null(to);
	fprintf(to, "%.*s%s%s", (int)(begin - text), text, table, end);
	assert_int_equal(fclose(to), 0);
}

static void the_document_prints_the_table(void **state)
{
	char *text = read_document(), *table = make_table();
	char *begin = strstr(text, BEGIN);
	char *end = begin ? strstr(begin, END) : NULL;

	(void)state;
	assert_non_null(end);
	begin += strlen(BEGIN);
	if (getenv("SG_WRITE_TABLE")) {
		write_document(text, begin, table, end);
	} else {
		*end = '\0';
		assert_string_equal(begin, table);
	}
	free(table);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_edit_has_its_verdict),
		cmocka_unit_test(the_document_prints_the_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
