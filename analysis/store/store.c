/* SPDX-License-Identifier: MIT */
/* Opening and closing a store; the runs in it. */
#include "store/store.h"

#include <stdlib.h>
#include <string.h>

#include "store/bulk.h"
#include "store/migrate.h"
#include "store/open.h"
#include "store/runs.h"
#include "store/sql.h"

const char *sg_run_state_text(enum sg_run_state state)
{
	static const char *const texts[] = {
		[SG_RUN_COMPLETE] = "complete",
		[SG_RUN_LIMITED] = "limited",
		[SG_RUN_UNVERIFIED] = "unverified",
		[SG_RUN_INCOMPLETE] = "incomplete",
	};

	return texts[state];
}

/* ---- the process ------------------------------------------------------- */

/* SQLite refuses both when it has begun to work, and they save time only. */
void sg_store_import_only(void)
{
	(void)sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
	(void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/* ---- opening ----------------------------------------------------------- */

/* What is of this connection alone. */
static const char settings[] =
	"PRAGMA foreign_keys = ON;"
	"PRAGMA trusted_schema = OFF;"
	"PRAGMA cache_size = -16000;" /* KiB */
	"CREATE TEMP TABLE pruned (run_id INTEGER PRIMARY KEY);"
	"CREATE TEMP TABLE pair"
	" (one INTEGER PRIMARY KEY, run_id INTEGER, base_id INTEGER);"
	"CREATE TEMP TABLE matched"
	" (finding INTEGER, verdict TEXT, occurrence INTEGER);";

static enum sl_code open_store(struct sg_store *store, struct sl_error *error)
{
	/* ":memory:" and "file:x?mode=ro" are names of files like others. */
	char *file = sqlite3_mprintf("%s%s", *store->path == '/' ? "" : "./",
				     store->path);
	enum sl_code code;

	if (!file)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a store");
	code = sg_store_open_file(store, file, error);
	if (code == SL_OK)
		code = store->reads_only
			       ? sg_store_check(store, &sg_store_current, error)
			       : sg_store_ensure(store, &sg_store_current,
						 error);
	/* What somebody asks may sort more than disks hold: memory is bounded
	 * (store/select.c). */
	if (code == SL_OK && store->reads_only)
		code = sg_sql_exec(store, "PRAGMA temp_store = MEMORY", error);
	if (code == SL_OK)
		code = sg_sql_exec(store, settings, error);
	if (code == SL_OK && !store->reads_only)
		code = sg_bulk_set_up(store, error);
	sqlite3_free(file);
	return code;
}

static enum sl_code open_as(const char *path, bool reads_only,
			    struct sg_store **store, struct sl_error *error)
{
	struct sg_store *opened = calloc(1, sizeof(*opened));
	enum sl_code code;

	*store = NULL;
	if (opened) {
		opened->path = strdup(path);
		opened->reads_only = reads_only;
	}
	if (!opened || !opened->path) {
		free(opened);
		return SL_FAIL(error, SL_ENOMEM, "no memory for a store");
	}
	code = open_store(opened, error);
	if (code == SL_OK)
		*store = opened;
	else
		sg_store_close(opened);
	return code;
}

enum sl_code sg_store_open(const char *path, struct sg_store **store,
			   struct sl_error *error)
{
	return open_as(path, false, store, error);
}

enum sl_code sg_store_open_to_read(const char *path, struct sg_store **store,
				   struct sl_error *error)
{
	return open_as(path, true, store, error);
}

void sg_store_close(struct sg_store *store)
{
	if (!store)
		return;
	sg_store_abandon(store);
	for (size_t at = 0; at < SG_SQL_COUNT; at++)
		sqlite3_finalize(store->statements[at]);
	sqlite3_close(store->db);
	free(store->path);
	free(store);
}
