/* SPDX-License-Identifier: MIT */
/* The tracked file of suppressions, matched with what a run has open. An entry
 * is a finding as it was, so it is matched as one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gate/suppressions.h"
#include "store/import.h"
#include "store/sightings.h"

struct suppressing {
	struct sg_store *store;
	struct sl_error *error;
	const struct sg_suppressions *list; /* borrowed */
	struct sg_paths paths;
	struct sg_sightings open;
	struct sg_sighting *entries; /* owned */
	int64_t *findings; /* owned; of each entry; 0: none yet */
	bool *taken; /* owned; of each open finding */
	size_t count; /* of entries */
};

static enum sl_code no_memory(struct suppressing *suppressing)
{
	return SL_FAIL(suppressing->error, SL_ENOMEM,
		       "no memory for suppressions");
}

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

static enum sl_code make_entries(struct suppressing *suppressing)
{
	const struct sg_suppressions *list = suppressing->list;
	size_t count = suppressing->count;

	suppressing->entries = calloc(count, sizeof(*suppressing->entries));
	suppressing->findings = calloc(count, sizeof(*suppressing->findings));
	suppressing->taken = calloc(suppressing->open.count + 1, sizeof(bool));
	if (!suppressing->entries || !suppressing->findings ||
	    !suppressing->taken)
		return no_memory(suppressing);
	for (size_t at = 0; at < count; at++)
		if (make_sighting(sg_suppressions_at(list, at),
				  &suppressing->entries[at]) != SL_OK)
			return no_memory(suppressing);
	return SL_OK;
}

/* ---- matching ---------------------------------------------------------- */

/* How much of the fingerprints is looked at. */
enum way {
	WHOLE,
	BARE, /* one side had no source at hand */
	WORDS, /* the entry names no function, as one written by hand */
};

/* Those of @p from that are not @p done, and where they stood. */
struct rest {
	struct sg_sighting *sightings; /* owned */
	size_t *at; /* owned */
	size_t count;
};

static bool is_done(const struct suppressing *suppressing, bool entries,
		    size_t at)
{
	return entries ? suppressing->findings[at] != 0
		       : suppressing->taken[at];
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

static enum sl_code gather(struct suppressing *suppressing, struct rest *rest,
			   bool entries, enum way way)
{
	const struct sg_sighting *from =
		entries ? suppressing->entries : suppressing->open.sightings;
	size_t count = entries ? suppressing->count : suppressing->open.count;

	rest->sightings = calloc(count + 1, sizeof(*rest->sightings));
	rest->at = calloc(count + 1, sizeof(*rest->at));
	if (!rest->sightings || !rest->at)
		return no_memory(suppressing);
	for (size_t at = 0; at < count; at++) {
		struct sg_sighting *to = &rest->sightings[rest->count];

		if (is_done(suppressing, entries, at) ||
		    (entries && way == WORDS &&
		     sg_suppressions_at(suppressing->list, at)->function))
			continue;
		*to = from[at];
		if (way != WHOLE)
			make_bare(&to->fingerprint, way);
		rest->at[rest->count++] = at;
	}
	return SL_OK;
}

static void take_pairs(struct suppressing *suppressing,
		       const struct rest *entries, const struct rest *open,
		       const struct sg_match *match)
{
	for (size_t at = 0; at < match->old_count; at++) {
		uint32_t partner = match->olds[at].partner;
		size_t found;

		if (partner == SG_NO_PARTNER)
			continue;
		found = open->at[partner];
		suppressing->taken[found] = true;
		suppressing->findings[entries->at[at]] =
			suppressing->open.rows[found].finding;
	}
}

static enum sl_code pair(struct suppressing *suppressing, enum way way)
{
	struct rest entries = { .count = 0 }, open = { .count = 0 };
	struct sg_match match;
	struct sg_match_input input = { .map = NULL };
	enum sl_code code = gather(suppressing, &entries, true, way);

	if (code == SL_OK)
		code = gather(suppressing, &open, false, way);
	if (code == SL_OK) {
		input.olds = entries.sightings;
		input.old_count = entries.count;
		input.news = open.sightings;
		input.new_count = open.count;
		code = sg_match_init(&match, &input);
		if (code == SL_OK) {
			take_pairs(suppressing, &entries, &open, &match);
			sg_match_finish(&match);
		} else {
			code = no_memory(suppressing);
		}
	}
	free(entries.sightings);
	free(entries.at);
	free(open.sightings);
	free(open.at);
	return code;
}

/* ---- writing ----------------------------------------------------------- */

static bool has_expired(const struct suppressing *suppressing,
			const char *until)
{
	time_t now = (time_t)suppressing->store->import->time;
	struct tm parts;
	char today[16];

	if (!until || !gmtime_r(&now, &parts) ||
	    !strftime(today, sizeof(today), "%Y-%m-%d", &parts))
		return false;
	return strcmp(until, today) < 0;
}

static enum sl_code write_entry(struct suppressing *suppressing,
				const struct sg_suppression *entry,
				int64_t finding)
{
	struct sg_store *store = suppressing->store;
	const char *state = "active";
	int64_t speaks = 0;
	enum sl_code code = SL_OK;

	if (!finding)
		code = SG_ASK(store, suppressing->error, &speaks, SG_SQL_speaks,
			      sg_number(store->import->run),
			      sg_text(entry->tool));
	if (code != SL_OK)
		return code;
	if (!finding)
		state = speaks ? "unused" : "unchecked";
	else if (has_expired(suppressing, entry->until))
		state = "expired";
	return SG_DO(
		suppressing->store, suppressing->error, SG_SQL_add_suppression,
		sg_number(suppressing->store->import->run),
		sg_number(entry->position), sg_text(entry->tool),
		sg_text(entry->rule ? entry->rule : ""), sg_text(entry->path),
		sg_number_given(entry->line), sg_text(entry->message),
		sg_text(entry->reason), sg_text(entry->until), sg_text(state),
		sg_number_given(finding));
}

static enum sl_code suppress(struct suppressing *suppressing)
{
	const struct sg_suppressions *list = suppressing->list;
	struct sg_store *store = suppressing->store;
	enum sl_code code =
		sg_paths_load(&suppressing->paths, store, suppressing->error);

	if (code == SL_OK)
		code = sg_sightings_open_in(
			&suppressing->open, store, &suppressing->paths,
			store->import->run, suppressing->error);
	if (code == SL_OK)
		code = make_entries(suppressing);
	for (enum way way = WHOLE; code == SL_OK && way <= WORDS; way++)
		code = pair(suppressing, way);
	for (size_t at = 0; code == SL_OK && at < suppressing->count; at++)
		code = write_entry(suppressing, sg_suppressions_at(list, at),
				   suppressing->findings[at]);
	return code;
}

enum sl_code sg_import_suppress(struct sg_store *store, struct sl_error *error)
{
	const struct sg_suppressions *list = store->import->start.suppressions;
	struct suppressing suppressing = { .store = store,
					   .error = error,
					   .list = list };
	enum sl_code code;

	suppressing.count = list ? sg_suppressions_count(list) : 0;
	if (!suppressing.count)
		return SL_OK;
	code = suppress(&suppressing);
	sg_sightings_finish(&suppressing.open);
	sg_paths_finish(&suppressing.paths);
	free(suppressing.entries);
	free(suppressing.findings);
	free(suppressing.taken);
	return code;
}
