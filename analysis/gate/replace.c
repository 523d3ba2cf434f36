/* SPDX-License-Identifier: MIT */
/* Written beside, made durable, renamed. */
#include "gate/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINKS_MAX = 40, NAMES_MAX = 100 };

static enum sl_code fail(const char *path, int number, struct sl_error *error)
{
	return SL_FAIL(error, SL_EIO, "cannot write %s: %s", sl_path_tail(path),
		       strerror(number));
}

/* ---- names ------------------------------------------------------------- */

/* @return the length of what stands before the file's name, '/' included. */
static size_t folder_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) + 1 : 0;
}

/* Where the symlink at @p path leads, one step; owned. */
static char *follow(const char *path, const char *target)
{
	size_t folder = *target == '/' ? 0 : folder_length(path);
	size_t length = strlen(target);
	char *next = malloc(folder + length + 1);

	if (!next)
		return NULL;
	memcpy(next, path, folder);
	memcpy(next + folder, target, length + 1);
	return next;
}

/* realpath() would not tell of a file that is not there yet. */
static enum sl_code find_target(const char *path, char **found,
				struct sl_error *error)
{
	char target[PATH_MAX];
	char *at = strdup(path);

	for (int link = 0; at; link++) {
		ssize_t length = readlink(at, target, sizeof(target));
		char *next;

		if (length < 0 && (errno == EINVAL || errno == ENOENT)) {
			*found = at;
			return SL_OK;
		}
		if (length < 0 || link == LINKS_MAX ||
		    length == (ssize_t)sizeof(target)) {
			int number = length < 0          ? errno
				     : link == LINKS_MAX ? ELOOP
							 : ENAMETOOLONG;

			free(at);
			return fail(path, number, error);
		}
		target[length] = '\0';
		next = follow(at, target);
		free(at);
		at = next;
	}
	return SL_FAIL(error, SL_ENOMEM, "no memory for a path");
}

/* ---- writing ----------------------------------------------------------- */

/* Open a file of a name of its own beside @p path. @return it, or -1. */
static int open_beside(const char *path, char *name, size_t size)
{
	for (int number = 0; number < NAMES_MAX; number++) {
		int length = snprintf(name, size, "%s.%ld-%d.new", path,
				      (long)getpid(), number);
		int fd;

		if (length < 0 || (size_t)length >= size) {
			errno = ENAMETOOLONG;
			return -1;
		}
		fd = open(name,
			  O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			  0666);
		if (fd >= 0 || errno != EEXIST)
			return fd;
	}
	return -1;
}

static bool write_all(int fd, const char *bytes, size_t length)
{
	while (length) {
		ssize_t written = write(fd, bytes, length);

		if (written < 0 && errno != EINTR)
			return false;
		if (written > 0) {
			bytes += written;
			length -= (size_t)written;
		}
	}
	return true;
}

/* @return a descriptor of the folder that @p path is in; -1. */
static int open_folder(const char *path)
{
	char folder[PATH_MAX] = ".";
	size_t length = folder_length(path);

	if (length >= sizeof(folder))
		return -1;
	if (length) {
		memcpy(folder, path, length);
		folder[length] = '\0';
	}
	return open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* The new name is in the folder, which must be written too. Where folders
 * cannot be synced there is nothing to be done. */
static void sync_folder(const char *path)
{
	int fd = open_folder(path);

	if (fd < 0)
		return;
	(void)fsync(fd);
	close(fd);
}

/* Closes @p fd. @return an errno; 0: done. */
static int fill(int fd, const mode_t *mode, const char *bytes, size_t length)
{
	int number = 0;

	if ((mode && fchmod(fd, *mode & 07777)) ||
	    !write_all(fd, bytes, length) || fsync(fd))
		number = errno;
	if (close(fd) && !number)
		number = errno;
	return number;
}

/* @p path is no symlink. @p old: NULL: there is no file yet. */
static enum sl_code replace(const char *path, const struct stat *old,
			    const char *bytes, size_t length,
			    struct sl_error *error)
{
	size_t size = strlen(path) + 64;
	char *name = malloc(size);
	int number = 0;
	int fd;

	if (!name)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a path");
	fd = open_beside(path, name, size);
	if (fd < 0) {
		number = errno;
		free(name);
		return fail(path, number, error);
	}
	number = fill(fd, old ? &old->st_mode : NULL, bytes, length);
	if (!number && rename(name, path))
		number = errno;
	if (number)
		unlink(name);
	else
		sync_folder(path);
	free(name);
	return number ? fail(path, number, error) : SL_OK;
}

enum sl_code sg_replace_file(const char *path, const char *bytes, size_t length,
			     struct sl_error *error)
{
	struct stat old;
	bool is_there;
	char *target = NULL;
	enum sl_code code = find_target(path, &target, error);

	if (code != SL_OK)
		return code;
	is_there = stat(target, &old) == 0;
	if (is_there && !S_ISREG(old.st_mode))
		code = SL_FAIL(error, SL_EIO,
			       "cannot write %s: it is no regular file",
			       sl_path_tail(path));
	/* A rename would not ask whether the file may be written. */
	else if (is_there ? faccessat(AT_FDCWD, target, W_OK, AT_EACCESS) != 0
			  : errno != ENOENT)
		code = fail(path, errno, error);
	if (code == SL_OK)
		code = replace(target, is_there ? &old : NULL, bytes, length,
			       error);
	free(target);
	return code;
}

int sg_lock_file(const char *path)
{
	int fd = open_folder(path);

	while (fd >= 0 && flock(fd, LOCK_EX)) {
		if (errno == EINTR)
			continue;
		close(fd);
		fd = -1;
	}
	return fd;
}
