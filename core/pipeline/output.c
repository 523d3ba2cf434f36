/* SPDX-License-Identifier: MIT */
/* Where sinks write to: see sluice/output.h. */
#include "sluice/output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* writev() takes so many pieces at once; IOV_MAX of Linux. */
#define PIECES_MAX 1024

enum sl_code sl_output_open(struct sl_output *output, struct sl_host *host,
			    const char *path, struct sl_error *error)
{
	bool standard = strcmp(path, "-") == 0;
	struct stat file;
	enum sl_code code;

	output->path = path;
	output->fd = standard
			     ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
			     : open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	output->opened = output->fd >= 0;
	if (!output->opened || fstat(output->fd, &file))
		return SL_FAIL(error, SL_EIO, "cannot open %s: %s",
			       sl_path_tail(path), strerror(errno));
	code = sl_host_claim(host, output->fd, path, SL_FILE_WRITE, error);
	if (code != SL_OK)
		return code;
	output->regular = S_ISREG(file.st_mode);
	/* Standard output is the caller's: it may be appended to. A file that
	 * is empty is left alone: ext4 takes one that was truncated for
	 * precious, and its close waits for the disk. */
	if (output->regular && !standard && file.st_size > 0 &&
	    ftruncate(output->fd, 0))
		return SL_FAIL(error, SL_EIO, "cannot empty %s: %s",
			       sl_path_tail(path), strerror(errno));
	return SL_OK;
}

/* The other end made it non-blocking; it is not meant for us. */
static void wait_writable(int fd)
{
	struct pollfd wait = { .fd = fd, .events = POLLOUT };

	poll(&wait, 1, -1);
}

/* Pass over the first @p bytes. */
static void advance(struct iovec **pieces, size_t *count, size_t bytes)
{
	while (*count && bytes >= (*pieces)->iov_len) {
		bytes -= (*pieces)->iov_len;
		++*pieces;
		--*count;
	}
	if (bytes) {
		(*pieces)->iov_base = (char *)(*pieces)->iov_base + bytes;
		(*pieces)->iov_len -= bytes;
	}
}

enum sl_code sl_output_write(const struct sl_output *output,
			     struct iovec *pieces, size_t count,
			     size_t *written, struct sl_error *error)
{
	size_t done = 0;

	advance(&pieces, &count, 0);
	while (count) {
		ssize_t got =
			writev(output->fd, pieces,
			       count < PIECES_MAX ? (int)count : PIECES_MAX);
		int reason = errno;

		if (got >= 0) {
			done += (size_t)got;
			advance(&pieces, &count, (size_t)got);
		} else if (reason == EAGAIN) {
			wait_writable(output->fd);
		} else if (reason != EINTR) {
			if (written)
				*written = done;
			return SL_FAIL(error, SL_EIO, "cannot write %s: %s",
				       sl_path_tail(output->path),
				       strerror(reason));
		}
	}
	if (written)
		*written = done;
	return SL_OK;
}

void sl_output_take_back(const struct sl_output *output, size_t bytes)
{
	off_t at;

	if (!output->regular || !bytes)
		return;
	/* Who shares standard output with us writes on where we ended: behind
	 * what was taken back there would be a hole. If it cannot be done, the
	 * failure that is reported is the write's. */
	at = lseek(output->fd, -(off_t)bytes, SEEK_CUR);
	if (at >= 0 && ftruncate(output->fd, at))
		return;
}

enum sl_code sl_output_end(struct sl_output *output, struct sl_error *error)
{
	output->opened = false;
	if (close(output->fd) && errno != EINTR)
		return SL_FAIL(error, SL_EIO, "cannot write %s: %s",
			       sl_path_tail(output->path), strerror(errno));
	return SL_OK;
}

void sl_output_close(struct sl_output *output)
{
	if (output->opened)
		close(output->fd);
	output->opened = false;
}
