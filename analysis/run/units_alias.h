/* SPDX-License-Identifier: MIT */
/** @file
 * Databases that know the root by another name.
 *
 * git names a root with its symlinks resolved; who runs cmake in /home/me,
 * which leads to /data/me, gets a database full of the former.
 */
#ifndef SG_RUN_UNITS_ALIAS_H
#define SG_RUN_UNITS_ALIAS_H

#include "run/units.h"

/** Find the other name that units know @p root by, if they do: a folder above
 * theirs that is the same. In all of them it becomes @p root. SL_ENOMEM. */
enum sl_code sg_units_rename(struct sg_units *units, const char *root,
			     struct sl_error *error) SL_MUST_CHECK;

#endif
