/* SPDX-License-Identifier: MIT */
/* The trie of lpm4.h: built once, then only read. */
#include "lpm4.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define ROOT_VALUES 65536
/* A value with this bit is the index of a node's first line, else it is a next
 * hop. */
#define NODE 0x80000000u
/* Addresses whose look-ups overlap. */
#define BATCH 32

struct node {
	uint32_t starts[8]; /* a bit a byte: a range starts there */
	uint8_t before[8]; /* ranges that start in earlier words */
	uint32_t values[]; /* one a range */
};

SL_STATIC_ASSERT(sizeof(struct node) + 6 * sizeof(uint32_t) == SL_CACHE_LINE,
		 "a node of 6 ranges is one line");

struct lpm4 {
	uint32_t root[ROOT_VALUES];
	char *lines; /* owned; nodes, each from the start of a line */
	uint32_t used, capacity; /* lines */
};

/* Bits set: by pairs, by fours, by bytes, summed by a multiplication. */
static inline uint32_t count_bits(uint32_t word)
{
	word -= word >> 1 & 0x55555555;
	word = (word & 0x33333333) + (word >> 2 & 0x33333333);
	word = (word + (word >> 4)) & 0x0f0f0f0f;
	return word * 0x01010101 >> 24;
}

static inline const struct node *node_at(const struct lpm4 *lpm, uint32_t value)
{
	const void *line = lpm->lines + (size_t)(value & ~NODE) * SL_CACHE_LINE;

	return line;
}

static inline uint32_t node_value(const struct node *node, uint8_t byte)
{
	unsigned word = byte / 32;
	uint32_t upto = node->starts[word] << (31 - byte % 32);

	return node->values[node->before[word] + count_bits(upto) - 1u];
}

/* Room for @p count more lines. Lines move, so nodes are known by index. */
static bool reserve_lines(struct lpm4 *lpm, uint32_t count)
{
	uint32_t capacity = lpm->capacity ? lpm->capacity : 64;
	char *lines;

	if (count <= lpm->capacity - lpm->used)
		return true;
	while (capacity - lpm->used < count)
		capacity *= 2;
	lines = aligned_alloc(SL_CACHE_LINE, (size_t)capacity * SL_CACHE_LINE);
	if (!lines)
		return false;
	if (lpm->lines)
		memcpy(lines, lpm->lines, (size_t)lpm->used * SL_CACHE_LINE);
	free(lpm->lines);
	lpm->lines = lines;
	lpm->capacity = capacity;
	return true;
}

/* Compress 256 values to a node; where they are all the same no node is
 * needed. @return the value that leads to them in *value; false: no memory. */
static bool add_node(struct lpm4 *lpm, const uint32_t cells[256],
		     uint32_t *value)
{
	struct node head = { { 0 }, { 0 } };
	uint32_t values[256];
	uint32_t ranges = 0, lines = 1;
	char *line;

	for (unsigned byte = 0; byte < 256; byte++) {
		if (byte % 32 == 0)
			head.before[byte / 32] = (uint8_t)ranges;
		if (byte > 0 && cells[byte] == cells[byte - 1])
			continue;
		head.starts[byte / 32] |= 1u << byte % 32;
		values[ranges++] = cells[byte];
	}
	if (ranges == 1) {
		*value = cells[0];
		return true;
	}
	while (lines * SL_CACHE_LINE < sizeof(head) + ranges * sizeof(*values))
		lines++;
	if (!reserve_lines(lpm, lines))
		return false;
	*value = NODE | lpm->used;
	line = lpm->lines + (size_t)lpm->used * SL_CACHE_LINE;
	memcpy(line, &head, sizeof(head));
	memcpy(line + sizeof(head), values, ranges * sizeof(*values));
	lpm->used += lines;
	return true;
}

static void paint(uint32_t *cells, uint32_t first, uint32_t count,
		  uint32_t value)
{
	for (uint32_t at = 0; at < count; at++)
		cells[first + at] = value;
}

/* The first of the routes from @p at on whose address is beyond @p last. */
static size_t group_end(const struct lpm4_route *routes, size_t at,
			size_t count, uint32_t last)
{
	while (at < count && routes[at].address <= last)
		at++;
	return at;
}

