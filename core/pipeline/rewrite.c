/* SPDX-License-Identifier: MIT */
/* Rewriting a frame: an endpoint's address and port, the TTL, and the checksums
 * that cover them, kept up incrementally by RFC 1624, equation 3:
 *
 *     HC' = ~(~HC + ~m + m')
 *
 * It never turns a sum that was not 0xffff into one, unlike eqn. 2 of RFC 1141,
 * and a checksum that was wrong stays wrong by the same amount. A *change* is
 * the sum of all ~m + m', not yet folded: it serves every checksum that covers
 * the same words. */
#include <string.h>

#include "sluice/chunk.h"

enum {
	IPV4_LENGTH = 2,
	IPV4_TTL = 8,
	IPV4_CHECKSUM = 10,
	IPV4_SOURCE = 12,
	IPV4_DESTINATION = 16,
	TCP_CHECKSUM = 16,
	UDP_CHECKSUM = 6,
	ICMP_CHECKSUM = 2,
	ICMP_ID = 4,
	IPV6_HOP_LIMIT = 7,
};

static uint16_t load16(const uint8_t *bytes)
{
	return (uint16_t)(bytes[0] << 8 | bytes[1]);
}

static void store16(uint8_t *bytes, uint16_t value)
{
	bytes[0] = (uint8_t)(value >> 8);
	bytes[1] = (uint8_t)value;
}

static uint32_t change16(uint16_t before, uint16_t after)
{
	return (uint32_t)(uint16_t)~before + after;
}

static uint32_t change32(uint32_t before, uint32_t after)
{
	return change16((uint16_t)(before >> 16), (uint16_t)(after >> 16)) +
	       change16((uint16_t)before, (uint16_t)after);
}

static uint16_t changed(uint16_t checksum, uint32_t change)
{
	uint32_t sum = (uint16_t)~checksum + change;

	sum = (sum & 0xffff) + (sum >> 16);
	sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)~sum;
}

/* Where the packet's bytes end: a capture may have cut them, and padding may
 * follow them. A length of 0 is that of a packet that the network card was yet
 * to segment. */
static uint32_t bytes_end(const struct sl_packet_info *info)
{
	uint32_t length = load16(info->frame + info->l3 + IPV4_LENGTH);
	uint32_t end = info->l3 + length;

	return length && end < info->captured ? end : info->captured;
}

/* Queries alone have an identifier. ICMP's checksum covers no address. */
static void set_icmp_id(struct sl_packet *packet,
			const struct sl_packet_info *info, uint16_t id)
{
	uint8_t *icmp = info->frame + info->l4;

	if (info->l4 + ICMP_ID + 2u > bytes_end(info) ||
	    !sl_icmp_has_id(icmp[0]))
		return;
	store16(icmp + ICMP_CHECKSUM,
		changed(load16(icmp + ICMP_CHECKSUM),
			change16(load16(icmp + ICMP_ID), id)));
	store16(icmp + ICMP_ID, id);
	packet->sport = packet->dport = id;
}

/* A port, and the checksum, if it is within the capture, and within the packet:
 * it need not be in a first fragment. UDP's zero says that there is none
 * (RFC 768), so it stays, and what becomes zero is sent as its equal. */
static void set_port(struct sl_packet *packet,
		     const struct sl_packet_info *info, uint32_t change,
		     uint16_t port, bool source)
{
	uint16_t *known = source ? &packet->sport : &packet->dport;
	bool udp = packet->transport == SL_TRANSPORT_UDP;
	uint32_t at = info->l4 + (udp ? UDP_CHECKSUM + 0u : TCP_CHECKSUM);
	uint32_t end = bytes_end(info);
	uint16_t checksum;

	if (SL_UNLIKELY(info->l4 + 4u > end))
		return;
	store16(info->frame + info->l4 + (source ? 0 : 2), port);
	change += change16(*known, port);
	*known = port;
	if (SL_UNLIKELY(at + 2 > end))
		return;
	checksum = load16(info->frame + at);
	if (udp && !checksum)
		return;
	checksum = changed(checksum, change);
	store16(info->frame + at, udp && !checksum ? 0xffff : checksum);
}

void sl_frame_set_endpoint(struct sl_packet *packet,
			   const struct sl_packet_info *info,
			   const struct sl_address *address, uint16_t port,
			   bool source)
{
	struct sl_address *known = source ? &packet->src : &packet->dst;
	uint32_t change;
	uint8_t *ip;

	if (SL_UNLIKELY(!info->frame)) {
		*known = *address;
		*(source ? &packet->sport : &packet->dport) = port;
		return;
	}
	if (SL_UNLIKELY(packet->ip_version != 4))
		return;
	ip = info->frame + info->l3;
	change = change32(known->v4, address->v4);
	*known = *address;
	store16(ip + (source ? IPV4_SOURCE : IPV4_DESTINATION),
		(uint16_t)(address->v4 >> 16));
	store16(ip + (source ? IPV4_SOURCE : IPV4_DESTINATION) + 2,
		(uint16_t)address->v4);
	store16(ip + IPV4_CHECKSUM,
		changed(load16(ip + IPV4_CHECKSUM), change));
	if (!info->l4)
		return;
	if (packet->transport == SL_TRANSPORT_UDP ||
	    packet->transport == SL_TRANSPORT_TCP)
		set_port(packet, info, change, port, source);
	else if (packet->transport == SL_TRANSPORT_ICMP)
		set_icmp_id(packet, info, port);
}

bool sl_frame_decrement_hop_limit(const struct sl_packet *packet,
				  const struct sl_packet_info *info)
{
	uint8_t *ip;

	if (!info->frame || !packet->ip_version)
		return true;
	ip = info->frame + info->l3;
	if (packet->ip_version == 6) {
		if (ip[IPV6_HOP_LIMIT] <= 1)
			return false;
		ip[IPV6_HOP_LIMIT]--;
		return true;
	}
	if (ip[IPV4_TTL] <= 1)
		return false;
	/* The TTL is the high byte of its word: one less is 0x100 less. */
	store16(ip + IPV4_CHECKSUM,
		changed(load16(ip + IPV4_CHECKSUM), change16(0x0100, 0)));
	ip[IPV4_TTL]--;
	return true;
}
