/* SPDX-License-Identifier: MIT */
/* The runs that are in a store: listed, and pruned. */
#include "store/runs.h"

#include <string.h>

static void read_row(sqlite3_stmt *row, struct sg_run *run)
{
	*run = (struct sg_run){
		.id = sqlite3_column_int64(row, 0),
		.name = sg_sql_text(row, 1),
		.time = sqlite3_column_int64(row, 2),
		.commit = sg_sql_text(row, 3),
		.configuration = sg_sql_text(row, 4),
		.root = sg_sql_text(row, 5),
		.formats = sg_sql_text(row, 6),
		.state = sg_sql_text(row, 7),
		.note = sg_sql_text(row, 8),
		.base = sqlite3_column_int64(row, 9),
		.found = sqlite3_column_int64(row, 10),
		.added = sqlite3_column_int64(row, 11),
		.fixed = sqlite3_column_int64(row, 12),
		.unknown = sqlite3_column_int64(row, 13),
		.suppressed = sqlite3_column_int64(row, 14),
	};
}

void sg_run_hide(struct sg_store *store)
{
	if (store->shown)
		sg_sql_stop(store->shown);
	store->shown = NULL;
}

enum sl_code sg_run_show(struct sg_store *store, int64_t id, struct sg_run *run,
			 struct sl_error *error)
{
	const struct sg_value value = sg_number(id);
	sqlite3_stmt *row;
	enum sl_code code;

	sg_run_hide(store);
	row = sg_sql_start(store, SG_SQL_list_runs, &value, 1, error);
	if (!row)
		return sg_sql_fail(store, error);
	store->shown = row;
	code = sg_sql_next(store, row, error);
	if (code == SL_OK)
		read_row(row, run);
	else
		sg_run_hide(store);
	if (code == SL_END)
		return SL_FAIL(error, SL_EINVAL, "no run %lld", (long long)id);
	return code;
}

enum sl_code sg_store_runs(struct sg_store *store, sg_run_fn *take,
			   void *context, struct sl_error *error)
{
	sqlite3_stmt *row;
	struct sg_run run;
	enum sl_code code;

	sg_run_hide(store);
	row = sg_sql_start(store, SG_SQL_list_runs, NULL, 0, error);
	if (!row)
		return sg_sql_fail(store, error);
	for (;;) {
		code = sg_sql_next(store, row, error);
		if (code == SL_OK) {
			read_row(row, &run);
			code = take(context, &run, error);
		}
		if (code != SL_OK)
			break;
	}
	sg_sql_stop(row);
	return code == SL_END ? SL_OK : code;
}

/* ---- by name ----------------------------------------------------------- */

/* @return whether @p text is an id, and which. */
static bool is_id(const char *text, int64_t *id)
{
	*id = 0;
	for (; *text >= '0' && *text <= '9'; text++) {
		if (*id > (INT64_MAX - 9) / 10)
			return false;
		*id = *id * 10 + (*text - '0');
	}
	return !*text && *id;
}

enum sl_code sg_store_run_named(struct sg_store *store, const char *text,
				int64_t *run, struct sl_error *error)
{
	const struct sg_value value = sg_text(text);
	enum sl_code code = SL_OK;
	int64_t id;

	*run = 0;
	if (!text || strcmp(text, "last") == 0) {
		code = sg_sql_ask(store, SG_SQL_last_run, NULL, 0, run, error);
		if (code == SL_OK && !*run)
			return SL_FAIL(error, SL_EINVAL,
				       "%s has no run yet: scgate import makes "
				       "one, scgate check none",
				       sl_path_tail(store->path));
		return code;
	}
	if (is_id(text, &id))
		code = SG_ASK(store, error, run, SG_SQL_run_with_id,
			      sg_number(id));
	if (code == SL_OK && !*run)
		code = SG_ASK(store, error, run, SG_SQL_run_of_name, value);
	if (code == SL_OK && !*run)
		code = SG_ASK(store, error, run, SG_SQL_run_of_commit, value);
	if (code == SL_OK && !*run)
		return SL_FAIL(error, SL_EINVAL, "%s has no run \"%.80s\"",
			       sl_path_tail(store->path), text);
	return code;
}

/* ---- pruning ----------------------------------------------------------- */

/* Within a transaction: delete the runs that @p which chooses by @p value.
 * Links go before the occurrences that they need. */
static enum sl_code remove_runs(struct sg_store *store, enum sg_statement which,
				int64_t value, int64_t *removed,
				struct sl_error *error)
{
	static const enum sg_statement steps[] = {
		SG_SQL_delete_links,   SG_SQL_delete_runs,
		SG_SQL_void_results,   SG_SQL_delete_occurrences,
		SG_SQL_delete_results, SG_SQL_delete_findings,
	};
	enum sl_code code =
		sg_sql_do(store, SG_SQL_clear_pruned, NULL, 0, error);

	if (code == SL_OK)
		code = SG_DO(store, error, which, sg_number(value));
	if (code == SL_OK)
		code = sg_sql_ask(store, SG_SQL_count_pruned, NULL, 0, removed,
				  error);
	if (!*removed)
		return code;
	for (size_t at = 0;
	     code == SL_OK && at < sizeof(steps) / sizeof(steps[0]); at++)
		code = sg_sql_do(store, steps[at], NULL, 0, error);
	return code;
}

static enum sl_code remove_chosen(struct sg_store *store, const char *who,
				  enum sg_statement which, int64_t value,
				  int64_t *removed, struct sl_error *error)
{
	enum sl_code code;

	*removed = 0;
	sg_run_hide(store);
	code = sg_sql_begin(store, who, error);
	if (code != SL_OK)
		return code;
	code = remove_runs(store, which, value, removed, error);
	if (code == SL_OK)
		code = sg_sql_commit(store, error);
	if (code != SL_OK)
		sg_sql_rollback(store);
	return code;
}

enum sl_code sg_store_forget(struct sg_store *store, int64_t run,
			     struct sl_error *error)
{
	int64_t removed;
	enum sl_code code = remove_chosen(store, __func__, SG_SQL_choose_one,
					  run, &removed, error);

	if (code == SL_OK && !removed)
		return SL_FAIL(error, SL_EINVAL, "%s has no run %lld",
			       sl_path_tail(store->path), (long long)run);
	return code;
}

enum sl_code sg_store_prune(struct sg_store *store, int64_t keep,
			    int64_t *removed, struct sl_error *error)
{
	*removed = 0;
	if (keep < 0)
		return SL_FAIL(error, SL_EINVAL, "%lld runs to keep",
			       (long long)keep);
	return remove_chosen(store, __func__, SG_SQL_choose_pruned, keep,
			     removed, error);
}
