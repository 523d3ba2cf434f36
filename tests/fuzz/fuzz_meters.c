/* SPDX-License-Identifier: MIT */
/* What meters read: a recording's CSV, and /proc/stat. Whatever the text, times
 * rise, rows are found again, and a load is from 0 to 1. */
#include <stdlib.h>
#include <string.h>

#include "plugins/cpu_model/load.h"
#include "plugins/replay/table.h"
#include "tests/fuzz/fuzz.h"

static void try_table(char *text)
{
	static const struct sl_list nothing = { 0, NULL };
	const struct table_choice choice = { "time_s", &nothing, &nothing };
	struct table table;

	if (table_init(&table, text, &choice, NULL) != SL_OK)
		return;
	fuzz_require(table.row_count > 0 && table.column_count > 0);
	for (size_t row = 0; row < table.row_count; row++) {
		fuzz_require(row == 0 ||
			     table.times[row] > table.times[row - 1]);
		fuzz_require(table_row_at(&table, table.times[row]) == row);
	}
	table_finish(&table);
}

static void try_load(const char *text)
{
	struct load load = { 0 }, none = { 0 };
	double share = -1;

	if (load_parse(&load, text, NULL) == SL_OK) {
		fuzz_require(load.count > 0);
		for (size_t at = 0; at < load.count; at++)
			load.cpus[at].ticks[0] /= 2;
		fuzz_require(load_parse(&none, text, NULL) == SL_OK);
		if (load_between(&load, &none, &share))
			fuzz_require(share >= 0 && share <= 1);
	}
	load_finish(&load);
	load_finish(&none);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);

	try_load(text);
	try_table(text);
	free(text);
	return 0;
}
