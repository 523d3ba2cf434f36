/* SPDX-License-Identifier: MIT */
/** @file
 * Fingerprints: what of a finding survives edits of the code around it.
 *
 *     K1 = (rule, path, function, message, the line's tokens)
 *     K2 = K1 without path
 *     K3 = (rule, path, function, message)
 *     K4 = (rule, path, the tokens of two lines around, and of the line)
 *
 * A rule is a tool's: (tool, id). The message is masked (mask.h), the tokens
 * are without comments and white space (tokens.h). A finding whose revision's
 * source is not at hand has a *bare* fingerprint: K3 alone.
 *
 * The hashes are XXH3 of 128 bits over a serialisation that cannot be read in
 * two ways: the version, the kind of hash, then each field as its length (8
 * bytes, lowest first) and its bytes; of tokens first their number. A path
 * comes last, by hashing the hash without it once more: a renamed file needs
 * no source to get the new keys (sg_hash_join). NULL is the same as "".
 * Hashes of different SG_FINGERPRINT_VERSION must not be compared.
 */
#ifndef SG_MATCH_FINGERPRINT_H
#define SG_MATCH_FINGERPRINT_H

#include <stdbool.h>
#include <stdint.h>

#include "match/tokens.h"
#include "sluice/defs.h"
#include "sluice/error.h"

/** Goes up with every change of masking, tokens or serialisation. */
#define SG_FINGERPRINT_VERSION 1

struct sg_hash {
	uint64_t high, low;
};

/** What a tool said, and of what. All borrowed; NULL: not given. */
struct sg_words {
	const char *tool;
	const char *rule;
	const char *function; /**< enclosing; the tool's, else function.h's */
	const char *message; /**< as it was said: masked here */
};

/** The hashes, all without the path. Those below the line are zero if bare. */
struct sg_fingerprint {
	struct sg_hash message; /**< tool, rule, message */
	struct sg_hash function; /**< and function: K3 without path */
	/* ---- */
	struct sg_hash line; /**< and the line's tokens: K2 */
	struct sg_hash window; /**< tool, rule, tokens around: K4 without path;
				    zero if there are no tokens */
	/* Prefers, among equals, the one that has not changed at all. */
	struct sg_hash unmasked; /**< `line`, but the message as it was said;
				      of a bare one `function` so */
	bool bare;
};

/** Compute a fingerprint. @p source: of the finding's revision and path; NULL:
 * not at hand, the fingerprint is bare. @p line: from 1; one that is not in
 * the file has no tokens. Thread-safe. @return SL_OK; SL_ENOMEM. */
enum sl_code sg_fingerprint_init(struct sg_fingerprint *fingerprint,
				 const struct sg_words *words,
				 const struct sg_source *source,
				 int64_t line) SL_MUST_CHECK;

struct sg_keys {
	struct sg_hash k1, k2, k3, k4; /**< zero: there is none */
};

/** The keys of a finding at @p path, as they are stored. */
struct sg_keys sg_fingerprint_keys(const struct sg_fingerprint *fingerprint,
				   const char *path);

/** @return the hash of a path, for sg_hash_join(). */
struct sg_hash sg_hash_path(const char *path);

/** @return the hash of @p hash at a path: K1 from `line`, K3 from `function`,
 * K4 from `window`. */
struct sg_hash sg_hash_join(struct sg_hash hash, struct sg_hash path);

static inline bool sg_hash_equal(struct sg_hash a, struct sg_hash b)
{
	return a.high == b.high && a.low == b.low;
}

static inline bool sg_hash_is_zero(struct sg_hash hash)
{
	return hash.high == 0 && hash.low == 0;
}

/** @return negative, 0, positive: the order of the hashes' text. */
static inline int sg_hash_order(struct sg_hash a, struct sg_hash b)
{
	if (a.high != b.high)
		return a.high < b.high ? -1 : 1;
	return (a.low > b.low) - (a.low < b.low);
}

/** Bytes of a hash's text with its NUL. */
#define SG_HASH_TEXT 33

/** Write a hash as 32 hexadecimal digits, highest first. */
void sg_hash_format(struct sg_hash hash, char text[SG_HASH_TEXT]);

#endif
