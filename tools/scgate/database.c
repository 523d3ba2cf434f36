/* SPDX-License-Identifier: MIT */
/* Where the findings of a repository are kept. */
#include "database.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

enum sl_code scgate_open(const char *path, struct sg_store **store,
			 struct sl_error *error)
{
	char own[PATH_MAX + 32];
	enum sl_code code = SL_OK;

	if (!path)
		code = default_path(own, sizeof(own), true, error);
	return code == SL_OK ? sg_store_open(path ? path : own, store, error)
			     : code;
}

enum sl_code scgate_open_to_read(const char *path, struct sg_store **store,
				 struct sl_error *error)
{
	char own[PATH_MAX + 32];
	enum sl_code code = SL_OK;

	if (!path)
		code = default_path(own, sizeof(own), false, error);
	return code == SL_OK
		       ? sg_store_open_to_read(path ? path : own, store, error)
		       : code;
}
