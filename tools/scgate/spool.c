/* SPDX-License-Identifier: MIT */
/* Standard input in a file without a name. */
#include "spool.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 1 << 16 };

/* @return a file, or -1. */
static int open_nameless(void)
{
	const char *folder = getenv("TMPDIR");
	char path[PATH_MAX];
	int length, file;

	length = snprintf(path, sizeof(path), "%s/scgate.XXXXXX",
			  folder && *folder ? folder : "/tmp");
	if (length < 0 || (size_t)length >= sizeof(path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	file = mkstemp(path);
	if (file >= 0)
		unlink(path);
	return file;
}

static bool write_all(int file, const char *bytes, size_t length)
{
	while (length) {
		ssize_t written = write(file, bytes, length);

		if (written < 0 && errno != EINTR)
			return false;
		if (written > 0) {
			bytes += written;
			length -= (size_t)written;
		}
	}
	return true;
}

static enum sl_code copy_input(int file, struct sl_error *error)
{
	static char piece[PIECE];

	for (;;) {
		ssize_t got = read(STDIN_FILENO, piece, sizeof(piece));

		if (got == 0)
			return SL_OK;
		if (got < 0 && errno != EINTR)
			return SL_FAIL(error, SL_EIO, "cannot read -: %s",
				       strerror(errno));
		if (got > 0 && !write_all(file, piece, (size_t)got))
			return SL_FAIL(error, SL_EIO,
				       "cannot keep standard input in a "
				       "temporary file: %s",
				       strerror(errno));
	}
}

enum sl_code scgate_spool(struct sl_error *error)
{
	struct stat about;
	enum sl_code code;
	int file;

	/* what is no pipe is left to who reads it */
	if (fstat(STDIN_FILENO, &about) ||
	    (!S_ISFIFO(about.st_mode) && !S_ISSOCK(about.st_mode)))
		return SL_OK;
	file = open_nameless();
	if (file < 0)
		return SL_FAIL(error, SL_EIO,
			       "cannot make a temporary file: %s",
			       strerror(errno));
	code = copy_input(file, error);
	if (code == SL_OK &&
	    (lseek(file, 0, SEEK_SET) < 0 || dup2(file, STDIN_FILENO) < 0))
		code = SL_FAIL(error, SL_EIO, "cannot read -: %s",
			       strerror(errno));
	close(file);
	return code;
}
