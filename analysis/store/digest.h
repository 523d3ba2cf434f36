/* SPDX-License-Identifier: MIT */
/** @file
 * The cache key of a result that a report gave: the hash of all that is stored
 * of it. So a report that is imported again is kept once.
 *
 * XXH3 of 128 bits over the fields in the order of schema.sql, each with its
 * length or of a fixed one, finding by finding; then the result's state and
 * note. A key of a report begins with the byte 'R' and the fingerprints'
 * version, so that it equals no other kind of key: 2 bytes, then the hash's 16.
 */
#ifndef SG_STORE_DIGEST_H
#define SG_STORE_DIGEST_H

#include "match/fingerprint.h"
#include "read/finding.h"
#include "sluice/defs.h"

enum { SG_REPORT_KEY = 18 /* bytes */ };

struct sg_digest;

struct sg_digest *sg_digest_create(void); /**< NULL: no memory */
void sg_digest_destroy(struct sg_digest *digest); /**< takes NULL */

/** Begin anew. */
void sg_digest_reset(struct sg_digest *digest);

void sg_digest_number(struct sg_digest *digest, int64_t number);
void sg_digest_text(struct sg_digest *digest, const char *text);
void sg_digest_finding(struct sg_digest *digest,
		       const struct sg_finding *finding);
void sg_digest_fingerprint(struct sg_digest *digest,
			   const struct sg_fingerprint *fingerprint);

void sg_digest_key(const struct sg_digest *digest,
		   unsigned char key[SG_REPORT_KEY]);

#endif
