/* SPDX-License-Identifier: MIT */
#include "fragments.h"

#include <stdlib.h>
#include <string.h>

#include "sluice/random.h"

#define BUCKETS_MIN 64
#define BUCKETS_MAX (1u << 20)
#define DATAGRAM_BYTES 256 /* a guess at what one takes */

struct fragments {
	struct datagram **buckets; /* owned; bucket_mask + 1 of them */
	size_t bucket_mask;
	struct datagram *oldest, *newest;
	size_t used, memory; /* bytes */
	uint64_t timeout, seed;
};

struct fragments *fragments_create(size_t memory, uint64_t timeout,
				   uint64_t seed)
{
	struct fragments *fragments = calloc(1, sizeof(*fragments));
	size_t buckets = BUCKETS_MIN;

	if (!fragments)
		return NULL;
	while (buckets < BUCKETS_MAX && buckets * DATAGRAM_BYTES < memory)
		buckets *= 2;
	fragments->buckets = calloc(buckets, sizeof(*fragments->buckets));
	if (!fragments->buckets) {
		free(fragments);
		return NULL;
	}
	fragments->bucket_mask = buckets - 1;
	fragments->memory = memory;
	fragments->timeout = timeout;
	fragments->seed = seed;
	return fragments;
}

void fragments_destroy(struct fragments *fragments)
{
	if (!fragments)
		return;
	while (fragments->oldest)
		fragments_forget(fragments, fragments->oldest);
	free(fragments->buckets);
	free(fragments);
}

static struct datagram **bucket_of(const struct fragments *fragments,
				   const struct datagram_key *key)
{
	uint64_t hash = sl_random_at(fragments->seed,
				     (uint64_t)key->src << 32 | key->dst);

	hash = sl_random_at(hash, (uint64_t)key->id << 16 |
					  (uint64_t)key->protocol << 8 |
					  key->outside);
	return &fragments->buckets[hash & fragments->bucket_mask];
}

static bool same_key(const struct datagram_key *a, const struct datagram_key *b)
{
	return a->src == b->src && a->dst == b->dst && a->id == b->id &&
	       a->protocol == b->protocol && a->outside == b->outside;
}

struct datagram *fragments_find(const struct fragments *fragments,
				const struct datagram_key *key)
{
	struct datagram *datagram = *bucket_of(fragments, key);

	while (datagram && !same_key(&datagram->key, key))
		datagram = datagram->next;
	return datagram;
}

static void queue_append(struct fragments *fragments, struct datagram *datagram)
{
	datagram->older = fragments->newest;
	datagram->newer = NULL;
	if (fragments->newest)
		fragments->newest->newer = datagram;
	else
		fragments->oldest = datagram;
	fragments->newest = datagram;
}

static void queue_remove(struct fragments *fragments, struct datagram *datagram)
{
	if (datagram->older)
		datagram->older->newer = datagram->newer;
	else
		fragments->oldest = datagram->newer;
	if (datagram->newer)
		datagram->newer->older = datagram->older;
	else
		fragments->newest = datagram->older;
}

struct datagram *fragments_add(struct fragments *fragments,
			       const struct datagram_key *key, uint64_t now)
{
	struct datagram **bucket = bucket_of(fragments, key);
	struct datagram *datagram = calloc(1, sizeof(*datagram));

	if (!datagram)
		return NULL;
	datagram->key = *key;
	datagram->last = &datagram->held;
	datagram->end = now + fragments->timeout;
	datagram->size = sizeof(*datagram);
	datagram->next = *bucket;
	*bucket = datagram;
	queue_append(fragments, datagram);
	fragments->used += datagram->size;
	return datagram;
}

void fragments_renew(struct fragments *fragments, struct datagram *datagram,
		     uint64_t now)
{
	queue_remove(fragments, datagram);
	queue_append(fragments, datagram);
	datagram->end = now + fragments->timeout;
}

/* A multiple of the alignment, which a packet asks for. */
static size_t held_size(const struct sl_packet_info *info)
{
	size_t size = sizeof(struct held) + info->captured;

	return (size + SL_CACHE_LINE - 1) / SL_CACHE_LINE * SL_CACHE_LINE;
}

bool fragments_hold(struct fragments *fragments, struct datagram *datagram,
		    const struct sl_packet *packet,
		    const struct sl_packet_info *info)
{
	size_t size = held_size(info);
	struct held *held = aligned_alloc(SL_CACHE_LINE, size);

	if (!held)
		return false;
	held->packet = *packet;
	held->info = *info;
	held->info.frame = held->bytes;
	memcpy(held->bytes, info->frame, info->captured);
	held->next = NULL;
	*datagram->last = held;
	datagram->last = &held->next;
	datagram->size += size;
	fragments->used += size;
	return true;
}

struct held *fragments_release(struct fragments *fragments,
			       struct datagram *datagram)
{
	struct held *held = datagram->held;

	fragments->used -= datagram->size - sizeof(*datagram);
	datagram->size = sizeof(*datagram);
	datagram->held = NULL;
	datagram->last = &datagram->held;
	return held;
}

void held_destroy(struct held *held)
{
	free(held);
}

struct datagram *fragments_over(const struct fragments *fragments, uint64_t now)
{
	struct datagram *oldest = fragments->oldest;

	return oldest && oldest->end <= now ? oldest : NULL;
}

struct datagram *fragments_excess(const struct fragments *fragments)
{
	return fragments->used > fragments->memory ? fragments->oldest : NULL;
}

void fragments_forget(struct fragments *fragments, struct datagram *datagram)
{
	struct datagram **link = bucket_of(fragments, &datagram->key);
	struct held *held = fragments_release(fragments, datagram);

	while (held) {
		struct held *next = held->next;

		held_destroy(held);
		held = next;
	}
	while (*link != datagram)
		link = &(*link)->next;
	*link = datagram->next;
	queue_remove(fragments, datagram);
	fragments->used -= datagram->size;
	free(datagram);
}
