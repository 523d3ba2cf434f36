/* SPDX-License-Identifier: MIT */
/** @file
 * A run of the store as a judgement, for the writers of verdicts.
 */
#ifndef SG_STORE_EXPORT_H
#define SG_STORE_EXPORT_H

#include "base/arena.h"
#include "gate/judgement.h"
#include "store/store.h"

/** A zeroed one is empty. */
struct sg_stored {
	struct sl_arena arena; /**< owns the texts */
	struct sg_judgement judgement; /**< without counts and objections; of
					    an incomplete run incomplete */
	struct sg_trouble trouble; /**< why it is not complete */
};

/** Load run @p run as it was held against its base; without one all is new.
 * Everything counts, and nothing is objected to. @p with_ways: events and units
 * are loaded too. SL_EINVAL: there is no such run; others as in store.h.
 * Afterwards sg_stored_finish(), after a failure too. */
enum sl_code sg_store_export(struct sg_store *store, int64_t run,
			     bool with_ways, struct sg_stored *stored,
			     struct sl_error *error) SL_MUST_CHECK;
void sg_stored_finish(struct sg_stored *stored);

#endif
