/* SPDX-License-Identifier: MIT */
/** @file
 * What two runs differ in, a row a finding.
 */
#ifndef SG_STORE_DIFF_H
#define SG_STORE_DIFF_H

#include "sluice/defs.h"
#include "store/row.h"
#include "store/store.h"

/** Findings by verdict, as store/compare.h means them. */
struct sg_diff {
	int64_t added, fixed, unknown, same;
};

/** Hold @p run against @p base and hand what is new, fixed and unknown to
 * @p take, in this order, the most severe first; those that are the same are
 * counted. Codes, @p map and @p map_context: as of sg_store_compare(). */
enum sl_code sg_store_diff(struct sg_store *store, int64_t run, int64_t base,
			   sg_map_fn *map, void *map_context, sg_row_fn *take,
			   void *context, struct sg_diff *diff,
			   struct sl_error *error) SL_MUST_CHECK;

#endif
