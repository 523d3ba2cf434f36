/* SPDX-License-Identifier: MIT */
/* Any two runs held against each other. */
#include "store/compare.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "store/sql.h"
#include "support.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct sg_store *opened(void **state)
{
	const struct folder *folder = *state;
	struct sl_error error;
	struct sg_store *store;

	if (sg_store_open(folder->db, &store, &error) != SL_OK)
		fail_msg("%s", error.message);
	return store;
}

/* The verdicts on messages, "m:same n:new", in the order of messages. */
static void expect(struct sg_store *store, int64_t run, int64_t base,
		   const char *expected)
{
	struct sl_error error = { .code = SL_OK };
	sqlite3_stmt *row;
	char found[256] = "";
	size_t used = 0;

	if (sg_store_compare(store, run, base, NULL, NULL, &error) != SL_OK)
		fail_msg("%s", error.message);
	assert_int_equal(
		sqlite3_prepare_v2(
			store->db,
			"SELECT o.message || ':' || c.verdict FROM compared AS "
			"c JOIN occurrences AS o ON o.id = c.occurrence ORDER "
			"BY 1",
			-1, &row, NULL),
		SQLITE_OK);
	while (sqlite3_step(row) == SQLITE_ROW)
		used += (size_t)snprintf(
			found + used, sizeof(found) - used, "%s%s",
			used ? " " : "",
			(const char *)sqlite3_column_text(row, 0));
	sqlite3_finalize(row);
	assert_string_equal(found, expected);
}

/* Runs 1: m n; 2: n o; 3: o p; each held against the one before. */
static struct sg_store *chain_of_three(void **state)
{
	struct sg_store *store = opened(state);
	const struct sg_finding findings[] = {
		finding_at("m", 1),
		finding_at("n", 2),
		finding_at("o", 3),
		finding_at("p", 4),
	};

	for (size_t first = 0; first < 3; first++)
		import(store, NULL, SG_RUN_COMPLETE, findings + first, 2);
	return store;
}

static void a_run_against_its_own_base(void **state)
{
	struct sg_store *store = chain_of_three(state);

	expect(store, 2, 0, "m:fixed n:same o:new");
	expect(store, 2, 1, "m:fixed n:same o:new");
	expect(store, 1, 0, "m:new n:new");
	sg_store_close(store);
}

static void a_run_against_a_base_of_its_base(void **state)
{
	struct sg_store *store = chain_of_three(state);

	expect(store, 3, 1, "m:fixed n:fixed o:new p:new");
	sg_store_close(store);
}

static void what_is_unknown_since_stays_so(void **state)
{
	struct sg_store *store = opened(state);
	const struct sg_finding findings[] = { finding_at("m", 1),
					       finding_at("n", 2) };

	import(store, NULL, SG_RUN_COMPLETE, findings, 2);
	import(store, NULL, SG_RUN_LIMITED, findings, 1);
	import(store, NULL, SG_RUN_LIMITED, findings, 1);
	expect(store, 3, 1, "m:same n:unknown");
	sg_store_close(store);
}

static void runs_that_never_met_are_matched_anew(void **state)
{
	struct sg_store *store = chain_of_three(state);

	/* an older one against a newer one */
	expect(store, 1, 3, "m:new n:new o:fixed p:fixed");
	/* an incomplete one is nobody's base */
	{
		const struct sg_finding findings[] = { finding_at("o", 7),
						       finding_at("q", 8) };

		import(store, NULL, SG_RUN_INCOMPLETE, findings, 2);
		import(store, NULL, SG_RUN_COMPLETE, findings, 2);
	}
	expect(store, 5, 4, "o:same p:fixed q:same");
	expect(store, 4, 5, "o:same q:same");
	expect(store, 4, 1, "m:fixed n:fixed o:new q:new");
	sg_store_close(store);
}

static void a_run_that_is_not_there_is_refused(void **state)
{
	struct sg_store *store = chain_of_three(state);
	struct sl_error error;

	assert_int_equal(sg_store_compare(store, 9, 0, NULL, NULL, &error),
			 SL_EINVAL);
	assert_non_null(strstr(error.message, "has no run 9"));
	assert_int_equal(sg_store_compare(store, 3, 8, NULL, NULL, &error),
			 SL_EINVAL);
	assert_non_null(strstr(error.message, "has no run 8"));
	sg_store_close(store);
}

