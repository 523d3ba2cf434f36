/* SPDX-License-Identifier: MIT */
/* What the rows of a store cost at the least:
 *     bench_inserts STORE COPY
 * loads all rows of STORE into memory and then, by the clock, makes COPY as
 * scgate makes a store: the same schema and pragmas, the rows by one prepared
 * INSERT a table in one transaction, table by table and in the order of their
 * keys. Prints rows, seconds by the clock and seconds of CPU. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"

enum { TABLES = 32, TEXT = 1024 };

/* A value: a number, or a text or blob of so many bytes; NULL: neither. */
struct cell {
	const void *bytes; /* borrowed from the arena; NULL: a number */
	sqlite3_int64 number; /* or how many bytes */
	int type;
};

struct table {
	char insert[TEXT];
	struct cell *cells; /* owned; row after row */
	size_t rows, columns, room; /* room: for rows */
};

struct store {
	struct table tables[TABLES];
	size_t count;
	char schema[65536];
	struct sl_arena texts;
};

static _Noreturn void die(const char *what, sqlite3 *db)
{
	fprintf(stderr, "bench_inserts: %s: %s\n", what,
		db ? sqlite3_errmsg(db) : "no memory");
	exit(1);
}

static sqlite3_stmt *prepare(sqlite3 *db, const char *text)
{
	sqlite3_stmt *statement;

	if (sqlite3_prepare_v2(db, text, -1, &statement, NULL) != SQLITE_OK)
		die(text, db);
	return statement;
}

static void execute(sqlite3 *db, const char *text)
{
	if (sqlite3_exec(db, text, NULL, NULL, NULL) != SQLITE_OK)
		die(text, db);
}

/* ---- loading ----------------------------------------------------------- */

static struct cell load_cell(struct store *store, sqlite3_stmt *row, int column)
{
	struct cell cell = { .type = sqlite3_column_type(row, column) };
	const void *bytes;

	if (cell.type == SQLITE_NULL)
		return cell;
	if (cell.type == SQLITE_INTEGER) {
		cell.number = sqlite3_column_int64(row, column);
		return cell;
	}
	bytes = sqlite3_column_blob(row, column);
	cell.number = sqlite3_column_bytes(row, column);
	cell.bytes = sl_arena_text(&store->texts, bytes ? bytes : "",
				   (size_t)cell.number);
	if (!cell.bytes)
		die("loading", NULL);
	return cell;
}

static void load_row(struct store *store, struct table *table,
		     sqlite3_stmt *row)
{
	if (table->rows == table->room) {
		table->room = table->room ? 2 * table->room : 1024;
		table->cells =
			realloc(table->cells, table->room * table->columns *
						      sizeof(*table->cells));
		if (!table->cells)
			die("loading", NULL);
	}
	for (size_t at = 0; at < table->columns; at++)
		table->cells[table->rows * table->columns + at] =
			load_cell(store, row, (int)at);
	table->rows++;
}

static void load_table(sqlite3 *db, struct store *store, const char *name)
{
	struct table *table = &store->tables[store->count++];
	sqlite3_stmt *row;
	char text[TEXT];
	int used;

	snprintf(text, sizeof(text), "SELECT * FROM %s", name);
	row = prepare(db, text);
	table->columns = (size_t)sqlite3_column_count(row);
	used = snprintf(table->insert, TEXT, "INSERT INTO %s VALUES (?", name);
	for (size_t at = 1; at < table->columns && used < TEXT; at++)
		used += snprintf(table->insert + used, (size_t)(TEXT - used),
				 ", ?");
	if (used < TEXT)
		snprintf(table->insert + used, (size_t)(TEXT - used), ")");
	while (sqlite3_step(row) == SQLITE_ROW)
		load_row(store, table, row);
	if (sqlite3_finalize(row) != SQLITE_OK)
		die(name, db);
}

/* Tables come in the order of the schema, so that what is referred to is there
 * before what refers to it. */
static void load(const char *path, struct store *store)
{
	static const char list[] =
		"SELECT type, name, sql FROM sqlite_master "
		"WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' "
		"ORDER BY rowid";
	sqlite3_stmt *row;
	sqlite3 *db;

	if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) !=
	    SQLITE_OK)
		die(path, db);
	row = prepare(db, list);
	while (sqlite3_step(row) == SQLITE_ROW) {
		const char *sql = (const char *)sqlite3_column_text(row, 2);
		const char *type = (const char *)sqlite3_column_text(row, 0);
		size_t used = strlen(store->schema);

		if (!sql || !type || store->count == TABLES)
			die("the schema", db);
		snprintf(store->schema + used, sizeof(store->schema) - used,
			 "%s;\n", sql);
		if (strcmp(type, "table") == 0)
			load_table(db, store,
				   (const char *)sqlite3_column_text(row, 1));
	}
	sqlite3_finalize(row);
	sqlite3_close(db);
}

/* ---- inserting --------------------------------------------------------- */

static int bind(sqlite3_stmt *insert, int at, const struct cell *cell)
{
	switch (cell->type) {
	case SQLITE_INTEGER:
		return sqlite3_bind_int64(insert, at, cell->number);
	case SQLITE_TEXT:
		return sqlite3_bind_text(insert, at, cell->bytes,
					 (int)cell->number, SQLITE_STATIC);
	case SQLITE_BLOB:
		return sqlite3_bind_blob(insert, at, cell->bytes,
					 (int)cell->number, SQLITE_STATIC);
	default:
		return sqlite3_bind_null(insert, at);
	}
}

static void insert_table(sqlite3 *db, const struct table *table)
{
	sqlite3_stmt *insert = prepare(db, table->insert);
	const struct cell *cell = table->cells;

	for (size_t row = 0; row < table->rows; row++) {
		for (size_t at = 1; at <= table->columns; at++, cell++)
			if (bind(insert, (int)at, cell) != SQLITE_OK)
				die(table->insert, db);
		if (sqlite3_step(insert) != SQLITE_DONE)
			die(table->insert, db);
		sqlite3_reset(insert);
	}
	sqlite3_finalize(insert);
}

static void insert(const char *path, const struct store *store)
{
	sqlite3 *db;

	if (sqlite3_open(path, &db) != SQLITE_OK)
		die(path, db);
	execute(db, "PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON;"
		    "PRAGMA trusted_schema = OFF; PRAGMA cache_size = -16000");
	execute(db, store->schema);
	execute(db, "BEGIN IMMEDIATE");
	for (size_t at = 0; at < store->count; at++)
		insert_table(db, &store->tables[at]);
	execute(db, "COMMIT");
	sqlite3_close(db);
}

static double seconds(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	static struct store store;
	double wall, cpu;
	size_t rows = 0;

	if (argc != 3) {
		fprintf(stderr, "usage: bench_inserts STORE COPY\n");
		return 2;
	}
	load(argv[1], &store);
	for (size_t at = 0; at < store.count; at++)
		rows += store.tables[at].rows;
	wall = seconds(CLOCK_MONOTONIC);
	cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
	insert(argv[2], &store);
	printf("%zu %.6f %.6f\n", rows, seconds(CLOCK_MONOTONIC) - wall,
	       seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu);
	for (size_t at = 0; at < store.count; at++)
		free(store.tables[at].cells);
	sl_arena_finish(&store.texts);
	return 0;
}
