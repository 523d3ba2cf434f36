/* SPDX-License-Identifier: MIT */
/** @file
 * Whether a packet's checksums are right.
 */
#ifndef NAT_VERIFY_H
#define NAT_VERIFY_H

#include <stdbool.h>

#include "sluice/packet.h"

/** @return whether the checksums of an IPv4 packet are right, as far as that
 * can be said: the header's always; the transport's (TCP, UDP with one, ICMP)
 * where the datagram is not fragmented and the capture has all of it. */
bool checksums_are_right(const struct sl_packet *packet,
			 const struct sl_packet_info *info);

#endif
