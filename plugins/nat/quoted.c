/* SPDX-License-Identifier: MIT */
#include "quoted.h"

#include <stddef.h>

#include "sluice/checksum.h"

enum {
	IP_LENGTH = 2,
	IP_FRAGMENT = 6,
	IP_PROTOCOL = 9,
	IP_CHECKSUM = 10,
	IP_SOURCE = 12,
	IP_DESTINATION = 16,
	IP_HEADER = 20, /* without options */
	ICMP_HEADER = 8,
	ICMP_CHECKSUM = 2,
	ICMP_ID = 4,
};

/* How many bytes there are from @p at on of an IP packet whose header is there
 * at @p ip: the capture may have cut it, and a claim of its length need not be
 * true. A length of 0 says nothing. */
static uint32_t bytes_of(const uint8_t *ip, const uint8_t *at,
			 const uint8_t *end)
{
	uint32_t there = at < end ? (uint32_t)(end - at) : 0;
	uint32_t length = sl_load_be16(ip + IP_LENGTH);
	uint32_t before = (uint32_t)(at - ip);

	if (!length || there + before <= length)
		return there;
	return length > before ? length - before : 0;
}

static bool ports_parse(struct quoted *quoted)
{
	const uint8_t *l4 = quoted->l4;

	if (quoted->protocol == MAPPING_ICMP) {
		if (quoted->l4_size < ICMP_ID + 2 || !sl_icmp_has_id(l4[0]))
			return false;
		quoted->sport = quoted->dport = sl_load_be16(l4 + ICMP_ID);
		return true;
	}
	if (quoted->protocol == MAPPING_OTHER || quoted->l4_size < 4)
		return false;
	quoted->sport = sl_load_be16(l4);
	quoted->dport = sl_load_be16(l4 + 2);
	return true;
}

bool quoted_parse(const struct sl_packet *packet,
		  const struct sl_packet_info *info, struct quoted *quoted)
{
	const uint8_t *end = info->frame + info->captured;
	uint8_t *ip = info->frame + info->l4 + ICMP_HEADER;
	uint32_t header;

	if (packet->transport != SL_TRANSPORT_ICMP || !info->l4 ||
	    info->l4 + 0u + ICMP_HEADER + IP_HEADER > info->captured)
		return false;
	end = ip + bytes_of(info->frame + info->l3, ip, end);
	header = 4 * (ip[0] & 15u);
	if (end < ip + IP_HEADER || ip[0] >> 4 != 4 || header < IP_HEADER ||
	    end - ip < (ptrdiff_t)header ||
	    (sl_load_be16(ip + IP_FRAGMENT) & 0x1fff))
		return false;
	quoted->icmp = info->frame + info->l4;
	quoted->ip = ip;
	quoted->l4 = ip + header;
	quoted->l4_size = bytes_of(ip, quoted->l4, end);
	quoted->protocol = (uint8_t)mapping_protocol_of(ip[IP_PROTOCOL]);
	quoted->src = sl_load_be32(ip + IP_SOURCE);
	quoted->dst = sl_load_be32(ip + IP_DESTINATION);
	return ports_parse(quoted);
}

/* Change the word at @p bytes; its change is added to those of the ICMP
 * message, and returned. */
static uint32_t put(uint8_t *bytes, uint16_t value, uint32_t *message)
{
	uint32_t change = sl_checksum_change16(sl_load_be16(bytes), value);

	sl_store_be16(bytes, value);
	*message += change;
	return change;
}

/* Change a checksum that covers something that has changed. */
static void put_checksum(uint8_t *bytes, uint32_t change, bool udp,
			 uint32_t *message)
{
	uint16_t before = sl_load_be16(bytes);
	uint16_t after = sl_checksum_changed(before, change);

	if (udp && !before)
		return;
	(void)put(bytes, udp && !after ? 0xffff : after, message);
}

static void put_port(struct quoted *quoted, uint32_t change, uint16_t port,
		     bool source, uint32_t *message)
{
	uint32_t checksum = quoted->protocol == MAPPING_TCP ? 16 : 6;

	if (quoted->protocol == MAPPING_ICMP) {
		/* It covers no address. */
		change = put(quoted->l4 + ICMP_ID, port, message);
		checksum = ICMP_CHECKSUM;
		quoted->sport = quoted->dport = port;
	} else {
		change += put(quoted->l4 + (source ? 0 : 2), port, message);
		*(source ? &quoted->sport : &quoted->dport) = port;
	}
	if (checksum + 2 <= quoted->l4_size)
		put_checksum(quoted->l4 + checksum, change,
			     quoted->protocol == MAPPING_UDP, message);
}

void quoted_set_endpoint(struct quoted *quoted, uint32_t address, uint16_t port,
			 bool source)
{
	uint8_t *bytes = quoted->ip + (source ? IP_SOURCE : IP_DESTINATION);
	uint32_t message = 0; /* all changes within the ICMP message */
	uint32_t change = put(bytes, (uint16_t)(address >> 16), &message);

	change += put(bytes + 2, (uint16_t)address, &message);
	put_checksum(quoted->ip + IP_CHECKSUM, change, false, &message);
	put_port(quoted, change, port, source, &message);
	*(source ? &quoted->src : &quoted->dst) = address;
	put_checksum(quoted->icmp + ICMP_CHECKSUM, message, false, &change);
}
