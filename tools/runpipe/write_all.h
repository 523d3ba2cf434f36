/* SPDX-License-Identifier: MIT */
/** @file
 * write() until all is written.
 */
#ifndef WRITE_ALL_H
#define WRITE_ALL_H

#include <errno.h>
#include <stddef.h>
#include <unistd.h>

#include "sluice/defs.h"
#include "sluice/error.h"

/** SL_EIO: errno says why. */
static inline enum sl_code SL_MUST_CHECK write_all(int fd, const char *data,
						   size_t size)
{
	while (size) {
		ssize_t written = write(fd, data, size);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return SL_EIO;
		data += written;
		size -= (size_t)written;
	}
	return SL_OK;
}

#endif
