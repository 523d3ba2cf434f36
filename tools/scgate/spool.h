/* SPDX-License-Identifier: MIT */
/** @file
 * Standard input, all of it, before anything is done with it.
 */
#ifndef SCGATE_SPOOL_H
#define SCGATE_SPOOL_H

#include "sluice/defs.h"
#include "sluice/error.h"

/** Read standard input to its end into a file of $TMPDIR that has no name, and
 * make that standard input. One that is a file already stays. SL_EIO. */
enum sl_code scgate_spool(struct sl_error *error) SL_MUST_CHECK;

#endif
