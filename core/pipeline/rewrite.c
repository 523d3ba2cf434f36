/* SPDX-License-Identifier: MIT */
/* Rewriting a frame: an endpoint's address and port, and the checksums that
 * cover them. */
#include <string.h>

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

/* The words of a sum are taken as they lie in memory: a sum with end-around
 * carry is the same in every order of bytes (RFC 1071, 2B). */
static uint16_t load16(const uint8_t *bytes)
{
	uint16_t value;

	memcpy(&value, bytes, sizeof(value));
	return value;
}

static void store16(uint8_t *bytes, uint16_t value)
{
	memcpy(bytes, &value, sizeof(value));
}

/* A checksum after a change of less than 2^34. */
static uint16_t changed(uint16_t checksum, uint64_t change)
{
	uint64_t sum = (uint16_t)~checksum + change;

	sum = (sum & 0xffff) + (sum >> 16 & 0xffff) + (sum >> 32);
	sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t) ~((sum & 0xffff) + (sum >> 16));
}

/* A port, and the checksum, if it is within the capture, and within the packet:
 * it need not be in a first fragment. UDP's zero says that there is none
 * (RFC 768), so it stays, and what becomes zero is sent as its equal. */
static SL_ALWAYS_INLINE void set_port(const struct sl_packet *packet,
				      const struct sl_packet_info *info,
				      uint64_t change, uint16_t port,
				      bool source)
{
	bool udp = packet->transport == SL_TRANSPORT_UDP;
	uint8_t *header = info->frame + info->l4;
	uint8_t *bytes = header + (source ? 0 : 2);
	unsigned at = udp ? UDP_CHECKSUM : TCP_CHECKSUM;
	uint32_t end = bytes_end(info);
	uint16_t before = load16(bytes), after = SL_NETWORK_16(port);
	uint16_t checksum;

	store16(bytes, after);
	if (SL_UNLIKELY(info->l4 + at + 2 > end))
		return;
	checksum = load16(header + at);
	if (SL_UNLIKELY(udp && !checksum))
		return;
	checksum = changed(checksum, change + (uint16_t)~before + after);
	if (SL_UNLIKELY(udp && !checksum))
		checksum = 0xffff;
	store16(header + at, checksum);
}

static SL_ALWAYS_INLINE void set_ports(struct sl_packet *packet,
				       const struct sl_packet_info *info,
				       uint64_t change, uint16_t port,
				       bool source)
{
	if (packet->transport == SL_TRANSPORT_UDP ||
	    packet->transport == SL_TRANSPORT_TCP) {
		if (SL_UNLIKELY(info->l4 + 4u > bytes_end(info)))
			return;
		set_port(packet, info, change, port, source);
		*(source ? &packet->sport : &packet->dport) = port;
	} else if (packet->transport == SL_TRANSPORT_ICMP) {
		set_icmp_id(packet, info, port);
	}
}

static SL_ALWAYS_INLINE void set_endpoint(struct sl_packet *packet,
					  const struct sl_packet_info *info,
					  struct sl_address address,
					  uint16_t port, bool source)
{
	struct sl_address *known = source ? &packet->src : &packet->dst;
	uint8_t *ip, *bytes;
	uint32_t before, after;
	uint64_t change;
	uint16_t checksum;

	if (SL_UNLIKELY(!info->frame)) {
		*known = address;
		*(source ? &packet->sport : &packet->dport) = port;
		return;
	}
	if (SL_UNLIKELY(packet->ip_version != 4))
		return;
	ip = info->frame + info->l3;
	bytes = ip + (source ? IPV4_SOURCE : IPV4_DESTINATION);
	memcpy(&before, bytes, sizeof(before));
	known->v4 = address.v4; /* the rest is zero */
	after = SL_NETWORK_32(address.v4);
	memcpy(bytes, &after, sizeof(after));
	change = (uint64_t)(uint32_t)~before + after;
	checksum = changed(load16(ip + IPV4_CHECKSUM), change);
	store16(ip + IPV4_CHECKSUM, checksum);
	if (info->l4)
		set_ports(packet, info, change, port, source);
}

void sl_frame_set_source(struct sl_packet *packet,
			 const struct sl_packet_info *info,
			 struct sl_address address, uint16_t port)
{
	set_endpoint(packet, info, address, port, true);
}

void sl_frame_set_destination(struct sl_packet *packet,
			      const struct sl_packet_info *info,
			      struct sl_address address, uint16_t port)
{
	set_endpoint(packet, info, address, port, false);
}
