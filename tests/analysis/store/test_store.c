/* SPDX-License-Identifier: MIT */
/* Runs imported, held against each other, and pruned. */
#include "store/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support.h"

static struct sg_store *opened(void **state)
{
	const struct folder *folder = *state;
	struct sl_error error;
	struct sg_store *store;

	if (sg_store_open(folder->db, &store, &error) != SL_OK)
		fail_msg("%s", error.message);
	return store;
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- imports ----------------------------------------------------------- */

static void what_is_not_given_is_null(void **state)
{
	const struct folder *folder = *state;
	struct sg_store *store = opened(state);
	const struct sg_finding bare = { .tool = "x", .message = "" };

	assert_int_equal(import(store, NULL, SG_RUN_COMPLETE, &bare, 1).found,
			 1);
	assert_int_equal(
		number_in(folder->db,
			  "SELECT count(*) FROM occurrences WHERE file_id IS "
			  "NULL AND line IS NULL AND column IS NULL AND cwe IS "
			  "NULL AND function IS NULL AND verbose IS NULL AND "
			  "repeats = 1"),
		1);
	sg_store_close(store);
}

static void events_keep_their_order(void **state)
{
	const struct folder *folder = *state;
	struct sg_store *store = opened(state);
	const struct sg_event events[] = {
		{ .path = "b.h", .line = 4, .message = "here" },
		{ .path = NULL, .line = 5, .function = "main" },
	};
	struct sg_finding finding = finding_at("m", 1);

	finding.events = events;
	finding.event_count = COUNT(events);
	import(store, NULL, SG_RUN_COMPLETE, &finding, 1);
	assert_int_equal(number_in(folder->db, "SELECT line FROM events WHERE "
					       "position = 0 AND message = "
					       "'here'"),
			 4);
	assert_int_equal(number_in(folder->db, "SELECT line FROM events WHERE "
					       "position = 1 AND file_id IS "
					       "NULL AND function = 'main'"),
			 5);
	sg_store_close(store);
}

static void equal_findings_of_two_units_are_one(void **state)
{
	const struct folder *folder = *state;
	struct sg_store *store = opened(state);
	const char *const first[] = { "x.c" }, *const second[] = { "y.c" };
	struct sg_finding findings[] = { finding_at("m", 1),
					 finding_at("m", 1) };

	findings[0].units = first;
	findings[0].unit_count = 1;
	findings[0].suppressed = true;
	findings[1].units = second;
	findings[1].unit_count = 1;
	findings[1].repeats = 4;
	assert_int_equal(
		import(store, NULL, SG_RUN_COMPLETE, findings, 2).found, 1);
	assert_int_equal(number_in(folder->db,
				   "SELECT repeats FROM occurrences WHERE "
				   "suppressed = 0"),
			 5);
	assert_int_equal(number_in(folder->db, "SELECT count(*) FROM "
					       "occurrence_units"),
			 2);
	sg_store_close(store);
}

static void an_abandoned_import_leaves_nothing(void **state)
{
	const struct folder *folder = *state;
	struct sg_store *store = opened(state);
	const struct sg_run_start start = { .name = "x" };
	const struct sg_finding finding = finding_at("m", 1);

	assert_int_equal(sg_store_begin(store, &start, NULL), SL_OK);
	assert_int_equal(sg_store_add(store, &finding, NULL), SL_OK);
	sg_store_abandon(store);
	assert_int_equal(number_in(folder->db,
				   "SELECT (SELECT count(*) FROM runs) + "
				   "(SELECT count(*) FROM rules)"),
			 0);
	/* and what was known of names is forgotten */
	assert_int_equal(
		import(store, NULL, SG_RUN_COMPLETE, &finding, 1).added, 1);
	sg_store_close(store);
}

static void calls_out_of_order_are_refused(void **state)
{
	struct sg_store *store = opened(state);
	const struct sg_run_start start = { .name = "x" };
	const struct sg_finding finding = finding_at("m", 1);

	assert_int_equal(sg_store_add(store, &finding, NULL), SL_EINVAL);
	assert_int_equal(sg_store_finish(store, "", NULL, NULL), SL_EINVAL);
	assert_int_equal(sg_store_begin(store, &start, NULL), SL_OK);
	assert_int_equal(sg_store_begin(store, &start, NULL), SL_EINVAL);
	assert_int_equal(sg_store_finish(store, "", NULL, NULL), SL_OK);
	assert_int_equal(sg_store_finish(store, "", NULL, NULL), SL_EINVAL);
	sg_store_close(store);
}

/* ---- against the base -------------------------------------------------- */

static void another_configuration_does_not_tell_what_is_fixed(void **state)
{
	struct sg_store *store = opened(state);
	const struct sg_run_start all = { .configuration = "all" };
	const struct sg_run_start few = { .configuration = "few" };
	const struct sg_finding finding = finding_at("m", 1);
	struct sg_run run;

	import(store, &all, SG_RUN_COMPLETE, &finding, 1);
	run = import(store, &few, SG_RUN_COMPLETE, NULL, 0);
	assert_int_equal(run.fixed, 0);
	assert_int_equal(run.unknown, 1);
	run = import(store, &few, SG_RUN_COMPLETE, NULL, 0);
	assert_int_equal(run.fixed, 1);
	sg_store_close(store);
}

static void a_finding_keeps_its_id_through_unsure_runs(void **state)
{
	const struct folder *folder = *state;
	struct sg_store *store = opened(state);
	const struct sg_finding finding = finding_at("m", 1);

	import(store, NULL, SG_RUN_COMPLETE, &finding, 1);
	import(store, NULL, SG_RUN_LIMITED, NULL, 0);
	import(store, NULL, SG_RUN_INCOMPLETE, NULL, 0);
	import(store, NULL, SG_RUN_UNVERIFIED, NULL, 0);
	assert_int_equal(
		import(store, NULL, SG_RUN_COMPLETE, &finding, 1).added, 0);
	assert_int_equal(number_in(folder->db,
				   "SELECT count(DISTINCT finding_id) * 10 + "
				   "count(*) FROM links"),
			 15);
	sg_store_close(store);
}

static void an_unverified_run_is_a_base_only_where_no_other_is(void **state)
{
	struct sg_store *store = opened(state);
	const struct sg_finding finding = finding_at("m", 1);

	import(store, NULL, SG_RUN_UNVERIFIED, &finding, 1);
	assert_int_equal(import(store, NULL, SG_RUN_COMPLETE, &finding, 1).base,
			 1);
	import(store, NULL, SG_RUN_UNVERIFIED, NULL, 0);
	assert_int_equal(import(store, NULL, SG_RUN_COMPLETE, &finding, 1).base,
			 2);
	sg_store_close(store);
}

/* Hashes of another version must not be compared; nothing is fixed by it. */
static void findings_of_another_fingerprint_version_are_unknown(void **state)
{
	const struct folder *folder = *state;
	struct sg_store *store = opened(state);
	const struct sg_finding finding = finding_at("m", 1);
	struct sg_run run;

	import(store, NULL, SG_RUN_COMPLETE, &finding, 1);
	change(folder->db, "UPDATE fingerprints SET version = 0; "
			   "UPDATE results SET cache_key = x'00'");
	run = import(store, NULL, SG_RUN_COMPLETE, &finding, 1);
	assert_int_equal(run.added, 1);
	assert_int_equal(run.unknown, 1);
	sg_store_close(store);
}

/* ---- sources and maps -------------------------------------------------- */

struct tree {
	const char *path, *text; /* of the only file */
	unsigned asked;
	struct sg_map map;
	char base_commit[16];
};

static enum sl_code give_text(void *context, const char *path,
			      const char **text, size_t *length,
			      struct sl_error *error)
{
	struct tree *tree = context;

