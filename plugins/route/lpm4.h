/* SPDX-License-Identifier: MIT */
/** @file
 * Longest prefix match for IPv4, on the trie of trie.h: a look-up reads a value
 * of the root and up to two nodes. 100,000 routes take some 5 MB.
 */
#ifndef ROUTE_LPM4_H
#define ROUTE_LPM4_H

#include <stddef.h>
#include <stdint.h>

#include "routes.h"
#include "sluice/defs.h"

struct lpm4;

/** Build a table from routes of version 4, sorted, no prefix twice. They are
 * copied. @return NULL: no memory. */
struct lpm4 *lpm4_create(const struct routes *routes) SL_MUST_CHECK;
void lpm4_destroy(struct lpm4 *lpm);

/** @return the next hop of the longest prefix that holds @p address, in host
 * order; 0 if none does. Thread-safe. */
uint16_t lpm4_lookup(const struct lpm4 *lpm, uint32_t address);

/** The same for many at once, which overlaps their cache misses. */
void lpm4_lookup_bulk(const struct lpm4 *lpm, const uint32_t *addresses,
		      uint16_t *next_hops, size_t count);

/** @return bytes of memory that the table takes. */
size_t lpm4_bytes(const struct lpm4 *lpm);

#endif
