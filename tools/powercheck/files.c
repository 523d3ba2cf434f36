/* SPDX-License-Identifier: MIT */
/* Where reports go. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "powercheck.h"

/* A device, a pipe or a link is written to; renaming would put a file in its
 * place. */
static bool is_special(const char *path)
{
	struct stat found;

	return lstat(path, &found) == 0 && !S_ISREG(found.st_mode);
}

static bool write_all(FILE *file, const struct sl_buffer *text)
{
	return fwrite(text->data, 1, text->used, file) == text->used &&
	       fflush(file) != EOF;
}

static bool write_to(const char *path, const struct sl_buffer *text)
{
	FILE *file = fopen(path, "we");
	bool written;

	if (!file)
		return false;
	written = write_all(file, text);
	return fclose(file) != EOF && written;
}

/* Beside it and renamed: nobody ever reads half a report. */
static bool write_file(const char *path, const struct sl_buffer *text)
{
	char beside[4096];
	int reason;

	if (strcmp(path, "-") == 0)
		return write_all(stdout, text);
	if (is_special(path))
		return write_to(path, text);
	if (snprintf(beside, sizeof(beside), "%s.%ld", path, (long)getpid()) >=
	    (int)sizeof(beside)) {
		errno = ENAMETOOLONG;
		return false;
	}
	if (write_to(beside, text) && rename(beside, path) == 0)
		return true;
	reason = errno;
	remove(beside);
	errno = reason;
	return false;
}

bool powercheck_write(const struct sl_report *report, const char *path,
		      powercheck_writer *write)
{
	struct sl_buffer text = { NULL, 0, 0 };
	struct sl_error error;
	bool written = false;

	if (!path)
		return true;
	if (write(report, &text, &error) != SL_OK)
		powercheck_say("%s", error.message);
	else if (!write_file(path, &text))
		powercheck_say("cannot write %s: %s", path, strerror(errno));
	else
		written = true;
	free(text.data);
	return written;
}

enum sl_code powercheck_can_write(const char *path, struct sl_error *error)
{
	char folder[4096];
	const char *slash = path ? strrchr(path, '/') : NULL;
	int length = slash && slash != path ? (int)(slash - path) : 1;
	const char *checked = folder;
	struct stat found;

	if (!path || strcmp(path, "-") == 0)
		return SL_OK;
	snprintf(folder, sizeof(folder), "%.*s", length, slash ? path : ".");
	if (is_special(path))
		checked = path;
	if (stat(path, &found) == 0 && S_ISDIR(found.st_mode))
		errno = EISDIR;
	else if (access(checked, W_OK) == 0)
		return SL_OK;
	return SL_FAIL(error, SL_EIO, "cannot write %s: %s", sl_path_tail(path),
		       strerror(errno));
}
