/* SPDX-License-Identifier: MIT */
/* Findings get ranks, so that no result depends on the order of the input. */
#include "match/side.h"

#include <stdlib.h>
#include <string.h>

/* For a bucket sort: keys are hashes, so their first bits spread evenly. */
enum { BUCKET_BITS = 15, FEW = 8 };

static int order(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int by_key(const void *a, const void *b)
{
	const struct sg_entry *left = a, *right = b;
	int by = sg_hash_order(left->key, right->key);

	if (!by)
		by = (int)left->bare - (int)right->bare;
	if (!by)
		by = order(left->line, right->line);
	return by ? by : order(left->rank, right->rank);
}

/* Of equal places; total but for findings that nothing tells apart. */
static int by_content(const struct sg_sighting *left,
		      const struct sg_sighting *right)
{
	const struct sg_fingerprint *print = &left->fingerprint;
	const struct sg_fingerprint *other = &right->fingerprint;
	int by = order(left->column, right->column);

	if (!by)
		by = sg_hash_order(print->unmasked, other->unmasked);
	if (!by)
		by = sg_hash_order(print->message, other->message);
	if (!by)
		by = sg_hash_order(print->window, other->window);
	return by ? by : (int)print->bare - (int)other->bare;
}

/* Mostly decided without a look at the sightings, which lie far apart. */
static int by_place(const void *a, const void *b)
{
	const struct sg_candidate *left = a, *right = b;
	int by = 0;

	if (left->own_path != right->own_path)
		by = strcmp(left->own_path, right->own_path);
	if (!by)
		by = order(left->line, right->line);
	return by ? by : by_content(left->sighting, right->sighting);
}

bool sg_side_init(struct sg_side *side, const struct sg_sighting *sightings,
		  size_t count, struct sg_match_row *rows)
{
	size_t room = count ? count : 1;

	*side = (struct sg_side){ .count = count,
				  .base = sightings,
				  .rows = rows };
	side->candidates = calloc(room, sizeof(*side->candidates));
	side->entries = calloc(room, sizeof(*side->entries));
	side->points = calloc(room, sizeof(*side->points));
	side->spare = calloc(room, sizeof(*side->spare));
	side->buckets = calloc((1u << BUCKET_BITS) + 1, sizeof(*side->buckets));
	if (!side->candidates || !side->entries || !side->points ||
	    !side->spare || !side->buckets)
		return false;
	for (size_t at = 0; at < count; at++)
		side->candidates[at] = (struct sg_candidate){
			.sighting = &sightings[at],
			.own_path =
				sightings[at].path ? sightings[at].path : "",
			.line = sightings[at].line,
		};
	qsort(side->candidates, count, sizeof(*side->candidates), by_place);
	return true;
}

void sg_side_finish(struct sg_side *side)
{
	free(side->candidates);
	free(side->entries);
	free(side->points);
	free(side->spare);
	free(side->buckets);
}

void sg_side_place(struct sg_side *side, const struct sg_map *map)
{
	const char *last = NULL;
	struct sg_hash last_hash = { 0, 0 };

	for (size_t rank = 0; rank < side->count; rank++) {
		struct sg_candidate *candidate = &side->candidates[rank];
		struct sg_place place = { candidate->own_path, candidate->line,
					  true };

		if (map)
			place = sg_map_place(map, candidate->own_path,
					     candidate->line);
		candidate->line = place.line;
		candidate->exact = place.exact;
		if (!place.path)
			continue;
		/* they come file by file */
		if (!last || strcmp(last, place.path) != 0)
			last_hash = sg_hash_path(place.path);
		last = place.path;
		candidate->path = last_hash;
	}
}

static void sort_few(struct sg_entry *entries, size_t count)
{
	for (size_t at = 1; at < count; at++) {
		struct sg_entry entry = entries[at];
		size_t to = at;

		for (; to > 0 && by_key(&entry, &entries[to - 1]) < 0; to--)
			entries[to] = entries[to - 1];
		entries[to] = entry;
	}
}

static size_t bucket_of(const struct sg_entry *entry)
{
	return (size_t)(entry->key.high >> (64 - BUCKET_BITS));
}

/* Deal the entries out to their buckets. buckets[b] becomes the end of b. */
static void deal(struct sg_side *side)
{
	struct sg_entry *entries = side->entries;
	uint32_t *ends = side->buckets;

	memset(ends, 0, ((1u << BUCKET_BITS) + 1) * sizeof(*ends));
	for (size_t at = 0; at < side->entry_count; at++)
		ends[bucket_of(&entries[at]) + 1]++;
	for (size_t bucket = 0; bucket < 1u << BUCKET_BITS; bucket++)
		ends[bucket + 1] += ends[bucket];
	for (size_t at = 0; at < side->entry_count; at++)
		side->spare[ends[bucket_of(&entries[at])]++] = entries[at];
	side->entries = side->spare;
	side->spare = entries;
}

void sg_side_sort(struct sg_side *side)
{
	uint32_t from = 0;

	if (side->entry_count < 1u << (BUCKET_BITS - 4)) {
		qsort(side->entries, side->entry_count, sizeof(*side->entries),
		      by_key);
		return;
	}
	deal(side);
	for (size_t bucket = 0; bucket < 1u << BUCKET_BITS; bucket++) {
		uint32_t count = side->buckets[bucket] - from;

		if (count > FEW)
			qsort(side->entries + from, count,
			      sizeof(*side->entries), by_key);
		else
			sort_few(side->entries + from, count);
		from += count;
	}
}
