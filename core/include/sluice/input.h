/* SPDX-License-Identifier: MIT */
/** @file
 * A source's input: a file, a pipe, or standard input; what sluice/output.h is
 * for a sink.
 *
 * It is claimed when it is opened, a folder is refused, and what may have to be
 * waited for is waited for where the host can end the wait.
 */
#ifndef SLUICE_INPUT_H
#define SLUICE_INPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "sluice/defs.h"
#include "sluice/error.h"
#include "sluice/host.h"

/** A zeroed one is closed. For a source's state; the layout is frozen. */
struct sl_input {
	const char *path; /**< borrowed; "-": standard input */
	int fd; /**< owned, if `opened` */
	bool opened;
	bool regular; /**< reading it never waits */
	bool ended; /**< a read found the end */
};

SL_BEGIN_DECLS

/** In open(): open @p path and claim it (sl_host_claim()). SL_EIO, SL_EINVAL.
 */
enum sl_code sl_input_open(struct sl_input *input, struct sl_host *host,
			   const char *path,
			   struct sl_error *error) SL_MUST_CHECK;

/** In cut(): read once, at most @p room bytes to @p bytes, after a wait if
 * there is nothing yet. *got is how many; 0 with SL_OK: the end, and `ended` is
 * set. SL_ESTOPPED: the run wants no more; SL_EIO. */
enum sl_code sl_input_read(struct sl_input *input, struct sl_host *host,
			   void *bytes, size_t room, size_t *got,
			   struct sl_error *error) SL_MUST_CHECK;

/** In close(): close it, if it is open. */
void sl_input_close(struct sl_input *input);

SL_END_DECLS

#endif
