/* SPDX-License-Identifier: MIT */
/* Look-ups of IPv6: as deep as each address has to go, step by step for all of
 * a batch that are not at their end. */
#include "lpm6.h"

#include <stdlib.h>

#include "trie.h"

/* Addresses whose look-ups overlap. */
#define BATCH 64

struct lpm6 {
	struct trie trie;
};

/* An address as a number. */
struct key {
	uint64_t high, low;
};

/* How far a look-up has come. */
struct walk {
	uint32_t value;
	uint32_t byte; /* of the address that is next */
};

struct lpm6 *lpm6_create(const struct routes *routes)
{
	struct lpm6 *lpm = calloc(1, sizeof(*lpm));

	if (lpm && !trie_build(&lpm->trie, routes)) {
		lpm6_destroy(lpm);
		return NULL;
	}
	return lpm;
}

void lpm6_destroy(struct lpm6 *lpm)
{
	if (!lpm)
		return;
	trie_finish(&lpm->trie);
	free(lpm);
}

static inline size_t root_index(const struct sl_address *address)
{
	return (size_t)address->bytes[0] << 8 | address->bytes[1];
}

static inline uint64_t load64(const uint8_t *bytes)
{
	uint64_t number = 0;

	for (int at = 0; at < 8; at++)
		number = number << 8 | bytes[at];
	return number;
}

static inline struct key key_of(const struct sl_address *address)
{
	return (struct key){ load64(address->bytes),
			     load64(address->bytes + 8) };
}

/* The eight bytes from @p byte on, zeros behind the end. */
static inline uint64_t window(struct key key, uint32_t byte)
{
	uint32_t bits = byte * 8;

	if (bits >= 64)
		return bits < 128 ? key.low << (bits - 64) : 0;
	return key.high << bits | (bits ? key.low >> (64 - bits) : 0);
}

/* Pass a node or a chain. */
static inline struct walk step(const struct trie *trie, struct walk walk,
			       struct key key)
{
	uint64_t bytes = window(key, walk.byte);

	if (walk.value & TRIE_NODE) {
		walk.value = *trie_node_value(trie_at(trie, walk.value),
					      (uint8_t)(bytes >> 56));
		walk.byte++;
	} else {
		const struct trie_chain *chain = trie_at(trie, walk.value);

		walk.value = bytes >> (64 - 8 * chain->count) == chain->bytes
				     ? chain->inside
				     : chain->outside;
		walk.byte += chain->count;
	}
	return walk;
}

uint16_t lpm6_lookup(const struct lpm6 *lpm, const struct sl_address *address)
{
	struct walk walk = { lpm->trie.root[root_index(address)], 2 };
	struct key key = key_of(address);

	while (walk.value & TRIE_MORE)
		walk = step(&lpm->trie, walk, key);
	return (uint16_t)walk.value;
}

static void lookup_batch(const struct trie *trie,
			 const struct sl_address *const *addresses,
			 uint16_t *next_hops, size_t count)
{
	struct walk walks[BATCH];
	struct key keys[BATCH];
	uint8_t going[BATCH]; /* who is not at the end */
	size_t left = 0;

	for (size_t at = 0; at < count; at++)
		SL_PREFETCH(&trie->root[root_index(addresses[at])]);
	for (size_t at = 0; at < count; at++) {
		keys[at] = key_of(addresses[at]);
		walks[at].value = trie->root[root_index(addresses[at])];
		walks[at].byte = 2;
		going[left] = (uint8_t)at;
		left += (walks[at].value & TRIE_MORE) != 0;
	}
	while (left) {
		size_t still = 0;

		for (size_t at = 0; at < left; at++)
			SL_PREFETCH(trie_at(trie, walks[going[at]].value));
		for (size_t at = 0; at < left; at++) {
			uint8_t who = going[at];

			walks[who] = step(trie, walks[who], keys[who]);
			going[still] = who;
			still += (walks[who].value & TRIE_MORE) != 0;
		}
		left = still;
	}
	for (size_t at = 0; at < count; at++)
		next_hops[at] = (uint16_t)walks[at].value;
}

void lpm6_lookup_bulk(const struct lpm6 *lpm,
		      const struct sl_address *const *addresses,
		      uint16_t *next_hops, size_t count)
{
	for (size_t at = 0; at < count; at += BATCH)
		lookup_batch(&lpm->trie, addresses + at, next_hops + at,
			     count - at < BATCH ? count - at : BATCH);
}

size_t lpm6_bytes(const struct lpm6 *lpm)
{
	return trie_bytes(&lpm->trie);
}
