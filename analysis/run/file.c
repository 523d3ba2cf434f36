/* SPDX-License-Identifier: MIT */
/* Read to the end, whatever its size was said to be. */
#include "run/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 1 << 16 };

static enum sl_code fail(const char *path, const char *why,
			 struct sl_error *error)
{
	return SL_FAIL(error, SL_EIO, "cannot read %s: %s", sl_path_tail(path),
		       why);
}

static enum sl_code read_all(int file, const char *path, size_t most,
			     struct sl_buffer *text, struct sl_error *error)
{
	size_t before = text->used;

	for (;;) {
		enum sl_code code = sl_buffer_reserve(text, PIECE + 1, error);
		ssize_t got;

		if (code != SL_OK)
			return code;
		got = read(file, text->data + text->used, PIECE);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return fail(path, strerror(errno), error);
		text->used += (size_t)got;
		if (text->used - before > most)
			return fail(path, "it is too large", error);
		text->data[text->used] = '\0';
		if (!got)
			return SL_OK;
	}
}

enum sl_code sg_file_read(const char *path, size_t most, struct sl_buffer *text,
			  struct sl_error *error)
{
	/* a pipe must not keep it waiting */
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat about;
	enum sl_code code;

	if (file < 0)
		return fail(path, strerror(errno), error);
	if (fstat(file, &about) != 0 || !S_ISREG(about.st_mode))
		code = fail(path, "it is no file", error);
	else
		code = read_all(file, path, most, text, error);
	close(file);
	return code;
}
