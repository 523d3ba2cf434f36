/* SPDX-License-Identifier: MIT */
/* Imports of more findings than are kept on their way into the store. */
#include "store/bulk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "store/import.h"
#include "support.h"

enum { MANY = 2 * SG_BULK_ROWS + 10 };

static struct sg_store *opened(void **state)
{
	const struct folder *folder = *state;
	struct sl_error error;
	struct sg_store *store;

	if (sg_store_open(folder->db, &store, &error) != SL_OK)
		fail_msg("%s", error.message);
	return store;
}

/* One finding a line, and behind them @p extra ones. */
static struct sg_run import_many(struct sg_store *store, size_t extra,
				 const struct sg_finding *more)
{
	struct sg_finding *all = calloc(MANY + extra, sizeof(*all));
	struct sg_run run;

	assert_non_null(all);
	for (int64_t at = 0; at < MANY; at++) {
		all[at] = finding_at("m", at + 1);
		all[at].suppressed = true;
	}
	if (extra)
		memcpy(all + MANY, more, extra * sizeof(*all));
	run = import(store, NULL, SG_RUN_COMPLETE, all, MANY + extra);
	free(all);
	return run;
}

static void many_findings_are_numbered_in_their_order(void **state)
{
	const struct folder *folder = *state;
	struct sg_store *store = opened(state);

	assert_int_equal(import_many(store, 0, NULL).found, MANY);
	assert_int_equal(
		number_in(folder->db,
			  "SELECT count(*) FROM links AS l JOIN occurrences AS "
			  "o ON o.id = l.occurrence_id WHERE l.finding_id = "
			  "o.line AND o.id = o.line AND l.verdict = 'new'"),
		MANY);
	assert_int_equal(
		number_in(folder->db, "SELECT count(*) FROM fingerprints"),
		MANY);
	assert_int_equal(number_in(folder->db,
				   "SELECT seq FROM sqlite_sequence WHERE "
				   "name = 'findings'"),
			 MANY);
	sg_store_close(store);
}

/* The first one is in the table by then, the last one is not. */
static void a_repeat_counts_wherever_the_first_report_is(void **state)
{
	const struct folder *folder = *state;
	struct sg_store *store = opened(state);
	const struct sg_finding again[] = { finding_at("m", 1),
					    finding_at("m", MANY),
					    finding_at("m", MANY) };

	assert_int_equal(import_many(store, 3, again).found, MANY);
	assert_int_equal(number_in(folder->db,
				   "SELECT repeats FROM occurrences WHERE "
				   "line = 1 AND suppressed = 0"),
			 2);
	assert_int_equal(number_in(folder->db,
				   "SELECT max(repeats) FROM occurrences WHERE "
				   "line > 1 AND suppressed = 0"),
			 3);
	assert_int_equal(number_in(folder->db, "SELECT sum(suppressed) FROM "
					       "occurrences"),
			 MANY - 2);
	sg_store_close(store);
}

static void large_texts_are_not_kept_for_long(void **state)
{
	const struct folder *folder = *state;
	struct sg_store *store = opened(state);
	const struct sg_run_start start = { .name = "x" };
	char *text = calloc(1, SG_BULK_BYTES + 1);
	struct sg_finding finding;

	assert_non_null(text);
	memset(text, 'x', SG_BULK_BYTES);
	finding = finding_at(text, 1);
	assert_int_equal(sg_store_begin(store, &start, NULL), SL_OK);
	assert_int_equal(sg_store_add(store, &finding, NULL), SL_OK);
	assert_int_equal(store->import->result.occurrences.rows.count, 0);
	assert_int_equal(sg_store_finish(store, "x", NULL, NULL), SL_OK);
	assert_int_equal(number_in(folder->db, "SELECT max(length(message)) "
					       "FROM occurrences"),
			 SG_BULK_BYTES);
	free(text);
	sg_store_close(store);
}

/* An import does not let SQLite check what it refers to; others do. */
static void references_are_whole_and_guarded_afterwards(void **state)
{
	const struct folder *folder = *state;
	struct sg_store *store = opened(state);
	struct sg_run run = import_many(store, 0, NULL);

	assert_int_equal(number_in(folder->db, "SELECT count(*) FROM "
					       "pragma_foreign_key_check"),
			 0);
	assert_int_equal(sg_store_forget(store, run.id, NULL), SL_OK);
	assert_int_equal(number_in(folder->db,
				   "SELECT (SELECT count(*) FROM links) + "
				   "(SELECT count(*) FROM fingerprints) + "
				   "(SELECT count(*) FROM counts)"),
			 0);
	sg_store_close(store);
}

/* @return what an import of one finding that is known says, and *error. */
static enum sl_code import_again(struct sg_store *store, struct sl_error *error)
{
	const struct sg_run_start start = { .name = "x" };
	const struct sg_result_end end = { .state = SG_RUN_COMPLETE };
	const struct sg_finding finding = finding_at("m", 1);

	assert_int_equal(sg_store_begin(store, &start, NULL), SL_OK);
	assert_int_equal(sg_store_add(store, &finding, NULL), SL_OK);
	assert_int_equal(sg_store_end_result(store, &end, NULL), SL_OK);
	return sg_store_finish(store, "cppcheck-xml", NULL, error);
}

static void a_base_that_is_not_whole_is_refused(void **state)
{
	static const char *const losses[] = {
		"DELETE FROM findings WHERE id = 5",
		"DELETE FROM occurrences WHERE id = 5",
		"DELETE FROM fingerprints WHERE occurrence_id = 5",
		"UPDATE occurrences SET rule_id = 7 WHERE id = 5",
	};
	const struct folder *folder = *state;

	for (size_t at = 0; at < sizeof(losses) / sizeof(losses[0]); at++) {
		struct sg_store *store = opened(state);
		struct sl_error error;

		import_many(store, 0, NULL);
		sg_store_close(store);
		change(folder->db, losses[at]);
		store = opened(state);
		assert_int_equal(import_again(store, &error), SL_EINVAL);
		assert_non_null(strstr(error.message, "is damaged: a finding"));
		sg_store_close(store);
		assert_int_equal(remove(folder->db), 0);
	}
}

static void without_a_number_left_only_known_ones_are_stored(void **state)
{
	const struct folder *folder = *state;
	struct sg_store *store = opened(state);
	struct sl_error error;

	import_many(store, 0, NULL);
	change(folder->db, "UPDATE sqlite_sequence SET seq = "
			   "9223372036854775807 WHERE name = 'findings'");
	assert_int_equal(import_again(store, &error), SL_OK);
	change(folder->db, "UPDATE links SET verdict = 'fixed' "
			   "WHERE run_id = 2");
	assert_int_equal(import_again(store, &error), SL_EINVAL);
	assert_non_null(strstr(error.message, "has no number left for a"));
	sg_store_close(store);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			many_findings_are_numbered_in_their_order, make_folder,
			remove_folder),
		cmocka_unit_test_setup_teardown(
			a_repeat_counts_wherever_the_first_report_is,
			make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(
			large_texts_are_not_kept_for_long, make_folder,
			remove_folder),
		cmocka_unit_test_setup_teardown(
			references_are_whole_and_guarded_afterwards,
			make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(
			a_base_that_is_not_whole_is_refused, make_folder,
			remove_folder),
		cmocka_unit_test_setup_teardown(
			without_a_number_left_only_known_ones_are_stored,
			make_folder, remove_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
