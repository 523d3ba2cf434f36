/* SPDX-License-Identifier: MIT */
/* The trie of trie.h: built once, then only read. */
#include "trie.h"

#include <stdlib.h>
#include <string.h>

#include "sluice/memory.h"

/* What a value has room to count. */
#define TRIE_UNITS_MAX (1u << 30)

/* What a build needs everywhere. */
struct builder {
	struct trie *trie;
	const struct routes *routes;
};

/* Routes of one node or below: rows [from, to). */
struct group {
	size_t from, to;
};

static unsigned length_of(const struct builder *builder, size_t at)
{
	return routes_tail(builder->routes, at)->length;
}

static uint8_t byte_of(const struct builder *builder, size_t at, unsigned byte)
{
	return routes_address(builder->routes, at)[byte];
}

/* Room for a node or chain of @p units; a node starts with a line. Units move,
 * so they are known by index. @return false: no memory. */
static bool reserve(struct trie *trie, uint32_t units, uint32_t *index)
{
	uint32_t capacity = trie->capacity ? trie->capacity : 128;
	bool odd = units > 1 && trie->used % (SL_CACHE_LINE / TRIE_UNIT);
	char *moved;

	*index = trie->used + odd;
	if (*index + units > TRIE_UNITS_MAX)
		return false;
	if (*index + units > trie->capacity) {
		while (capacity < *index + units)
			capacity *= 2;
		moved = sl_table_alloc((size_t)capacity * TRIE_UNIT);
		if (!moved)
			return false;
		if (trie->units)
			memcpy(moved, trie->units,
			       (size_t)trie->used * TRIE_UNIT);
		sl_table_free(trie->units, (size_t)trie->capacity * TRIE_UNIT);
		trie->units = moved;
		trie->capacity = capacity;
	}
	trie->used = *index + units;
	return true;
}

/* Compress 256 values to a node; where they are all the same no node is
 * needed. @return the value that leads to them in *value; false: no memory. */
static bool add_node(struct trie *trie, const uint32_t cells[256],
		     uint32_t *value)
{
	struct trie_node head = { { 0 }, { 0 } };
	uint32_t values[256];
	uint32_t ranges = 0, index;
	size_t bytes;
	char *node;

	for (unsigned word = 0; word < 8; word++) {
		const uint32_t *at = cells + word * 32;
		uint32_t starts = word == 0; /* without branches: chance */

		for (unsigned byte = word == 0; byte < 32; byte++)
			starts |= (uint32_t)(at[byte] != at[(int)byte - 1])
				  << byte;
		head.starts[word] = starts;
		head.before[word] = (uint8_t)ranges;
		for (; starts; starts &= starts - 1)
			values[ranges++] = at[SL_LOWEST_BIT(starts)];
	}
	if (ranges == 1) {
		*value = cells[0];
		return true;
	}
	bytes = sizeof(head) + ranges * sizeof(*values);
	if (!reserve(trie, (uint32_t)((bytes + TRIE_UNIT - 1) / TRIE_UNIT),
		     &index))
		return false;
	*value = TRIE_NODE | index;
	node = trie->units + (size_t)index * TRIE_UNIT;
	memcpy(node, &head, sizeof(head));
	memcpy(node + sizeof(head), values, ranges * sizeof(*values));
	return true;
}

static void paint(uint32_t *cells, uint32_t first, uint32_t count,
		  uint32_t value)
{
	for (uint32_t at = 0; at < count; at++)
		cells[first + at] = value;
}

/* The rows from @p from on that share their byte with it. */
static struct group next_group(const struct builder *builder, size_t from,
			       size_t to, unsigned byte)
{
	struct group group = { from, from };
	uint8_t value = byte_of(builder, from, byte);

	while (group.to < to && byte_of(builder, group.to, byte) == value)
		group.to++;
	return group;
}

/* Whether a group is one prefix that ends with a byte. */
static bool is_whole(const struct builder *builder, struct group group)
{
	return group.to - group.from == 1 &&
	       length_of(builder, group.from) % 8 == 0;
}

/* How many bytes from @p byte on all rows of a group share, such that none ends
 * within; a single one may end behind. The first and the last of sorted rows
 * tell for all; the shortest is the first, since its other bytes are 0. */
