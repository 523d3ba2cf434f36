/* SPDX-License-Identifier: MIT */
/** @file
 * The packet that an ICMP error quotes (RFC 792): the beginning of the one that
 * caused it, as it was when it left the NAT. Who gets the error must see it as
 * he sent it, so its endpoints are translated back, with the checksums in it
 * and that of the ICMP message around it (RFC 3022, 4.3; RFC 5508, REQ-4).
 */
#ifndef NAT_QUOTED_H
#define NAT_QUOTED_H

#include <stdbool.h>
#include <stdint.h>

#include "mapping.h"
#include "sluice/defs.h"
#include "sluice/packet.h"

struct quoted {
	uint8_t *icmp; /**< the ICMP message; borrowed, like the next two */
	uint8_t *ip; /**< the quoted packet */
	uint8_t *l4; /**< its transport header */
	uint32_t l4_size; /**< bytes of it that are quoted, and captured */
	uint8_t protocol; /**< enum mapping_protocol; not MAPPING_OTHER */
	uint32_t src, dst;
	uint16_t sport, dport; /**< of an ICMP query both are the identifier */
};

/** Find the packet that an ICMP error quotes.
 * @return false: none that could be translated. It is cut off before the ports,
 * is a later fragment, or of a protocol without ports. */
bool quoted_parse(const struct sl_packet *packet,
		  const struct sl_packet_info *info,
		  struct quoted *quoted) SL_MUST_CHECK;

/** Rewrite one of its endpoints, and all checksums that are there. */
void quoted_set_endpoint(struct quoted *quoted, uint32_t address, uint16_t port,
			 bool source);

#endif
