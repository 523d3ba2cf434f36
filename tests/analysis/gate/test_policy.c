/* SPDX-License-Identifier: MIT */
/* Policies, a row a verdict. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gate/policy.h"

enum { FINDINGS_MAX = 8, TEXT_MAX = 1024 };

/* Words of a row's options. */
#define MERGE "merge "
#define CODE "code "
#define ENTRIES "entries "
#define INCOMPLETE "incomplete "
#define FORCED "forced "

/* What a finding is: "VERDICT TOOL/RULE PATH:LINE FUNCTION FLAGS", with ';'
 * between; "-" is no rule, path or function. Flags: a accepted, b accepted
 * before, e its entry is new, and a severity: w warning, s style, u unknown. */
struct row {
	const char *name;
	enum sg_policy policy;
	const char *options;
	const char *findings;
	enum sg_outcome outcome;
	const char *objections; /* "; " between */
	const char *marks; /* one a finding: o objected, s swap, B both, . */
};

#define Z SG_POLICY_ZERO
#define R SG_POLICY_NO_RAISE
#define N SG_POLICY_NO_NEW
#define M SG_POLICY_MUST_REDUCE
#define LEAK(verdict) verdict " gcc/leak a.c:5 f w"

static const struct row rows[] = {
	/* ---- zero ---- */
	{ "zero passes nothing at all", Z, "", "", SG_PASS, "", "" },
	{ "zero rejects a new one", Z, "", LEAK("new"), SG_REJECTED,
	  "zero: 1 finding is there, and none may be", "o" },
	{ "zero rejects old ones", Z, "",
	  LEAK("same") ";" LEAK("same") ";" LEAK("fixed"), SG_REJECTED,
	  "zero: 2 findings are there, and none may be", "oo." },
	{ "zero rejects unknown ones", Z, "", LEAK("unknown"), SG_REJECTED,
	  "zero: 1 finding is there, and none may be", "o" },
	{ "zero passes what was fixed", Z, "", LEAK("fixed"), SG_PASS, "",
	  "." },
	{ "zero passes what is accepted", Z, "", LEAK("same") "ab", SG_PASS, "",
	  "." },
	{ "zero rejects a swap", Z, "", LEAK("new") ";" LEAK("fixed"),
	  SG_REJECTED, "zero: 1 finding is there, and none may be", "B." },
	/* ---- no-raise ---- */
	{ "no-raise passes a count of zero", R, "", "", SG_PASS, "", "" },
	{ "no-raise passes old ones", R, "", LEAK("same"), SG_PASS, "", "." },
	{ "no-raise rejects the first of a rule", R, "", LEAK("new"),
	  SG_REJECTED, "no-raise: the count of gcc leak rose from 0 to 1",
	  "o" },
	{ "no-raise rejects a second copy", R, "", LEAK("same") ";" LEAK("new"),
	  SG_REJECTED, "no-raise: the count of gcc leak rose from 1 to 2",
	  ".o" },
	{ "no-raise passes a swap within a rule", R, "",
	  LEAK("new") ";fixed gcc/leak b.c:9 g w", SG_PASS, "", "s." },
	{ "no-raise rejects a swap across rules", R, "",
	  LEAK("new") ";fixed gcc/null a.c:5 f w", SG_REJECTED,
	  "no-raise: the count of gcc leak rose from 0 to 1", "o." },
	{ "no-raise rejects a swap across tools", R, "",
	  LEAK("new") ";fixed clang/leak a.c:5 f w", SG_REJECTED,
	  "no-raise: the count of gcc leak rose from 0 to 1", "o." },
	{ "no-raise rejects two for one, and both are meant", R, "",
	  LEAK("new") ";new gcc/leak a.c:90 f w;fixed gcc/leak a.c:88 f w",
	  SG_REJECTED, "no-raise: the count of gcc leak rose from 1 to 2",
	  "oB." },
	{ "no-raise passes one for two", R, "",
	  LEAK("fixed") ";new gcc/leak a.c:90 f w;fixed gcc/leak a.c:88 f w",
	  SG_PASS, "", ".s." },
	{ "no-raise rejects a rise that a larger fall hides", R, "",
	  LEAK("new") ";fixed gcc/null a.c:5 f w;fixed gcc/null a.c:6 f w",
	  SG_REJECTED, "no-raise: the count of gcc leak rose from 0 to 1",
	  "o.." },
	{ "no-raise tells of the total where several rules rise", R, "",
	  "same gcc/leak a.c:5 f w;new gcc/leak a.c:6 f w;"
	  "new cppcheck/leak b.c:1 - w",
	  SG_REJECTED,
	  "no-raise: the count rose from 1 to 3; "
	  "no-raise: the count of cppcheck leak rose from 0 to 1; "
	  "no-raise: the count of gcc leak rose from 1 to 2",
	  ".oo" },
	{ "no-raise does not tell of a total that stays", R, "",
	  "new gcc/leak a.c:6 f w;new cppcheck/leak b.c:1 - w;"
	  "fixed gcc/null a.c:1 - w;fixed gcc/null a.c:2 - w",
	  SG_REJECTED,
	  "no-raise: the count of cppcheck leak rose from 0 to 1; "
	  "no-raise: the count of gcc leak rose from 0 to 1",
	  "oo.." },
	{ "no-raise counts what has no rule", R, "", "new gcc/- a.c:5 f w",
	  SG_REJECTED, "no-raise: the count of gcc (no rule) rose from 0 to 1",
	  "o" },
	{ "no-raise counts what has no place", R, "", "new gcc/leak - - w",
	  SG_REJECTED, "no-raise: the count of gcc leak rose from 0 to 1",
	  "o" },
	{ "no-raise carries unknown ones", R, "",
	  LEAK("unknown") ";" LEAK("same"), SG_PASS, "", ".." },
	{ "no-raise does not take an unknown one for fixed", R, "",
	  LEAK("unknown") ";" LEAK("new"), SG_REJECTED,
	  "no-raise: the count of gcc leak rose from 1 to 2", ".o" },
	/* ---- accepted ---- */
	{ "what is new and accepted does not count", R, "", LEAK("new") "a",
	  SG_PASS, "", "." },
	{ "what was accepted cannot be swapped", R, "",
	  LEAK("new") ";" LEAK("fixed") "a", SG_REJECTED,
	  "no-raise: the count of gcc leak rose from 0 to 1", "o." },
	{ "what is accepted is no swap", R, "", LEAK("new") "a;" LEAK("fixed"),
	  SG_PASS, "", ".." },
	{ "unaccepted again is a rise", R, "", LEAK("same") "b", SG_REJECTED,
	  "no-raise: the count of gcc leak rose from 0 to 1", "o" },
	{ "accepted now makes room for another", R, "",
	  LEAK("same") "a;" LEAK("new"), SG_PASS, "", ".." },
	{ "one that stays accepted does not", R, "",
	  LEAK("same") "ab;" LEAK("new"), SG_REJECTED,
	  "no-raise: the count of gcc leak rose from 0 to 1", ".o" },
	{ "an accepted one that is unknown does not count", Z, "",
	  LEAK("unknown") "a", SG_PASS, "", "." },
	{ "an entry that the change brings does not count", R, "",
	  LEAK("new") "ae", SG_REJECTED,
	  "no-raise: the count of gcc leak rose from 0 to 1", "o" },
	{ "an entry that the change brings counts where it is allowed", R,
	  ENTRIES, LEAK("new") "ae", SG_PASS, "", "." },
	{ "a new entry of an old one that is not allowed changes nothing", R,
	  "", LEAK("same") "ae", SG_PASS, "", "." },
	/* ---- severity ---- */
	{ "below the lowest severity nothing counts", R, "",
	  "new gcc/leak quiet/a.c:5 f s", SG_PASS, "", "." },
	{ "at the lowest severity it does", R, "",
	  "new gcc/leak quiet/a.c:5 f w", SG_REJECTED,
	  "no-raise: the count of gcc leak rose from 0 to 1", "o" },
	{ "unknown severity always counts", R, "",
	  "new gcc/leak quiet/a.c:5 f u", SG_REJECTED,
	  "no-raise: the count of gcc leak rose from 0 to 1", "o" },
	{ "zero does not see what is not severe", Z, "",
	  "same gcc/leak quiet/a.c:5 f s;unknown gcc/leak quiet/a.c:5 f s",
	  SG_PASS, "", ".." },
	{ "a light one cannot be swapped for a severe one", R, "",
	  "new gcc/leak quiet/a.c:5 f w;fixed gcc/leak quiet/a.c:5 f s",
	  SG_REJECTED, "no-raise: the count of gcc leak rose from 0 to 1",
	  "o." },
	/* ---- no-new ---- */
	{ "no-new passes old, fixed and unknown ones", N, "",
	  LEAK("same") ";" LEAK("fixed") ";" LEAK("unknown"), SG_PASS, "",
	  "..." },
	{ "no-new rejects a new one", N, "", LEAK("new"), SG_REJECTED,
	  "no-new: 1 finding is new", "o" },
	{ "no-new rejects a swap", N, "", LEAK("new") ";" LEAK("fixed"),
	  SG_REJECTED, "no-new: 1 finding is new", "B." },
	{ "no-new rejects what is no longer accepted", N, "",
	  LEAK("same") "b;" LEAK("new") ";" LEAK("new"), SG_REJECTED,
	  "no-new: 2 findings are new; "
	  "no-new: 1 finding is no longer accepted",
	  "ooo" },
	{ "no-new passes what is accepted", N, "", LEAK("new") "a", SG_PASS, "",
	  "." },
	/* ---- must-reduce ---- */
	{ "must-reduce passes a count of zero", M, CODE, "", SG_PASS, "", "" },
	{ "must-reduce rejects a count that stays", M, CODE, LEAK("same"),
	  SG_REJECTED, "must-reduce: code changed, and the count stayed at 1",
	  "." },
	{ "must-reduce passes a comment", M, "", LEAK("same"), SG_PASS, "",
	  "." },
	{ "must-reduce passes a fix", M, CODE, LEAK("same") ";" LEAK("fixed"),
	  SG_PASS, "", ".." },
	{ "must-reduce rejects a swap", M, CODE, LEAK("new") ";" LEAK("fixed"),
	  SG_REJECTED, "must-reduce: code changed, and the count stayed at 1",
	  "s." },
	{ "must-reduce rejects a rise, and says it once", M, CODE,
	  LEAK("same") ";" LEAK("new"), SG_REJECTED,
	  "must-reduce: the count of gcc leak rose from 1 to 2", ".o" },
	{ "must-reduce rejects a rise from zero", M, CODE, LEAK("new"),
	  SG_REJECTED, "must-reduce: the count of gcc leak rose from 0 to 1",
	  "o" },
	{ "must-reduce rejects a rise without a change of code", M, "",
	  LEAK("new"), SG_REJECTED,
	  "must-reduce: the count of gcc leak rose from 0 to 1", "o" },
	{ "must-reduce rejects a rule's rise below a falling total", M, CODE,
	  LEAK("new") ";fixed gcc/null a.c:5 f w;fixed gcc/null a.c:6 f w",
	  SG_REJECTED, "must-reduce: the count of gcc leak rose from 0 to 1",
	  "o.." },
	{ "must-reduce does not take an unknown one for fixed", M, CODE,
	  LEAK("unknown"), SG_REJECTED,
	  "must-reduce: code changed, and the count stayed at 1", "." },
	/* ---- merges ---- */
	{ "a merge is judged by identity", R, MERGE,
	  LEAK("new") ";" LEAK("fixed"), SG_REJECTED,
	  "no-new, as for all merges: 1 finding is new", "B." },
	{ "a merge need not reduce", M, MERGE CODE, LEAK("same"), SG_PASS, "",
	  "." },
	{ "a merge is judged so where the policy is forced, too", Z,
	  MERGE FORCED, LEAK("same"), SG_PASS, "", "." },
	{ "a merge cannot escape zero", Z, MERGE, LEAK("same"), SG_REJECTED,
	  "zero: 1 finding is there, and none may be", "o" },
	/* ---- paths ---- */
	{ "zero of a folder in a tree of no-raise", R, "",
	  "same gcc/leak clean/a.c:5 f w;same gcc/leak a.c:5 f w", SG_REJECTED,
	  "zero: 1 finding is there, and none may be", "o." },
	{ "a fix elsewhere does not help a folder of its own policy", R, "",
	  "new gcc/leak fresh/a.c:5 f w;fixed gcc/leak a.c:5 f w", SG_REJECTED,
	  "no-new: 1 finding is new", "o." },
	{ "a fix in such a folder does not help elsewhere", R, "",
	  "fixed gcc/leak fresh/a.c:5 f w;new gcc/leak a.c:5 f w", SG_REJECTED,
	  "no-raise: the count of gcc leak rose from 0 to 1", ".o" },
	{ "the last path that fits holds", R, "",
	  "same gcc/leak clean/old/a.c:5 f w", SG_PASS, "", "." },
	{ "each policy objects for itself", R, "",
	  "new gcc/leak clean/a.c:5 f w;new gcc/leak fresh/a.c:5 f w;"
	  "new gcc/leak a.c:5 f w",
	  SG_REJECTED,
	  "zero: 1 finding is there, and none may be; "
	  "no-raise: the count of gcc leak rose from 0 to 1; "
	  "no-new: 1 finding is new",
	  "ooo" },
	{ "a forced policy holds everywhere", R, FORCED,
	  "same gcc/leak clean/a.c:5 f w;new gcc/leak fresh/a.c:5 f w;"
	  "fixed gcc/leak a.c:5 f w",
	  SG_PASS, "", ".s." },
	/* ---- incomplete ---- */
	{ "what cannot be told stays so", Z, INCOMPLETE, LEAK("same"),
	  SG_INCOMPLETE, "zero: 1 finding is there, and none may be", "o" },
};

