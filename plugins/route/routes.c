/* SPDX-License-Identifier: MIT */
/* Rows of routes, and their radix sort: from the last byte of the key, which is
 * the length, to the first of the address; a byte that all rows share costs
 * nothing. */
#include "routes.h"

#include <stdlib.h>
#include <string.h>

SL_STATIC_ASSERT(sizeof(struct route4) == 12, "rows have no holes");
SL_STATIC_ASSERT(sizeof(struct route6) == 24, "rows have no holes");

#define KEY_MAX (16 + 1)

void routes_init(struct routes *routes, unsigned version)
{
	memset(routes, 0, sizeof(*routes));
	routes->address_size = version == 4 ? 4 : 16;
	routes->row_size =
		version == 4 ? sizeof(struct route4) : sizeof(struct route6);
}

void routes_finish(struct routes *routes)
{
	free(routes->rows);
	routes->rows = NULL;
	routes->count = 0;
	routes->capacity = 0;
}

bool routes_add(struct routes *routes, const struct sl_prefix *prefix,
		uint16_t next_hop, int32_t place)
{
	struct route_tail tail = { prefix->length, 0, next_hop, place };
	uint8_t *row;

	if (routes->count == routes->capacity) {
		size_t capacity = routes->capacity ? routes->capacity * 2 : 64;
		uint8_t *rows =
			realloc(routes->rows, capacity * routes->row_size);

		if (!rows)
			return false;
		routes->rows = rows;
		routes->capacity = capacity;
	}
	row = routes->rows + routes->count++ * routes->row_size;
	if (routes->address_size == 4) {
		uint32_t v4 = prefix->address.v4;

		for (int at = 3; at >= 0; at--, v4 >>= 8)
			row[at] = (uint8_t)v4;
	} else {
		memcpy(row, prefix->address.bytes, 16);
	}
	memcpy(row + routes->address_size, &tail, sizeof(tail));
	return true;
}

bool routes_same_prefix(const struct routes *routes, size_t a, size_t b)
{
	return memcmp(routes_address(routes, a), routes_address(routes, b),
		      routes->address_size + 1u) == 0;
}

struct sl_prefix routes_prefix(const struct routes *routes, size_t at)
{
	const uint8_t *address = routes_address(routes, at);
	struct sl_prefix prefix = {
		.length = routes_tail(routes, at)->length,
	};

	if (routes->address_size == 4) {
		prefix.version = 4;
		prefix.address.v4 = (uint32_t)address[0] << 24 |
				    (uint32_t)address[1] << 16 |
				    (uint32_t)address[2] << 8 | address[3];
	} else {
		prefix.version = 6;
		memcpy(prefix.address.bytes, address, 16);
	}
	return prefix;
}

void routes_copy(struct routes *routes, size_t to, size_t from)
{
	if (to != from)
		memcpy(routes->rows + to * routes->row_size,
		       routes->rows + from * routes->row_size,
		       routes->row_size);
}

/* ---- sort ------------------------------------------------------------- */

static bool is_sorted(const struct routes *routes)
{
	for (size_t at = 1; at < routes->count; at++)
		if (memcmp(routes_address(routes, at - 1),
			   routes_address(routes, at),
			   routes->address_size + 1u) > 0)
			return false;
	return true;
}

/* How often each value stands in each byte of the keys. */
static void count_bytes(const struct routes *routes,
			uint32_t counts[KEY_MAX][256])
{
	size_t key_size = routes->address_size + 1u;

	memset(counts, 0, KEY_MAX * sizeof(counts[0]));
	for (size_t at = 0; at < routes->count; at++) {
		const uint8_t *key = routes_address(routes, at);

		for (size_t byte = 0; byte < key_size; byte++)
			counts[byte][key[byte]]++;
	}
}

/* Move the rows to where their byte belongs; a constant size makes a row's
 * copy a few instructions. */
static SL_ALWAYS_INLINE void scatter(const uint8_t *from, uint8_t *to,
				     size_t count, size_t size, size_t byte,
				     uint32_t next[256])
{
	for (size_t at = 0; at < count; at++, from += size)
		memcpy(to + size * next[from[byte]]++, from, size);
}

/* Turn counts into the places where each value starts. */
static void sum_up(uint32_t counts[256])
{
	uint32_t start = 0;

	for (int value = 0; value < 256; value++) {
		uint32_t members = counts[value];

		counts[value] = start;
		start += members;
	}
}

bool routes_sort(struct routes *routes)
{
	uint32_t counts[KEY_MAX][256];
	uint8_t *from = routes->rows, *to;

	if (is_sorted(routes)) /* as a table that was dumped is */
		return true;
	to = malloc(routes->capacity * routes->row_size);
	if (!to)
		return false;
	count_bytes(routes, counts);
	for (size_t byte = routes->address_size + 1u; byte-- > 0;) {
		uint8_t *swap = from;

		if (counts[byte][from[byte]] == routes->count)
			continue;
		sum_up(counts[byte]);
		if (routes->address_size == 4)
			scatter(from, to, routes->count, sizeof(struct route4),
				byte, counts[byte]);
		else
			scatter(from, to, routes->count, sizeof(struct route6),
				byte, counts[byte]);
		from = to;
		to = swap;
	}
	free(to);
	routes->rows = from;
	return true;
}
