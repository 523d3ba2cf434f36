/* SPDX-License-Identifier: MIT */
/** @file
 * What nat's options say in words: static forwards and ranges of ports.
 */
#ifndef NAT_FORWARD_H
#define NAT_FORWARD_H

#include <stddef.h>
#include <stdint.h>

#include "sluice/defs.h"

/** A port of an external address that always leads to one inside endpoint. */
struct forward {
	uint8_t transport; /**< SL_TRANSPORT_UDP or SL_TRANSPORT_TCP */
	uint16_t port; /**< external */
	uint32_t external; /**< address; host order; 0: the first one */
	uint32_t address; /**< inside; host order */
	uint16_t inside_port;
};

/** Parse "TRANSPORT PORT ADDRESS:PORT", e.g. "udp 2004 10.230.30.3:5003", or
 * "TRANSPORT ADDRESS:PORT ADDRESS:PORT" with one of several external addresses.
 * @return NULL, or what is wrong, in words to print. */
const char *forward_parse(const char *text,
			  struct forward *forward) SL_MUST_CHECK;

/** Parse "FIRST-LAST", both in 1 ... 65535, or one port.
 * @return NULL, or what is wrong. */
const char *port_range_parse(const char *text, uint16_t *first,
			     uint16_t *last) SL_MUST_CHECK;

/** @return "udp", "tcp" */
const char *forward_transport_text(const struct forward *forward);

#endif