static const struct sg_path_rule paths[] = {
	{ "clean/", true, SG_POLICY_ZERO, false, SG_INFO },
	{ "clean/old/", true, SG_POLICY_NO_RAISE, false, SG_INFO },
	{ "fresh/", true, SG_POLICY_NO_NEW, false, SG_INFO },
	{ "quiet/", false, SG_POLICY_ZERO, true, SG_WARNING },
};

/* ---- rows -------------------------------------------------------------- */

/* Texts of findings; what they point into. */
struct words {
	char verdict[16], tool[16], rule[16], path[32], function[16], flags[8];
	long line;
};

static enum sg_verdict verdict_of(const char *word)
{
	for (int at = SG_SAME; at <= SG_UNKNOWN; at++)
		if (strcmp(word, sg_verdict_text((enum sg_verdict)at)) == 0)
			return (enum sg_verdict)at;
	fail_msg("no verdict %s", word);
	return SG_SAME;
}

static const char *given(const char *word)
{
	return strcmp(word, "-") == 0 ? NULL : word;
}

static void make(const char *text, struct words *words,
		 struct sg_judged *judged)
{
	char place[48], *colon;

	assert_int_equal(sscanf(text, "%15s %15[^/]/%15s %47s %15s %7s",
				words->verdict, words->tool, words->rule, place,
				words->function, words->flags),
			 6);
	colon = strchr(place, ':');
	words->line = colon ? strtol(colon + 1, NULL, 10) : 0;
	if (colon)
		*colon = '\0';
	snprintf(words->path, sizeof(words->path), "%.31s", place);
	*judged = (struct sg_judged){
		.finding = { .tool = words->tool,
			     .rule = given(words->rule),
			     .path = given(words->path),
			     .line = words->line,
			     .function = given(words->function),
			     .message = "m",
			     .severity = strchr(words->flags, 'w') ? SG_WARNING
					 : strchr(words->flags, 's')
						 ? SG_STYLE
						 : SG_SEVERITY_UNKNOWN },
		.verdict = verdict_of(words->verdict),
		.accepted = strchr(words->flags, 'a'),
		.accepted_before = strchr(words->flags, 'b'),
		.entry_is_new = strchr(words->flags, 'e'),
	};
}

