/* SPDX-License-Identifier: MIT */
/* Where the findings of a repository are kept. */
#include "database.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/git.h"

static enum sl_code default_path(char *path, size_t size, bool make,
				 struct sl_error *error)
{
	static const char *const command[] = { "rev-parse", "--git-common-dir",
					       NULL };
	char *folder = NULL;
	enum sl_code code = sg_git_line(".", command, &folder, error);
	int length;

	if (code == SL_ENOMEM)
		return code;
	if (!folder)
		return SL_FAIL(error, SL_EINVAL,
			       "this is no git repository, so name a database "
			       "with --db");
	length = snprintf(path, size, "%s/scgate", folder);
	free(folder);
	if (length < 0 || (size_t)length >= size)
		return SL_FAIL(error, SL_EIO,
			       "cannot make the git folder's "
			       "scgate: %s",
			       strerror(ENAMETOOLONG));
	if (make && mkdir(path, 0777) && errno != EEXIST)
		return SL_FAIL(error, SL_EIO, "cannot make %s: %s",
			       sl_path_tail(path), strerror(errno));
	snprintf(path + length, size - (size_t)length, "/findings.db");
	return SL_OK;
}

/* ---- what is no store --------------------------------------------------- */

static enum sl_code say_missing(const char *path, struct sl_error *error)
{
	const char *slash = strrchr(path, '/');
	char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : NULL;
	bool can_be_made = !slash || (folder && !access(folder, F_OK));

	free(folder);
	return SL_FAIL(error, SL_EIO, "cannot open %s: %s%s",
		       sl_path_tail(path), strerror(ENOENT),
		       can_be_made ? "; scgate import makes it" : "");
}

/* SQLite calls some of this damaged, or a failure of the disk. What cannot be
 * looked at is left to it. */
static enum sl_code check(const char *path, struct sl_error *error)
{
	static const char magic[16] = "SQLite format 3";
	char start[sizeof(magic)];
	struct stat about;
	ssize_t length;
	int fd;

	if (stat(path, &about))
		return SL_OK;
	if (S_ISDIR(about.st_mode))
		return SL_FAIL(error, SL_EINVAL,
			       "%s is a folder, and no database",
			       sl_path_tail(path));
	fd = S_ISREG(about.st_mode) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	if (fd < 0)
		return SL_OK;
	length = read(fd, start, sizeof(start));
	close(fd);
	if (length <= 0 || ((size_t)length == sizeof(start) &&
			    memcmp(start, magic, sizeof(start)) == 0))
		return SL_OK;
	return SL_FAIL(error, SL_EINVAL, "%s is no SQLite database",
		       sl_path_tail(path));
}

/* ---- opening ------------------------------------------------------------ */

typedef enum sl_code open_fn(const char *path, struct sg_store **store,
			     struct sl_error *error);

static enum sl_code open_with(open_fn *open_it, const char *path, bool make,
			      struct sg_store **store, struct sl_error *error)
{
	char own[PATH_MAX + 32];
	enum sl_code code = SL_OK;

	if (!path)
		code = default_path(own, sizeof(own), make, error);
	if (code != SL_OK)
		return code;
	path = path ? path : own;
	if (!make && access(path, F_OK) && errno == ENOENT)
		return say_missing(path, error);
	code = check(path, error);
	return code == SL_OK ? open_it(path, store, error) : code;
}

enum sl_code scgate_open(const char *path, struct sg_store **store,
			 struct sl_error *error)
{
	return open_with(sg_store_open, path, true, store, error);
}

enum sl_code scgate_open_old(const char *path, struct sg_store **store,
			     struct sl_error *error)
{
	return open_with(sg_store_open, path, false, store, error);
}

enum sl_code scgate_open_to_read(const char *path, struct sg_store **store,
				 struct sl_error *error)
{
	return open_with(sg_store_open_to_read, path, false, store, error);
}
