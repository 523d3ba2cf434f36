/* SPDX-License-Identifier: MIT */
/* Keys as chains: each step hashes the hash so far with what is added, so a key
 * needs no state of a kilobyte, and no separators. */
#include "gate/key.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { OF_NULL, OF_BYTES, OF_HASH, OF_NUMBER };

/* What is added is hashed by itself, and then with the hash so far. */
static void chain(struct sg_key *key, uint64_t kind, const void *bytes,
		  size_t length)
{
	XXH128_hash_t own = XXH3_128bits(bytes, length);
	const uint64_t fields[] = { key->hash.high, key->hash.low, kind,
				    length,         own.high64,    own.low64 };
	XXH128_hash_t hash = XXH3_128bits(fields, sizeof(fields));

	key->hash = (struct sg_hash){ hash.high64, hash.low64 };
}

void sg_key_init(struct sg_key *key, const char *kind)
{
	key->hash = (struct sg_hash){ 0, 0 };
	sg_key_text(key, kind);
}

void sg_key_bytes(struct sg_key *key, const void *bytes, size_t length)
{
	chain(key, OF_BYTES, bytes, length);
}

void sg_key_text(struct sg_key *key, const char *text)
{
	chain(key, text ? OF_BYTES : OF_NULL, text ? text : "",
	      text ? strlen(text) : 0);
}

void sg_key_hash(struct sg_key *key, struct sg_hash hash)
{
	const uint64_t fields[] = { hash.high, hash.low };

	chain(key, OF_HASH, fields, sizeof(fields));
}

void sg_key_number(struct sg_key *key, uint64_t number)
{
	chain(key, OF_NUMBER, &number, sizeof(number));
}