static size_t make_all(const char *findings, struct words *words,
		       struct sg_judged *judged)
{
	size_t count = 0;

	while (*findings) {
		size_t length = strcspn(findings, ";");
		char text[128];

		assert_true(length < sizeof(text) && count < FINDINGS_MAX);
		memcpy(text, findings, length);
		text[length] = '\0';
		make(text, &words[count], &judged[count]);
		count++;
		findings += length + (findings[length] == ';');
	}
	return count;
}

static void join(const char *const *texts, char joined[TEXT_MAX])
{
	joined[0] = '\0';
	for (size_t at = 0; texts[at]; at++) {
		size_t used = strlen(joined);

		snprintf(joined + used, TEXT_MAX - used, "%s%s", at ? "; " : "",
			 texts[at]);
	}
}

static char mark_of(const struct sg_judged *judged)
{
	if (judged->is_objected)
		return judged->is_swap ? 'B' : 'o';
	return judged->is_swap ? 's' : '.';
}

static void check(const struct row *row)
{
	const enum sg_policy forced = SG_POLICY_NO_RAISE;
	struct sg_config config = {
		.policy = row->policy,
		.lowest = SG_INFO,
		.paths = paths,
		.path_count = sizeof(paths) / sizeof(paths[0]),
		.new_suppressions = strstr(row->options, ENTRIES),
	};
	struct sg_judged judged[FINDINGS_MAX];
	struct words words[FINDINGS_MAX];
	struct sg_judgement judgement = {
		.judged = judged,
		.judged_count = make_all(row->findings, words, judged),
		.is_merge = strstr(row->options, MERGE),
		.changes_code = strstr(row->options, CODE),
		.outcome = strstr(row->options, INCOMPLETE) ? SG_INCOMPLETE
							    : SG_PASS,
	};
	struct sl_arena arena = { NULL };
	char text[TEXT_MAX];

	assert_int_equal(
		sg_policy_apply(&judgement, &config,
				strstr(row->options, FORCED) ? &forced : NULL,
				&arena),
		SL_OK);
	join(judgement.objections, text);
	assert_string_equal(text, row->objections);
	for (size_t at = 0; at < judgement.judged_count; at++)
		text[at] = mark_of(&judged[at]);
	text[judgement.judged_count] = '\0';
	assert_string_equal(text, row->marks);
	assert_int_equal(judgement.outcome, row->outcome);
	sl_arena_finish(&arena);
}

