/* SPDX-License-Identifier: MIT */
/* Statements, values and errors of SQLite. */
#include "store/sql.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Made of statements.sql by embed.cmake. */
extern const char sg_store_statements[];

#define STATEMENT_MARK(name) "-- name: " #name "\n",
static const char *const marks[] = { SG_STATEMENTS(STATEMENT_MARK) };

/* ---- errors ------------------------------------------------------------ */

/* Why a store cannot be opened: SQLite tries more than one way, and remembers
 * what became of the last. */
static enum sl_code fail_to_open(const char *path, struct sl_error *error)
{
	const char *slash = strrchr(path, '/');
	char *folder;
	enum sl_code code = SL_OK;

	if (faccessat(AT_FDCWD, path, R_OK | W_OK, AT_EACCESS) &&
	    errno != ENOENT)
		return SL_FAIL(error, SL_EIO, "cannot open %s: %s",
			       sl_path_tail(path), strerror(errno));
	folder = slash ? strndup(path, (size_t)(slash - path) + 1) : NULL;
	if (faccessat(AT_FDCWD, folder ? folder : ".", W_OK | X_OK, AT_EACCESS))
		code = SL_FAIL(error, SL_EIO,
			       "cannot make files in the folder of %s: %s",
			       sl_path_tail(path), strerror(errno));
	free(folder);
	if (code != SL_OK)
		return code;
	return SL_FAIL(error, SL_EIO, "cannot open %s, or a file beside it",
		       sl_path_tail(path));
}

static bool is_disk_full(int code, int number)
{
	return (code & 0xff) == SQLITE_FULL ||
	       ((code & 0xff) == SQLITE_IOERR &&
		(number == ENOSPC || number == EDQUOT || number == EFBIG));
}

enum sl_code sg_sql_fail(struct sg_store *store, struct sl_error *error)
{
	int code = sqlite3_extended_errcode(store->db);
	int number = sqlite3_system_errno(store->db);
	const char *path = sl_path_tail(store->path);

	if (is_disk_full(code, number))
		return SL_FAIL(error, SL_EIO,
			       "cannot write %s: the disk is full", path);
	if (code == SQLITE_IOERR_WRITE)
		return SL_FAIL(error, SL_EIO,
			       "cannot write %s: the disk is full or broken",
			       path);
	switch (code & 0xff) {
	case SQLITE_NOMEM:
		return SL_FAIL(error, SL_ENOMEM, "no memory for %s", path);
	case SQLITE_NOTADB:
		return SL_FAIL(error, SL_EINVAL, "%s is no SQLite database",
			       path);
	case SQLITE_CORRUPT:
		return SL_FAIL(error, SL_EINVAL, "%s is damaged: %s", path,
			       sqlite3_errmsg(store->db));
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return SL_FAIL(error, SL_EIO, "%s is locked by another program",
			       path);
	case SQLITE_CANTOPEN:
		return fail_to_open(store->path, error);
	case SQLITE_READONLY:
		return SL_FAIL(error, SL_EIO,
			       "cannot write %s: it is read-only", path);
	default:
		return SL_FAIL(error, SL_EIO, "%s: %s", path,
			       sqlite3_errmsg(store->db));
	}
}

enum sl_code sg_sql_exec(struct sg_store *store, const char *text,
			 struct sl_error *error)
{
	if (sqlite3_exec(store->db, text, NULL, NULL, NULL) != SQLITE_OK)
		return sg_sql_fail(store, error);
	return SL_OK;
}

/* ---- values ------------------------------------------------------------ */

struct sg_value sg_number(int64_t number)
{
	return (struct sg_value){ .kind = SG_VALUE_NUMBER, .number = number };
}

struct sg_value sg_number_given(int64_t number)
{
	return number ? sg_number(number)
		      : (struct sg_value){ .kind = SG_VALUE_NULL };
}

struct sg_value sg_text(const char *text)
{
	return text ? (struct sg_value){ .kind = SG_VALUE_TEXT, .text = text }
		    : (struct sg_value){ .kind = SG_VALUE_NULL };
}

struct sg_value sg_bytes(const void *bytes, size_t count)
{
	return (struct sg_value){ .kind = SG_VALUE_BYTES,
				  .number = (int64_t)count,
				  .text = bytes };
}

struct sg_value sg_hash_value(struct sg_hash hash)
{
	struct sg_value value = { .kind = SG_VALUE_NULL };

	if (sg_hash_is_zero(hash))
		return value;
	value.kind = SG_VALUE_HASH;
	for (unsigned at = 0; at < 8; at++) {
		unsigned shift = 56 - 8 * at;

		value.hash[at] = (unsigned char)(hash.high >> shift);
		value.hash[8 + at] = (unsigned char)(hash.low >> shift);
	}
	return value;
}

const char *sg_sql_text(sqlite3_stmt *statement, int column)
{
	return (const char *)sqlite3_column_text(statement, column);
}

