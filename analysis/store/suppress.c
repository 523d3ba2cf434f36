/* SPDX-License-Identifier: MIT */
/* The tracked file of suppressions, matched with what a run has open. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gate/accept.h"
#include "store/import.h"
#include "store/sightings.h"

struct suppressing {
	struct sg_store *store;
	struct sl_error *error;
	const struct sg_suppressions *list; /* borrowed */
	struct sg_paths paths;
	struct sg_sightings open;
	size_t *found; /* owned; of each entry: an open finding */
	size_t count; /* of entries */
};

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

static int64_t finding_of(const struct suppressing *suppressing, size_t entry)
{
	size_t at = suppressing->found[entry];

	return at == SG_NO_FINDING ? 0 : suppressing->open.rows[at].finding;
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
		code = sg_suppressions_match(
			list, NULL, suppressing->open.sightings,
			suppressing->open.count, suppressing->found,
			suppressing->error);
	for (size_t at = 0; code == SL_OK && at < suppressing->count; at++)
		code = write_entry(suppressing, sg_suppressions_at(list, at),
				   finding_of(suppressing, at));
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
	suppressing.found =
		calloc(suppressing.count, sizeof(*suppressing.found));
	if (!suppressing.found)
		return SL_FAIL(error, SL_ENOMEM, "no memory for suppressions");
	code = suppress(&suppressing);
	sg_sightings_finish(&suppressing.open);
	sg_paths_finish(&suppressing.paths);
	free(suppressing.found);
	return code;
}
