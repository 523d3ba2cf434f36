/* SPDX-License-Identifier: MIT */
/* A ring of copies of findings, oldest first, and a hash table over it. */
#include "read/fold.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/arena.h"
#include "read/copy.h"

enum { BUCKETS = 2 * SG_FOLD_FINDINGS }; /* a power of two */

/* Equal hashes of 128 bits are equal findings. */
struct held {
	struct held *next; /* in its bucket */
	XXH128_hash_t key;
	struct sl_arena arena; /* all that the finding points to */
	struct sg_finding finding;
	size_t size; /* bytes */
};

struct sg_fold {
	sg_finding_fn *take;
	void *context; /* borrowed */
	struct held ring[SG_FOLD_FINDINGS];
	size_t first, count;
	size_t bytes; /* of all that are held */
	struct held *buckets[BUCKETS];
};

struct sg_fold *sg_fold_create(sg_finding_fn *take, void *context)
{
	struct sg_fold *fold = calloc(1, sizeof(*fold));

	if (fold) {
		fold->take = take;
		fold->context = context;
	}
	return fold;
}

bool sg_fold_is_dynamic(const struct sg_finding *finding)
{
	static const char *const tools[] = {
		"valgrind",    "memcheck", "helgrind", "drd",
		"exp-sgcheck", "asan",     "hwasan",   "lsan",
		"msan",        "tsan",     "ubsan",    "libfuzzer",
	};

	for (size_t at = 0; at < sizeof(tools) / sizeof(tools[0]); at++)
		if (strcmp(finding->tool, tools[at]) == 0)
			return true;
	return false;
}

/* ---- the key ---------------------------------------------------------- */

static void put_text(XXH3_state_t *state, const char *text)
{
	uint64_t length = text ? strlen(text) : UINT64_MAX;

	XXH3_128bits_update(state, &length, sizeof(length));
	if (text)
		XXH3_128bits_update(state, text, (size_t)length);
}

static void put_number(XXH3_state_t *state, int64_t number)
{
	XXH3_128bits_update(state, &number, sizeof(number));
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static size_t number_length(const char *text)
{
	size_t length = strspn(text, "0123456789");

	if (text[0] == '0' && text[1] == 'x')
		length = 2 + strspn(text + 2, "0123456789abcdefABCDEF");
	return length;
}

/* The words of a message: what stands between its numbers. */
static void put_words(XXH3_state_t *state, const char *text)
{
	while (text && *text) {
		size_t words = strcspn(text, "0123456789");

		XXH3_128bits_update(state, text, words);
		text += words;
		if (is_digit(*text))
			XXH3_128bits_update(state, "", 1);
		text += number_length(text);
	}
}

static XXH128_hash_t key_of(const struct sg_finding *finding)
{
	bool placed = finding->line > 0;
	XXH3_state_t state;

	XXH3_128bits_reset(&state);
	put_text(&state, finding->tool);
	put_text(&state, finding->rule);
	put_text(&state, finding->path);
	put_text(&state, finding->function);
	put_number(&state, finding->line);
	put_number(&state, finding->column);
	put_number(&state, finding->suppressed);
	for (size_t at = 0; at < finding->event_count; at++) {
		const struct sg_event *event = &finding->events[at];

		put_text(&state, event->path);
		put_text(&state, event->function);
		put_number(&state, event->line);
		put_number(&state, event->column);
	}
	if (placed)
		put_words(&state, finding->message);
	else
		put_text(&state, finding->message);
	return XXH3_128bits_digest(&state);
}

/* ---- the ring --------------------------------------------------------- */

static struct held **bucket_of(struct sg_fold *fold, XXH128_hash_t key)
{
	return &fold->buckets[key.low64 & (BUCKETS - 1)];
}

/* The oldest leaves. */
static void drop(struct sg_fold *fold)
{
	struct held *held = &fold->ring[fold->first];
	struct held **link = bucket_of(fold, held->key);

	while (*link != held)
		link = &(*link)->next;
	*link = held->next;
	sl_arena_finish(&held->arena);
	fold->bytes -= held->size;
	fold->first = (fold->first + 1) % SG_FOLD_FINDINGS;
	fold->count--;
}

static enum sl_code hand_on(struct sg_fold *fold, struct sl_error *error)
{
	enum sl_code code = fold->take(fold->context,
				       &fold->ring[fold->first].finding, error);

	drop(fold);
	return code;
}

enum sl_code sg_fold_add(struct sg_fold *fold, const struct sg_finding *finding,
			 struct sl_error *error)
{
	XXH128_hash_t key = key_of(finding);
	struct held **bucket = bucket_of(fold, key);
	enum sl_code code = SL_OK;
	struct held *held;

	for (held = *bucket; held; held = held->next)
		if (XXH128_isEqual(held->key, key)) {
			held->finding.repeats += finding->repeats;
			return SL_OK;
		}
	if (fold->count == SG_FOLD_FINDINGS)
		code = hand_on(fold, error);
	if (code != SL_OK)
		return code;
	held = &fold->ring[(fold->first + fold->count) % SG_FOLD_FINDINGS];
	held->size = 0;
	if (!sg_finding_copy(finding, &held->arena, &held->finding,
			     &held->size)) {
		sl_arena_finish(&held->arena);
		return SL_FAIL(error, SL_ENOMEM, "no memory for a finding");
	}
	held->key = key;
	held->next = *bucket;
	*bucket = held;
	fold->count++;
	fold->bytes += held->size;
	while (code == SL_OK && fold->bytes > SG_FOLD_BYTES && fold->count > 1)
		code = hand_on(fold, error);
	return code;
}

enum sl_code sg_fold_flush(struct sg_fold *fold, struct sl_error *error)
{
	enum sl_code code = SL_OK;

	while (code == SL_OK && fold->count)
		code = hand_on(fold, error);
	return code;
}

void sg_fold_destroy(struct sg_fold *fold)
{
	if (!fold)
		return;
	while (fold->count)
		drop(fold);
	free(fold);
}
