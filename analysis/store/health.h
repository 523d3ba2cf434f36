/* SPDX-License-Identifier: MIT */
/** @file
 * What a run would have shown if it were still there.
 *
 * What a run no longer finds is fixed only if the run would have found it:
 *
 * - the run is complete or limited;
 * - its configuration, and the version of the finding's tool, are the base's,
 *   as far as both are known;
 * - it is made of no fewer reports than its base: whose report is missing, an
 *   empty report cannot tell. In SARIF the finding's tool must have spoken;
 * - it does not look like the analysis of a part: of four or more files in
 * which the tool had found something, no more than half have nothing now;
 * - sources were at hand for both runs, or for neither;
 * - the finding's tool gave up neither on its file nor on a unit that saw it.
 * Of a header whose units are not known, it gave up nowhere.
 *
 * A run that cannot tell leaves findings unknown; the next one of the same kind
 * does tell.
 */
#ifndef SG_STORE_HEALTH_H
#define SG_STORE_HEALTH_H

#include "match/map.h"
#include "store/sightings.h"
#include "store/store.h"

struct sg_health {
	struct sg_store *store; /**< borrowed */
	const struct sg_paths *paths; /**< borrowed */
	const struct sg_map *map; /**< borrowed, from the base's tree; NULL */
	bool tells; /**< anything */
	struct sg_limit {
		int64_t tool;
		int64_t file; /**< 0: everywhere */
	} * limits; /**< owned; tools that are not what they were are limited
			 everywhere */
	size_t limit_count, limit_room;
};

/** What the run is, against the base that it is held against. */
struct sg_health_sides {
	int64_t run, base; /**< ids; 0: there is no base */
	bool tells; /**< as a whole: state, configuration, reports, sources */
	bool limited; /**< there are rules by which tools gave up */
};

/** @p paths is borrowed until sg_health_finish(). */
enum sl_code sg_health_init(struct sg_health *health, struct sg_store *store,
			    const struct sg_health_sides *sides,
			    const struct sg_paths *paths,
			    struct sl_error *error) SL_MUST_CHECK;
void sg_health_finish(struct sg_health *health);

/** @return whether the run would have shown the finding that @p row is. What
 * cannot be found out counts as no. */
bool sg_health_shows(const struct sg_health *health,
		     const struct sg_sighting_row *row);

#endif
