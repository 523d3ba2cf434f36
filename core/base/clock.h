/* SPDX-License-Identifier: MIT */
/** @file
 * Time: nanoseconds of the clocks that the measurements use.
 */
#ifndef SL_BASE_CLOCK_H
#define SL_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline int64_t sl_clock_read_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/** CLOCK_MONOTONIC in ns. */
static inline int64_t sl_clock_ns(void)
{
	return sl_clock_read_ns(CLOCK_MONOTONIC);
}

/** Nanoseconds as seconds. */
static inline double sl_seconds(int64_t ns)
{
	return (double)ns / 1e9;
}

#endif
