/* SPDX-License-Identifier: MIT */
/** @file
 * The identities of findings, as reports show them: what GitLab, GitHub and
 * others recognise a finding by from one report to the next.
 *
 *     judged->identity = sg_identity_key(&fingerprint, path);    (each)
 *     sg_identities_part(judged, count);
 */
#ifndef SG_GATE_IDENTITY_H
#define SG_GATE_IDENTITY_H

#include "gate/judgement.h"
#include "match/fingerprint.h"
#include "sluice/defs.h"
#include "sluice/error.h"

/** @return the key of a finding at @p path: K1; of a bare one K3. */
struct sg_hash sg_identity_key(const struct sg_fingerprint *fingerprint,
			       const char *path);

/** Make the identities, which are keys, unique: of those that are equal the
 * first keeps it, and others get one by their number among them. What is open
 * goes before what is fixed, for the next report has only that.
 * @return SL_OK; SL_ENOMEM. */
enum sl_code sg_identities_part(struct sg_judged *judged,
				size_t count) SL_MUST_CHECK;

#endif