static void each_row_has_its_verdict(void **state)
{
	(void)state;
	for (size_t at = 0; at < sizeof(rows) / sizeof(rows[0]); at++) {
		print_message("%s\n", rows[at].name);
		check(&rows[at]);
	}
}

/* ---- beside the verdict ------------------------------------------------ */

/* Apply no-raise to @p findings. */
static void apply(const char *findings, struct words *words,
		  struct sg_judged *judged, struct sg_judgement *judgement,
		  struct sl_arena *arena)
{
	const struct sg_config config = { .policy = SG_POLICY_NO_RAISE,
					  .lowest = SG_STYLE };

	*judgement = (struct sg_judgement){ .judged = judged };
	judgement->judged_count = make_all(findings, words, judged);
	assert_int_equal(sg_policy_apply(judgement, &config, NULL, arena),
			 SL_OK);
}

static void the_nearest_are_swapped(void **state)
{
	struct sg_judged judged[FINDINGS_MAX];
	struct words words[FINDINGS_MAX];
	struct sg_judgement judgement;
	struct sl_arena arena = { NULL };

	(void)state;
	apply("new gcc/leak b.c:1 f w;" /* 0: for what is left */
	      "new gcc/leak a.c:40 f w;" /* 1: for 6 in its function */
	      "new gcc/leak a.c:10 g w;" /* 2: for 5 in its file */
	      "fixed gcc/leak c.c:1 f w;" /* 3 */
	      "fixed gcc/leak c.c:9 f w;" /* 4 */
	      "fixed gcc/leak a.c:39 h w;" /* 5 */
	      "fixed gcc/leak a.c:90 f w;" /* 6 */
	      "same gcc/leak a.c:41 f w",
	      words, judged, &judgement, &arena);
	assert_ptr_equal(judged[1].swapped, &judged[6]);
	assert_ptr_equal(judged[6].swapped, &judged[1]);
	assert_ptr_equal(judged[2].swapped, &judged[5]);
	assert_ptr_equal(judged[0].swapped, &judged[3]);
	assert_null(judged[4].swapped);
	assert_null(judged[7].swapped);
	assert_false(judged[6].is_swap);
	sl_arena_finish(&arena);
}

