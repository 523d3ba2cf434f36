/* SPDX-License-Identifier: MIT */
/* The layers of a frame, one after the other. */
#include "frame.h"

#include <string.h>

#include "bytes.h"
#include "sluice/defs.h"

/* Where we are in a frame. */
struct walk {
	const uint8_t *bytes; /* of the frame */
	size_t at; /* where the next header starts */
	size_t captured, wire; /* ends of the frame; of the IP packet, once its
				  header was read */
	struct sl_packet *packet;
	struct sl_packet_info *info;
};

enum { TYPE_IPV4 = 0x0800, TYPE_IPV6 = 0x86dd, TAGS_MAX = 4 };

static bool has(const struct walk *walk, size_t bytes)
{
	return walk->at + bytes <= walk->captured;
}

static void malformed(struct walk *walk)
{
	uint16_t nic = walk->packet->nic_in;

	memset(walk->packet, 0, sizeof(*walk->packet));
	walk->packet->nic_in = nic;
	walk->packet->flags = SL_PACKET_MALFORMED;
	walk->info->l3 = 0;
}

/* ---- transports ------------------------------------------------------- */

/* How much of a transport's header must be there for it to count: TCP's and
 * UDP's ports, ICMP's identifier. */
static size_t least_of(unsigned transport)
{
	switch (transport) {
	case SL_TRANSPORT_TCP:
	case SL_TRANSPORT_UDP:
	case SL_TRANSPORT_ICMPV6:
		return 4;
	case SL_TRANSPORT_ICMP:
		return 8;
	default:
		return 1;
	}
}

static bool is_icmp_error(unsigned type)
{
	return (type >= 3 && type <= 5) || type == 11 || type == 12;
}

static void parse_icmp(struct sl_packet *packet, const uint8_t *header)
{
	if (sl_icmp_has_id(header[0]))
		packet->sport = packet->dport = sl_load_be16(header + 4);
	else if (is_icmp_error(header[0]))
		packet->flags |= SL_PACKET_ICMP_ERROR;
}

static void parse_transport(struct walk *walk, unsigned transport)
{
	struct sl_packet *packet = walk->packet;
	const uint8_t *header = walk->bytes + walk->at;

	packet->transport = (uint8_t)transport;
	if (!has(walk, least_of(transport)) || walk->at > UINT16_MAX)
		return;
	walk->info->l4 = (uint16_t)walk->at;
	if (transport == SL_TRANSPORT_TCP || transport == SL_TRANSPORT_UDP) {
		packet->sport = sl_load_be16(header);
		packet->dport = sl_load_be16(header + 2);
	} else if (transport == SL_TRANSPORT_ICMP && packet->ip_version == 4) {
		parse_icmp(packet, header);
	} else if (transport == SL_TRANSPORT_ICMPV6 &&
		   packet->ip_version == 6 && header[0] >= 1 &&
		   header[0] <= 4) {
		packet->flags |= SL_PACKET_ICMP_ERROR;
	}
}

static void later_fragment(struct walk *walk, unsigned transport)
{
	walk->packet->flags |= SL_PACKET_FRAGMENT | SL_PACKET_LATER_FRAGMENT;
	walk->packet->transport = (uint8_t)transport;
}

/* The IP packet ends @p bytes behind its start: what follows it in the frame
 * is padding. @return false: that is behind the frame's end. */
static bool end_ip(struct walk *walk, size_t start, size_t bytes)
{
	if (start + bytes > walk->wire)
		return false;
	walk->wire = start + bytes;
	if (walk->captured > walk->wire)
		walk->captured = walk->wire;
	return true;
}

/* ---- IPv4 ------------------------------------------------------------- */

static void parse_ipv4(struct walk *walk)
{
	const uint8_t *ip = walk->bytes + walk->at;
	size_t start = walk->at;
	size_t header, total;
	unsigned fragment;

	if (start + 20 > walk->wire) {
		malformed(walk);
		return;
	}
	if (!has(walk, 20))
		return;
	header = (ip[0] & 15u) * 4u;
	total = sl_load_be16(ip + 2);
	if (ip[0] >> 4 != 4 || header < 20 || total < header ||
	    !end_ip(walk, start, total)) {
		malformed(walk);
		return;
	}
	walk->packet->ip_version = 4;
	walk->packet->src = sl_address_from_v4(sl_load_be32(ip + 12));
	walk->packet->dst = sl_address_from_v4(sl_load_be32(ip + 16));
	walk->packet->dscp = ip[1] >> 2;
	walk->info->l3 = (uint16_t)start;
	walk->at += header;
	fragment = sl_load_be16(ip + 6);
	if (fragment & 0x1fff) {
		later_fragment(walk, ip[9]);
		return;
	}
	if (fragment & 0x2000)
		walk->packet->flags |= SL_PACKET_FRAGMENT;
	parse_transport(walk, ip[9]);
}

/* ---- IPv6 ------------------------------------------------------------- */

enum { HOP_BY_HOP = 0, ROUTING = 43, FRAGMENT = 44, DESTINATION = 60 };

/* RFC 2675: a length above 65535 stands in a hop-by-hop option. @return it; 0:
 * there is none, or it is not above. Where the header was not captured as a
 * whole, all of the frame is the packet's. */
