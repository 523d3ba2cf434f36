/* SPDX-License-Identifier: MIT */
/* The schema. Whoever looks may be one of many who create the same store, so
 * what was seen before the write lock is looked at again behind it. */
#include "store/migrate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "store/store.h"

/* Made of schema.sql by embed.cmake. */
extern const char sg_store_schema[];

const struct sg_schema sg_store_current = {
	.text = sg_store_schema,
	.current = SG_STORE_SCHEMA,
};

enum { RETRY_NS = 10000000 };

/* What a database says of itself. */
struct about {
	int64_t application, version, things;
};

static enum sl_code ask(struct sg_store *store, const char *text,
			int64_t *number, struct sl_error *error)
{
	sqlite3_stmt *statement;
	enum sl_code code;

	if (sqlite3_prepare_v2(store->db, text, -1, &statement, NULL) !=
	    SQLITE_OK)
		return sg_sql_fail(store, error);
	code = sg_sql_next(store, statement, error);
	*number = code == SL_OK ? sqlite3_column_int64(statement, 0) : 0;
	sqlite3_finalize(statement);
	return code == SL_END ? SL_OK : code;
}

static enum sl_code look(struct sg_store *store, struct about *about,
			 struct sl_error *error)
{
	enum sl_code code =
		ask(store, "PRAGMA application_id", &about->application, error);

	if (code == SL_OK)
		code = ask(store, "PRAGMA user_version", &about->version,
			   error);
	if (code == SL_OK)
		code = ask(store, "SELECT count(*) FROM sqlite_schema",
			   &about->things, error);
	return code;
}

static enum sl_code judge(struct sg_store *store, const struct about *about,
			  const struct sg_schema *schema,
			  struct sl_error *error)
{
	const char *path = sl_path_tail(store->path);

	if (!about->application && !about->version && !about->things)
		return SL_OK;
	if (about->application != SG_STORE_APPLICATION)
		return SL_FAIL(error, SL_EINVAL,
			       "%s is a database of another program", path);
	if (about->version > schema->current)
		return SL_FAIL(
			error, SL_EINVAL,
			"%s has schema %lld, of a newer scgate; this one "
			"knows %d",
			path, (long long)about->version, schema->current);
	if (about->version < 1)
		return SL_FAIL(error, SL_EINVAL, "%s has schema %lld", path,
			       (long long)about->version);
	return SL_OK;
}

/* The three answers must be of one moment. */
static enum sl_code look_first(struct sg_store *store, struct about *about,
			       const struct sg_schema *schema,
			       struct sl_error *error)
{
	enum sl_code code = sg_sql_exec(store, "BEGIN", error);

	if (code != SL_OK)
		return code;
	code = look(store, about, error);
	if (code == SL_OK)
		code = judge(store, about, schema, error);
	(void)!sg_sql_exec(store, "ROLLBACK", NULL);
	return code;
}

/* SQLite says which mode there is now, and calls that a success. */
static int note_mode(void *is_wal, int count, char **values, char **names)
{
	(void)names;
	*(bool *)is_wal =
		count == 1 && values[0] && strcmp(values[0], "wal") == 0;
	return 0;
}

/* The switch to WAL wants the file for itself, and does not wait for it. */
static enum sl_code use_wal(struct sg_store *store, struct sl_error *error)
{
	const struct timespec pause = { .tv_nsec = RETRY_NS };
	int64_t tries = (int64_t)SG_STORE_WAIT_MS * 1000000 / RETRY_NS;
	bool is_wal = false;
	int code;

	do
		code = sqlite3_exec(store->db, "PRAGMA journal_mode = WAL",
				    note_mode, &is_wal, NULL);
	while (code == SQLITE_BUSY && tries-- > 0 && !nanosleep(&pause, NULL));
	if (code == SQLITE_OK && !is_wal)
		return SL_FAIL(error, SL_EIO,
			       "%s cannot have a write-ahead log where it is",
			       sl_path_tail(store->path));
	return code == SQLITE_OK ? SL_OK : sg_sql_fail(store, error);
}

static enum sl_code write_copy(struct sg_store *store, const char *to,
			       struct sl_error *error)
{
	struct sg_store reader = { .path = store->path };
	sqlite3_stmt *statement = NULL;
	enum sl_code code = SL_OK;

