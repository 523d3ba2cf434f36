/* SPDX-License-Identifier: MIT */
/** @file
 * What scgate import says of the run that it made.
 */
#ifndef SCGATE_IMPORT_H
#define SCGATE_IMPORT_H

#include "store/store.h"

/** A line on standard output: what was found, and what of it is new; on
 * standard error why it was held against no run though @p store has earlier
 * ones.
 * @p run: of sg_store_finish(). @return the exit code. */
int import_say(struct sg_store *store, const struct sg_run *run);

#endif
