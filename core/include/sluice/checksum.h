/* SPDX-License-Identifier: MIT */
/** @file
 * The Internet's checksum, kept up as words change (RFC 1624, equation 3):
 *
 *     HC' = ~(~HC + ~m + m')
 *
 * A *change* is the sum of ~m + m' over 16-bit words m, not yet folded: changes
 * add up, and one serves every checksum that covers the same words. A checksum
 * that was right is right afterwards, and one that was wrong stays wrong by the
 * same amount.
 *
 *     change = sl_checksum_change32(old_address, new_address) +
 *              sl_checksum_change16(old_port, new_port);
 *     sl_store_be16(at, sl_checksum_changed(sl_load_be16(at), change));
 *
 * UDP's two special cases are the caller's: a checksum of 0 says that there is
 * none (RFC 768), and one that becomes 0 is sent as 0xffff.
 */
#ifndef SLUICE_CHECKSUM_H
#define SLUICE_CHECKSUM_H

#include <stdint.h>

/** 16 and 32 bits in network order. */
static inline uint16_t sl_load_be16(const uint8_t *bytes)
{
	return (uint16_t)(bytes[0] << 8 | bytes[1]);
}

static inline uint32_t sl_load_be32(const uint8_t *bytes)
{
	return (uint32_t)sl_load_be16(bytes) << 16 | sl_load_be16(bytes + 2);
}

static inline void sl_store_be16(uint8_t *bytes, uint16_t value)
{
	bytes[0] = (uint8_t)(value >> 8);
	bytes[1] = (uint8_t)value;
}

static inline void sl_store_be32(uint8_t *bytes, uint32_t value)
{
	sl_store_be16(bytes, (uint16_t)(value >> 16));
	sl_store_be16(bytes + 2, (uint16_t)value);
}

/** At most 0x1fffe; so thousands of changes add up without overflow. */
static inline uint32_t sl_checksum_change16(uint16_t before, uint16_t after)
{
	return (uint32_t)(uint16_t)~before + after;
}

static inline uint32_t sl_checksum_change32(uint32_t before, uint32_t after)
{
	return sl_checksum_change16((uint16_t)(before >> 16),
				    (uint16_t)(after >> 16)) +
	       sl_checksum_change16((uint16_t)before, (uint16_t)after);
}

/** A sum of 16-bit words as one such word: end-around carry. */
static inline uint16_t sl_checksum_fold(uint32_t sum)
{
	sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)((sum & 0xffff) + (sum >> 16));
}

static inline uint16_t sl_checksum_changed(uint16_t checksum, uint32_t change)
{
	return (uint16_t)~sl_checksum_fold((uint16_t)~checksum + change);
}

#endif
