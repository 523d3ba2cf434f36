/* SPDX-License-Identifier: MIT */
/* Entries matched with findings, as the findings of a base are. */
#include "gate/accept.h"

#include <stdlib.h>

struct accepting {
	const struct sg_suppressions *list;
	size_t entry_count;
	const bool *in_scope; /* of each entry; NULL: all are */
	const struct sg_sighting *open;
	size_t open_count;
	struct sg_sighting *entries; /* owned */
	bool *taken; /* owned; of each open finding */
	size_t *found; /* of each entry */
};

/* ---- entries as sightings ---------------------------------------------- */

static enum sl_code make_sighting(const struct sg_suppression *entry,
				  struct sg_sighting *sighting)
{
	const struct sg_words words = {
		.tool = entry->tool,
		.rule = entry->rule,
		.function = entry->function,
		.message = entry->message,
	};
	enum sl_code code =
		sg_fingerprint_init(&sighting->fingerprint, &words, NULL, 0);

	sighting->path = entry->path;
	sighting->line = entry->line;
	if (sg_hash_is_zero(entry->line_hash))
		return code;
	sighting->fingerprint.line = entry->line_hash;
	sighting->fingerprint.window = entry->window_hash;
	sighting->fingerprint.bare = false;
	return code;
}

static enum sl_code make_entries(struct accepting *accepting)
{
	size_t count = accepting->entry_count;

	accepting->entries = calloc(count + 1, sizeof(*accepting->entries));
	accepting->taken = calloc(accepting->open_count + 1, sizeof(bool));
	if (!accepting->entries || !accepting->taken)
		return SL_ENOMEM;
	for (size_t at = 0; at < count; at++) {
		accepting->found[at] = SG_NO_FINDING;
		if (make_sighting(sg_suppressions_at(accepting->list, at),
				  &accepting->entries[at]) != SL_OK)
			return SL_ENOMEM;
	}
	return SL_OK;
}

/* ---- matching ---------------------------------------------------------- */

/* How much of the fingerprints is looked at. */
enum way {
	WHOLE,
	BARE, /* one side had no source at hand */
	WORDS, /* the entry names no function, as one written by hand */
};

/* Those that are not done yet, and where they stood. */
struct rest {
	struct sg_sighting *sightings; /* owned */
	size_t *at; /* owned */
	size_t count;
};

static bool is_done(const struct accepting *accepting, bool entries, size_t at)
{
	if (!entries)
		return accepting->taken[at];
	return accepting->found[at] != SG_NO_FINDING ||
	       (accepting->in_scope && !accepting->in_scope[at]);
}

static void make_bare(struct sg_fingerprint *fingerprint, enum way way)
{
	if (way == WORDS)
		fingerprint->function = fingerprint->message;
	fingerprint->line = (struct sg_hash){ 0, 0 };
	fingerprint->window = (struct sg_hash){ 0, 0 };
	fingerprint->unmasked = fingerprint->function;
	fingerprint->bare = true;
}

static enum sl_code gather(const struct accepting *accepting, struct rest *rest,
			   bool entries, enum way way)
{
	const struct sg_sighting *from =
		entries ? accepting->entries : accepting->open;
	size_t count = entries ? accepting->entry_count : accepting->open_count;

	rest->sightings = calloc(count + 1, sizeof(*rest->sightings));
	rest->at = calloc(count + 1, sizeof(*rest->at));
	if (!rest->sightings || !rest->at)
		return SL_ENOMEM;
	for (size_t at = 0; at < count; at++) {
		struct sg_sighting *to = &rest->sightings[rest->count];

		if (is_done(accepting, entries, at) ||
		    (entries && way == WORDS &&
		     sg_suppressions_at(accepting->list, at)->function))
			continue;
		*to = from[at];
		if (way != WHOLE)
			make_bare(&to->fingerprint, way);
		rest->at[rest->count++] = at;
	}
	return SL_OK;
}

static void take_pairs(struct accepting *accepting, const struct rest *entries,
		       const struct rest *open, const struct sg_match *match)
{
	for (size_t at = 0; at < match->old_count; at++) {
		uint32_t partner = match->olds[at].partner;

		if (partner == SG_NO_PARTNER)
			continue;
		accepting->taken[open->at[partner]] = true;
		accepting->found[entries->at[at]] = open->at[partner];
	}
}

static enum sl_code pair(struct accepting *accepting, enum way way)
{
	struct rest entries = { .count = 0 }, open = { .count = 0 };
	struct sg_match match;
	enum sl_code code = gather(accepting, &entries, true, way);

	if (code == SL_OK)
		code = gather(accepting, &open, false, way);
	if (code == SL_OK) {
		const struct sg_match_input input = {
			.olds = entries.sightings,
			.old_count = entries.count,
			.news = open.sightings,
			.new_count = open.count,
		};

		code = sg_match_init(&match, &input);
	}
	if (code == SL_OK) {
		take_pairs(accepting, &entries, &open, &match);
		sg_match_finish(&match);
	}
	free(entries.sightings);
	free(entries.at);
	free(open.sightings);
	free(open.at);
	return code;
}

enum sl_code sg_suppressions_match(const struct sg_suppressions *list,
				   const bool *in_scope,
				   const struct sg_sighting *open, size_t count,
				   size_t *found, struct sl_error *error)
{
	struct accepting accepting = {
		.list = list,
		.entry_count = sg_suppressions_count(list),
		.in_scope = in_scope,
		.open = open,
		.open_count = count,
		.found = found,
	};
	enum sl_code code = make_entries(&accepting);

	for (enum way way = WHOLE; code == SL_OK && way <= WORDS; way++)
		code = pair(&accepting, way);
	free(accepting.entries);
	free(accepting.taken);
	return code == SL_OK
		       ? SL_OK
		       : SL_FAIL(error, code, "no memory for suppressions");
}