struct sg_hash sg_sql_hash(sqlite3_stmt *statement, int column)
{
	const unsigned char *bytes = sqlite3_column_blob(statement, column);
	struct sg_hash hash = { 0, 0 };

	if (!bytes || sqlite3_column_bytes(statement, column) != 16)
		return hash;
	for (unsigned at = 0; at < 8; at++) {
		hash.high = hash.high << 8 | bytes[at];
		hash.low = hash.low << 8 | bytes[8 + at];
	}
	return hash;
}

static int bind_value(sqlite3_stmt *statement, int at,
		      const struct sg_value *value)
{
	switch (value->kind) {
	case SG_VALUE_NUMBER:
		return sqlite3_bind_int64(statement, at, value->number);
	case SG_VALUE_TEXT:
		return sqlite3_bind_text(statement, at, value->text, -1,
					 SQLITE_STATIC);
	case SG_VALUE_BYTES:
		return sqlite3_bind_blob64(statement, at, value->text,
					   (sqlite3_uint64)value->number,
					   SQLITE_STATIC);
	case SG_VALUE_HASH:
		return sqlite3_bind_blob(statement, at, value->hash,
					 sizeof(value->hash), SQLITE_STATIC);
	case SG_VALUE_NULL:
		break;
	}
	return sqlite3_bind_null(statement, at);
}

/* ---- statements -------------------------------------------------------- */

static sqlite3_stmt *compiled(struct sg_store *store, enum sg_statement which,
			      struct sl_error *error)
{
	const char *text;

	if (store->statements[which])
		return store->statements[which];
	text = strstr(sg_store_statements, marks[which]);
	/* SQLite compiles what stands before the first semicolon. */
	if (!text)
		(void)SL_FAIL(error, SL_EINVAL, "no statement %s",
			      marks[which]);
	else if (sqlite3_prepare_v3(
			 store->db, text, -1, SQLITE_PREPARE_PERSISTENT,
			 &store->statements[which], NULL) != SQLITE_OK)
		(void)sg_sql_fail(store, error);
	return store->statements[which];
}

sqlite3_stmt *sg_sql_start(struct sg_store *store, enum sg_statement which,
			   const struct sg_value *values, size_t count,
			   struct sl_error *error)
{
	sqlite3_stmt *statement = compiled(store, which, error);

	for (size_t at = 0; statement && at < count; at++) {
		if (bind_value(statement, (int)at + 1, &values[at]) !=
		    SQLITE_OK) {
			(void)sg_sql_fail(store, error);
			sg_sql_stop(statement);
			return NULL;
		}
	}
	return statement;
}

enum sl_code sg_sql_next(struct sg_store *store, sqlite3_stmt *statement,
			 struct sl_error *error)
{
	int code = sqlite3_step(statement);

	if (code == SQLITE_ROW)
		return SL_OK;
	return code == SQLITE_DONE ? SL_END : sg_sql_fail(store, error);
}

/* Bindings go too: they point to what is no longer there. */
void sg_sql_stop(sqlite3_stmt *statement)
{
	sqlite3_reset(statement);
	sqlite3_clear_bindings(statement);
}

enum sl_code sg_sql_ask(struct sg_store *store, enum sg_statement which,
			const struct sg_value *values, size_t count,
			int64_t *number, struct sl_error *error)
{
	sqlite3_stmt *statement =
		sg_sql_start(store, which, values, count, error);
	enum sl_code code;

	*number = 0;
	if (!statement)
		return error ? error->code : SL_EIO;
	code = sg_sql_next(store, statement, error);
	if (code == SL_OK)
		*number = sqlite3_column_int64(statement, 0);
	sg_sql_stop(statement);
	return code == SL_END ? SL_OK : code;
}

enum sl_code sg_sql_do(struct sg_store *store, enum sg_statement which,
		       const struct sg_value *values, size_t count,
		       struct sl_error *error)
{
	int64_t number;

	return sg_sql_ask(store, which, values, count, &number, error);
}

/* ---- transactions ------------------------------------------------------ */

enum sl_code sg_sql_begin(struct sg_store *store, const char *who,
			  struct sl_error *error)
{
	enum sl_code code;

	if (store->began)
		return SL_FAIL(error, SL_EINVAL,
			       "%s() within a transaction of %s()", who,
			       store->began);
	code = sg_sql_do(store, SG_SQL_begin, NULL, 0, error);
	if (code == SL_OK)
		store->began = who;
	return code;
}

enum sl_code sg_sql_commit(struct sg_store *store, struct sl_error *error)
{
	enum sl_code code = sg_sql_do(store, SG_SQL_commit, NULL, 0, error);

	if (code == SL_OK)
		store->began = NULL;
	return code;
}

/* After some failures SQLite has rolled back by itself. */
void sg_sql_rollback(struct sg_store *store)
{
	if (!sqlite3_get_autocommit(store->db))
		(void)!sg_sql_do(store, SG_SQL_rollback, NULL, 0, NULL);
	store->began = NULL;
}
