/* SPDX-License-Identifier: MIT */
/** @file
 * From a finding in the store to its entry in the file, and back.
 */
#ifndef SG_GATE_SUPPRESS_H
#define SG_GATE_SUPPRESS_H

#include "gate/suppressions.h"
#include "store/show.h"

/** Make the entry of a finding. Texts stay borrowed from @p shown. */
struct sg_suppression sg_suppression_of(const struct sg_shown *shown);

/** Find the entry of @p list that is about a finding: the one that its run
 * held against it, else one of its words that no other finding of the run has.
 * @p at: where it is; sg_suppressions_count(): nowhere. SL_EINVAL: there is
 * one, but more findings are equal to this one, and which it is about cannot be
 * told before a run has held it against them. */
enum sl_code sg_suppressions_find(const struct sg_suppressions *list,
				  const struct sg_shown *shown,
				  const struct sg_equals *equals, size_t *at,
				  struct sl_error *error) SL_MUST_CHECK;

/** Put @p entry into @p list, in the place of entry @p at, if there is one.
 * SL_EINVAL: that one gives the same reason until the same day; or as
 * sg_suppressions_add(). After a failure the list may lack entry @p at: it is
 * not to be written. */
enum sl_code sg_suppressions_put(struct sg_suppressions *list, size_t at,
				 const struct sg_suppression *entry,
				 struct sl_error *error) SL_MUST_CHECK;

/** Bytes of a day as text. */
enum { SG_DAY_TEXT = 16 };

/** @return today in UTC, "2026-11-30", in @p text. */
const char *sg_today(char text[SG_DAY_TEXT]);

#endif
