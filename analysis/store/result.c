/* SPDX-License-Identifier: MIT */
/* A result: the findings of one report, stored once however often it comes. */
#include <stdio.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "store/import.h"

bool sg_rule_gives_up(const char *rule)
{
	static const char *const limits[] = {
		"toomanyconfigs",
		"-Wanalyzer-too-complex",
		"analyzer-too-complex",
	};

	for (size_t at = 0; rule && at < sizeof(limits) / sizeof(limits[0]);
	     at++)
		if (strcmp(rule, limits[at]) == 0)
			return true;
	return false;
}

/* ---- a finding --------------------------------------------------------- */

/* Ids of what a finding names. */
struct names {
	int64_t rule, file;
};

static enum sl_code note_tool(struct sg_store *store, const char *name,
			      const char *version, int64_t *tool,
			      struct sl_error *error)
{
	enum sl_code code = sg_import_tool(store, name, tool, error);

	if (!version)
		version = "";
	if (code == SL_OK &&
	    !sg_import_has_noted(store->import, *tool, version))
		code = SG_DO(store, error, SG_SQL_add_result_tool,
			     sg_number(store->import->result.id),
			     sg_number(*tool), sg_text(version));
	return code;
}

static enum sl_code find_names(struct sg_store *store,
			       const struct sg_finding *finding,
			       struct names *names, struct sl_error *error)
{
	int64_t tool;
	enum sl_code code = note_tool(store, finding->tool,
				      finding->tool_version, &tool, error);

	if (code == SL_OK)
		code = sg_import_rule(store, tool, finding->rule, &names->rule,
				      error);
	if (code == SL_OK)
		code = sg_import_file(store, finding->path, &names->file,
				      error);
	return code;
}

/* Of what makes two reports of a run equal. */
static struct sg_hash equality_of(const struct sg_finding *finding,
				  const struct names *names)
{
	const int64_t fields[4] = { names->rule, names->file, finding->line,
				    finding->column };
	XXH128_hash_t place = XXH3_128bits(fields, sizeof(fields));
	XXH128_hash_t words = XXH3_128bits_withSeed(
		finding->message, strlen(finding->message), place.low64);

	return (struct sg_hash){ words.high64 ^ place.high64, words.low64 };
}

static enum sl_code add_events(struct sg_store *store, int64_t occurrence,
			       const struct sg_finding *finding,
			       struct sl_error *error)
{
	enum sl_code code = SL_OK;

	for (size_t at = 0; code == SL_OK && at < finding->event_count; at++) {
		const struct sg_event *event = &finding->events[at];
		int64_t file;

		code = sg_import_file(store, event->path, &file, error);
		if (code == SL_OK)
			code = sg_occurrences_add_event(
				store, &store->import->result.occurrences,
				occurrence, at, event, file, error);
	}
	return code;
}

static enum sl_code add_units(struct sg_store *store, int64_t occurrence,
			      const struct sg_finding *finding,
			      struct sl_error *error)
{
	enum sl_code code = SL_OK;

	for (size_t at = 0; code == SL_OK && at < finding->unit_count; at++) {
		int64_t file;

		code = sg_import_file(store, finding->units[at], &file, error);
		if (code != SL_OK || !file)
			continue;
		if (!sg_import_has_noted_unit(store->import, file))
			code = SG_DO(store, error, SG_SQL_add_unit,
				     sg_number(store->import->result.id),
				     sg_number(file));
		if (code == SL_OK)
			code = sg_occurrences_add_unit(
				store, &store->import->result.occurrences,
				occurrence, file, error);
	}
	return code;
}

static enum sl_code add_first(struct sg_store *store,
			      const struct sg_finding *finding,
			      const struct names *names, int64_t *occurrence,
			      struct sl_error *error)
{
	struct sg_open_result *result = &store->import->result;
	struct sg_found found = { .rule = names->rule, .file = names->file };
	enum sl_code code = sg_import_fingerprint(
		store, finding, &found.fingerprint, &found.function, error);

	if (code != SL_OK)
		return code;
	sg_digest_text(result->digest, found.function);
	sg_digest_fingerprint(result->digest, &found.fingerprint);
	code = sg_occurrences_add(store, &result->occurrences, finding, &found,
				  occurrence, error);
	return code == SL_OK ? add_events(store, *occurrence, finding, error)
			     : code;
}

static enum sl_code add(struct sg_store *store,
			const struct sg_finding *finding,
			struct sl_error *error)
{
	struct names names;
	struct sg_seen_slot *slot;
	enum sl_code code = find_names(store, finding, &names, error);

	if (code != SL_OK)
		return code;
	slot = sg_seen_slot(&store->import->result.seen,
			    equality_of(finding, &names));
	if (!slot)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a finding");
	if (slot->id)
		code = sg_occurrences_repeat(store,
					     &store->import->result.occurrences,
					     slot->id, finding, error);
	else
		code = add_first(store, finding, &names, &slot->id, error);
	return code == SL_OK ? add_units(store, slot->id, finding, error)
			     : code;
}

