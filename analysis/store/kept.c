/* SPDX-License-Identifier: MIT */
/* Results and notes by keys, within an import that makes no run. */
#include "store/kept.h"

#include <string.h>
#include <time.h>

#include "store/import.h"
#include "store/runs.h"

enum { DAY_SECONDS = 24 * 60 * 60, TOUCH_DAYS = 7 };

static int64_t today(void)
{
	return (int64_t)time(NULL) / DAY_SECONDS;
}

/* ---- results ----------------------------------------------------------- */

static enum sg_run_state state_of(const char *text)
{
	return text && strcmp(text, "complete") == 0 ? SG_RUN_COMPLETE
						     : SG_RUN_LIMITED;
}

enum sl_code sg_kept_find(struct sg_store *store, struct sg_hash key,
			  struct sg_kept_result *result, struct sl_error *error)
{
	const struct sg_value value = sg_hash_value(key);
	sqlite3_stmt *row =
		sg_sql_start(store, SG_SQL_find_kept, &value, 1, error);
	enum sl_code code;

	*result = (struct sg_kept_result){ .id = 0 };
	if (!row)
		return sg_sql_fail(store, error);
	code = sg_sql_next(store, row, error);
	if (code == SL_OK) {
		result->id = sqlite3_column_int64(row, 0);
		result->state = state_of(sg_sql_text(row, 1));
		result->is_old =
			sqlite3_column_int64(row, 2) < today() - TOUCH_DAYS;
	}
	sg_sql_stop(row);
	return code == SL_END ? SL_OK : code;
}

enum sl_code sg_kept_use(struct sg_store *store, struct sg_hash key,
			 struct sl_error *error)
{
	return SG_DO(store, error, SG_SQL_use_kept, sg_hash_value(key),
		     sg_number(today()));
}

enum sl_code sg_kept_begin(struct sg_store *store, sg_source_fn *source,
			   void *context, struct sl_error *error)
{
	const struct sg_run_start start = { .source = source,
					    .context = context };
	enum sl_code code = sg_import_open(store, &start, error);

	if (code != SL_OK)
		return code;
	code = sg_sql_begin(store, __func__, error);
	if (code != SL_OK)
		sg_store_abandon(store);
	return code;
}

enum sl_code sg_kept_add(struct sg_store *store,
			 const struct sg_finding *finding,
			 struct sl_error *error)
{
	return sg_store_add(store, finding, error);
}

static enum sl_code keep(struct sg_store *store, struct sg_hash key,
			 const struct sg_result_end *end,
			 struct sg_kept_result *result, struct sl_error *error)
{
	enum sl_code code = sg_store_end_result(store, end, error);

	if (code == SL_OK)
		code = SG_DO(
			store, error, SG_SQL_keep_result, sg_hash_value(key),
			sg_number(store->import->ended.id), sg_number(today()));
	return code == SL_OK ? sg_kept_find(store, key, result, error) : code;
}

enum sl_code sg_kept_end(struct sg_store *store, struct sg_hash key,
			 const struct sg_result_end *end,
			 struct sg_kept_result *result, struct sl_error *error)
{
	*result = (struct sg_kept_result){ .id = 0 };
	if (!store->import || store->import->failed)
		return SL_FAIL(error, SL_EINVAL, "no import is under way");
	if (end->state == SG_RUN_UNVERIFIED || end->state == SG_RUN_INCOMPLETE)
		return sg_result_undo(store, error);
	return keep(store, key, end, result, error);
}

enum sl_code sg_kept_commit(struct sg_store *store, struct sl_error *error)
{
	enum sl_code code;

	if (!store->import || store->import->failed) {
		sg_store_abandon(store);
		return SL_FAIL(error, SL_EINVAL, "no import is under way");
	}
	code = sg_sql_commit(store, error);
	sg_store_abandon(store);
	return code;
}

/* ---- notes ------------------------------------------------------------- */

enum sl_code sg_kept_note(struct sg_store *store, struct sg_hash key,
			  struct sl_arena *arena, const char **text,
			  struct sl_error *error)
{
	const struct sg_value value = sg_hash_value(key);
	sqlite3_stmt *row =
		sg_sql_start(store, SG_SQL_find_note, &value, 1, error);
	enum sl_code code;

	*text = NULL;
	if (!row)
		return sg_sql_fail(store, error);
	code = sg_sql_next(store, row, error);
	if (code == SL_OK) {
		*text = sl_arena_text(arena, sg_sql_text(row, 0),
				      (size_t)sqlite3_column_bytes(row, 0));
		if (!*text)
			code = SL_FAIL(error, SL_ENOMEM, "no memory for notes");
	}
	sg_sql_stop(row);
	return code == SL_END ? SL_OK : code;
}

enum sl_code sg_kept_put_note(struct sg_store *store, struct sg_hash key,
			      const char *text, struct sl_error *error)
{
	return SG_DO(store, error, SG_SQL_keep_note, sg_hash_value(key),
		     sg_text(text), sg_number(today()));
}

/* ---- forgetting -------------------------------------------------------- */

static enum sl_code forget(struct sg_store *store, int64_t before,
			   int64_t *removed, struct sl_error *error)
{
	static const enum sg_statement steps[] = {
		SG_SQL_void_results,
		SG_SQL_delete_occurrences,
		SG_SQL_delete_results,
	};
	enum sl_code code =
		SG_DO(store, error, SG_SQL_forget_kept, sg_number(before));

	*removed = sqlite3_changes(store->db);
	if (code == SL_OK)
		code = SG_DO(store, error, SG_SQL_forget_notes,
			     sg_number(before));
	for (size_t at = 0;
	     code == SL_OK && at < sizeof(steps) / sizeof(steps[0]); at++)
		code = sg_sql_do(store, steps[at], NULL, 0, error);
	return code;
}

enum sl_code sg_kept_prune(struct sg_store *store, int64_t days,
			   int64_t *removed, struct sl_error *error)
{
	enum sl_code code;

	*removed = 0;
	sg_run_hide(store);
	code = sg_sql_begin(store, __func__, error);
	if (code != SL_OK)
		return code;
	code = forget(store, today() - days, removed, error);
	if (code == SL_OK)
		code = sg_sql_commit(store, error);
	if (code != SL_OK)
		sg_sql_rollback(store);
	return code;
}
