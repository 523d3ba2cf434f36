/* SPDX-License-Identifier: MIT */
/** @file
 * Numbers out of bytes in either order: a capture's own are in that of the
 * machine that took it. (A frame's are in network order: sluice/checksum.h.)
 */
#ifndef PCAP_BYTES_H
#define PCAP_BYTES_H

#include <stdbool.h>
#include <stdint.h>

#include "sluice/checksum.h"

static inline uint16_t little16(const uint8_t *bytes)
{
	return (uint16_t)(bytes[1] << 8 | bytes[0]);
}

static inline uint32_t little32(const uint8_t *bytes)
{
	return (uint32_t)bytes[3] << 24 | (uint32_t)bytes[2] << 16 |
	       (uint32_t)bytes[1] << 8 | bytes[0];
}

static inline uint16_t get16(const uint8_t *bytes, bool big)
{
	return big ? sl_load_be16(bytes) : little16(bytes);
}

static inline uint32_t get32(const uint8_t *bytes, bool big)
{
	return big ? sl_load_be32(bytes) : little32(bytes);
}

static inline uint64_t get64(const uint8_t *bytes, bool big)
{
	uint64_t first = get32(bytes, big);
	uint64_t second = get32(bytes + 4, big);

	return big ? first << 32 | second : second << 32 | first;
}

#endif
