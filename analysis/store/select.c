/* SPDX-License-Identifier: MIT */
/* SQL that somebody wrote: it may read, and not for ever. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "store/answer.h"
#include "store/query.h"

enum {
	LENGTH_MAX = 64 << 20, /* of a text or blob, in bytes */
	HEAP_MAX = 512 << 20, /* of all that SQLite holds, in bytes */
	COUNTED_STEPS = 1000, /* between two looks at how many are left */
};

static const struct {
	int id, value;
} limits[] = {
	{ SQLITE_LIMIT_LENGTH, LENGTH_MAX },
	{ SQLITE_LIMIT_SQL_LENGTH, 1 << 20 },
	/* One step matches a pattern, and may take long for a long one. */
	{ SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000 },
	{ SQLITE_LIMIT_ATTACHED, 0 },
	{ SQLITE_LIMIT_WORKER_THREADS, 0 },
};

enum { LIMITS = sizeof(limits) / sizeof(limits[0]) };

struct guard {
	int limits_before[LIMITS];
	sqlite3_int64 heap_before;
	uint64_t steps; /* allowed; 0: any number */
	uint64_t left;
	bool is_over; /* the steps are used up */
	char refused[128]; /* what was not allowed; "": nothing */
};

/* ---- what is allowed --------------------------------------------------- */

/* They load code, or reach files or what belongs to the whole process. Most
 * are the shell's, and in a library only if somebody put them there. */
static const char *const refused_functions[] = {
	"load_extension", "readfile",   "writefile",     "edit",
	"fts3_tokenizer", "sqlite_log", "fsdir",         "zipfile",
	"lsmode",         "eval",       "sqlite_dbpage",
};

static const struct {
	int action;
	const char *name;
} actions[] = {
	{ SQLITE_INSERT, "INSERT" },
	{ SQLITE_UPDATE, "UPDATE" },
	{ SQLITE_DELETE, "DELETE" },
	{ SQLITE_ATTACH, "ATTACH" },
	{ SQLITE_DETACH, "DETACH" },
	{ SQLITE_PRAGMA, "PRAGMA" },
	{ SQLITE_TRANSACTION, "a transaction" },
	{ SQLITE_SAVEPOINT, "SAVEPOINT" },
	{ SQLITE_ANALYZE, "ANALYZE" },
	{ SQLITE_REINDEX, "REINDEX" },
	{ SQLITE_ALTER_TABLE, "ALTER" },
};

static bool is_schema(const char *table)
{
	return table && (strcmp(table, "sqlite_master") == 0 ||
			 strcmp(table, "sqlite_temp_master") == 0);
}

static const char *action_name(int action, const char *table)
{
	/* CREATE and DROP begin as changes of the table of tables. */
	if (is_schema(table))
		return "a change of the schema";
	for (size_t at = 0; at < sizeof(actions) / sizeof(actions[0]); at++)
		if (actions[at].action == action)
			return actions[at].name;
	return "this";
}

static bool is_refused_function(const char *name)
{
	for (size_t at = 0;
	     at < sizeof(refused_functions) / sizeof(refused_functions[0]);
	     at++)
		if (sqlite3_stricmp(name, refused_functions[at]) == 0)
			return true;
	return false;
}

/* To declare its columns, json_each() seems to update the table of tables. Who
 * tries that himself is refused by SQLite. */
static int authorize(void *context, int action, const char *first,
		     const char *second, const char *database,
		     const char *trigger)
{
	struct guard *guard = context;

	(void)database;
	(void)trigger;
	switch (action) {
	case SQLITE_SELECT:
	case SQLITE_READ:
	case SQLITE_RECURSIVE:
		return SQLITE_OK;
	case SQLITE_FUNCTION:
		if (!is_refused_function(second))
			return SQLITE_OK;
		snprintf(guard->refused, sizeof(guard->refused), "%s()",
			 second);
		return SQLITE_DENY;
	default:
		if (action == SQLITE_UPDATE && is_schema(first))
			return SQLITE_OK;
		snprintf(guard->refused, sizeof(guard->refused), "%s",
			 action_name(action, first));
		return SQLITE_DENY;
	}
}

/* ---- how long ---------------------------------------------------------- */

static int interval_of(const struct guard *guard)
{
	return guard->steps < COUNTED_STEPS ? (int)guard->steps : COUNTED_STEPS;
}

