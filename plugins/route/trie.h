/* SPDX-License-Identifier: MIT */
/** @file
 * What both tables of routes are made of: a trie of strides of a byte below a
 * root of two, whose leaves are pushed down, so that the last value found is
 * the answer.
 *
 * A value is a next hop, or it leads on:
 * - to a node, kept compressed: equal neighbours among its 256 values are one
 *   range, a bitmap says where ranges start, and a count of the bits up to a
 *   byte is the index of its value (as in Asai and Ohara, Poptrie, SIGCOMM
 *   2015). A node of up to 6 ranges is one cache line.
 * - or, for IPv6, to a chain: bytes of which one sequence leads on and all
 *   others to the same next hop (path compression). Without it a lone prefix of
 *   64 bits takes six nodes.
 */
#ifndef ROUTE_TRIE_H
#define ROUTE_TRIE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "routes.h"
#include "sluice/defs.h"

#define TRIE_ROOT_VALUES 65536
/** Where nodes and chains stand is a multiple of this, in bytes. */
#define TRIE_UNIT 32
/** Bits of a value: what it leads to. With neither it is a next hop. */
#define TRIE_NODE 0x80000000u
#define TRIE_CHAIN 0x40000000u
#define TRIE_MORE (TRIE_NODE | TRIE_CHAIN)

struct trie_node {
	uint32_t starts[8]; /**< a bit a byte: a range starts there */
	uint8_t before[8]; /**< ranges that start in earlier words */
	uint32_t values[]; /**< one a range */
};

/** Of longer ones there are several in a row. */
#define TRIE_CHAIN_BYTES 8
struct trie_chain {
	uint32_t inside, outside; /**< values */
	uint32_t count; /**< of the bytes, 1 to TRIE_CHAIN_BYTES */
	uint32_t reserved[3];
	uint64_t bytes; /**< as a number, the first byte the highest */
};

SL_STATIC_ASSERT(sizeof(struct trie_node) + 6 * sizeof(uint32_t) ==
			 SL_CACHE_LINE,
		 "a node of 6 ranges is one line");
SL_STATIC_ASSERT(sizeof(struct trie_chain) == TRIE_UNIT, "a chain is one unit");

struct trie {
	uint32_t root[TRIE_ROOT_VALUES];
	char *units; /**< owned */
	uint32_t used, capacity; /**< units */
};

/** Build it, zeroed before, from routes that are sorted, no prefix twice.
 * @return false: no memory. */
bool trie_build(struct trie *trie, const struct routes *routes) SL_MUST_CHECK;
void trie_finish(struct trie *trie);

/** @return bytes of memory that it takes. */
size_t trie_bytes(const struct trie *trie);

/** Where a value with one of the TRIE_MORE bits leads. */
static inline const void *trie_at(const struct trie *trie, uint32_t value)
{
	return trie->units + (size_t)(value & ~TRIE_MORE) * TRIE_UNIT;
}

/* Bits set: by pairs, by fours, by bytes, summed by a multiplication. */
static inline uint32_t trie_count_bits(uint32_t word)
{
	word -= word >> 1 & 0x55555555;
	word = (word & 0x33333333) + (word >> 2 & 0x33333333);
	word = (word + (word >> 4)) & 0x0f0f0f0f;
	return word * 0x01010101 >> 24;
}

/** Where the value for @p byte stands. */
static inline const uint32_t *trie_node_value(const struct trie_node *node,
					      uint8_t byte)
{
	unsigned word = byte / 32;
	uint32_t upto = node->starts[word] << (31 - byte % 32);

	return &node->values[node->before[word] + trie_count_bits(upto) - 1u];
}

#endif
