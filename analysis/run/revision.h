/* SPDX-License-Identifier: MIT */
/** @file
 * Names of commits.
 */
#ifndef SG_RUN_REVISION_H
#define SG_RUN_REVISION_H

#include <stdbool.h>

#include "sluice/defs.h"
#include "sluice/error.h"

/** @return whether @p text is a full object id, of either kind of hash. */
bool sg_is_object_id(const char *text);

/** Find the commit that @p revision names in the repository of @p folder.
 * *commit: owned, its full id; NULL: there is none. */
enum sl_code sg_revision_find(const char *folder, const char *revision,
			      char **commit,
			      struct sl_error *error) SL_MUST_CHECK;

#endif
