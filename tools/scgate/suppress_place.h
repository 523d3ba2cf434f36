/* SPDX-License-Identifier: MIT */
/** @file
 * scgate suppress PATH:LINE[:RULE]: a finding of scgate check, which is in no
 * run and has no number.
 */
#ifndef SCGATE_SUPPRESS_PLACE_H
#define SCGATE_SUPPRESS_PLACE_H

#include "suppress.h"

/** @return whether @p text is a place rather than a number. */
bool suppress_is_place(const char *text);

/** Accept what was found at the place @p text, which the code of the work tree
 * still has: one finding, or all if that is asked for. SL_EINVAL: nothing is
 * known of it, or several are there; the message names them. */
enum sl_code suppress_place(const struct suppress_settings *settings,
			    const char *text, struct sg_store *store,
			    const char *file,
			    struct sl_error *error) SL_MUST_CHECK;

#endif