static void assert_count(const struct sg_judged_count *count, const char *tool,
			 const char *rule, const int64_t numbers[5])
{
	assert_int_equal(!count->tool, !tool);
	if (tool)
		assert_string_equal(count->tool, tool);
	assert_int_equal(!count->rule, !rule);
	if (rule)
		assert_string_equal(count->rule, rule);
	assert_int_equal(count->before, numbers[0]);
	assert_int_equal(count->after, numbers[1]);
	assert_int_equal(count->added, numbers[2]);
	assert_int_equal(count->fixed, numbers[3]);
	assert_int_equal(count->unknown, numbers[4]);
	assert_int_equal(count->after,
			 count->before + count->added - count->fixed);
}

static void counts_are_of_all_then_by_tool_and_rule(void **state)
{
	struct sg_judged judged[FINDINGS_MAX];
	struct words words[FINDINGS_MAX];
	struct sg_judgement judgement;
	struct sl_arena arena = { NULL };

	(void)state;
	apply("new gcc/leak a.c:1 f w;fixed gcc/- a.c:2 f w;"
	      "unknown gcc/leak a.c:3 f w;same gcc/leak a.c:4 f wab;"
	      "same cppcheck/null a.c:5 f wa;same cppcheck/null a.c:6 f wb;"
	      "same cppcheck/null a.c:7 f s;new gcc/info a.c:8 f wa",
	      words, judged, &judgement, &arena);
	assert_int_equal(judgement.count_count, 7);
	assert_count(&judgement.counts[0], NULL, NULL,
		     (const int64_t[]){ 4, 4, 2, 2, 1 });
	assert_count(&judgement.counts[1], "cppcheck", NULL,
		     (const int64_t[]){ 2, 2, 1, 1, 0 });
	assert_count(&judgement.counts[2], "cppcheck", "null",
		     (const int64_t[]){ 2, 2, 1, 1, 0 });
	assert_count(&judgement.counts[3], "gcc", NULL,
		     (const int64_t[]){ 2, 2, 1, 1, 1 });
	assert_count(&judgement.counts[4], "gcc", "",
		     (const int64_t[]){ 1, 0, 0, 1, 0 });
	assert_count(&judgement.counts[5], "gcc", "info",
		     (const int64_t[]){ 0, 0, 0, 0, 0 });
	assert_count(&judgement.counts[6], "gcc", "leak",
		     (const int64_t[]){ 1, 2, 1, 0, 1 });
	sl_arena_finish(&arena);
}

