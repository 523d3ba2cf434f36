/* SPDX-License-Identifier: MIT */
/** @file
 * A frame to a packet: what its headers say.
 *
 * Lengths are believed as far as the frame's length on the wire, and bytes read
 * as far as they were captured: a frame may be cut anywhere, by the capture
 * (then the headers are right and end early) or by whoever sent it (then they
 * contradict its length: SL_PACKET_MALFORMED).
 */
#ifndef PCAP_FRAME_H
#define PCAP_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "link.h"
#include "sluice/checksum.h"
#include "sluice/packet.h"

struct frame {
	const uint8_t *bytes;
	uint32_t captured, wire; /**< captured is not above wire */
};

/** Fill in what a frame says, into a packet and an info that are zero there. */
void frame_parse(const struct frame *frame, enum link link,
		 struct sl_packet *packet, struct sl_packet_info *info);

/** Where the headers of most frames are: Ethernet, IPv4 without options. */
enum frame_common {
	FRAME_L3 = 14,
	FRAME_L4 = 34,
	FRAME_PORTS = 38, /* the end of the ports */
};

/** @return whether an Ethernet frame is as most are: IPv4 without options, and
 * TCP or UDP with its ports, no fragment, nothing to complain of. Reads up to
 * SL_CHUNK_SLACK bytes whatever was captured. */
static SL_ALWAYS_INLINE bool frame_is_common(const struct frame *frame)
{
	const uint8_t *ip = frame->bytes + FRAME_L3;
	const uint64_t tcp_or_udp = UINT64_C(1) << SL_TRANSPORT_TCP |
				    UINT64_C(1) << SL_TRANSPORT_UDP;
	uint32_t start =
		sl_load_be32(frame->bytes + 12); /* type, version, IHL, TOS */
	unsigned total = sl_load_be16(ip + 2);
	unsigned fragment =
		sl_load_be16(ip + 6) & 0x3fffu; /* all but DF, reserved */
	unsigned protocol = ip[9];

	return start >> 8 == 0x080045 && !fragment && protocol < 64 &&
	       (tcp_or_udp >> protocol & 1) && frame->captured >= FRAME_PORTS &&
	       total >= FRAME_PORTS - FRAME_L3 &&
	       total <= frame->wire - FRAME_L3;
}

#endif
