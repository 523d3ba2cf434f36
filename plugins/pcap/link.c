/* SPDX-License-Identifier: MIT */
/* The link types that are read, and the names of others that are met. */
#include "link.h"

#include <stddef.h>

enum { RAW = 101, RAW_OF_BSD = 12, RAW_OF_OPENBSD = 14 };

static const struct {
	uint32_t type;
	enum link link;
	const char *name;
} known[] = {
	{ 0, LINK_LOOPBACK, "NULL" },
	{ 1, LINK_ETHERNET, "ETHERNET" },
	{ 6, LINK_UNKNOWN, "IEEE802_5" },
	{ 8, LINK_UNKNOWN, "SLIP" },
	{ 9, LINK_UNKNOWN, "PPP" },
	{ 10, LINK_UNKNOWN, "FDDI" },
	{ 50, LINK_UNKNOWN, "PPP_HDLC" },
	{ 51, LINK_UNKNOWN, "PPP_ETHER" },
	{ 100, LINK_UNKNOWN, "ATM_RFC1483" },
	{ RAW, LINK_RAW, "RAW" },
	{ 104, LINK_UNKNOWN, "C_HDLC" },
	{ 105, LINK_UNKNOWN, "IEEE802_11" },
	{ 107, LINK_UNKNOWN, "FRELAY" },
	{ 108, LINK_LOOPBACK, "LOOP" },
	{ 113, LINK_COOKED, "LINUX_SLL" },
	{ 117, LINK_UNKNOWN, "PFLOG" },
	{ 119, LINK_UNKNOWN, "IEEE802_11_PRISM" },
	{ 127, LINK_UNKNOWN, "IEEE802_11_RADIOTAP" },
	{ 129, LINK_UNKNOWN, "ARCNET_LINUX" },
	{ 143, LINK_UNKNOWN, "DOCSIS" },
	{ 147, LINK_UNKNOWN, "USER0" },
	{ 163, LINK_UNKNOWN, "IEEE802_11_AVS" },
	{ 187, LINK_UNKNOWN, "BLUETOOTH_HCI_H4" },
	{ 189, LINK_UNKNOWN, "USB_LINUX" },
	{ 192, LINK_UNKNOWN, "PPI" },
	{ 195, LINK_UNKNOWN, "IEEE802_15_4_WITHFCS" },
	{ 220, LINK_UNKNOWN, "USB_LINUX_MMAPPED" },
	{ 227, LINK_UNKNOWN, "CAN_SOCKETCAN" },
	{ 228, LINK_IPV4, "IPV4" },
	{ 229, LINK_IPV6, "IPV6" },
	{ 239, LINK_UNKNOWN, "NFLOG" },
	{ 249, LINK_UNKNOWN, "USBPCAP" },
	{ 251, LINK_UNKNOWN, "BLUETOOTH_LE_LL" },
	{ 253, LINK_UNKNOWN, "NETLINK" },
	{ 276, LINK_COOKED2, "LINUX_SLL2" },
};

enum link link_find(uint32_t *type)
{
	if (*type == RAW_OF_BSD || *type == RAW_OF_OPENBSD)
		*type = RAW;
	for (size_t at = 0; at < sizeof(known) / sizeof(known[0]); at++) {
		if (known[at].type == *type)
			return known[at].link;
	}
	return LINK_UNKNOWN;
}

const char *link_name(uint32_t type)
{
	for (size_t at = 0; at < sizeof(known) / sizeof(known[0]); at++) {
		if (known[at].type == type)
			return known[at].name;
	}
	return "";
}
