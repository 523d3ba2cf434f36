/* SPDX-License-Identifier: MIT */
/* A store in a folder of its own. */
#include "support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <dirent.h>
#include <sqlite3.h>
#include <unistd.h>

int make_folder(void **state)
{
	struct folder *folder = calloc(1, sizeof(*folder));

	if (!folder)
		return -1;
	snprintf(folder->path, sizeof(folder->path), "/tmp/sg_store.XXXXXX");
	*state = folder;
	if (!mkdtemp(folder->path))
		return -1;
	snprintf(folder->db, sizeof(folder->db), "%s/findings.db",
		 folder->path);
	return 0;
}

int remove_folder(void **state)
{
	struct folder *folder = *state;
	DIR *entries = opendir(folder->path);
	char path[512];

	for (struct dirent *entry; entries && (entry = readdir(entries));) {
		snprintf(path, sizeof(path), "%s/%s", folder->path,
			 entry->d_name);
		if (entry->d_name[0] != '.')
			unlink(path);
	}
	if (entries)
		closedir(entries);
	rmdir(folder->path);
	free(folder);
	return 0;
}

int64_t number_in(const char *db, const char *query)
{
	sqlite3 *connection;
	sqlite3_stmt *statement;
	int64_t number;

	assert_int_equal(sqlite3_open(db, &connection), SQLITE_OK);
	assert_int_equal(
		sqlite3_prepare_v2(connection, query, -1, &statement, NULL),
		SQLITE_OK);
	assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
	number = sqlite3_column_int64(statement, 0);
	sqlite3_finalize(statement);
	sqlite3_close(connection);
	return number;
}

void change(const char *db, const char *text)
{
	sqlite3 *connection;

	assert_int_equal(sqlite3_open(db, &connection), SQLITE_OK);
	assert_int_equal(sqlite3_exec(connection, text, NULL, NULL, NULL),
			 SQLITE_OK);
	sqlite3_close(connection);
}

struct sg_finding finding_at(const char *message, int64_t line)
{
	return (struct sg_finding){
		.tool = "cppcheck",
		.rule = "rule",
		.severity = SG_WARNING,
		.message = message,
		.path = "a.c",
		.line = line,
		.repeats = 1,
	};
}

struct sg_run import(struct sg_store *store, const struct sg_run_start *start,
		     enum sg_run_state state, const struct sg_finding *findings,
		     size_t count)
{
	const struct sg_run_start nothing = { .name = NULL };
	const struct sg_result_end end = { .state = state };
	struct sl_error error = { .code = SL_OK };
	struct sg_run run = { .id = 0 };

	if (sg_store_begin(store, start ? start : &nothing, &error) != SL_OK)
		fail_msg("%s", error.message);
	for (size_t at = 0; at < count; at++)
		if (sg_store_add(store, &findings[at], &error) != SL_OK)
			fail_msg("%s", error.message);
	if (sg_store_end_result(store, &end, &error) != SL_OK ||
	    sg_store_finish(store, "cppcheck-xml", &run, &error) != SL_OK)
		fail_msg("%s", error.message);
	return run;
}