static size_t jumbo_length(const struct walk *walk)
{
	const uint8_t *header = walk->bytes + walk->at;
	size_t end, at = 2;

	if (!has(walk, 8))
		return walk->wire - walk->at;
	end = (header[1] + 1u) * 8u;
	if (!has(walk, end))
		return walk->wire - walk->at;
	while (at + 2 <= end) {
		if (header[at] == 0) { /* one byte of padding */
			at++;
			continue;
		}
		if (header[at] == 0xc2 && header[at + 1] == 4 && at + 6 <= end)
			return sl_load_be32(header + at + 2) > UINT16_MAX
				       ? sl_load_be32(header + at + 2)
				       : 0;
		at += 2u + header[at + 1];
	}
	return 0;
}

/* Step over an extension header. @return false: that was all, for it is not
 * there as a whole or is a later fragment's. */
static bool step_over(struct walk *walk, unsigned *next)
{
	const uint8_t *header = walk->bytes + walk->at;
	unsigned kind = *next;
	size_t length = 8;

	if (walk->at + 8 > walk->wire) {
		malformed(walk);
		return false;
	}
	if (!has(walk, 8))
		return false;
	if (kind != FRAGMENT)
		length = (header[1] + 1u) * 8u;
	if (walk->at + length > walk->wire) {
		malformed(walk);
		return false;
	}
	*next = header[0];
	walk->at += length;
	if (kind != FRAGMENT)
		return true;
	if (sl_load_be16(header + 2) & 0xfff8) {
		later_fragment(walk, *next);
		return false;
	}
	/* Neither offset nor more: the whole of a datagram (RFC 6946). */
	if (header[3] & 1)
		walk->packet->flags |= SL_PACKET_FRAGMENT;
	return true;
}

static void parse_ipv6(struct walk *walk)
{
	const uint8_t *ip = walk->bytes + walk->at;
	size_t start = walk->at;
	size_t payload;
	unsigned next;

	if (start + 40 > walk->wire) {
		malformed(walk);
		return;
	}
	if (!has(walk, 40))
		return;
	payload = sl_load_be16(ip + 4);
	next = ip[6];
	walk->at += 40;
	if (!payload && next == HOP_BY_HOP)
		payload = jumbo_length(walk);
	if (ip[0] >> 4 != 6 || (!payload && next == HOP_BY_HOP) ||
	    !end_ip(walk, start, 40 + payload)) {
		malformed(walk);
		return;
	}
	walk->packet->ip_version = 6;
	memcpy(walk->packet->src.bytes, ip + 8, 16);
	memcpy(walk->packet->dst.bytes, ip + 24, 16);
	walk->packet->dscp = (uint8_t)(sl_load_be16(ip) >> 6 & 63);
	walk->info->l3 = (uint16_t)start;
	while (next == HOP_BY_HOP || next == ROUTING || next == FRAGMENT ||
	       next == DESTINATION) {
		if (!step_over(walk, &next))
			return;
	}
	parse_transport(walk, next);
}

/* ---- links ------------------------------------------------------------ */

/* What a type of EtherType announces, from walk->at on. */
static void parse_type(struct walk *walk, unsigned type)
{
	for (int tags = 0; tags < TAGS_MAX; tags++) {
		if (type != 0x8100 && type != 0x88a8 && type != 0x9100)
			break;
		if (!has(walk, 4))
			return;
		type = sl_load_be16(walk->bytes + walk->at + 2);
		walk->at += 4;
	}
	if (type == TYPE_IPV4)
		parse_ipv4(walk);
	else if (type == TYPE_IPV6)
		parse_ipv6(walk);
}

/* The header has @p length bytes, of which those at @p type are the type. */
static void parse_typed(struct walk *walk, size_t length, size_t type)
{
	if (!has(walk, length))
		return;
	walk->at = length;
	parse_type(walk, sl_load_be16(walk->bytes + type));
}

static void parse_raw(struct walk *walk)
{
	unsigned version = has(walk, 1) ? walk->bytes[0] >> 4 : 0;

	if (version == 4)
		parse_ipv4(walk);
	else if (version == 6)
		parse_ipv6(walk);
	else if (has(walk, 1) || !walk->wire)
		malformed(walk);
}

/* A protocol family of the system that captured: IPv6's differ. */
static void parse_loopback(struct walk *walk)
{
	uint32_t family;

	if (!has(walk, 4))
		return;
	family = sl_load_be32(walk->bytes);
	if (family > UINT16_MAX)
		family = little32(walk->bytes);
	walk->at = 4;
	if (family == 2)
		parse_ipv4(walk);
	else if (family == 10 || family == 24 || family == 28 || family == 30)
		parse_ipv6(walk);
}

void frame_parse(const struct frame *frame, enum link link,
		 struct sl_packet *packet, struct sl_packet_info *info)
{
	struct walk walk = {
		.bytes = frame->bytes,
		.captured = frame->captured,
		.wire = frame->wire,
		.packet = packet,
		.info = info,
	};

	switch (link) {
	case LINK_ETHERNET:
		parse_typed(&walk, 14, 12);
		break;
	case LINK_RAW:
		parse_raw(&walk);
		break;
	case LINK_IPV4:
		parse_ipv4(&walk);
		break;
	case LINK_IPV6:
		parse_ipv6(&walk);
		break;
	case LINK_COOKED:
		parse_typed(&walk, 16, 14);
		break;
	case LINK_COOKED2:
		parse_typed(&walk, 20, 0);
		break;
	case LINK_LOOPBACK:
		parse_loopback(&walk);
		break;
	case LINK_UNKNOWN:
		break;
	}
}
