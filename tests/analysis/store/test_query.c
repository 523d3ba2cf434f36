/* SPDX-License-Identifier: MIT */
/* Questions: how their rows come, and what is left behind. */
#include "store/query.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

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

/* What came, as text: names, then kinds and values. */
struct rows {
	char text[512];
	size_t count; /* of calls */
	size_t stop; /* at this call; 0: never */
};

static void append(struct rows *rows, const char *text)
{
	size_t used = strlen(rows->text);

	snprintf(rows->text + used, sizeof(rows->text) - used, "%s", text);
}

static void append_field(struct rows *rows, const struct sg_field *field)
{
	char text[80] = "null";

	switch (field->kind) {
	case SG_FIELD_NULL:
		break;
	case SG_FIELD_INTEGER:
		snprintf(text, sizeof(text), "%lld", (long long)field->integer);
		break;
	case SG_FIELD_REAL:
		snprintf(text, sizeof(text), "%.1f", field->real);
		break;
	case SG_FIELD_TEXT:
	case SG_FIELD_BLOB:
		assert_int_equal(field->text[field->length], '\0');
		snprintf(text, sizeof(text), "%s(%zu)%s",
			 field->kind == SG_FIELD_TEXT ? "text" : "blob",
			 field->length, field->text);
		break;
	}
	append(rows, text);
}

static enum sl_code take(void *context, const struct sg_row *row,
			 struct sl_error *error)
{
	struct rows *rows = context;

	if (++rows->count == rows->stop)
		return SL_FAIL(error, SL_ESTOPPED, "enough");
	for (size_t at = 0; at < row->count; at++) {
		append(rows, at ? " " : "");
		if (row->fields)
			append_field(rows, &row->fields[at]);
		else
			append(rows, row->names[at]);
	}
	append(rows, "\n");
	return SL_OK;
}

static void expect(struct sg_store *store, const char *statement,
		   const char *expected)
{
	struct rows rows = { .text = "" };
	struct sl_error error = { .code = SL_OK };

	if (sg_store_select(store, statement, 0, take, &rows, &error) != SL_OK)
		fail_msg("%s", error.message);
	assert_string_equal(rows.text, expected);
}

static void fields_have_kinds(void **state)
{
	struct sg_store *store = opened(state);

	expect(store,
	       "SELECT NULL AS n, 7 AS i, 0.5 AS r, 'ab' AS t, x'6100' AS b, "
	       "'' AS e, x'' AS z",
	       "n i r t b e z\n"
	       "null 7 0.5 text(2)ab blob(2)a text(0) blob(0)\n");
	sg_store_close(store);
}

static void an_answer_without_rows_tells_its_columns(void **state)
{
	struct sg_store *store = opened(state);

	expect(store, "SELECT id, name FROM runs", "id name\n");
	sg_store_close(store);
}

static void who_takes_rows_may_stop(void **state)
{
	struct sg_store *store = opened(state);
	static const char statement[] = "VALUES (1), (2), (3)";

	for (size_t stop = 1; stop <= 4; stop++) {
		struct rows rows = { .stop = stop };
		struct sl_error error = { .code = SL_OK };

		assert_int_equal(sg_store_select(store, statement, 0, take,
						 &rows, &error),
				 SL_ESTOPPED);
		assert_string_equal(error.message, "enough");
		assert_int_equal(rows.count, stop);
	}
	sg_store_close(store);
}

static const char endless[] = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL "
			      "SELECT n + 1 FROM c) SELECT count(*) FROM c";

/* The store goes on as if nobody had asked. */
static void the_guard_goes_with_the_question(void **state)
{
	static const char *const refused[] = {
		"DELETE FROM runs",
		"SELECT load_extension('x')",
		"SELECT zeroblob(100000000)",
		"SELEC",
		endless,
	};
	static const struct sg_run_start start = { .name = "n" };
	const struct sg_finding finding = finding_at("m", 1);
	struct sg_store *store = opened(state);

	for (size_t at = 0; at < COUNT(refused); at++) {
		struct rows rows = { .text = "" };
		struct sl_error error = { .code = SL_OK };
		struct sg_run run;

		assert_int_equal(sg_store_select(store, refused[at], 5000, take,
						 &rows, &error),
				 SL_EINVAL);
		assert_int_equal(rows.count, 0);
		run = import(store, &start, SG_RUN_COMPLETE, &finding, 1);
		assert_int_equal(run.found, 1);
	}
	expect(store, "SELECT count(*) AS n FROM runs", "n\n5\n");
	sg_store_close(store);
}

static enum sl_code asked(struct sg_store *store, const char *name, int64_t run,
			  int64_t base, struct rows *rows,
			  struct sl_error *error)
{
	const struct sg_question question = { .query = sg_query_named(name),
					      .run = run,
					      .base = base };

	return sg_store_query(store, &question, take, rows, error);
}

static void named_ones_are_asked_of_a_run_and_its_base(void **state)
{
	static const struct sg_run_start start = { .name = "n" };
	const struct sg_finding findings[] = { finding_at("m", 1),
					       finding_at("n", 2) };
	struct sg_store *store = opened(state);
	struct sl_error error = { .code = SL_OK };
	struct rows rows = { .text = "" };

	import(store, &start, SG_RUN_COMPLETE, findings, 1);
	import(store, &start, SG_RUN_COMPLETE, findings, 2);
	assert_int_equal(asked(store, "by-rule", 2, 0, &rows, &error), SL_OK);
	assert_string_equal(rows.text,
			    "tool rule open was change new fixed unknown "
			    "suppressed\n"
			    "text(8)cppcheck text(4)rule 2 1 1 1 0 0 0\n");
	assert_int_equal(asked(store, "new", 9, 0, &rows, &error), SL_EINVAL);
	assert_int_equal(asked(store, "new", 2, 9, &rows, &error), SL_EINVAL);
	sg_store_close(store);
}

static void summaries_are_the_second_line(void **unused)
{
	static const struct sg_query queries[] = {
		{ "a", "-- licence\n-- What is new.\n--\nSELECT 1;\n" },
		{ "b", "-- licence\n-- What is new?" },
		{ "c", "" },
	};
	static const char *const expected[] = { "What is new", "What is new?",
						"" };
	char line[80];

	(void)unused;
	for (size_t at = 0; at < COUNT(queries); at++) {
		sg_query_summary(&queries[at], line, sizeof(line));
		assert_string_equal(line, expected[at]);
	}
	sg_query_summary(&queries[0], line, 5);
	assert_string_equal(line, "What");
	assert_null(sg_query_named("a"));
	assert_string_equal(sg_queries[0].name, "new");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(fields_have_kinds, make_folder,
						remove_folder),
		cmocka_unit_test_setup_teardown(
			an_answer_without_rows_tells_its_columns, make_folder,
			remove_folder),
		cmocka_unit_test_setup_teardown(who_takes_rows_may_stop,
						make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(
			the_guard_goes_with_the_question, make_folder,
			remove_folder),
		cmocka_unit_test_setup_teardown(
			named_ones_are_asked_of_a_run_and_its_base, make_folder,
			remove_folder),
		cmocka_unit_test(summaries_are_the_second_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
