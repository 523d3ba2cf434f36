/* SPDX-License-Identifier: MIT */
/** @file
 * Routes of one version of IP: rows of a prefix and an interface, a million of
 * them in little memory, sorted in linear time.
 */
#ifndef ROUTE_ROUTES_H
#define ROUTE_ROUTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sluice/address.h"
#include "sluice/defs.h"

/** What a row has behind its address. */
struct route_tail {
	uint8_t length; /**< of the prefix, in bits */
	uint8_t reserved;
	uint16_t next_hop; /**< not 0 */
	int32_t place; /**< where it was written, for messages */
};

/** A row: the address in network order, bits beyond the length 0, so that the
 * bytes up to the length sort as the prefixes do. */
struct route4 {
	uint8_t address[4];
	struct route_tail tail;
};

struct route6 {
	uint8_t address[16];
	struct route_tail tail;
};

/** Make it with routes_init(). */
struct routes {
	uint8_t *rows; /**< owned; `count` of row_size bytes */
	size_t count, capacity;
	uint8_t address_size; /**< 4 or 16 */
	uint8_t row_size;
};

/** @p version: 4 or 6. */
void routes_init(struct routes *routes, unsigned version);
void routes_finish(struct routes *routes);

/** @return false: no memory. */
bool routes_add(struct routes *routes, const struct sl_prefix *prefix,
		uint16_t next_hop, int32_t place) SL_MUST_CHECK;

/** By address and then by length; equal ones keep their order.
 * @return false: no memory. */
bool routes_sort(struct routes *routes) SL_MUST_CHECK;

/** The address of row @p at, its first bytes. */
static inline const uint8_t *routes_address(const struct routes *routes,
					    size_t at)
{
	return routes->rows + at * routes->row_size;
}

static inline const struct route_tail *routes_tail(const struct routes *routes,
						   size_t at)
{
	return (const void *)(routes_address(routes, at) +
			      routes->address_size);
}

/** Whether two rows have one prefix. */
bool routes_same_prefix(const struct routes *routes, size_t a, size_t b);

/** The prefix of a row, for messages. */
struct sl_prefix routes_prefix(const struct routes *routes, size_t at);

/** Copy row @p from over row @p to. */
void routes_copy(struct routes *routes, size_t to, size_t from);

#endif
