/* SPDX-License-Identifier: MIT */
/* A store's file: where it may be, and how it is opened. */
#include "store/open.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "store/store.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

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

/* ---- reading what cannot be shared ------------------------------------- */

/* Who reads a store with a log shares memory with others in a file beside it.
 * In a folder that may not be written there is none; but if there is no log
 * either, nobody writes, and the file can be read as it stands. */
static bool stands_still(const char *file)
{
	const char *slash = strrchr(file, '/');
	char *folder = strndup(file, (size_t)(slash - file) + 1);
	size_t size = strlen(file) + sizeof("-wal");
	char *log = malloc(size);
	bool still = false;

	if (folder && log) {
		snprintf(log, size, "%s-wal", file);
		still = access(file, R_OK) == 0 && access(folder, W_OK) != 0 &&
			access(log, F_OK) != 0;
	}
	free(folder);
	free(log);
	return still;
}

/* @return the file's name for SQLite, owned, in the form of a URI that says
 * that nobody changes it; NULL: no memory. */
static char *uri_of(const char *file)
{
	static const char tail[] = "?immutable=1";
	size_t used = strlen("file:");
	char *uri = malloc(3 * strlen(file) + used + sizeof(tail));

	if (!uri)
		return NULL;
	memcpy(uri, "file:", used);
	for (; *file; file++) {
		if (strchr("%?#", *file))
			used += (size_t)snprintf(uri + used, 4, "%%%02X",
						 (unsigned)*file);
		else
			uri[used++] = *file;
	}
	memcpy(uri + used, tail, sizeof(tail));
	return uri;
}

/* ---- opening ----------------------------------------------------------- */

static int open_database(struct sg_store *store, const char *file)
{
	int flags = store->reads_only
			    ? SQLITE_OPEN_READONLY
			    : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
	char *uri;
	int code;

	flags |= SQLITE_OPEN_NOMUTEX;
	if (!store->reads_only || !stands_still(file))
		return sqlite3_open_v2(file, &store->db, flags, NULL);
	uri = uri_of(file);
	if (!uri)
		return SQLITE_NOMEM;
	code = sqlite3_open_v2(uri, &store->db, flags | SQLITE_OPEN_URI, NULL);
	free(uri);
	return code;
}

enum sl_code sg_store_open_file(struct sg_store *store, const char *file,
				struct sl_error *error)
{
	enum sl_code code = refuse_network(store, file, error);
	int opened;

	if (code == SL_OK)
		code = refuse_scrap(store, file, error);
	if (code != SL_OK)
		return code;
	opened = open_database(store, file);
	if (!store->db)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a store");
	if (opened != SQLITE_OK)
		return sg_sql_fail(store, error);
	if (!store->reads_only && sqlite3_db_readonly(store->db, "main") == 1)
		return SL_FAIL(error, SL_EIO,
			       "cannot write %s: it is read-only",
			       sl_path_tail(store->path));
	distrust(store);
	sqlite3_busy_timeout(store->db, SG_STORE_WAIT_MS);
	return SL_OK;
}
