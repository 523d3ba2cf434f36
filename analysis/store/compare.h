/* SPDX-License-Identifier: MIT */
/** @file
 * Any two runs held against each other.
 *
 * When a run is imported, it is matched with one base, and findings get their
 * numbers. Any other pair is matched by these numbers, and what is left then by
 * fingerprints and the map of the two trees where there is one (match/match.h):
 * what a run in between did not recognise is the same all the same.
 */
#ifndef SG_STORE_COMPARE_H
#define SG_STORE_COMPARE_H

#include "sluice/defs.h"
#include "store/store.h"

/** Make the temporary relation `compared`, which replaces an older one:
 *
 *     finding     number of the finding, in the run that `verdict` speaks of
 *     verdict     same, new (in @p run only), fixed, unknown (in @p base only)
 *     occurrence  id of the occurrence: of @p run; of fixed and unknown ones
 *                 the last there was
 *
 * Findings that are open in a run are those that it has, and those unknown
 * ones that it inherits. @p base: 0: the base that @p run was matched with; if
 * there is none, everything is new. @p map, @p context: as in struct
 * sg_run_start; NULL: not known. SL_EINVAL: no such run. */
enum sl_code sg_store_compare(struct sg_store *store, int64_t run, int64_t base,
			      sg_map_fn *map, void *context,
			      struct sl_error *error) SL_MUST_CHECK;

#endif
