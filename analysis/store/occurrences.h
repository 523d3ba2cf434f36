/* SPDX-License-Identifier: MIT */
/** @file
 * Occurrences of a result on their way into the store: rows of four tables.
 *
 * They are kept for a while (store/bulk.h): whoever looks at the tables calls
 * sg_occurrences_flush() first. Numbers are given out here, as nobody else
 * writes while an import holds the lock.
 */
#ifndef SG_STORE_OCCURRENCES_H
#define SG_STORE_OCCURRENCES_H

#include "match/fingerprint.h"
#include "read/finding.h"
#include "store/bulk.h"

/** Invariant: a zeroed struct is none. */
struct sg_occurrences {
	int64_t last; /**< id that was given out last */
	struct sg_bulk rows, fingerprints, events, units;
};

/** What is stored of a finding beside what it says. */
struct sg_found {
	int64_t rule; /**< id */
	int64_t file; /**< id; 0: it has no place */
	const char *function; /**< borrowed; NULL: not known */
	struct sg_fingerprint fingerprint;
};

/** Those of result @p result (id) come next. */
enum sl_code sg_occurrences_start(struct sg_store *store,
				  struct sg_occurrences *occurrences,
				  int64_t result,
				  struct sl_error *error) SL_MUST_CHECK;

/** Add one with its fingerprint. @p id: its own, out. */
enum sl_code sg_occurrences_add(struct sg_store *store,
				struct sg_occurrences *occurrences,
				const struct sg_finding *finding,
				const struct sg_found *found, int64_t *id,
				struct sl_error *error) SL_MUST_CHECK;

/** Occurrence @p id was reported again. */
enum sl_code sg_occurrences_repeat(struct sg_store *store,
				   struct sg_occurrences *occurrences,
				   int64_t id, const struct sg_finding *finding,
				   struct sl_error *error) SL_MUST_CHECK;

/** Add an event of occurrence @p id. @p file: id; 0: it has no place. */
enum sl_code sg_occurrences_add_event(struct sg_store *store,
				      struct sg_occurrences *occurrences,
				      int64_t id, size_t position,
				      const struct sg_event *event,
				      int64_t file,
				      struct sl_error *error) SL_MUST_CHECK;

/** Unit @p file (id) saw occurrence @p id; it may have been said before. */
enum sl_code sg_occurrences_add_unit(struct sg_store *store,
				     struct sg_occurrences *occurrences,
				     int64_t id, int64_t file,
				     struct sl_error *error) SL_MUST_CHECK;

enum sl_code sg_occurrences_flush(struct sg_store *store,
				  struct sg_occurrences *occurrences,
				  struct sl_error *error) SL_MUST_CHECK;
void sg_occurrences_finish(struct sg_occurrences *occurrences);

#endif
