/* SPDX-License-Identifier: MIT */
/* Opening and closing a store; the runs in it. */
#include "store/store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>

#include "store/migrate.h"
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

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- opening ----------------------------------------------------------- */

/* f_type as the kernel's linux/magic.h and statfs(2) have it. */
static const struct {
	unsigned long magic;
	const char *name;
} network[] = {
	{ 0x6969, "NFS" },        { 0xff534d42, "CIFS" },
	{ 0xfe534d42, "SMB" },    { 0x517b, "SMB" },
	{ 0x01021997, "9P" },     { 0x5346414f, "AFS" },
	{ 0x6b414653, "AFS" },    { 0x00c36400, "Ceph" },
	{ 0x564c, "NCP" },        { 0x73757245, "Coda" },
	{ 0x0bd00bd0, "Lustre" }, { 0x47504653, "GPFS" },
	{ 0x19830326, "BeeGFS" }, { 0x7461636f, "OCFS2" },
	{ 0x01161970, "GFS2" },   { 0x786f4256, "VirtualBox" },
};

/* What holds the file, or will. SQLite follows a link, and so does this. */
static bool find_system(const char *file, struct statfs *about)
{
	const char *slash = strrchr(file, '/');
	char *folder;
	bool found;

	if (statfs(file, about) == 0)
		return true;
	folder = strndup(file, (size_t)(slash - file) + 1);
	found = folder && statfs(folder, about) == 0;
	free(folder);
	return found;
}

/* WAL shares memory between all who have the file open: one machine only. */
static enum sl_code refuse_network(struct sg_store *store, const char *file,
				   struct sl_error *error)
{
	struct statfs about;

	if (!find_system(file, &about))
		return SL_FAIL(error, SL_EIO, "cannot open %s: %s",
			       sl_path_tail(store->path), strerror(errno));
	for (size_t at = 0; at < COUNT(network); at++)
		if (((unsigned long)about.f_type & 0xffffffff) ==
		    network[at].magic)
			return SL_FAIL(error, SL_EIO,
				       "%s is on a network file system (%s), "
				       "where a store cannot be",
				       sl_path_tail(store->path),
				       network[at].name);
	return SL_OK;
}

/* SQLite takes what is shorter than its header for nothing at all. */
static enum sl_code refuse_scrap(struct sg_store *store, const char *file,
				 struct sl_error *error)
{
	enum { HEADER = 100 };
	struct stat about;

	if (stat(file, &about) || !S_ISREG(about.st_mode) || !about.st_size ||
	    about.st_size >= HEADER)
		return SL_OK;
	return SL_FAIL(error, SL_EINVAL, "%s is no SQLite database",
		       sl_path_tail(store->path));
}

/* A store that somebody made up may have triggers and views that lie. Only who
 * asks in SQL looks at views (store/select.c). */
static void distrust(struct sg_store *store)
{
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
}

static enum sl_code open_file(struct sg_store *store, const char *file,
			      struct sl_error *error)
{
	int flags = store->reads_only
			    ? SQLITE_OPEN_READONLY
			    : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
	int code = sqlite3_open_v2(file, &store->db,
				   flags | SQLITE_OPEN_NOMUTEX, NULL);

	if (!store->db)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a store");
	if (code != SQLITE_OK)
		return sg_sql_fail(store, error);
	if (!store->reads_only && sqlite3_db_readonly(store->db, "main") == 1)
		return SL_FAIL(error, SL_EIO,
			       "cannot write %s: it is read-only",
			       sl_path_tail(store->path));
	distrust(store);
	sqlite3_busy_timeout(store->db, SG_STORE_WAIT_MS);
	return SL_OK;
}

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
	code = refuse_network(store, file, error);
	if (code == SL_OK)
		code = refuse_scrap(store, file, error);
	if (code == SL_OK)
		code = open_file(store, file, error);
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
