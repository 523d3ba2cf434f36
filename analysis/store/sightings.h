/* SPDX-License-Identifier: MIT */
/** @file
 * The findings of a run as matching wants them, and which rows they are.
 */
#ifndef SG_STORE_SIGHTINGS_H
#define SG_STORE_SIGHTINGS_H

#include "base/arena.h"
#include "match/match.h"
#include "store/sql.h"

/** The paths of a store by the ids of files. */
struct sg_paths {
	struct sl_arena arena;
	const char **paths; /**< owned; NULL where there is no file */
	size_t count;
};

enum sl_code sg_paths_load(struct sg_paths *paths, struct sg_store *store,
			   struct sl_error *error) SL_MUST_CHECK;
/** @return the path of a file's id, borrowed; NULL: there is no such file. */
const char *sg_paths_at(const struct sg_paths *paths, int64_t file);
void sg_paths_finish(struct sg_paths *paths);

/** The row that a sighting is. */
struct sg_sighting_row {
	int64_t occurrence; /**< id */
	int64_t finding; /**< id; 0: it has none yet */
	int64_t rule; /**< id */
	int64_t file; /**< id; 0: no place */
	int severity; /**< a step, as in the table severities */
	bool comparable; /**< its hashes are of this program's version */
	bool suppressed; /**< by the report itself */
};

/** A zeroed one is empty. */
struct sg_sightings {
	struct sg_sighting *sightings; /**< owned; paths are borrowed */
	struct sg_sighting_row *rows; /**< owned; as many */
	size_t count;
};

/** Load the occurrences of run @p run, without numbers of findings. Those that
 * are equal in several of its results are one. */
enum sl_code sg_sightings_of_run(struct sg_sightings *sightings,
				 struct sg_store *store,
				 const struct sg_paths *paths, int64_t run,
				 struct sl_error *error) SL_MUST_CHECK;
/** Load what is open in run @p run: what it has, and what is unknown. */
enum sl_code sg_sightings_open_in(struct sg_sightings *sightings,
				  struct sg_store *store,
				  const struct sg_paths *paths, int64_t run,
				  struct sl_error *error) SL_MUST_CHECK;
/** Load what run @p run itself has, with its numbers. */
enum sl_code sg_sightings_seen_in(struct sg_sightings *sightings,
				  struct sg_store *store,
				  const struct sg_paths *paths, int64_t run,
				  struct sl_error *error) SL_MUST_CHECK;

void sg_sightings_finish(struct sg_sightings *sightings);

#endif
