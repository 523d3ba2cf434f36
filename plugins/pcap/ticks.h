/* SPDX-License-Identifier: MIT */
/** @file
 * An interface's clock: what pcapng's time stamps count, in ns.
 */
#ifndef PCAP_TICKS_H
#define PCAP_TICKS_H

#include <stdint.h>

#include "sluice/defs.h"

struct ticks {
	uint64_t quick; /**< below it, a tick is `scale` ns and that is all */
	uint64_t scale;
	int64_t offset; /**< if_tsoffset: s to add */
	uint8_t resolution; /**< if_tsresol: 10^-n s, or 2^-n with bit 7 */
};

/** pcapng's default. */
#define TICKS_MICROSECONDS 6

struct ticks ticks_of(uint8_t resolution, int64_t offset);

/** @return the time, which is rounded down, and the nearest that can be said
 * where it does not fit. */
int64_t ticks_ns_slowly(const struct ticks *clock, uint64_t count);

static inline int64_t ticks_ns(const struct ticks *clock, uint64_t count)
{
	if (SL_LIKELY(count < clock->quick))
		return (int64_t)(count * clock->scale);
	return ticks_ns_slowly(clock, count);
}

#endif
