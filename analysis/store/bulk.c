/* SPDX-License-Identifier: MIT */
/* The table "given" is a virtual one: https://www.sqlite.org/vtab.html */
#include "store/bulk.h"

#include <stdlib.h>
#include <string.h>

/* ---- the table that statements read ------------------------------------- */

struct table {
	sqlite3_vtab base; /* SQLite's; first */
	const struct sg_store *store; /* borrowed */
};

struct cursor {
	sqlite3_vtab_cursor base; /* SQLite's; first */
	const struct sg_bulk *bulk; /* borrowed */
	size_t row;
};

static int connect_table(sqlite3 *db, void *store, int count,
			 const char *const *words, sqlite3_vtab **made,
			 char **why)
{
	struct table *table;
	int code = sqlite3_declare_vtab(
		db, "CREATE TABLE given (a, b, c, d, e, f, g, h, i, j, k, l, m,"
		    " n, o, p, q)");

	(void)count;
	(void)words;
	(void)why;
	if (code != SQLITE_OK)
		return code;
	table = calloc(1, sizeof(*table));
	if (!table)
		return SQLITE_NOMEM;
	table->store = store;
	*made = &table->base;
	return SQLITE_OK;
}

static int disconnect_table(sqlite3_vtab *table)
{
	free(table);
	return SQLITE_OK;
}

/* There is one way to read it: all of it. */
static int plan(sqlite3_vtab *table, sqlite3_index_info *about)
{
	(void)table;
	about->estimatedRows = SG_BULK_ROWS;
	about->estimatedCost = SG_BULK_ROWS;
	return SQLITE_OK;
}

static int open_cursor(sqlite3_vtab *of, sqlite3_vtab_cursor **made)
{
	const struct table *table = (const struct table *)of;
	struct cursor *cursor = calloc(1, sizeof(*cursor));

	if (!cursor)
		return SQLITE_NOMEM;
	cursor->bulk = table->store->given;
	*made = &cursor->base;
	return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *cursor)
{
	free(cursor);
	return SQLITE_OK;
}

static int rewind_cursor(sqlite3_vtab_cursor *of, int plan_number,
			 const char *plan_text, int count,
			 sqlite3_value **values)
{
	struct cursor *cursor = (struct cursor *)of;

	(void)plan_number;
	(void)plan_text;
	(void)count;
	(void)values;
	cursor->row = 0;
	return SQLITE_OK;
}

static int go_on(sqlite3_vtab_cursor *of)
{
	struct cursor *cursor = (struct cursor *)of;

	cursor->row++;
	return SQLITE_OK;
}

static int is_at_end(sqlite3_vtab_cursor *of)
{
	const struct cursor *cursor = (const struct cursor *)of;

	return !cursor->bulk || cursor->row >= cursor->bulk->count;
}

static int give_value(sqlite3_vtab_cursor *of, sqlite3_context *to, int column)
{
	const struct cursor *cursor = (const struct cursor *)of;
	const struct sg_bulk *bulk = cursor->bulk;
	const struct sg_value *value;

	if ((size_t)column >= bulk->columns)
		return SQLITE_OK; /* NULL */
	value = &bulk->values[cursor->row * bulk->columns + (size_t)column];
	switch (value->kind) {
	case SG_VALUE_NUMBER:
		sqlite3_result_int64(to, value->number);
		break;
	case SG_VALUE_TEXT:
		sqlite3_result_text64(to, value->text,
				      (sqlite3_uint64)value->number,
				      SQLITE_STATIC, SQLITE_UTF8);
		break;
	case SG_VALUE_HASH:
		sqlite3_result_blob(to, value->hash, sizeof(value->hash),
				    SQLITE_STATIC);
		break;
	case SG_VALUE_BYTES:
	case SG_VALUE_NULL:
		break;
	}
	return SQLITE_OK;
}

static int give_rowid(sqlite3_vtab_cursor *of, sqlite3_int64 *rowid)
{
	const struct cursor *cursor = (const struct cursor *)of;

	*rowid = (sqlite3_int64)cursor->row;
	return SQLITE_OK;
}

/* Without xCreate it is there by itself, and only for statements. */
static const sqlite3_module module = {
	.xConnect = connect_table,
	.xBestIndex = plan,
	.xDisconnect = disconnect_table,
	.xOpen = open_cursor,
	.xClose = close_cursor,
	.xFilter = rewind_cursor,
	.xNext = go_on,
	.xEof = is_at_end,
	.xColumn = give_value,
	.xRowid = give_rowid,
};

enum sl_code sg_bulk_set_up(struct sg_store *store, struct sl_error *error)
{
	if (sqlite3_create_module_v2(store->db, "given", &module, store,
				     NULL) != SQLITE_OK)
		return sg_sql_fail(store, error);
	return SL_OK;
}

/* ---- rows ---------------------------------------------------------------- */

static bool copy_row(struct sg_bulk *bulk, const struct sg_value *from)
{
	struct sg_value *to = &bulk->values[bulk->count * bulk->columns];

	memcpy(to, from, bulk->columns * sizeof(*to));
	for (size_t at = 0; at < bulk->columns; at++) {
		size_t length;

		if (to[at].kind != SG_VALUE_TEXT)
			continue;
		length = strlen(from[at].text);
		to[at].number = (int64_t)length;
		to[at].text =
			sl_arena_text(&bulk->texts, from[at].text, length);
		if (!to[at].text)
			return false;
		bulk->bytes += length;
	}
	return true;
}

enum sl_code sg_bulk_add(struct sg_store *store, struct sg_bulk *bulk,
			 const struct sg_value *values, struct sl_error *error)
{
	if (!bulk->values)
		bulk->values = malloc(SG_BULK_ROWS * bulk->columns *
				      sizeof(*bulk->values));
	if (!bulk->values || !copy_row(bulk, values))
		return SL_FAIL(error, SL_ENOMEM, "no memory for rows");
	bulk->count++;
	return bulk->count < SG_BULK_ROWS && bulk->bytes < SG_BULK_BYTES
		       ? SL_OK
		       : sg_bulk_flush(store, bulk, error);
}

enum sl_code sg_bulk_flush(struct sg_store *store, struct sg_bulk *bulk,
			   struct sl_error *error)
{
	enum sl_code code;

	if (!bulk->count)
		return SL_OK;
	store->given = bulk;
	code = sg_sql_do(store, bulk->insert, bulk->bound, bulk->bound_count,
			 error);
	store->given = NULL;
	sg_bulk_drop(bulk);
	return code;
}

void sg_bulk_drop(struct sg_bulk *bulk)
{
	bulk->count = 0;
	bulk->bytes = 0;
	sl_arena_clear(&bulk->texts);
}

void sg_bulk_finish(struct sg_bulk *bulk)
{
	sl_arena_finish(&bulk->texts);
	free(bulk->values);
	*bulk = (struct sg_bulk){ .values = NULL };
}
