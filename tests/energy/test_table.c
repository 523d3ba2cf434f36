/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "energy/near.h"
#include "plugins/replay/table.h"

static const struct sl_list nothing = { 0, NULL };

static enum sl_code read_table(struct table *table, const char *text,
			       const struct sl_list *joules,
			       const struct sl_list *watts,
			       struct sl_error *error)
{
	static char copy[4096];
	const struct table_choice choice = { "time_s", joules, watts };

	snprintf(copy, sizeof(copy), "%s", text);
	return table_init(table, copy, &choice, error);
}

static void columns_are_known_by_how_they_end(void **unused)
{
	struct table table;

	(void)unused;
	assert_int_equal(read_table(&table,
				    "name,pkg_joules,time_s,watts,x_w,dram_j\n"
				    "a,1,0,2,3,4\n"
				    "b,5,0.5,6,7,8\n",
				    &nothing, &nothing, NULL),
			 SL_OK);
	assert_int_equal(table.column_count, 4);
	assert_string_equal(table.columns[0].name, "pkg_joules");
	assert_false(table.columns[0].is_watts);
	assert_string_equal(table.columns[1].name, "watts");
	assert_true(table.columns[1].is_watts);
	assert_true(table.columns[2].is_watts);
	assert_false(table.columns[3].is_watts);
	assert_int_equal(table.row_count, 2);
	assert_near(table.times[1], 0.5, 0);
	for (size_t at = 0; at < 8; at++)
		assert_near(table.values[at], (double)at + 1, 0);
	table_finish(&table);
}

static void columns_may_be_named(void **unused)
{
	const struct sl_value names[] = { { .text = "rapl power" } };
	const struct sl_list watts = { 1, names };
	struct table table;

	(void)unused;
	assert_int_equal(read_table(&table,
				    "\"cpu, its name\",time_s,\"rapl power\","
				    "x_watts\r\n"
				    "\"Xeon(R), \"\"v3\"\"\",1e3,4.5,9\r\n\r\n",
				    &nothing, &watts, NULL),
			 SL_OK);
	assert_int_equal(table.column_count, 1);
	assert_int_equal(table.row_count, 1);
	assert_near(table.times[0], 1000, 0);
	assert_near(table.values[0], 4.5, 0);
	table_finish(&table);
}

static void missing_cells_are_no_numbers(void **unused)
{
	struct table table;

	(void)unused;
	assert_int_equal(read_table(&table, "time_s,a_j,b_j\n0,,7\n1,2",
				    &nothing, &nothing, NULL),
			 SL_OK);
	assert_int_equal(table.row_count, 2);
	assert_true(isnan(table.values[0]));
	assert_near(table.values[1], 7, 0);
	assert_near(table.values[2], 2, 0);
	assert_true(isnan(table.values[3]));
	table_finish(&table);
}

static void the_row_of_a_time_is_the_last_before_it(void **unused)
{
	static const struct {
		double time;
		size_t row;
	} cases[] = { { -1, 0 },  { 0, 0 }, { 0.9, 0 }, { 1, 1 },
		      { 2.9, 1 }, { 3, 2 }, { 1e9, 2 } };
	struct table table;

	(void)unused;
	assert_int_equal(read_table(&table, "time_s,w_w\n0,1\n1,1\n3,1\n",
				    &nothing, &nothing, NULL),
			 SL_OK);
	for (size_t at = 0; at < sizeof(cases) / sizeof(cases[0]); at++)
		assert_int_equal(table_row_at(&table, cases[at].time),
				 cases[at].row);
	table_finish(&table);
}

static void what_is_no_recording_is_refused_with_its_line(void **unused)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "", "line 1: no column is called \"time_s\"" },
		{ "t,watts\n0,1\n", "line 1: no column is called \"time_s\"" },
		{ "time_s,x\n0,1\n",
		  "line 1: no column holds joules or watts" },
		{ "time_s,watts\n", "line 2: no readings follow" },
		{ "time_s,watts\n0,1\n\n1,two\n",
		  "line 4: \"two\" is no number" },
		{ "time_s,watts\n0,nan\n", "line 2: \"nan\" is no number" },
		{ "time_s,watts\n0,1e999\n", "line 2: \"1e999\" is no number" },
		{ "time_s,watts\n,1\n", "line 2: no time" },
		{ "time_s,watts\n1,1\n1,1\n",
		  "line 3: its time, 1 s, is not after that of the line "
		  "before" },
		{ "time_s,watts\n1,1\n0.5,1\n",
		  "line 3: its time, 0.5 s, is not after that of the line "
		  "before" },
	};

	(void)unused;
	for (size_t at = 0; at < sizeof(cases) / sizeof(cases[0]); at++) {
		struct sl_error error = { .message = "" };
		struct table table;

		assert_int_equal(read_table(&table, cases[at].text, &nothing,
					    &nothing, &error),
				 SL_EINVAL);
		assert_string_equal(error.message, cases[at].message);
		assert_null(table.columns);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_are_known_by_how_they_end),
		cmocka_unit_test(columns_may_be_named),
		cmocka_unit_test(missing_cells_are_no_numbers),
		cmocka_unit_test(the_row_of_a_time_is_the_last_before_it),
		cmocka_unit_test(what_is_no_recording_is_refused_with_its_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
