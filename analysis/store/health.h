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
 *   empty report cannot tell;
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
	} * limits; /**< owned; changed tools are limited everywhere */
	size_t limit_count, limit_room;
};

/** What is known of the base. */
struct sg_base {
	int64_t id; /**< 0: there is none */
	char *commit; /**< owned; NULL: not known */
	bool same_configuration;
	int64_t reports;
};

/** For the run that is being imported, held against @p base; both borrowed
 * until sg_health_finish(). */
enum sl_code sg_health_init(struct sg_health *health, struct sg_store *store,
			    const struct sg_base *base,
			    const struct sg_paths *paths,
			    struct sl_error *error) SL_MUST_CHECK;
void sg_health_finish(struct sg_health *health);

/** @return whether the run would have shown the finding that @p row is. What
 * cannot be found out counts as no. */
bool sg_health_shows(const struct sg_health *health,
		     const struct sg_sighting_row *row);

#endif
