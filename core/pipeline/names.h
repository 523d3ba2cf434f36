/* SPDX-License-Identifier: MIT */
/** @file
 * The table behind sluice/name.h, as its owner, the pipeline, sees it.
 */
#ifndef SL_PIPELINE_NAMES_H
#define SL_PIPELINE_NAMES_H

#include "sluice/name.h"

/** @return an empty table, owned by the caller; NULL: no memory. It reserves
 * room for SL_NAMES_MAX names, of which only what is used is ever touched. */
struct sl_names *sl_names_create(void);

/** Free the table and every text that sl_names_text() gave. No thread may be
 * using it. Takes NULL. */
void sl_names_destroy(struct sl_names *names);

#endif