	(void)error;
	tree->asked++;
	if (strcmp(path, tree->path) != 0)
		return SL_OK;
	*text = tree->text;
	*length = strlen(tree->text);
	return SL_OK;
}

static enum sl_code give_map(void *context, const char *base_commit,
			     const struct sg_map **map, struct sl_error *error)
{
	struct tree *tree = context;

	(void)error;
	snprintf(tree->base_commit, sizeof(tree->base_commit), "%s",
		 base_commit ? base_commit : "");
	*map = &tree->map;
	return SL_OK;
}

static const char source[] = "int f(int *p)\n"
			     "{\n"
			     "\treturn *p;\n"
			     "}\n";

static void a_source_names_functions_and_is_asked_for_once(void **state)
{
	const struct folder *folder = *state;
	struct sg_store *store = opened(state);
	struct tree tree = { .path = "a.c", .text = source };
	const struct sg_run_start start = { .source = give_text,
					    .context = &tree };
	struct sg_finding findings[] = { finding_at("m", 3), finding_at("n", 3),
					 finding_at("m", 1) };

	findings[2].path = "b.c";
	import(store, &start, SG_RUN_COMPLETE, findings, COUNT(findings));
	assert_int_equal(tree.asked, 2);
	assert_int_equal(
		number_in(folder->db,
			  "SELECT count(*) FROM occurrences AS o JOIN "
			  "fingerprints AS f ON f.occurrence_id = o.id WHERE "
			  "o.function = 'f' AND NOT f.bare AND f.line IS NOT "
			  "NULL"),
		2);
	assert_int_equal(number_in(folder->db, "SELECT count(*) FROM "
					       "fingerprints WHERE bare AND "
					       "line IS NULL"),
			 1);
	sg_store_close(store);
}

static void
with_sources_a_function_that_moved_to_another_file_is_known(void **state)
{
	struct sg_store *store = opened(state);
	struct tree tree = { .path = "a.c", .text = source };
	const struct sg_run_start start = { .commit = "c1",
					    .source = give_text,
					    .map = give_map,
					    .context = &tree };
	struct sg_finding finding = finding_at("m", 3);
	struct sg_run run;

	import(store, &start, SG_RUN_COMPLETE, &finding, 1);
	assert_string_equal(tree.base_commit, "");
	tree.path = "c.c";
	finding.path = "c.c";
	run = import(store, &start, SG_RUN_COMPLETE, &finding, 1);
	assert_string_equal(tree.base_commit, "c1");
	assert_int_equal(run.added, 0);
	assert_int_equal(run.fixed, 0);
	/* without them it is not: the first of these does not see any */
	import(store, NULL, SG_RUN_COMPLETE, &finding, 1);
	finding.path = "d.c";
	run = import(store, NULL, SG_RUN_COMPLETE, &finding, 1);
	assert_int_equal(run.added, 1);
	sg_store_close(store);
}

/* ---- runs -------------------------------------------------------------- */

static enum sl_code count_two(void *context, const struct sg_run *run,
			      struct sl_error *error)
{
	int *count = context;

