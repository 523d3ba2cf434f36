/* SPDX-License-Identifier: MIT */
/* Hashes of what is run. XXH3 of 128 bits over fields with their lengths; where
 * the real root stood is one byte that no word begins a path with. */
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "run/remap.h"
#include "run/unit_flags.h"

/* Goes up whenever the commands that are made of the same words change. */
enum { COMMANDS_VERSION = 1 };

static void put_number(XXH3_state_t *state, uint64_t number)
{
	uint64_t little = SL_LITTLE_64(number);

	XXH3_128bits_update(state, &little, sizeof(little));
}

static void put_text(XXH3_state_t *state, const char *text)
{
	size_t length = text ? strlen(text) : 0;

	put_number(state, length + (text != NULL));
	XXH3_128bits_update(state, text, length);
}

static void put_mapped(XXH3_state_t *state, const char *word, const char *root)
{
	const char *from = word, *at;

	while (root && (at = sg_remap_find(word, from, root))) {
		put_number(state, (uint64_t)(at - from));
		XXH3_128bits_update(state, from, (size_t)(at - from));
		put_number(state, UINT64_MAX);
		from = at + strlen(root);
	}
	put_text(state, from);
}

static struct sg_hash finish(const XXH3_state_t *state)
{
	XXH128_hash_t hash = XXH3_128bits_digest(state);

	return (struct sg_hash){ hash.high64, hash.low64 };
}

struct sg_hash sg_unit_hash(const struct sg_unit *unit, const char *root)
{
	const char *const *words = sg_unit_flags(unit);
	XXH3_state_t state;

	XXH3_128bits_reset(&state);
	put_number(&state, COMMANDS_VERSION);
	put_mapped(&state, unit->source, root);
	put_mapped(&state, unit->directory, root);
	put_mapped(&state, sg_unit_compiler(unit), root);
	put_number(&state, unit->language);
	while (*words) {
		struct sg_flag flag;

		sg_flag_next(&words, &flag);
		if (flag.kind == SG_FLAG_OUTPUT || flag.kind == SG_FLAG_INPUT)
			continue;
		put_mapped(&state, flag.word, root);
		if (flag.separate)
			put_mapped(&state, flag.value, root);
	}
	return finish(&state);
}

static void put_texts(XXH3_state_t *state, const char *const *texts)
{
	size_t count = 0;

	while (texts && texts[count])
		count++;
	put_number(state, texts ? count + 1 : 0);
	for (size_t at = 0; at < count; at++)
		put_text(state, texts[at]);
}

struct sg_hash sg_analyzer_hash(const struct sg_analyzer *analyzer)
{
	const int *statuses = analyzer->statuses;
	XXH3_state_t state;

	XXH3_128bits_reset(&state);
	put_number(&state, COMMANDS_VERSION);
	put_text(&state, analyzer->name);
	put_texts(&state, analyzer->command);
	put_texts(&state, analyzer->version);
	put_text(&state, analyzer->format->name);
	put_number(&state, analyzer->output);
	put_number(&state, analyzer->once);
	for (; statuses && *statuses >= 0; statuses++)
		put_number(&state, (uint64_t)*statuses);
	return finish(&state);
}
