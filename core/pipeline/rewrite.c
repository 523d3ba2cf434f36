/* SPDX-License-Identifier: MIT */
/* Rewriting a frame: an endpoint's address and port, the TTL, and the checksums
 * that cover them, kept up incrementally by RFC 1624, equation 3. */
#include <string.h>

#include "sluice/chunk.h"

enum {
	IPV4_TTL = 8,
	IPV4_CHECKSUM = 10,
	IPV4_SOURCE = 12,
	IPV4_DESTINATION = 16,
	TCP_CHECKSUM = 16,
	UDP_CHECKSUM = 6,
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

/* HC' = ~(~HC + ~m + m'). Eqn. 3 never turns a sum that was not 0xffff into
 * one, unlike eqn. 2 of RFC 1141. */
static uint16_t update(uint16_t checksum, uint16_t before, uint16_t after)
{
	uint32_t sum =
		(uint16_t)~checksum + (uint32_t)(uint16_t)~before + after;

	sum = (sum & 0xffff) + (sum >> 16);
	sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)~sum;
}

static uint16_t update32(uint16_t checksum, uint32_t before, uint32_t after)
{
	checksum = update(checksum, (uint16_t)(before >> 16),
			  (uint16_t)(after >> 16));
	return update(checksum, (uint16_t)before, (uint16_t)after);
}

/* The transport's checksum, or NULL: none, or cut off by the capture. UDP's
 * zero says that there is none, and stays (RFC 768). */
static uint8_t *transport_checksum(const struct sl_packet *packet,
				   const struct sl_packet_info *info)
{
	uint32_t at = info->l4;

	if (packet->transport == SL_TRANSPORT_TCP)
		at += TCP_CHECKSUM;
	else if (packet->transport == SL_TRANSPORT_UDP)
		at += UDP_CHECKSUM;
	else
		return NULL;
	if (at + 2 > info->captured || (packet->transport == SL_TRANSPORT_UDP &&
					load16(info->frame + at) == 0))
		return NULL;
	return info->frame + at;
}

/* The part of it that the bytes need; it goes before the metadata change, from
 * which it takes what was there. */
static void set_bytes(const struct sl_packet *packet,
		      const struct sl_packet_info *info,
		      const struct sl_address *address, uint16_t port,
		      bool source)
{
	uint32_t before = source ? packet->src.v4 : packet->dst.v4;
	uint16_t port_before = source ? packet->sport : packet->dport;
	uint8_t *ip, *bytes, *checksum;
	uint16_t sum;

	if (!info->frame || packet->ip_version != 4)
		return;
	ip = info->frame + info->l3;
	bytes = ip + (source ? IPV4_SOURCE : IPV4_DESTINATION);
	store16(bytes, (uint16_t)(address->v4 >> 16));
	store16(bytes + 2, (uint16_t)address->v4);
	store16(ip + IPV4_CHECKSUM,
		update32(load16(ip + IPV4_CHECKSUM), before, address->v4));
	if (!info->l4)
		return;
	checksum = transport_checksum(packet, info);
	if (checksum) {
		sum = update32(load16(checksum), before, address->v4);
		sum = update(sum, port_before, port);
		if (!sum && packet->transport == SL_TRANSPORT_UDP)
			sum = 0xffff;
		store16(checksum, sum);
	}
	if ((packet->transport == SL_TRANSPORT_TCP ||
	     packet->transport == SL_TRANSPORT_UDP) &&
	    info->l4 + 4u <= info->captured)
		store16(info->frame + info->l4 + (source ? 0 : 2), port);
}

void sl_frame_set_endpoint(struct sl_packet *packet,
			   const struct sl_packet_info *info,
			   const struct sl_address *address, uint16_t port,
			   bool source)
{
	set_bytes(packet, info, address, port, source);
	if (source) {
		packet->src = *address;
		packet->sport = port;
	} else {
		packet->dst = *address;
		packet->dport = port;
	}
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
		update(load16(ip + IPV4_CHECKSUM), 0x0100, 0x0000));
	ip[IPV4_TTL]--;
	return true;
}
