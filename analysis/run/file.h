/* SPDX-License-Identifier: MIT */
/** @file
 * Whole files.
 */
#ifndef SG_RUN_FILE_H
#define SG_RUN_FILE_H

#include "sluice/buffer.h"
#include "sluice/defs.h"
#include "sluice/error.h"

/** Append a regular file to @p text, with a NUL behind it that does not count.
 * SL_EIO: it cannot be read, as the message says; it is none; or it has more
 * than @p most bytes. SL_ENOMEM. */
enum sl_code sg_file_read(const char *path, size_t most, struct sl_buffer *text,
			  struct sl_error *error) SL_MUST_CHECK;

#endif
