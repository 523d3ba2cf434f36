/* SPDX-License-Identifier: MIT */
/* Fields go to XXH3's stream one by one; a hash that starts with the fields of
 * another continues a copy of its state. */
#include "match/fingerprint.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "match/mask.h"

enum { WINDOW_LINES = 2, SHORT_MESSAGE = 512, SHORT_TOKEN = 256 };

/* Stands in the stream: hashes of different kinds never meet. */
enum kind {
	KIND_MESSAGE = 1,
	KIND_FUNCTION,
	KIND_LINE,
	KIND_WINDOW,
	KIND_PATH,
	KIND_JOIN,
	KIND_UNMASKED,
};

static void put_number(XXH3_state_t *state, uint64_t number)
{
	uint64_t little = SL_LITTLE_64(number);

	XXH3_128bits_update(state, &little, sizeof(little));
}

static void put_bytes(XXH3_state_t *state, const char *bytes, size_t length)
{
	put_number(state, length);
	XXH3_128bits_update(state, bytes, length);
}

static void put_text(XXH3_state_t *state, const char *text)
{
	put_bytes(state, text ? text : "", text ? strlen(text) : 0);
}

static void start(XXH3_state_t *state)
{
	XXH3_128bits_reset(state);
	put_number(state, SG_FINGERPRINT_VERSION);
}

/* The kind comes last, so that kinds can share what stands before it. */
static struct sg_hash finish(const XXH3_state_t *state, enum kind kind)
{
	XXH3_state_t last = *state;
	XXH128_hash_t hash;

	put_number(&last, kind);
	hash = XXH3_128bits_digest(&last);
	return (struct sg_hash){ hash.high64, hash.low64 };
}

/* A token with a backslash-newline in it is copied without; few have one. */
static enum sl_code put_spliced(XXH3_state_t *state,
				const struct sg_source *source,
				const struct sg_token *token)
{
	char small[SHORT_TOKEN];
	char *copy = small;

	if (token->length > sizeof(small)) {
		copy = malloc(token->length);
		if (!copy)
			return SL_ENOMEM;
	}
	put_bytes(state, copy, sg_token_copy(source, token, copy));
	if (copy != small)
		free(copy);
	return SL_OK;
}

static enum sl_code put_tokens(XXH3_state_t *state,
			       const struct sg_source *source,
			       struct sg_token_span span)
{
	enum sl_code code = SL_OK;

	put_number(state, span.count);
	for (size_t at = 0; at < span.count && code == SL_OK; at++) {
		const struct sg_token *token = &span.tokens[at];

		if (token->spliced)
			code = put_spliced(state, source, token);
		else
			put_bytes(state, source->text + token->offset,
				  token->length);
	}
	return code;
}

/* A message masked, then hashed with its rule. */
static enum sl_code put_message(XXH3_state_t *state, const char *message)
{
	size_t length = message ? strlen(message) : 0;
	char small[SHORT_MESSAGE];
	char *masked = small;

	if (length > sizeof(small)) {
		masked = malloc(length);
		if (!masked)
			return SL_ENOMEM;
	}
	put_bytes(state, masked,
		  sg_mask(message ? message : "", length, masked));
	if (masked != small)
		free(masked);
	return SL_OK;
}

/* What needs the source. @p rule: tool and rule have been put; @p said: then
 * message and function. */
static enum sl_code add_source(struct sg_fingerprint *fingerprint,
			       const XXH3_state_t *rule, XXH3_state_t *said,
			       const struct sg_source *source, int64_t line)
{
	struct sg_token_span window =
		sg_source_window(source, line, WINDOW_LINES);
	XXH3_state_t state = *rule;
	enum sl_code code;

	code = put_tokens(said, source, sg_source_line(source, line));
	if (code != SL_OK)
		return code;
	fingerprint->line = finish(said, KIND_LINE);
	if (window.count > 0) {
		code = put_tokens(&state, source, window);
		fingerprint->window = finish(&state, KIND_WINDOW);
	}
	return code;
}

enum sl_code sg_fingerprint_init(struct sg_fingerprint *fingerprint,
				 const struct sg_words *words,
				 const struct sg_source *source, int64_t line)
{
	XXH3_state_t rule, said;
	enum sl_code code;

	*fingerprint = (struct sg_fingerprint){ .bare = !source };
	start(&rule);
	put_text(&rule, words->tool);
	put_text(&rule, words->rule);
	said = rule;
	code = put_message(&said, words->message);
	if (code != SL_OK)
		return code;
	fingerprint->message = finish(&said, KIND_MESSAGE);
	put_text(&said, words->function);
	fingerprint->function = finish(&said, KIND_FUNCTION);
	if (source)
		code = add_source(fingerprint, &rule, &said, source, line);
	put_text(&said, words->message);
	fingerprint->unmasked = finish(&said, KIND_UNMASKED);
	return code;
}

struct sg_hash sg_hash_path(const char *path)
{
	XXH3_state_t state;

	start(&state);
	put_text(&state, path);
	return finish(&state, KIND_PATH);
}

struct sg_hash sg_hash_join(struct sg_hash hash, struct sg_hash path)
{
	const uint64_t bytes[] = {
		SL_LITTLE_64((uint64_t)SG_FINGERPRINT_VERSION),
		SL_LITTLE_64((uint64_t)KIND_JOIN),
		SL_LITTLE_64(hash.high),
		SL_LITTLE_64(hash.low),
		SL_LITTLE_64(path.high),
		SL_LITTLE_64(path.low),
	};
	XXH128_hash_t joined = XXH3_128bits(bytes, sizeof(bytes));

	return (struct sg_hash){ joined.high64, joined.low64 };
}

struct sg_keys sg_fingerprint_keys(const struct sg_fingerprint *fingerprint,
				   const char *path)
{
	struct sg_hash at = sg_hash_path(path);
	struct sg_keys keys = {
		.k3 = sg_hash_join(fingerprint->function, at),
	};

	if (fingerprint->bare)
		return keys;
	keys.k1 = sg_hash_join(fingerprint->line, at);
	keys.k2 = fingerprint->line;
	if (!sg_hash_is_zero(fingerprint->window))
		keys.k4 = sg_hash_join(fingerprint->window, at);
	return keys;
}

void sg_hash_format(struct sg_hash hash, char text[SG_HASH_TEXT])
{
	for (int digit = 0; digit < 32; digit++) {
		uint64_t half = digit < 16 ? hash.high : hash.low;

		text[digit] =
			"0123456789abcdef"[half >> (60 - digit % 16 * 4) & 0xf];
	}
	text[32] = '\0';
}
