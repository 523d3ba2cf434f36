/* SPDX-License-Identifier: MIT */
/** @file
 * A wait that can be cancelled.
 */
#ifndef SL_POWER_SLEEP_H
#define SL_POWER_SLEEP_H

#include "sluice/defs.h"
#include "sluice/error.h"

/** Sleep in the kernel for @p seconds, whatever signals come. SL_ESTOPPED:
 * @p cancel_fd became readable before; -1: there is none. */
enum sl_code sl_sleep(double seconds, int cancel_fd,
		      struct sl_error *error) SL_MUST_CHECK;

#endif
