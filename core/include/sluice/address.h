/* SPDX-License-Identifier: MIT */
/** @file
 * IP addresses and prefixes, version 4 and 6.
 *
 * A bare struct sl_address does not know its version: a packet says it once
 * for both of its addresses. Where an address stands alone it is a
 * struct sl_ip.
 */
#ifndef SLUICE_ADDRESS_H
#define SLUICE_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sluice/defs.h"

/** 16 bytes. IPv6: `bytes`, in network order. IPv4: `v4`, in host order, the
 * other twelve bytes zero, so that comparing `words` compares addresses. */
struct sl_address {
	union {
		uint8_t bytes[16];
		uint32_t v4;
		uint64_t words[2];
	};
};

/** An address with its version: 4 or 6; 0 is "none". */
struct sl_ip {
	struct sl_address address;
	uint8_t version;
};

/** The addresses that share the first `length` bits with `address`, whose
 * other bits are zero. */
struct sl_prefix {
	struct sl_address address;
	uint8_t version; /**< 4 or 6 */
	uint8_t length; /**< bits: 0-32 or 0-128 */
};

/** Room for any address or prefix as text, with its NUL. */
#define SL_ADDRESS_TEXT 50

static inline struct sl_address sl_address_from_v4(uint32_t v4)
{
	struct sl_address address;

	/* In words, as it will be copied: parts that were just written cannot
	 * be read as one. */
	address.words[0] = SL_LITTLE_64((uint64_t)SL_LITTLE_32(v4));
	address.words[1] = 0;
	return address;
}

static inline bool sl_address_equal(const struct sl_address *a,
				    const struct sl_address *b)
{
	return a->words[0] == b->words[0] && a->words[1] == b->words[1];
}

SL_BEGIN_DECLS

/** Parse an address: dotted IPv4, whose octets are decimal and may carry
 * leading zeros ("10.230.30.03" ends in 3), or IPv6 by RFC 4291. The text is
 * @p length bytes and need not end in NUL.
 * @return whether all of it is one address; @p ip is untouched if not. */
bool sl_ip_parse(const char *text, size_t length,
		 struct sl_ip *ip) SL_MUST_CHECK;

/** Parse "ADDRESS/LENGTH"; a bare address is a prefix of full length.
 * @return NULL, or why the text is no prefix, in words to print ("host bits
 * are set (10.0.0.0/8?)" is among them: @p why holds at least 96 bytes). */
const char *sl_prefix_parse(const char *text, size_t length,
			    struct sl_prefix *prefix, char *why,
			    size_t why_size) SL_MUST_CHECK;

/** Write an address in its canonical form (RFC 5952 for IPv6).
 * @return bytes written, without the NUL. @p text has SL_ADDRESS_TEXT. */
size_t sl_address_format(const struct sl_address *address, unsigned version,
			 char *text);

/** As sl_address_format(), with "/LENGTH". */
size_t sl_prefix_format(const struct sl_prefix *prefix, char *text);

bool sl_prefix_contains(const struct sl_prefix *prefix,
			const struct sl_address *address, unsigned version);

SL_END_DECLS

#endif
