/* SPDX-License-Identifier: MIT */
/** @file
 * One of the two runs that are matched: the inside of match.h.
 */
#ifndef SG_MATCH_SIDE_H
#define SG_MATCH_SIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "match/match.h"
#include "match/nearest.h"

/** A finding in a step. */
struct sg_entry {
	struct sg_hash key;
	int64_t line; /**< of the new tree */
	uint32_t rank; /**< in the order of paths and lines */
	bool bare;
};

/** A finding on its way through the steps, at its rank: its place in the order
 * of paths and lines. */
struct sg_candidate {
	const struct sg_sighting *sighting;
	const char *own_path; /**< the sighting's, "" for none */
	struct sg_hash path; /**< of the new tree; zero: gone */
	int64_t line; /**< once it is placed, of the new tree */
	bool exact; /**< the line itself is there in both trees */
	bool matched;
};

struct sg_side {
	struct sg_candidate *candidates; /**< owned; by rank */
	size_t count;
	struct sg_entry *entries; /**< owned; room for all candidates */
	size_t entry_count;
	struct sg_entry *spare; /**< owned; room for all candidates */
	uint32_t *buckets; /**< owned; for sg_side_sort() */
	struct sg_point *points; /**< owned; room for all candidates */
	const struct sg_sighting *base; /**< of their indices */
	struct sg_match_row *rows; /**< by those */
};

/** Rank @p sightings and make room for the steps. @p rows: one a sighting; both
 * are borrowed. @return false: no memory; sg_side_finish() is still due. */
bool sg_side_init(struct sg_side *side, const struct sg_sighting *sightings,
		  size_t count, struct sg_match_row *rows) SL_MUST_CHECK;
void sg_side_finish(struct sg_side *side);

/** Say where everything is in the new tree. @p map: NULL: where it was. */
void sg_side_place(struct sg_side *side, const struct sg_map *map);

/** Sort the entries by key, bareness, line and rank. */
void sg_side_sort(struct sg_side *side);

#endif
