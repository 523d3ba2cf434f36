/* SPDX-License-Identifier: MIT */
/* Where sources read from: see sluice/input.h. */
#include "sluice/input.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum sl_code sl_input_open(struct sl_input *input, struct sl_host *host,
			   const char *path, struct sl_error *error)
{
	struct stat file;

	input->path = path;
	input->fd = strcmp(path, "-") == 0
			    ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
			    : open(path, O_RDONLY | O_CLOEXEC);
	input->opened = input->fd >= 0;
	if (!input->opened || fstat(input->fd, &file))
		return SL_FAIL(error, SL_EIO, "cannot open %s: %s",
			       sl_path_tail(path), strerror(errno));
	if (S_ISDIR(file.st_mode))
		return SL_FAIL(error, SL_EIO, "cannot read %s: %s",
			       sl_path_tail(path), strerror(EISDIR));
	input->regular = S_ISREG(file.st_mode);
	return sl_host_claim(host, input->fd, path, SL_FILE_READ, error);
}

enum sl_code sl_input_read(struct sl_input *input, struct sl_host *host,
			   void *bytes, size_t room, size_t *got,
			   struct sl_error *error)
{
	enum sl_code code;
	ssize_t count;

	*got = 0;
	if (sl_host_stopping(host))
		return SL_ESTOPPED;
	if (!input->regular) {
		code = sl_host_wait_readable(host, input->fd, error);
		if (code != SL_OK)
			return code;
	}
	do
		count = read(input->fd, bytes, room);
	while (count < 0 && errno == EINTR);
	if (count < 0)
		return SL_FAIL(error, SL_EIO, "cannot read %s: %s",
			       sl_path_tail(input->path), strerror(errno));
	*got = (size_t)count;
	input->ended = count == 0;
	return SL_OK;
}

void sl_input_close(struct sl_input *input)
{
	if (input->opened)
		close(input->fd);
	input->opened = false;
}
