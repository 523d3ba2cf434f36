/* SPDX-License-Identifier: MIT */
/** @file
 * Link types: what stands before the IP header
 * (https://www.tcpdump.org/linktypes.html).
 */
#ifndef PCAP_LINK_H
#define PCAP_LINK_H

#include <stdint.h>

enum link {
	LINK_UNKNOWN,
	LINK_ETHERNET,
	LINK_RAW, /**< IP of the version that it says */
	LINK_IPV4,
	LINK_IPV6,
	LINK_COOKED, /**< Linux's "any" */
	LINK_COOKED2,
	LINK_LOOPBACK, /**< BSD's, in either byte order */
};

/** @return how frames of LINKTYPE @p type are read. Raw IP has three numbers,
 * of which *type becomes the usual one. */
enum link link_find(uint32_t *type);

/** @return a link type's name for messages: "USER0"; "" of one without. */
const char *link_name(uint32_t type);

#endif
