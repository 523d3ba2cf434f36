/* SPDX-License-Identifier: MIT */
/** @file
 * A small file written anew, whole or not at all.
 */
#ifndef SG_GATE_REPLACE_H
#define SG_GATE_REPLACE_H

#include <stddef.h>

#include "sluice/defs.h"
#include "sluice/error.h"

/** Make @p path a file of these bytes: they are written to a file beside it,
 * which then takes its place, so that no reader sees half of it and no crash
 * leaves half of it. Its permissions stay; a new one has those that the umask
 * leaves. A symlink stays one: the file that it leads to is written, made if
 * it is not there. SL_EIO: it is no regular file, may not be written, or the
 * system refused; then it is as it was. SL_ENOMEM. */
enum sl_code sg_replace_file(const char *path, const char *bytes, size_t length,
			     struct sl_error *error) SL_MUST_CHECK;

/** Keep others who call this from changing @p path until the descriptor is
 * closed: who reads a file, changes and replaces it must not undo what another
 * one did in between. Its folder is locked, for the file itself is replaced.
 * @return a descriptor; -1: it cannot be locked, which is no reason to stop. */
int sg_lock_file(const char *path);

#endif
