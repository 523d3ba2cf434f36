/* SPDX-License-Identifier: MIT */
/** @file
 * A sink's output: a file, a pipe, or standard output.
 *
 * What every sink needs and few get right: the file is claimed before it is
 * emptied, standard output is its caller's and stays as it is, a write that
 * was cut short goes on, and a full disk keeps whole records.
 */
#ifndef SLUICE_OUTPUT_H
#define SLUICE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/uio.h>

#include "sluice/defs.h"
#include "sluice/error.h"
#include "sluice/host.h"

/** A zeroed one is closed. For a sink's state; the layout is frozen. */
struct sl_output {
	const char *path; /**< borrowed; "-": standard output */
	int fd; /**< owned, if `opened` */
	bool opened;
	bool regular; /**< what was written can be taken back */
};

SL_BEGIN_DECLS

/** In open(): open @p path, claim it (sl_host_claim()), and empty it unless it
 * is standard output. SL_EIO, SL_EINVAL. */
enum sl_code sl_output_open(struct sl_output *output, struct sl_host *host,
			    const char *path,
			    struct sl_error *error) SL_MUST_CHECK;

/** In write() and end(): write all the @p count pieces, which are changed on
 * the way. @return SL_EIO, with *written telling how many bytes went out all
 * the same; @p written may be NULL. */
enum sl_code sl_output_write(const struct sl_output *output,
			     struct iovec *pieces, size_t count,
			     size_t *written,
			     struct sl_error *error) SL_MUST_CHECK;

/** After a failed write: take the last @p bytes back, the start of a record
 * that will not be whole. Nothing happens where that cannot be. */
void sl_output_take_back(const struct sl_output *output, size_t bytes);

/** In end(): close it; some file systems tell only then that they could not
 * keep what they took. SL_EIO. */
enum sl_code sl_output_end(struct sl_output *output,
			   struct sl_error *error) SL_MUST_CHECK;

/** In close(): close it, if it is open. */
void sl_output_close(struct sl_output *output);

SL_END_DECLS

#endif