/* @return whether to stop. */
static int count_steps(void *context)
{
	struct guard *guard = context;
	uint64_t interval = (uint64_t)interval_of(guard);

	guard->left -= guard->left < interval ? guard->left : interval;
	guard->is_over = !guard->left;
	return guard->is_over;
}

/* ---- the guard --------------------------------------------------------- */

static void raise_guard(struct sg_store *store, struct guard *guard)
{
	for (size_t at = 0; at < LIMITS; at++)
		guard->limits_before[at] = sqlite3_limit(
			store->db, limits[at].id, limits[at].value);
	guard->heap_before = sqlite3_hard_heap_limit64(HEAP_MAX);
	guard->left = guard->steps;
	if (guard->steps)
		sqlite3_progress_handler(store->db, interval_of(guard),
					 count_steps, guard);
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_ENABLE_VIEW, 1, NULL);
	sqlite3_set_authorizer(store->db, authorize, guard);
}

static void lower_guard(struct sg_store *store, const struct guard *guard)
{
	sqlite3_set_authorizer(store->db, NULL, NULL);
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	sqlite3_progress_handler(store->db, 0, NULL, NULL);
	sqlite3_hard_heap_limit64(guard->heap_before);
	for (size_t at = 0; at < LIMITS; at++)
		sqlite3_limit(store->db, limits[at].id,
			      guard->limits_before[at]);
}

/* Say what the guard knows better than SQLite. */
static enum sl_code explain(struct sg_store *store, const struct guard *guard,
			    enum sl_code code, struct sl_error *error)
{
	int reason = sqlite3_errcode(store->db);

	if (*guard->refused)
		return SL_FAIL(error, SL_EINVAL,
			       "a question may only read: %s is refused",
			       guard->refused);
	if (reason == SQLITE_INTERRUPT && guard->is_over)
		return SL_FAIL(error, SL_EINVAL,
			       "it takes more than %llu "
			       "steps",
			       (unsigned long long)guard->steps);
	if (reason == SQLITE_NOMEM)
		return SL_FAIL(error, SL_ENOMEM,
			       "it takes more than %d MiB of "
			       "memory, or there is none",
			       HEAP_MAX >> 20);
	return code;
}

/* ---- one statement ----------------------------------------------------- */

/* The first statement in @p text, or NULL; *text is set behind it. */
static enum sl_code compile(struct sg_store *store, const char **text,
			    sqlite3_stmt **statement, struct sl_error *error)
{
	*statement = NULL;
	while (!*statement && **text)
		if (sqlite3_prepare_v2(store->db, *text, -1, statement, text) !=
		    SQLITE_OK)
			return sg_answer_fail(store, error);
	return SL_OK;
}

static enum sl_code refuse_more(struct sg_store *store, const char *text,
				struct sl_error *error)
{
	sqlite3_stmt *second;
	enum sl_code code = compile(store, &text, &second, NULL);

	sqlite3_finalize(second);
	if (code != SL_OK || second)
		return SL_FAIL(error, SL_EINVAL,
			       "one statement is wanted, not more");
	return SL_OK;
}

static enum sl_code check(sqlite3_stmt *statement, struct sl_error *error)
{
	const char *parameter;

	if (!statement)
		return SL_FAIL(error, SL_EINVAL, "there is no statement");
	if (!sqlite3_stmt_readonly(statement) ||
	    !sqlite3_column_count(statement))
		return SL_FAIL(error, SL_EINVAL,
			       "a question may only read, and must have rows");
	if (!sqlite3_bind_parameter_count(statement))
		return SL_OK;
	parameter = sqlite3_bind_parameter_name(statement, 1);
	return SL_FAIL(error, SL_EINVAL, "nothing gives %s a value",
		       parameter ? parameter : "?");
}

enum sl_code sg_store_select(struct sg_store *store, const char *text,
			     uint64_t steps, sg_row_fn *take, void *context,
			     struct sl_error *error)
{
	struct guard guard = { .steps = steps };
	sqlite3_stmt *statement;
	bool is_asked = false;
	enum sl_code code;

	raise_guard(store, &guard);
	code = compile(store, &text, &statement, error);
	if (code != SL_OK)
		code = explain(store, &guard, code, error);
	if (code == SL_OK)
		code = refuse_more(store, text, error);
	if (code == SL_OK)
		code = check(statement, error);
	if (code == SL_OK) {
		is_asked = true;
		code = sg_answer(store, statement, take, context, error);
	}
	if (code != SL_OK && is_asked)
		code = explain(store, &guard, code, error);
	sqlite3_finalize(statement);
	lower_guard(store, &guard);
	return code;
}