static void a_store_that_is_open_to_read_can_be_compared(void **state)
{
	const struct folder *folder = *state;
	struct sg_store *store = chain_of_three(state);

	sg_store_close(store);
	assert_int_equal(sg_store_open_to_read(folder->db, &store, NULL),
			 SL_OK);
	expect(store, 1, 3, "m:new n:new o:fixed p:fixed");
	sg_store_close(store);
}

/* ---- runs by name ------------------------------------------------------ */

static void runs_are_found_by_id_name_and_commit(void **state)
{
	static const struct {
		const char *text;
		int64_t run; /* 0: there is none */
	} rows[] = {
		{ NULL, 4 },       { "last", 4 },
		{ "1", 1 },        { "9", 0 },
		{ "nightly", 2 },  { "night", 0 },
		{ "abcdef01", 3 }, { "abcdef0", 3 },
		{ "abcdef", 0 },   { "2026", 4 },
		{ "", 0 },         { "99999999999999999999", 0 },
		{ "abcdef02", 0 },
	};
	static const struct sg_run_start starts[] = {
		{ .name = "nightly" },
		{ .name = "nightly", .commit = "abcdef01" },
		{ .commit = "abcdef01" },
		{ .name = "2026" },
	};
	struct sg_store *store = opened(state);

	for (size_t at = 0; at < COUNT(starts); at++)
		import(store, &starts[at], SG_RUN_COMPLETE, NULL, 0);
	for (size_t at = 0; at < COUNT(rows); at++) {
		int64_t run;
		enum sl_code code =
			sg_store_run_named(store, rows[at].text, &run, NULL);

		assert_int_equal(code, rows[at].run ? SL_OK : SL_EINVAL);
		assert_int_equal(run, rows[at].run);
	}
	sg_store_close(store);
}

/* ---- several reports --------------------------------------------------- */

static void equal_findings_of_several_reports_are_one(void **state)
{
	const struct folder *folder = *state;
	struct sg_store *store = opened(state);
	const struct sg_run_start start = { .name = "x" };
	const struct sg_result_end end = { .state = SG_RUN_COMPLETE };
	struct sg_finding accepted = finding_at("m", 1);
	const struct sg_finding own = finding_at("m", 1);
	struct sg_run run;

	accepted.suppressed = true;
	assert_int_equal(sg_store_begin(store, &start, NULL), SL_OK);
	assert_int_equal(sg_store_add(store, &accepted, NULL), SL_OK);
	assert_int_equal(sg_store_end_result(store, &end, NULL), SL_OK);
	assert_int_equal(sg_store_add(store, &own, NULL), SL_OK);
	assert_int_equal(sg_store_end_result(store, &end, NULL), SL_OK);
	assert_int_equal(sg_store_finish(store, "gcc", &run, NULL), SL_OK);
	assert_int_equal(run.found, 1);
	/* what one report does not accept counts */
	assert_int_equal(run.suppressed, 0);
	assert_int_equal(
		number_in(folder->db, "SELECT count(*) FROM occurrences"), 2);
	sg_store_close(store);
}

static void a_report_without_an_ending_is_unverified(void **state)
{
	struct sg_store *store = opened(state);
	const struct sg_run_start start = { .name = "x" };
	const struct sg_finding finding = finding_at("m", 1);
	struct sg_run run;

	assert_int_equal(sg_store_begin(store, &start, NULL), SL_OK);
	assert_int_equal(sg_store_add(store, &finding, NULL), SL_OK);
	assert_int_equal(sg_store_finish(store, "gcc", &run, NULL), SL_OK);
	assert_string_equal(run.state, "unverified");
	assert_string_equal(run.note, "nothing says how a report ended");
	sg_store_close(store);
}

#define TEST(name) \
	cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_run_against_its_own_base),
		TEST(a_run_against_a_base_of_its_base),
		TEST(what_is_unknown_since_stays_so),
		TEST(runs_that_never_met_are_matched_anew),
		TEST(a_run_that_is_not_there_is_refused),
		TEST(a_store_that_is_open_to_read_can_be_compared),
		TEST(runs_are_found_by_id_name_and_commit),
		TEST(equal_findings_of_several_reports_are_one),
		TEST(a_report_without_an_ending_is_unverified),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