static unsigned shared_bytes(const struct builder *builder, struct group group,
			     unsigned byte)
{
	unsigned last = (length_of(builder, group.from) - 1) / 8;
	unsigned at = byte;

	while (at < last && byte_of(builder, group.from, at) ==
				    byte_of(builder, group.to - 1, at))
		at++;
	return at - byte + is_whole(builder, group);
}

static bool build(const struct builder *builder, struct group group,
		  unsigned byte, uint32_t *value);

/* Put a chain of @p count bytes before what the group makes of *value. */
static bool build_chain(const struct builder *builder, struct group group,
			unsigned byte, unsigned count, uint32_t *value)
{
	unsigned rest = count > TRIE_CHAIN_BYTES ? count - TRIE_CHAIN_BYTES : 0;
	unsigned now = count - rest;
	struct trie_chain chain = { *value, *value, now, { 0 }, 0 };
	uint32_t index;
	bool built = true;

	for (unsigned at = byte; at < byte + now; at++)
		chain.bytes =
			chain.bytes << 8 | byte_of(builder, group.from, at);
	if (rest)
		built = build_chain(builder, group, byte + now, rest,
				    &chain.inside);
	else if (is_whole(builder, group))
		chain.inside =
			routes_tail(builder->routes, group.from)->next_hop;
	else
		built = build(builder, group, byte + now, &chain.inside);
	if (!built)
		return false;
	if (chain.inside == chain.outside)
		return true;
	if (!reserve(builder->trie, 1, &index))
		return false;
	memcpy(builder->trie->units + (size_t)index * TRIE_UNIT, &chain,
	       sizeof(chain));
	*value = TRIE_CHAIN | index;
	return true;
}

/* Build what a group's routes, which share all bytes before @p byte and are
 * longer than these, say about addresses that all had *value so far. In their
 * sorted order a shorter prefix comes before all that it contains, so painting
 * in that order leaves the longest. */
static bool build(const struct builder *builder, struct group group,
		  unsigned byte, uint32_t *value)
{
	unsigned bits = (byte + 1) * 8;
	uint32_t cells[256];

	paint(cells, 0, 256, *value);
	for (size_t at = group.from; at < group.to; at++) {
		unsigned length = length_of(builder, at);

		if (length <= bits)
			paint(cells, byte_of(builder, at, byte),
			      1u << (bits - length),
			      routes_tail(builder->routes, at)->next_hop);
	}
	for (size_t at = group.from; at < group.to;) {
		struct group below = next_group(builder, at, group.to, byte);
		uint32_t *cell = &cells[byte_of(builder, at, byte)];
		unsigned shared;

		at = below.to;
		while (below.from < below.to &&
		       length_of(builder, below.from) <= bits)
			below.from++;
		if (below.from == below.to)
			continue;
		shared = builder->routes->address_size == 4
				 ? 0
				 : shared_bytes(builder, below, byte + 1);
		if (shared ? !build_chain(builder, below, byte + 1, shared,
					  cell)
			   : !build(builder, below, byte + 1, cell))
			return false;
	}
	return add_node(builder->trie, cells, value);
}

static unsigned root_index(const struct builder *builder, size_t at)
{
	return (unsigned)byte_of(builder, at, 0) << 8 | byte_of(builder, at, 1);
}

bool trie_build(struct trie *trie, const struct routes *routes)
{
	const struct builder builder = { trie, routes };

	for (size_t at = 0; at < routes->count; at++) {
		const struct route_tail *tail = routes_tail(routes, at);

		if (tail->length <= 16)
			paint(trie->root, root_index(&builder, at),
			      1u << (16 - tail->length), tail->next_hop);
	}
	for (size_t at = 0; at < routes->count;) {
		unsigned index = root_index(&builder, at);
		struct group below = { at, at };

		while (below.to < routes->count &&
		       root_index(&builder, below.to) == index)
			below.to++;
		at = below.to;
		while (below.from < below.to &&
		       length_of(&builder, below.from) <= 16)
			below.from++;
		if (below.from < below.to &&
		    !build(&builder, below, 2, &trie->root[index]))
			return false;
	}
	return true;
}

void trie_finish(struct trie *trie)
{
	sl_table_free(trie->units, (size_t)trie->capacity * TRIE_UNIT);
	trie->units = NULL;
}

size_t trie_bytes(const struct trie *trie)
{
	return sizeof(*trie) + (size_t)trie->capacity * TRIE_UNIT;
}
