/* SPDX-License-Identifier: MIT */
/** @file
 * How many cores there are to use.
 */
#ifndef SL_BASE_CORES_H
#define SL_BASE_CORES_H

/** @return the number of CPUs that this process may run on (its affinity
 * mask), at least 1. */
unsigned sl_count_cores(void);

#endif
