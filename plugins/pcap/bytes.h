/* SPDX-License-Identifier: MIT */
/** @file
 * Numbers out of bytes. A capture's own are in the order of the machine that
 * took it, a frame's are in network order.
 */
#ifndef PCAP_BYTES_H
#define PCAP_BYTES_H

#include <stdbool.h>
#include <stdint.h>

static inline uint16_t big16(const uint8_t *bytes)
{
	return (uint16_t)(bytes[0] << 8 | bytes[1]);
}

static inline uint32_t big32(const uint8_t *bytes)
{
	return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 |
	       (uint32_t)bytes[2] << 8 | bytes[3];
}

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
	return big ? big16(bytes) : little16(bytes);
}

static inline uint32_t get32(const uint8_t *bytes, bool big)
{
	return big ? big32(bytes) : little32(bytes);
}

static inline uint64_t get64(const uint8_t *bytes, bool big)
{
	uint64_t first = get32(bytes, big);
	uint64_t second = get32(bytes + 4, big);

	return big ? first << 32 | second : second << 32 | first;
}

#endif
