/* SPDX-License-Identifier: MIT */
/* Rewriting a frame: an endpoint's address and port, and the checksums that
 * cover them. */
#include "sluice/checksum.h"
#include "sluice/chunk.h"

enum {
	IPV4_LENGTH = 2,
	IPV4_CHECKSUM = 10,
	IPV4_SOURCE = 12,
	IPV4_DESTINATION = 16,
	TCP_CHECKSUM = 16,
	UDP_CHECKSUM = 6,
	ICMP_CHECKSUM = 2,
	ICMP_ID = 4,
};

/* Where the packet's bytes end: a capture may have cut them, and padding may
 * follow them. A length of 0 is that of a packet that the network card was yet
 * to segment. */
static uint32_t bytes_end(const struct sl_packet_info *info)
{
	uint32_t length = sl_load_be16(info->frame + info->l3 + IPV4_LENGTH);
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
	sl_store_be16(
		icmp + ICMP_CHECKSUM,
		sl_checksum_changed(sl_load_be16(icmp + ICMP_CHECKSUM),
				    sl_checksum_change16(
					    sl_load_be16(icmp + ICMP_ID), id)));
	sl_store_be16(icmp + ICMP_ID, id);
	packet->sport = packet->dport = id;
}

/* A port, and the checksum, if it is within the capture, and within the packet:
 * it need not be in a first fragment. UDP's zero says that there is none
 * (RFC 768), so it stays, and what becomes zero is sent as its equal. */
static SL_ALWAYS_INLINE void set_port(struct sl_packet *packet,
				      const struct sl_packet_info *info,
				      uint32_t change, uint16_t port,
				      bool source)
{
	uint16_t *known = source ? &packet->sport : &packet->dport;
	bool udp = packet->transport == SL_TRANSPORT_UDP;
	uint32_t at = info->l4 + (udp ? UDP_CHECKSUM + 0u : TCP_CHECKSUM);
	uint32_t end = bytes_end(info);
	uint16_t checksum;

	if (SL_UNLIKELY(info->l4 + 4u > end))
		return;
	sl_store_be16(info->frame + info->l4 + (source ? 0 : 2), port);
	change += sl_checksum_change16(*known, port);
	*known = port;
	if (SL_UNLIKELY(at + 2 > end))
		return;
	checksum = sl_load_be16(info->frame + at);
	if (udp && !checksum)
		return;
	checksum = sl_checksum_changed(checksum, change);
	sl_store_be16(info->frame + at, udp && !checksum ? 0xffff : checksum);
}

static SL_ALWAYS_INLINE void set_endpoint(struct sl_packet *packet,
					  const struct sl_packet_info *info,
					  const struct sl_address *address,
					  uint16_t port, bool source)
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
	change = sl_checksum_change32(known->v4, address->v4);
	known->v4 = address->v4; /* the rest is zero */
	sl_store_be32(ip + (source ? IPV4_SOURCE : IPV4_DESTINATION),
		      address->v4);
	sl_store_be16(
		ip + IPV4_CHECKSUM,
		sl_checksum_changed(sl_load_be16(ip + IPV4_CHECKSUM), change));
	if (!info->l4)
		return;
	if (packet->transport == SL_TRANSPORT_UDP ||
	    packet->transport == SL_TRANSPORT_TCP)
		set_port(packet, info, change, port, source);
	else if (packet->transport == SL_TRANSPORT_ICMP)
		set_icmp_id(packet, info, port);
}

void sl_frame_set_source(struct sl_packet *packet,
			 const struct sl_packet_info *info,
			 const struct sl_address *address, uint16_t port)
{
	set_endpoint(packet, info, address, port, true);
}

void sl_frame_set_destination(struct sl_packet *packet,
			      const struct sl_packet_info *info,
			      const struct sl_address *address, uint16_t port)
{
	set_endpoint(packet, info, address, port, false);
}
