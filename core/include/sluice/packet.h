/* SPDX-License-Identifier: MIT */
/** @file
 * A packet: a hot line of 64 bytes, and a cold record beside it.
 *
 * The layout belongs to the ABI's major version.
 */
#ifndef SLUICE_PACKET_H
#define SLUICE_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sluice/address.h"
#include "sluice/defs.h"

/** What a source provides, and what a stage or sink reads and writes. The
 * host refuses wiring in which somebody reads what nobody has written. */
enum sl_field {
	SL_FIELD_ADDRESSES = 1u << 0, /**< src, dst, ip_version */
	SL_FIELD_PORTS = 1u << 1, /**< sport, dport, transport */
	SL_FIELD_APPLICATION = 1u << 2,
	SL_FIELD_NIC_IN = 1u << 3,
	SL_FIELD_NIC_OUT = 1u << 4,
	SL_FIELD_PRIORITY = 1u << 5,
	SL_FIELD_DSCP = 1u << 6,
	SL_FIELD_FRAME = 1u << 7, /**< bytes: frame, captured, l3, l4 */
	SL_FIELD_TIME = 1u << 8, /**< time_ns. It may go back, in a capture or
				      where packets were sorted: a stage that
				      has seen a later one takes that */
};

/** IANA protocol numbers that stages know; a frame's packet may have any other.
 * Of ICMP's queries and their answers (RFC 792) both ports are the identifier,
 * in a frame; every other ICMP message has no ports. */
enum sl_transport {
	SL_TRANSPORT_NONE = 0, /**< not known */
	SL_TRANSPORT_ICMP = 1,
	SL_TRANSPORT_TCP = 6,
	SL_TRANSPORT_UDP = 17,
	SL_TRANSPORT_ICMPV6 = 58,
};

/** Whether an ICMP message of this type has an identifier: the queries Echo,
 * Timestamp, Information and Address Mask, and their answers. */
static inline bool sl_icmp_has_id(uint8_t type)
{
	return type <= 18 && (0x7e101u >> type & 1);
}

/** What a source of frames says of a packet. */
enum sl_packet_flag {
	/** A part of a datagram that was fragmented, the first one too; not
	 * the whole of one behind a fragment header of IPv6 (RFC 6946). */
	SL_PACKET_FRAGMENT = 1u << 0,
	/** With SL_PACKET_FRAGMENT: not the first, so it has no ports. */
	SL_PACKET_LATER_FRAGMENT = 1u << 1,
	/** An ICMP or ICMPv6 message that quotes the packet that caused
	 * it. */
	SL_PACKET_ICMP_ERROR = 1u << 2,
	/** It claims to be IP, and its headers contradict themselves or the
	 * frame's length on the wire; ip_version is 0. */
	SL_PACKET_MALFORMED = 1u << 3,
};

/** The hot line: what stages read and write for every packet. */
struct sl_packet {
	struct sl_address src, dst;
	uint16_t sport, dport; /**< host order */
	uint16_t nic_in, nic_out; /**< sluice/name.h; nic_out is SL_NO_NAME
				       until a stage routes the packet */
	uint16_t application; /**< sluice/name.h: "sip", "http" */
	uint16_t drop; /**< 0, or 1 + index of the reason; sl_drop() sets it */
	uint32_t flags; /**< enum sl_packet_flag; leave the other bits */
	uint8_t transport; /**< enum sl_transport */
	uint8_t ip_version; /**< 4, 6; 0: no IP packet */
	uint8_t priority; /**< 0 is the most urgent */
	uint8_t dscp; /**< 0-63 */
	uint8_t reserved[12]; /**< leave it */
} SL_ALIGNED(SL_CACHE_LINE);

SL_STATIC_ASSERT(sizeof(struct sl_packet) == SL_CACHE_LINE,
		 "the hot line is one cache line");

/** The cold record: what few stages look at. */
struct sl_packet_info {
	uint64_t
		index; /**< of the record in the input, from 0: line or frame */
	int64_t time_ns; /**< the packet's own clock; 0 if it has none */
	uint8_t *frame; /**< its bytes, borrowed from the chunk; NULL: none */
	uint32_t captured, original; /**< bytes at `frame`, and on the wire */
	uint16_t l3; /**< offset of the IP header in the frame, which is 0 in
			  raw IP; of use where ip_version is not 0 */
	uint16_t l4; /**< offset of the transport's header; 0: the packet has
			  none, or so little of it that ports are missing: of
			  TCP and UDP 4 bytes are there, of ICMP 8, of ICMPv6
			  4, and one of others */
	uint16_t link_type; /**< of the frame: LINKTYPE_ETHERNET is 1, ... */
	uint16_t reserved; /**< leave it */
};

#endif
