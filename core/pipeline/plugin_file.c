/* SPDX-License-Identifier: MIT */
/* Opening a plugin's file, if its place can be trusted: whoever can write
 * there runs code in our process. */
#define _XOPEN_SOURCE 700 /* S_ISVTX, realpath() */
#include "pipeline/loader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/** @return the folder of @p path, owned by the caller; NULL: no memory. */
static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return strdup(".");
	return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

/* Whoever may write to a folder may put another file in a file's place, except
 * where the sticky bit keeps each to their own. */
static enum sl_code check_folder(const char *path, const char *shown,
				 struct sl_error *error)
{
	char *folder = folder_of(path);
	enum sl_code code = SL_OK;
	struct stat status;

	if (!folder)
		return SL_FAIL(error, SL_ENOMEM, "out of memory");
	if (stat(folder, &status))
		code = SL_FAIL(error, SL_EIO, "%s: its folder: %s", shown,
			       strerror(errno));
	else if ((status.st_mode & S_IWOTH) && !(status.st_mode & S_ISVTX))
		code = SL_FAIL(error, SL_EPLUGIN,
			       "%s: its folder is writable by others; "
			       "chmod o-w %s",
			       shown, sl_path_tail(folder));
	free(folder);
	return code;
}

/* The folder by whose name we came, and the one where a link led us. */
static enum sl_code check_folders(const char *path, const char *shown,
				  struct sl_error *error)
{
	enum sl_code code = check_folder(path, shown, error);
	char *real;

	if (code != SL_OK)
		return code;
	real = realpath(path, NULL);
	if (!real)
		return SL_FAIL(error, SL_EIO, "%s: %s", shown, strerror(errno));
	code = check_folder(real, shown, error);
	free(real);
	return code;
}

static enum sl_code check_mode(mode_t mode, const char *shown,
			       struct sl_error *error)
{
	const char *what;

	if (S_ISREG(mode) && !(mode & S_IWOTH))
		return SL_OK;
	if (S_ISREG(mode))
		return SL_FAIL(error, SL_EPLUGIN,
			       "%s: writable by others; chmod o-w it", shown);
	if (S_ISDIR(mode))
		what = "folder";
	else if (S_ISFIFO(mode))
		what = "FIFO";
	else if (S_ISSOCK(mode))
		what = "socket";
	else
		what = "device";
	return SL_FAIL(error, SL_EPLUGIN, "%s: a %s, not a regular file", shown,
		       what);
}

/* stat() first, as to open a device may already do something; fstat() again,
 * as the file may have been exchanged in between. */
enum sl_code sl_plugin_open(const char *path, int *fd, uint64_t *size,
			    struct sl_error *error)
{
	const char *shown = sl_path_tail(path);
	struct stat status;
	enum sl_code code;

	if (stat(path, &status))
		return SL_FAIL(error, SL_EIO, "%s: %s", shown, strerror(errno));
	code = check_mode(status.st_mode, shown, error);
	if (code == SL_OK)
		code = check_folders(path, shown, error);
	if (code != SL_OK)
		return code;
	*fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (*fd < 0)
		return SL_FAIL(error, SL_EIO, "%s: %s", shown, strerror(errno));
	if (fstat(*fd, &status))
		code = SL_FAIL(error, SL_EIO, "%s: %s", shown, strerror(errno));
	else
		code = check_mode(status.st_mode, shown, error);
	if (code != SL_OK)
		close(*fd);
	*size = (uint64_t)status.st_size;
	return code;
}
