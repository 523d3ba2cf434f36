/* SPDX-License-Identifier: MIT */
/** @file
 * Which finding each entry of a list excuses.
 *
 * An entry is a finding as it was, so entries are matched with findings one to
 * one as those of a base are (match/match.h); what is left then without the
 * source, where one side had none; and at last entries without a function,
 * which people wrote by hand, by rule and message alone.
 */
#ifndef SG_GATE_ACCEPT_H
#define SG_GATE_ACCEPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gate/suppressions.h"
#include "match/match.h"

#define SG_NO_FINDING SIZE_MAX

/** Match @p list with @p count findings. @p in_scope: of each entry, whether it
 * may excuse anything; NULL: all may. @p found: one an entry; becomes the
 * index of its finding, or SG_NO_FINDING. SL_ENOMEM; SL_EINVAL: too many. */
enum sl_code sg_suppressions_match(const struct sg_suppressions *list,
				   const bool *in_scope,
				   const struct sg_sighting *open, size_t count,
				   size_t *found,
				   struct sl_error *error) SL_MUST_CHECK;

#endif
