/* SPDX-License-Identifier: MIT */
/** @file
 * Rows of runs: the inside of store.h.
 */
#ifndef SG_STORE_RUNS_H
#define SG_STORE_RUNS_H

#include "store/sql.h"
#include "store/store.h"

/** Show run @p id, whose texts are then borrowed until the store's next call.
 * SL_EINVAL: there is none. */
enum sl_code sg_run_show(struct sg_store *store, int64_t id, struct sg_run *run,
			 struct sl_error *error) SL_MUST_CHECK;

/** What sg_run_show() lent is gone. */
void sg_run_hide(struct sg_store *store);

#endif