static void what_the_parent_does_not_let_count_is_not_accepted(void **state)
{
	struct sg_judged judged[FINDINGS_MAX];
	struct words words[FINDINGS_MAX];
	struct sg_judgement judgement;
	struct sl_arena arena = { NULL };

	(void)state;
	apply("new gcc/leak a.c:1 f wae", words, judged, &judgement, &arena);
	assert_false(judged[0].accepted);
	assert_true(judged[0].entry_is_new);
	assert_int_equal(judged[0].policy, SG_POLICY_NO_RAISE);
	assert_true(judged[0].counts);
	sl_arena_finish(&arena);
}

static void twenty_thousand_are_judged_at_once(void **state)
{
	enum { COUNT = 20000 };
	const struct sg_config config = { .policy = SG_POLICY_NO_NEW };
	struct sg_judged *judged = calloc(COUNT, sizeof(*judged));
	struct sg_judgement judgement = { .judged = judged,
					  .judged_count = COUNT };
	struct sl_arena arena = { NULL };

	(void)state;
	assert_non_null(judged);
	for (int at = 0; at < COUNT; at++) {
		judged[at].finding = (struct sg_finding){
			.tool = "gcc",
			.rule = "leak",
			.path = at % 2 ? "a.c" : "b.c",
			.line = at,
			.message = "m",
			.severity = SG_WARNING,
		};
		judged[at].verdict = at % 4 < 2 ? SG_NEW : SG_FIXED;
	}
	assert_int_equal(sg_policy_apply(&judgement, &config, NULL, &arena),
			 SL_OK);
	assert_string_equal(judgement.objections[0],
			    "no-new: 10000 findings are new");
	assert_null(judgement.objections[1]);
	for (int at = 0; at < COUNT; at++) {
		assert_non_null(judged[at].swapped);
		assert_string_equal(judged[at].swapped->finding.path,
				    judged[at].finding.path);
	}
	sl_arena_finish(&arena);
	free(judged);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_row_has_its_verdict),
		cmocka_unit_test(the_nearest_are_swapped),
		cmocka_unit_test(counts_are_of_all_then_by_tool_and_rule),
		cmocka_unit_test(
			what_the_parent_does_not_let_count_is_not_accepted),
		cmocka_unit_test(twenty_thousand_are_judged_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
