/* SPDX-License-Identifier: MIT */
/** @file
 * Durations and sizes as text. Parsing them is in base/options.h.
 */
#ifndef SL_BASE_UNITS_H
#define SL_BASE_UNITS_H

#include <stdint.h>

/** Room for what the two functions below write. */
#define SL_UNITS_TEXT 32

/** Write nanoseconds in the largest unit that holds them without a fraction:
 * "90 s", "1500 us", "-2 min"; "0". */
void sl_duration_format(int64_t ns, char text[SL_UNITS_TEXT]);

/** Write bytes so: "64 KiB", "1000 bytes". */
void sl_size_format(uint64_t bytes, char text[SL_UNITS_TEXT]);

#endif