	(void)run;
	return ++*count == 2 ? SL_FAIL(error, SL_ESTOPPED, "enough") : SL_OK;
}

static void a_listing_ends_when_its_taker_says_so(void **state)
{
	struct sg_store *store = opened(state);
	int count = 0;

	for (int at = 0; at < 3; at++)
		import(store, NULL, SG_RUN_COMPLETE, NULL, 0);
	assert_int_equal(sg_store_runs(store, count_two, &count, NULL),
			 SL_ESTOPPED);
	assert_int_equal(count, 2);
	sg_store_close(store);
}

static void pruning_keeps_the_last_runs(void **state)
{
	const struct folder *folder = *state;
	struct sg_store *store = opened(state);
	const struct sg_finding findings[] = { finding_at("m", 1),
					       finding_at("n", 2) };
	int64_t removed;

	import(store, NULL, SG_RUN_COMPLETE, findings, 2);
	for (int at = 0; at < 4; at++)
		import(store, NULL, SG_RUN_COMPLETE, findings, 1);
	assert_int_equal(sg_store_prune(store, 2, &removed, NULL), SL_OK);
	assert_int_equal(removed, 3);
	assert_int_equal(number_in(folder->db, "SELECT min(id) FROM runs"), 4);
	assert_int_equal(
		number_in(folder->db, "SELECT count(*) FROM occurrences"), 1);
	assert_int_equal(number_in(folder->db, "SELECT count(*) FROM findings"),
			 1);
	assert_int_equal(
		import(store, NULL, SG_RUN_COMPLETE, findings, 2).added, 1);
	sg_store_close(store);
}

static void pruning_keeps_what_the_next_import_needs(void **state)
{
	const struct folder *folder = *state;
	struct sg_store *store = opened(state);
	const struct sg_finding findings[] = { finding_at("m", 1),
					       finding_at("n", 2) };
	int64_t removed;

	import(store, NULL, SG_RUN_COMPLETE, findings, 2);
	/* the second finding is unknown from here on, seen by run 1 alone */
	import(store, NULL, SG_RUN_LIMITED, findings, 1);
	import(store, NULL, SG_RUN_INCOMPLETE, NULL, 0);
	assert_int_equal(sg_store_prune(store, 1, &removed, NULL), SL_OK);
	assert_int_equal(removed, 1);
	assert_int_equal(number_in(folder->db, "SELECT min(id) FROM runs"), 2);
	assert_int_equal(number_in(folder->db,
				   "SELECT l.run_id FROM links AS l JOIN "
				   "occurrences AS o ON o.id = l.occurrence_id "
				   "WHERE o.message = 'n'"),
			 2);
	assert_int_equal(
		import(store, NULL, SG_RUN_COMPLETE, findings, 2).added, 0);
	sg_store_close(store);
}

static void a_run_that_is_forgotten_was_never_there(void **state)
{
	const struct folder *folder = *state;
	struct sg_store *store = opened(state);
	const struct sg_finding findings[] = { finding_at("m", 1),
					       finding_at("n", 2) };
	struct sl_error error;
	struct sg_run run;

	import(store, NULL, SG_RUN_COMPLETE, findings, 1);
	import(store, NULL, SG_RUN_COMPLETE, findings + 1, 1);
	assert_int_equal(sg_store_forget(store, 2, NULL), SL_OK);
	run = import(store, NULL, SG_RUN_COMPLETE, findings, 1);
	assert_int_equal(run.base, 1);
	assert_int_equal(run.added, 0);
	assert_int_equal(number_in(folder->db, "SELECT count(*) FROM findings"),
			 1);
	assert_int_equal(sg_store_forget(store, 2, &error), SL_EINVAL);
	assert_non_null(strstr(error.message, "has no run 2"));
	sg_store_close(store);
}

static void pruning_when_there_is_nothing_to_prune(void **state)
{
	struct sg_store *store = opened(state);
	int64_t removed = 7;

	import(store, NULL, SG_RUN_COMPLETE, NULL, 0);
	assert_int_equal(sg_store_prune(store, 0, &removed, NULL), SL_OK);
	assert_int_equal(removed, 0);
	assert_int_equal(sg_store_prune(store, -1, &removed, NULL), SL_EINVAL);
	sg_store_close(store);
}

#define TEST(name) \
	cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_is_not_given_is_null),
		TEST(events_keep_their_order),
		TEST(equal_findings_of_two_units_are_one),
		TEST(an_abandoned_import_leaves_nothing),
		TEST(calls_out_of_order_are_refused),
		TEST(another_configuration_does_not_tell_what_is_fixed),
		TEST(a_finding_keeps_its_id_through_unsure_runs),
		TEST(an_unverified_run_is_a_base_only_where_no_other_is),
		TEST(findings_of_another_fingerprint_version_are_unknown),
		TEST(a_source_names_functions_and_is_asked_for_once),
		TEST(with_sources_a_function_that_moved_to_another_file_is_known),
		TEST(a_listing_ends_when_its_taker_says_so),
		TEST(pruning_keeps_the_last_runs),
		TEST(pruning_keeps_what_the_next_import_needs),
		TEST(a_run_that_is_forgotten_was_never_there),
		TEST(pruning_when_there_is_nothing_to_prune),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