/* Build what the routes say about the 256 blocks of 2^shift addresses that
 * share *value so far. In their sorted order a shorter prefix comes before
 * all that it contains, so painting in that order leaves the longest. */
static bool build(struct lpm4 *lpm, const struct lpm4_route *routes,
		  size_t count, unsigned shift, uint32_t *value)
{
	uint32_t cells[256];

	paint(cells, 0, 256, *value);
	for (size_t at = 0; at < count; at++) {
		if (routes[at].length <= 32 - shift)
			paint(cells, routes[at].address >> shift & 255,
			      1u << (32 - shift - routes[at].length),
			      routes[at].next_hop);
	}
	for (size_t at = 0; at < count && shift > 0;) {
		uint32_t last = routes[at].address | ((1u << shift) - 1);
		size_t end = group_end(routes, at, count, last);

		while (at < end && routes[at].length <= 32 - shift)
			at++;
		if (at < end && !build(lpm, routes + at, end - at, shift - 8,
				       &cells[last >> shift & 255]))
			return false;
		at = end;
	}
	return add_node(lpm, cells, value);
}

static bool build_root(struct lpm4 *lpm, const struct lpm4_route *routes,
		       size_t count)
{
	for (size_t at = 0; at < count; at++) {
		if (routes[at].length <= 16)
			paint(lpm->root, routes[at].address >> 16,
			      1u << (16 - routes[at].length),
			      routes[at].next_hop);
	}
	for (size_t at = 0; at < count;) {
		size_t end = group_end(routes, at, count,
				       routes[at].address | 0xffff);

		while (at < end && routes[at].length <= 16)
			at++;
		if (at < end && !build(lpm, routes + at, end - at, 8,
				       &lpm->root[routes[at].address >> 16]))
			return false;
		at = end;
	}
	return true;
}

struct lpm4 *lpm4_create(const struct lpm4_route *routes, size_t count)
{
	struct lpm4 *lpm = calloc(1, sizeof(*lpm));

	if (lpm && !build_root(lpm, routes, count)) {
		lpm4_destroy(lpm);
		return NULL;
	}
	return lpm;
}

void lpm4_destroy(struct lpm4 *lpm)
{
	if (!lpm)
		return;
	free(lpm->lines);
	free(lpm);
}

/* From the root's value on. */
static inline uint16_t descend(const struct lpm4 *lpm, uint32_t value,
			       uint32_t address)
{
	if (value & NODE)
		value = node_value(node_at(lpm, value),
				   (uint8_t)(address >> 8));
	if (value & NODE)
		value = node_value(node_at(lpm, value), (uint8_t)address);
	return (uint16_t)value;
}

uint16_t lpm4_lookup(const struct lpm4 *lpm, uint32_t address)
{
	return descend(lpm, lpm->root[address >> 16], address);
}

/* Three passes: ask for the root's lines; read them and ask for the nodes',
 * if there are any; read those. */
static void lookup_batch(const struct lpm4 *lpm, const uint32_t *addresses,
			 uint16_t *next_hops, size_t count)
{
	uint32_t values[BATCH];

	for (size_t at = 0; at < count; at++)
		SL_PREFETCH(&lpm->root[addresses[at] >> 16]);
	for (size_t at = 0; at < count; at++) {
		values[at] = lpm->root[addresses[at] >> 16];
		if (values[at] & NODE)
			SL_PREFETCH(node_at(lpm, values[at]));
	}
	for (size_t at = 0; at < count; at++)
		next_hops[at] = descend(lpm, values[at], addresses[at]);
}

void lpm4_lookup_bulk(const struct lpm4 *lpm, const uint32_t *addresses,
		      uint16_t *next_hops, size_t count)
{
	for (size_t at = 0; at < count; at += BATCH)
		lookup_batch(lpm, addresses + at, next_hops + at,
			     count - at < BATCH ? count - at : BATCH);
}

size_t lpm4_bytes(const struct lpm4 *lpm)
{
	return sizeof(*lpm) + (size_t)lpm->capacity * SL_CACHE_LINE;
}
