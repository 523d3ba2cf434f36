/* SPDX-License-Identifier: MIT */
/** @file
 * The bytes of a capture that is being written, in little-endian order: pcapng
 * (draft-ietf-opsawg-pcapng) and pcap with nanoseconds.
 */
#ifndef PCAP_SINK_FORMAT_H
#define PCAP_SINK_FORMAT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "sluice/defs.h"
#include "sluice/packet.h"

enum format { FORMAT_PCAPNG, FORMAT_PCAP };

enum {
	/** What a packet's record has before its bytes. */
	BLOCK_HEADER = 28,
	RECORD_HEADER = 16,
	/** More than what a record has besides the packet's bytes. */
	RECORD_MORE = 40,
	/** Room for a file's header, and for an interface's description. */
	FORMAT_HEADER_MAX = 28,
	FORMAT_INTERFACE_MAX = 64,
};

/** The last time that a pcap file can hold: its seconds have 32 bits. */
#define FORMAT_PCAP_TIME_MAX (INT64_C(4294967296) * 1000000000 - 1)

/** Store a number in the file's order. @return the byte behind it. */
static inline char *put32(char *to, uint32_t number)
{
	number = SL_LITTLE_32(number);
	memcpy(to, &number, sizeof(number));
	return to + sizeof(number);
}

/** Bytes to the next multiple of 4. */
static inline uint32_t format_padding(uint32_t captured)
{
	return -captured & 3;
}

/** The size of a packet's record. */
static inline size_t format_record_size(enum format format, uint32_t captured)
{
	return format == FORMAT_PCAP ? (size_t)RECORD_HEADER + captured
				     : (size_t)BLOCK_HEADER + captured +
					       format_padding(captured) + 4;
}

/** What stands before the bytes of a packet. @p interface: for pcapng. */
static inline char *format_record_header(enum format format, char *to,
					 const struct sl_packet_info *info,
					 uint32_t interface)
{
	uint64_t time = (uint64_t)info->time_ns;

	if (format == FORMAT_PCAP) {
		to = put32(to, (uint32_t)(time / 1000000000));
		to = put32(to, (uint32_t)(time % 1000000000));
	} else {
		to = put32(to, 6); /* an enhanced packet block */
		to = put32(to, (uint32_t)format_record_size(format,
							    info->captured));
		to = put32(to, interface);
		to = put32(to, (uint32_t)(time >> 32));
		to = put32(to, (uint32_t)time);
	}
	to = put32(to, info->captured);
	return put32(to, info->original);
}

/** What stands behind them; it may write 8 bytes in any case. */
static inline char *format_record_end(enum format format, char *to,
				      uint32_t captured)
{
	if (format == FORMAT_PCAP)
		return to;
	put32(to, 0);
	return put32(to + format_padding(captured),
		     (uint32_t)format_record_size(format, captured));
}

/** memcpy() for the sizes of packets: a call, and even more the instruction
 * that compilers take where they know a bound, costs as much as the copy. */
static inline void format_copy(char *to, const uint8_t *from, size_t size)
{
	size_t at = 0;

	if (size >= 32) {
		for (; at + 32 <= size; at += 32)
			memcpy(to + at, from + at, 32);
		memcpy(to + size - 32, from + size - 32, 32);
	} else if (size >= 16) {
		memcpy(to, from, 16);
		memcpy(to + size - 16, from + size - 16, 16);
	} else {
		for (; at < size; at++)
			to[at] = (char)from[at];
	}
}

/** The start of a file; @p link_type: for pcap. @return its size, which is at
 * most FORMAT_HEADER_MAX. */
size_t format_header(enum format format, char *to, uint16_t link_type);

/** The description of an interface: its name (@p name_length bytes, at most
 * SL_NAME_LENGTH; 0: none) and its times, which are nanoseconds. @return its
 * size, which is at most FORMAT_INTERFACE_MAX. */
size_t format_interface(char *to, uint16_t link_type, const char *name,
			size_t name_length);

#endif
