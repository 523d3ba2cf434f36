/* SPDX-License-Identifier: MIT */
/* An import: begun, fed with reports, finished or abandoned. */
#include "store/import.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "store/runs.h"

/* ---- begin and abandon ------------------------------------------------- */

static enum sl_code add_run(struct sg_store *store, struct sl_error *error)
{
	struct sg_import *import = store->import;
	const struct sg_run_start *start = &import->start;
	enum sl_code code =
		SG_DO(store, error, SG_SQL_add_run, sg_text(start->name),
		      sg_number(import->time), sg_text(start->commit),
		      sg_text(start->configuration), sg_text(start->root),
		      sg_number(start->source != NULL));

	import->run = sqlite3_last_insert_rowid(store->db);
	return code;
}

/* An import refers only to rows that it made, or found while it held the write
 * lock: SQLite need not look each of them up again, which would be a fifth of
 * the time. Statements are compiled anew when that changes. */
static void trust_references(struct sg_store *store, bool trusted)
{
	(void)sqlite3_db_config(store->db, SQLITE_DBCONFIG_ENABLE_FKEY,
				!trusted, NULL);
}

void sg_store_abandon(struct sg_store *store)
{
	struct sg_import *import = store->import;

	if (!import)
		return;
	sg_import_close_sources(import);
	sg_result_drop(import);
	sg_digest_destroy(import->result.digest);
	if (store->began)
		sg_sql_rollback(store);
	free(import);
	store->import = NULL;
	trust_references(store, false);
}

enum sl_code sg_import_open(struct sg_store *store,
			    const struct sg_run_start *start,
			    struct sl_error *error)
{
	if (store->import)
		return SL_FAIL(error, SL_EINVAL, "an import is under way");
	sg_run_hide(store);
	store->import = calloc(1, sizeof(*store->import));
	if (store->import)
		store->import->result.digest = sg_digest_create();
	if (!store->import || !store->import->result.digest) {
		free(store->import);
		store->import = NULL;
		return SL_FAIL(error, SL_ENOMEM, "no memory for an import");
	}
	store->import->start = *start;
	trust_references(store, true);
	store->import->time = time(NULL);
	return SL_OK;
}

enum sl_code sg_store_begin(struct sg_store *store,
			    const struct sg_run_start *start,
			    struct sl_error *error)
{
	enum sl_code code = sg_import_open(store, start, error);

	if (code != SL_OK)
		return code;
	code = sg_sql_begin(store, __func__, error);
	if (code == SL_OK)
		code = add_run(store, error);
	if (code != SL_OK)
		sg_store_abandon(store);
	return code;
}

/* ---- reports ----------------------------------------------------------- */

/* After a failure there is nothing to go on with. */
static enum sl_code settled(struct sg_store *store, enum sl_code code)
{
	if (code != SL_OK) {
		store->import->failed = true;
		sg_sql_rollback(store);
	}
	return code;
}

enum sl_code sg_store_add(struct sg_store *store,
			  const struct sg_finding *finding,
			  struct sl_error *error)
{
	if (!store->import || store->import->failed)
		return SL_FAIL(error, SL_EINVAL, "no import is under way");
	return settled(store, sg_result_add(store, finding, error));
}

enum sl_code sg_store_end_result(struct sg_store *store,
				 const struct sg_result_end *end,
				 struct sl_error *error)
{
	if (!store->import || store->import->failed)
		return SL_FAIL(error, SL_EINVAL, "no import is under way");
	return settled(store, sg_result_end(store, end, error));
}

/* ---- finish ------------------------------------------------------------ */

static enum sl_code finish(struct sg_store *store, const char *formats,
			   struct sl_error *error)
{
	static const struct sg_result_end unknown = {
		.state = SG_RUN_UNVERIFIED,
		.note = "nothing says how a report ended",
	};
	struct sg_import *import = store->import;
	enum sl_code code = SL_OK;

	if (import->result.id)
		code = sg_result_end(store, &unknown, error);
	if (code == SL_OK)
		code = SG_DO(store, error, SG_SQL_end_run,
			     sg_number(import->run), sg_text(formats),
			     sg_text(sg_run_state_text(import->state)),
			     sg_text(import->note[0] ? import->note : NULL),
			     sg_number(import->reports));
	if (code == SL_OK)
		code = sg_import_link(store, error);
	if (code == SL_OK)
		code = sg_sql_commit(store, error);
	return code;
}

enum sl_code sg_store_finish(struct sg_store *store, const char *formats,
			     struct sg_run *run, struct sl_error *error)
{
	enum sl_code code;
	int64_t id;

	if (!store->import || store->import->failed) {
		sg_store_abandon(store);
		return SL_FAIL(error, SL_EINVAL, "no import is under way");
	}
	id = store->import->run;
	code = finish(store, formats, error);
	sg_store_abandon(store);
	if (code == SL_OK && run)
		code = sg_run_show(store, id, run, error);
	return code;
}
