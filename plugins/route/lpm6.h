/* SPDX-License-Identifier: MIT */
/** @file
 * Longest prefix match for IPv6, on the trie of trie.h, whose chains keep a
 * sparse table small and shallow. The verbs are lpm4's.
 */
#ifndef ROUTE_LPM6_H
#define ROUTE_LPM6_H

#include <stddef.h>
#include <stdint.h>

#include "routes.h"
#include "sluice/address.h"
#include "sluice/defs.h"

struct lpm6;

/** Build a table from routes of version 6, sorted, no prefix twice. They are
 * copied. @return NULL: no memory. */
struct lpm6 *lpm6_create(const struct routes *routes) SL_MUST_CHECK;
void lpm6_destroy(struct lpm6 *lpm);

/** @return the next hop of the longest prefix that holds @p address; 0 if none
 * does. Thread-safe. */
uint16_t lpm6_lookup(const struct lpm6 *lpm, const struct sl_address *address);

/** The same for many at once, which overlaps their cache misses. */
void lpm6_lookup_bulk(const struct lpm6 *lpm,
		      const struct sl_address *const *addresses,
		      uint16_t *next_hops, size_t count);

/** @return bytes of memory that the table takes. */
size_t lpm6_bytes(const struct lpm6 *lpm);

#endif