	/* A second connection sees what was there before this transaction. */
	if (sqlite3_open_v2(sqlite3_db_filename(store->db, "main"), &reader.db,
			    SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK ||
	    sqlite3_prepare_v2(reader.db, "VACUUM INTO ?1", -1, &statement,
			       NULL) != SQLITE_OK ||
	    sqlite3_bind_text(statement, 1, to, -1, SQLITE_STATIC) !=
		    SQLITE_OK ||
	    sqlite3_step(statement) != SQLITE_DONE)
		code = SL_FAIL(error, SL_EIO, "cannot write %s: %s",
			       sl_path_tail(to), sqlite3_errmsg(reader.db));
	sqlite3_finalize(statement);
	sqlite3_close(reader.db);
	return code;
}

/* Under another name first: a copy of that name is whole. */
static enum sl_code back_up(struct sg_store *store, int64_t version,
			    struct sl_error *error)
{
	const char *file = sqlite3_db_filename(store->db, "main");
	char *copy = sqlite3_mprintf("%s.schema-%lld", file, version);
	char *draft = sqlite3_mprintf("%s.schema-%lld.part", file, version);
	enum sl_code code = SL_OK;

	if (!copy || !draft)
		code = SL_FAIL(error, SL_ENOMEM, "no memory for a copy");
	else if (unlink(draft) && errno != ENOENT)
		code = SL_FAIL(error, SL_EIO, "cannot remove %s: %s",
			       sl_path_tail(draft), strerror(errno));
	if (code == SL_OK)
		code = write_copy(store, draft, error);
	if (code == SL_OK && rename(draft, copy))
		code = SL_FAIL(error, SL_EIO, "cannot write %s: %s",
			       sl_path_tail(copy), strerror(errno));
	sqlite3_free(copy);
	sqlite3_free(draft);
	return code;
}

static enum sl_code set_version(struct sg_store *store, int version,
				struct sl_error *error)
{
	char text[96];

	snprintf(text, sizeof(text),
		 "PRAGMA application_id = %d; PRAGMA user_version = %d",
		 SG_STORE_APPLICATION, version);
	return sg_sql_exec(store, text, error);
}

/* Within the transaction. */
static enum sl_code upgrade(struct sg_store *store,
			    const struct sg_schema *schema,
			    struct sl_error *error)
{
	struct about about;
	enum sl_code code = look(store, &about, error);

	if (code == SL_OK)
		code = judge(store, &about, schema, error);
	if (code != SL_OK || about.version == schema->current)
		return code;
	if (!about.version) {
		code = sg_sql_exec(store, schema->text, error);
	} else {
		code = back_up(store, about.version, error);
		for (int64_t at = about.version;
		     code == SL_OK && at < schema->current; at++)
			code = sg_sql_exec(
				store, schema->migrations[at - 1].text, error);
	}
	return code == SL_OK ? set_version(store, schema->current, error)
			     : code;
}

enum sl_code sg_store_check(struct sg_store *store,
			    const struct sg_schema *schema,
			    struct sl_error *error)
{
	struct about about;
	enum sl_code code = look_first(store, &about, schema, error);

	if (code != SL_OK || about.version == schema->current)
		return code;
	if (!about.version)
		return SL_FAIL(error, SL_EINVAL, "%s is empty",
			       sl_path_tail(store->path));
	return SL_FAIL(error, SL_EINVAL,
		       "%s has schema %lld; the next import brings it to %d",
		       sl_path_tail(store->path), (long long)about.version,
		       schema->current);
}

enum sl_code sg_store_ensure(struct sg_store *store,
			     const struct sg_schema *schema,
			     struct sl_error *error)
{
	struct about about;
	enum sl_code code = look_first(store, &about, schema, error);

	if (code == SL_OK)
		code = use_wal(store, error);
	if (code != SL_OK || about.version == schema->current)
		return code;
	code = sg_sql_begin(store, __func__, error);
	if (code != SL_OK)
		return code;
	code = upgrade(store, schema, error);
	if (code == SL_OK)
		code = sg_sql_commit(store, error);
	if (code != SL_OK)
		sg_sql_rollback(store);
	return code;
}
