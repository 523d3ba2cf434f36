/* SPDX-License-Identifier: MIT */
/* Look-ups of IPv4: at most three values, each overlapped with those of other
 * addresses. */
#include "lpm4.h"

#include <stdbool.h>
#include <stdlib.h>

#include "trie.h"

/* Addresses whose look-ups overlap. */
#define BATCH 64

struct lpm4 {
	struct trie trie;
};

struct lpm4 *lpm4_create(const struct routes *routes)
{
	struct lpm4 *lpm = calloc(1, sizeof(*lpm));

	if (lpm && !trie_build(&lpm->trie, routes)) {
		lpm4_destroy(lpm);
		return NULL;
	}
	return lpm;
}

void lpm4_destroy(struct lpm4 *lpm)
{
	if (!lpm)
		return;
	trie_finish(&lpm->trie);
	free(lpm);
}

uint16_t lpm4_lookup(const struct lpm4 *lpm, uint32_t address)
{
	uint32_t value = lpm->trie.root[address >> 16];

	for (int shift = 8; value & TRIE_NODE; shift -= 8)
		value = *trie_node_value(trie_at(&lpm->trie, value),
					 (uint8_t)(address >> shift));
	return (uint16_t)value;
}

/* Whether any of the values leads to a node: with few routes mostly none. */
static inline bool lead_on(const uint32_t *values, size_t count)
{
	uint32_t bits = 0;

	for (size_t at = 0; at < count; at++)
		bits |= values[at];
	return bits & TRIE_NODE;
}

/* Ask for the lines of the nodes that values lead to. */
static inline void prefetch_nodes(const struct trie *trie,
				  const uint32_t *values, size_t count)
{
	for (size_t at = 0; at < count; at++)
		if (values[at] & TRIE_NODE)
			SL_PREFETCH(trie_at(trie, values[at]));
}

/* Go one node down, in two passes: the first finds where the values stand,
 * which in a node of many ranges is another line. */
static inline void descend(const struct trie *trie, uint32_t *values,
			   const uint32_t *addresses, unsigned shift,
			   size_t count)
{
	const uint32_t *places[BATCH];

	for (size_t at = 0; at < count; at++) {
		places[at] = &values[at];
		if (values[at] & TRIE_NODE)
			places[at] = trie_node_value(
				trie_at(trie, values[at]),
				(uint8_t)(addresses[at] >> shift));
		SL_PREFETCH(places[at]);
	}
	for (size_t at = 0; at < count; at++)
		values[at] = *places[at];
}

static void lookup_batch(const struct trie *trie, const uint32_t *addresses,
			 uint16_t *next_hops, size_t count)
{
	uint32_t values[BATCH];

	for (size_t at = 0; at < count; at++)
		SL_PREFETCH(&trie->root[addresses[at] >> 16]);
	for (size_t at = 0; at < count; at++)
		values[at] = trie->root[addresses[at] >> 16];
	for (int shift = 8; lead_on(values, count); shift -= 8) {
		prefetch_nodes(trie, values, count);
		descend(trie, values, addresses, (unsigned)shift, count);
	}
	for (size_t at = 0; at < count; at++)
		next_hops[at] = (uint16_t)values[at];
}

void lpm4_lookup_bulk(const struct lpm4 *lpm, const uint32_t *addresses,
		      uint16_t *next_hops, size_t count)
{
	for (size_t at = 0; at < count; at += BATCH)
		lookup_batch(&lpm->trie, addresses + at, next_hops + at,
			     count - at < BATCH ? count - at : BATCH);
}

size_t lpm4_bytes(const struct lpm4 *lpm)
{
	return trie_bytes(&lpm->trie);
}
