/* SPDX-License-Identifier: MIT */
/** @file
 * Keys: hashes over texts and hashes that cannot be read in two ways.
 */
#ifndef SG_GATE_KEY_H
#define SG_GATE_KEY_H

#include <stddef.h>
#include <stdint.h>

#include "match/fingerprint.h"

/** A key that is being made. Starts as what its kind's text gives. */
struct sg_key {
	struct sg_hash hash;
};

void sg_key_init(struct sg_key *key, const char *kind);
/** NULL is not the same as "". */
void sg_key_text(struct sg_key *key, const char *text);
void sg_key_bytes(struct sg_key *key, const void *bytes, size_t length);
void sg_key_hash(struct sg_key *key, struct sg_hash hash);
void sg_key_number(struct sg_key *key, uint64_t number);

#endif