/* ---- the result -------------------------------------------------------- */

static enum sl_code open_result(struct sg_store *store, struct sl_error *error)
{
	struct sg_open_result *result = &store->import->result;
	enum sl_code code = sg_sql_do(store, SG_SQL_save, NULL, 0, error);

	if (code == SL_OK)
		code = sg_sql_do(store, SG_SQL_add_result, NULL, 0, error);
	if (code != SL_OK)
		return code;
	result->id = sqlite3_last_insert_rowid(store->db);
	result->gave_up = false;
	sg_digest_reset(result->digest);
	return sg_occurrences_start(store, &result->occurrences, result->id,
				    error);
}

void sg_result_drop(struct sg_import *import)
{
	sg_seen_finish(&import->result.seen);
	sg_occurrences_finish(&import->result.occurrences);
	import->result.id = 0;
}

enum sl_code sg_result_undo(struct sg_store *store, struct sl_error *error)
{
	enum sl_code code = SL_OK;

	if (store->import->result.id) {
		code = sg_sql_do(store, SG_SQL_rewind, NULL, 0, error);
		if (code == SL_OK)
			code = sg_sql_do(store, SG_SQL_release, NULL, 0, error);
		sg_import_forget_names(store->import);
	}
	sg_result_drop(store->import);
	return code;
}

enum sl_code sg_result_add(struct sg_store *store,
			   const struct sg_finding *finding,
			   struct sl_error *error)
{
	struct sg_open_result *result = &store->import->result;
	enum sl_code code = result->id ? SL_OK : open_result(store, error);

	if (code != SL_OK)
		return code;
	if (sg_rule_gives_up(finding->rule) && !result->gave_up) {
		result->gave_up = true;
		snprintf(result->limit, sizeof(result->limit), "%s",
			 finding->rule);
	}
	sg_digest_finding(result->digest, finding);
	return add(store, finding, error);
}

static void worsen(struct sg_import *import, enum sg_run_state state,
		   const char *note)
{
	if (state <= import->state)
		return;
	import->state = state;
	snprintf(import->note, sizeof(import->note), "%s", note ? note : "");
}

/* Give the open result its key, or give way to the one that has it. */
static enum sl_code keep(struct sg_store *store, enum sg_run_state state,
			 const char *note, struct sl_error *error)
{
	struct sg_open_result *result = &store->import->result;
	unsigned char key[SG_REPORT_KEY];
	int64_t other;
	enum sl_code code;

	sg_digest_number(result->digest, state);
	sg_digest_text(result->digest, note);
	sg_digest_key(result->digest, key);
	code = SG_ASK(store, error, &other, SG_SQL_find_result,
		      sg_bytes(key, sizeof(key)));
	if (code != SL_OK)
		return code;
	if (!other)
		return SG_DO(store, error, SG_SQL_end_result,
			     sg_number(result->id), sg_bytes(key, sizeof(key)),
			     sg_text(sg_run_state_text(state)), sg_text(note));
	result->id = other;
	sg_import_forget_names(store->import);
	return sg_sql_do(store, SG_SQL_rewind, NULL, 0, error);
}

/* The tool is noted here too, for it may have found nothing. */
static enum sl_code note_end(struct sg_store *store,
			     const struct sg_result_end *end,
			     struct sl_error *error)
{
	int64_t tool;

	sg_digest_text(store->import->result.digest, end->tool);
	sg_digest_text(store->import->result.digest, end->tool_version);
	return end->tool ? note_tool(store, end->tool, end->tool_version, &tool,
				     error)
			 : SL_OK;
}

enum sl_code sg_result_end(struct sg_store *store,
			   const struct sg_result_end *end,
			   struct sl_error *error)
{
	struct sg_import *import = store->import;
	struct sg_open_result *result = &import->result;
	enum sg_run_state state = end->state;
	const char *note = end->note;
	enum sl_code code = result->id ? SL_OK : open_result(store, error);

	if (state == SG_RUN_LIMITED && !result->gave_up)
		import->is_vague = true;
	if (code == SL_OK && result->gave_up && state == SG_RUN_COMPLETE) {
		state = SG_RUN_LIMITED;
		note = result->limit;
	}
	if (code == SL_OK)
		code = sg_occurrences_flush(store, &result->occurrences, error);
	if (code == SL_OK)
		code = note_end(store, end, error);
	if (code == SL_OK)
		code = keep(store, state, note, error);
	if (code == SL_OK)
		code = sg_sql_do(store, SG_SQL_release, NULL, 0, error);
	if (code == SL_OK && import->run)
		code = SG_DO(store, error, SG_SQL_add_run_result,
			     sg_number(import->run), sg_number(result->id));
	worsen(import, state, note);
	import->ended.id = result->id;
	import->ended.state = state;
	import->reports++;
	sg_result_drop(import);
	return code;
}
