/* SPDX-License-Identifier: MIT */
/* One hash over all that is stored of a report. */
#include "store/digest.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

struct sg_digest {
	XXH3_state_t *state; /* owned */
};

struct sg_digest *sg_digest_create(void)
{
	struct sg_digest *digest = calloc(1, sizeof(*digest));

	if (digest)
		digest->state = XXH3_createState();
	if (digest && digest->state) {
		sg_digest_reset(digest);
		return digest;
	}
	free(digest);
	return NULL;
}

void sg_digest_destroy(struct sg_digest *digest)
{
	if (!digest)
		return;
	XXH3_freeState(digest->state);
	free(digest);
}

void sg_digest_reset(struct sg_digest *digest)
{
	XXH3_128bits_reset(digest->state);
}

void sg_digest_number(struct sg_digest *digest, int64_t number)
{
	XXH3_128bits_update(digest->state, &number, sizeof(number));
}

/* NULL is not the same as "". */
void sg_digest_text(struct sg_digest *digest, const char *text)
{
	size_t length = text ? strlen(text) : 0;

	sg_digest_number(digest, text ? (int64_t)length : -1);
	if (length)
		XXH3_128bits_update(digest->state, text, length);
}

static void add_events(struct sg_digest *digest,
		       const struct sg_finding *finding)
{
	sg_digest_number(digest, (int64_t)finding->event_count);
	for (size_t at = 0; at < finding->event_count; at++) {
		const struct sg_event *event = &finding->events[at];
		const int64_t place[] = { event->line, event->column };

		XXH3_128bits_update(digest->state, place, sizeof(place));
		sg_digest_text(digest, event->path);
		sg_digest_text(digest, event->message);
		sg_digest_text(digest, event->function);
	}
}

void sg_digest_finding(struct sg_digest *digest,
		       const struct sg_finding *finding)
{
	const int64_t numbers[] = {
		finding->line,       finding->column,
		finding->end_line,   finding->end_column,
		finding->severity,   finding->cwe,
		finding->repeats,    finding->inconclusive,
		finding->suppressed, (int64_t)finding->unit_count,
	};

	XXH3_128bits_update(digest->state, numbers, sizeof(numbers));
	sg_digest_text(digest, finding->tool);
	sg_digest_text(digest, finding->tool_version);
	sg_digest_text(digest, finding->rule);
	sg_digest_text(digest, finding->path);
	sg_digest_text(digest, finding->function);
	sg_digest_text(digest, finding->severity_word);
	sg_digest_text(digest, finding->message);
	sg_digest_text(digest, finding->verbose);
	add_events(digest, finding);
	for (size_t at = 0; at < finding->unit_count; at++)
		sg_digest_text(digest, finding->units[at]);
}

void sg_digest_fingerprint(struct sg_digest *digest,
			   const struct sg_fingerprint *fingerprint)
{
	const struct sg_hash hashes[] = {
		fingerprint->message, fingerprint->function, fingerprint->line,
		fingerprint->window,  fingerprint->unmasked,
	};

	XXH3_128bits_update(digest->state, hashes, sizeof(hashes));
}

void sg_digest_key(const struct sg_digest *digest,
		   unsigned char key[SG_REPORT_KEY])
{
	XXH128_canonical_t hash;

	XXH128_canonicalFromHash(&hash, XXH3_128bits_digest(digest->state));
	key[0] = 'R';
	key[1] = SG_FINGERPRINT_VERSION;
	memcpy(key + 2, hash.digest, sizeof(hash.digest));
}
