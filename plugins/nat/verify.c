/* SPDX-License-Identifier: MIT */
#include "verify.h"

#include "sluice/checksum.h"

/* The sum of 16-bit words; a last odd byte is the high one of its word. 64 KiB
 * of words fit. */
static uint32_t sum_of(const uint8_t *bytes, uint32_t size)
{
	uint32_t sum = 0;

	for (uint32_t at = 0; at + 1 < size; at += 2)
		sum += sl_load_be16(bytes + at);
	return size % 2 ? sum + ((uint32_t)bytes[size - 1] << 8) : sum;
}

/* How many bytes the transport's checksum covers; 0: that cannot be said. UDP
 * has a length of its own, which may be less than IP's. */
static uint32_t covered(const struct sl_packet *packet,
			const struct sl_packet_info *info)
{
	uint32_t end = info->l3 + sl_load_be16(info->frame + info->l3 + 2);
	uint32_t size, length;

	if (!info->l4 || (packet->flags & SL_PACKET_FRAGMENT) ||
	    end > info->captured || end < info->l4 + 8u)
		return 0;
	size = end - info->l4;
	if (packet->transport != SL_TRANSPORT_UDP)
		return size;
	length = sl_load_be16(info->frame + info->l4 + 4);
	return length >= 8 && length < size ? length : size;
}

static bool transport_is_right(const struct sl_packet *packet,
			       const struct sl_packet_info *info)
{
	const uint8_t *ip = info->frame + info->l3;
	const uint8_t *l4 = info->frame + info->l4;
	uint32_t size = covered(packet, info), sum;

	if (!size ||
	    (packet->transport == SL_TRANSPORT_UDP && !sl_load_be16(l4 + 6)))
		return true;
	sum = sum_of(l4, size);
	if (packet->transport != SL_TRANSPORT_ICMP)
		sum += sum_of(ip + 12, 8) + packet->transport + size;
	return sl_checksum_fold(sum) == 0xffff;
}

bool checksums_are_right(const struct sl_packet *packet,
			 const struct sl_packet_info *info)
{
	const uint8_t *ip = info->frame + info->l3;
	uint32_t header = 4 * (ip[0] & 15u);

	if (info->l3 + header > info->captured)
		return true;
	if (sl_checksum_fold(sum_of(ip, header)) != 0xffff)
		return false;
	switch (packet->transport) {
	case SL_TRANSPORT_ICMP:
	case SL_TRANSPORT_TCP:
	case SL_TRANSPORT_UDP:
		return transport_is_right(packet, info);
	default:
		return true;
	}
}
