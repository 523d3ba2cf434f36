/* SPDX-License-Identifier: MIT */
/* An import: begun, fed with findings, finished or abandoned. */
#include "store/import.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "store/runs.h"

/* ---- begin and abandon ------------------------------------------------- */

static enum sl_code add_run(struct sg_store *store, struct sl_error *error)
{
	struct sg_import *import = store->import;
	const struct sg_run_start *start = &import->start;
	enum sl_code code =
		SG_DO(store, error, SG_SQL_add_run, sg_text(start->name),
		      sg_number(import->time), sg_text(start->commit),
		      sg_text(start->configuration), sg_text(start->root));

	import->run = sqlite3_last_insert_rowid(store->db);
	return code;
}

void sg_store_abandon(struct sg_store *store)
{
	struct sg_import *import = store->import;

	if (!import)
		return;
	sg_import_close_source(import);
	sg_seen_finish(&import->seen);
	if (store->began)
		sg_sql_rollback(store);
	free(import);
	store->import = NULL;
}

enum sl_code sg_store_begin(struct sg_store *store,
			    const struct sg_run_start *start,
			    struct sl_error *error)
{
	enum sl_code code;

	if (store->import)
		return SL_FAIL(error, SL_EINVAL, "an import is under way");
	sg_run_hide(store);
	store->import = calloc(1, sizeof(*store->import));
	if (!store->import)
		return SL_FAIL(error, SL_ENOMEM, "no memory for an import");
	store->import->start = *start;
	store->import->time = time(NULL);
	code = sg_sql_begin(store, __func__, error);
	if (code == SL_OK)
		code = add_run(store, error);
	if (code != SL_OK)
		sg_store_abandon(store);
	return code;
}

/* ---- a finding --------------------------------------------------------- */

/* Ids of what a finding names. */
struct names {
	int64_t rule, file;
};

static enum sl_code find_names(struct sg_store *store,
			       const struct sg_finding *finding,
			       struct names *names, struct sl_error *error)
{
	const char *version =
		finding->tool_version ? finding->tool_version : "";
	int64_t tool;
	enum sl_code code = sg_import_tool(store, finding->tool, &tool, error);

	if (code == SL_OK && !sg_import_has_noted(store->import, tool, version))
		code = SG_DO(store, error, SG_SQL_add_run_tool,
			     sg_number(store->import->run), sg_number(tool),
			     sg_text(version));
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

static enum sl_code add_occurrence(struct sg_store *store,
				   const struct sg_finding *finding,
				   const struct names *names,
				   const char *function, int64_t *id,
				   struct sl_error *error)
{
	const char *verbose = finding->verbose;
	enum sl_code code;

	if (verbose && strcmp(verbose, finding->message) == 0)
		verbose = NULL;
	code = SG_DO(
		store, error, SG_SQL_add_occurrence,
		sg_number(store->import->run), sg_number(names->rule),
		sg_number_given(names->file), sg_number_given(finding->line),
		sg_number_given(finding->column),
		sg_number_given(finding->end_line),
		sg_number_given(finding->end_column), sg_text(function),
		sg_number(finding->severity), sg_text(finding->severity_word),
		sg_number_given(finding->cwe), sg_text(finding->message),
		sg_text(verbose), sg_number(finding->inconclusive),
		sg_number(finding->suppressed),
		sg_number(finding->repeats > 0 ? finding->repeats : 1));
	*id = sqlite3_last_insert_rowid(store->db);
	return code;
}

static enum sl_code add_fingerprint(struct sg_store *store, int64_t occurrence,
				    const struct sg_fingerprint *fingerprint,
				    struct sl_error *error)
{
	return SG_DO(store, error, SG_SQL_add_fingerprint,
		     sg_number(occurrence), sg_number(SG_FINGERPRINT_VERSION),
		     sg_number(fingerprint->bare),
		     sg_hash_value(fingerprint->message),
		     sg_hash_value(fingerprint->function),
		     sg_hash_value(fingerprint->line),
		     sg_hash_value(fingerprint->window),
		     sg_hash_value(fingerprint->unmasked));
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
			code = SG_DO(store, error, SG_SQL_add_event,
				     sg_number(occurrence),
				     sg_number((int64_t)at),
				     sg_number_given(file),
				     sg_number_given(event->line),
				     sg_number_given(event->column),
				     sg_text(event->message),
				     sg_text(event->function));
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
				     sg_number(store->import->run),
				     sg_number(file));
		if (code == SL_OK)
			code = SG_DO(store, error, SG_SQL_add_occurrence_unit,
				     sg_number(occurrence), sg_number(file));
	}
	return code;
}

static enum sl_code add_first(struct sg_store *store,
			      const struct sg_finding *finding,
			      const struct names *names, int64_t *occurrence,
			      struct sl_error *error)
{
	struct sg_fingerprint fingerprint;
	const char *function;
	enum sl_code code = sg_import_fingerprint(
		store->import, finding, &fingerprint, &function, error);

	if (code == SL_OK)
		code = add_occurrence(store, finding, names, function,
				      occurrence, error);
	if (code == SL_OK)
		code = add_fingerprint(store, *occurrence, &fingerprint, error);
	if (code == SL_OK)
		code = add_events(store, *occurrence, finding, error);
	return code;
}

static enum sl_code add(struct sg_store *store,
			const struct sg_finding *finding,
			struct sl_error *error)
{
	struct names names;
	struct sg_seen_slot *slot;
	int64_t repeats = finding->repeats > 0 ? finding->repeats : 1;
	enum sl_code code = find_names(store, finding, &names, error);

	if (code != SL_OK)
		return code;
	slot = sg_seen_slot(&store->import->seen, equality_of(finding, &names));
	if (!slot)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a finding");
	if (slot->id)
		code = SG_DO(store, error, SG_SQL_repeat_occurrence,
			     sg_number(slot->id), sg_number(repeats),
			     sg_number(finding->suppressed));
	else
		code = add_first(store, finding, &names, &slot->id, error);
	return code == SL_OK ? add_units(store, slot->id, finding, error)
			     : code;
}

enum sl_code sg_store_add(struct sg_store *store,
			  const struct sg_finding *finding,
			  struct sl_error *error)
{
	enum sl_code code;

	if (!store->import || store->import->failed)
		return SL_FAIL(error, SL_EINVAL, "no import is under way");
	code = add(store, finding, error);
	if (code != SL_OK) {
		store->import->failed = true;
		sg_sql_rollback(store);
	}
	return code;
}

/* ---- finish ------------------------------------------------------------ */

static enum sl_code finish(struct sg_store *store, const struct sg_run_end *end,
			   struct sl_error *error)
{
	enum sl_code code = SG_DO(
		store, error, SG_SQL_end_run, sg_number(store->import->run),
		sg_text(end->formats ? end->formats : ""),
		sg_text(sg_run_state_text(end->state)), sg_text(end->note));

	sg_seen_finish(&store->import->seen);
	if (code == SL_OK)
		code = sg_import_link(store, end->state, error);
	if (code == SL_OK)
		code = sg_sql_commit(store, error);
	return code;
}

enum sl_code sg_store_finish(struct sg_store *store,
			     const struct sg_run_end *end, struct sg_run *run,
			     struct sl_error *error)
{
	enum sl_code code;
	int64_t id;

	if (!store->import || store->import->failed) {
		sg_store_abandon(store);
		return SL_FAIL(error, SL_EINVAL, "no import is under way");
	}
	id = store->import->run;
	code = finish(store, end, error);
	sg_store_abandon(store);
	if (code == SL_OK && run)
		code = sg_run_show(store, id, run, error);
	return code;
}
