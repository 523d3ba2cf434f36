/* SPDX-License-Identifier: MIT */
/** @file
 * Longest prefix match for IPv4: a trie of strides 16, 8 and 8 whose leaves
 * are pushed down, so that the last value found is the answer.
 *
 * The root is an array of 65,536 values. Below it a node stands only where
 * longer prefixes do, and it is kept compressed: equal neighbours among its
 * 256 values are one range, a bitmap says where ranges start, and a count of
 * the bits up to a byte is the index of its value (as in Asai and Ohara,
 * Poptrie, SIGCOMM 2015). A node of up to 6 ranges is one cache line, so
 * 100,000 routes take some 5 MB and a look-up two or three lines.
 *
 * An lpm6 would have the same four verbs, with a struct sl_address where an
 * address stands here.
 */
#ifndef ROUTE_LPM4_H
#define ROUTE_LPM4_H

#include <stddef.h>
#include <stdint.h>

#include "sluice/defs.h"

struct lpm4;

struct lpm4_route {
	uint32_t address; /**< host order; bits beyond the length are 0 */
	uint16_t next_hop; /**< not 0 */
	uint8_t length; /**< 0-32 */
};

/** Build a table from @p count routes, sorted by address and then by length,
 * no prefix twice. The routes are copied. @return NULL: no memory. */
struct lpm4 *lpm4_create(const struct lpm4_route *routes,
			 size_t count) SL_MUST_CHECK;
void lpm4_destroy(struct lpm4 *lpm);

/** @return the next hop of the longest prefix that holds @p address; 0 if
 * none does. Thread-safe. */
uint16_t lpm4_lookup(const struct lpm4 *lpm, uint32_t address);

/** The same for many at once, which overlaps their cache misses. */
void lpm4_lookup_bulk(const struct lpm4 *lpm, const uint32_t *addresses,
		      uint16_t *next_hops, size_t count);

/** @return bytes of memory that the table takes. */
size_t lpm4_bytes(const struct lpm4 *lpm);

#endif
