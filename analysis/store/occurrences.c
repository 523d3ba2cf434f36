/* SPDX-License-Identifier: MIT */
/* Rows of occurrences. They come with ascending ids, so that one that is still
 * kept is found by its own. */
#include "store/occurrences.h"

#include <string.h>

/* Of a kept occurrence, as add_occurrences has them. */
enum { COLUMN_SUPPRESSED = 14, COLUMN_REPEATS = 15, COLUMNS = 16 };

static int64_t repeats_of(const struct sg_finding *finding)
{
	return finding->repeats > 0 ? finding->repeats : 1;
}

enum sl_code sg_occurrences_start(struct sg_store *store,
				  struct sg_occurrences *occurrences,
				  int64_t result, struct sl_error *error)
{
	enum sl_code code;

	occurrences->rows.insert = SG_SQL_add_occurrences;
	occurrences->rows.columns = COLUMNS;
	occurrences->rows.bound[0] = sg_number(result);
	occurrences->rows.bound_count = 1;
	occurrences->fingerprints.insert = SG_SQL_add_fingerprints;
	occurrences->fingerprints.columns = 7;
	occurrences->fingerprints.bound[0] = sg_number(SG_FINGERPRINT_VERSION);
	occurrences->fingerprints.bound_count = 1;
	occurrences->events.insert = SG_SQL_add_events;
	occurrences->events.columns = 7;
	occurrences->units.insert = SG_SQL_add_occurrence_units;
	occurrences->units.columns = 2;
	code = sg_sql_ask(store, SG_SQL_last_occurrence, NULL, 0,
			  &occurrences->last, error);
	if (code == SL_OK && occurrences->last < 0)
		occurrences->last = 0;
	return code;
}

static enum sl_code add_fingerprint(struct sg_store *store,
				    struct sg_occurrences *occurrences,
				    const struct sg_fingerprint *fingerprint,
				    struct sl_error *error)
{
	const struct sg_value values[] = {
		sg_number(occurrences->last),
		sg_number(fingerprint->bare),
		sg_hash_value(fingerprint->message),
		sg_hash_value(fingerprint->function),
		sg_hash_value(fingerprint->line),
		sg_hash_value(fingerprint->window),
		sg_hash_value(fingerprint->unmasked),
	};

	return sg_bulk_add(store, &occurrences->fingerprints, values, error);
}

enum sl_code sg_occurrences_add(struct sg_store *store,
				struct sg_occurrences *occurrences,
				const struct sg_finding *finding,
				const struct sg_found *found, int64_t *id,
				struct sl_error *error)
{
	const char *verbose = finding->verbose;
	enum sl_code code;

	if (occurrences->last == INT64_MAX)
		return SL_FAIL(error, SL_EINVAL,
			       "%s has no number left for an occurrence",
			       sl_path_tail(store->path));
	if (verbose && strcmp(verbose, finding->message) == 0)
		verbose = NULL;
	*id = ++occurrences->last;
	code = sg_bulk_add(store, &occurrences->rows,
			   (const struct sg_value[COLUMNS]){
				   sg_number(*id),
				   sg_number(found->rule),
				   sg_number_given(found->file),
				   sg_number_given(finding->line),
				   sg_number_given(finding->column),
				   sg_number_given(finding->end_line),
				   sg_number_given(finding->end_column),
				   sg_text(found->function),
				   sg_number(finding->severity),
				   sg_text(finding->severity_word),
				   sg_number_given(finding->cwe),
				   sg_text(finding->message),
				   sg_text(verbose),
				   sg_number(finding->inconclusive),
				   sg_number(finding->suppressed),
				   sg_number(repeats_of(finding)),
			   },
			   error);
	return code == SL_OK ? add_fingerprint(store, occurrences,
					       &found->fingerprint, error)
			     : code;
}

/* @return the values of an occurrence; NULL: they are in the table. */
static struct sg_value *kept(struct sg_occurrences *occurrences, int64_t id)
{
	struct sg_bulk *rows = &occurrences->rows;
	int64_t first = occurrences->last - (int64_t)rows->count + 1;

	return id < first ? NULL : &rows->values[(id - first) * COLUMNS];
}

enum sl_code sg_occurrences_repeat(struct sg_store *store,
				   struct sg_occurrences *occurrences,
				   int64_t id, const struct sg_finding *finding,
				   struct sl_error *error)
{
	struct sg_value *values = kept(occurrences, id);

	if (!values)
		return SG_DO(store, error, SG_SQL_repeat_occurrence,
			     sg_number(id), sg_number(repeats_of(finding)),
			     sg_number(finding->suppressed));
	values[COLUMN_REPEATS].number += repeats_of(finding);
	/* as repeat_occurrence does */
	if (!finding->suppressed)
		values[COLUMN_SUPPRESSED].number = 0;
	return SL_OK;
}

enum sl_code sg_occurrences_add_event(struct sg_store *store,
				      struct sg_occurrences *occurrences,
				      int64_t id, size_t position,
				      const struct sg_event *event,
				      int64_t file, struct sl_error *error)
{
	const struct sg_value values[] = {
		sg_number(id),
		sg_number((int64_t)position),
		sg_number_given(file),
		sg_number_given(event->line),
		sg_number_given(event->column),
		sg_text(event->message),
		sg_text(event->function),
	};

	return sg_bulk_add(store, &occurrences->events, values, error);
}

enum sl_code sg_occurrences_add_unit(struct sg_store *store,
				     struct sg_occurrences *occurrences,
				     int64_t id, int64_t file,
				     struct sl_error *error)
{
	const struct sg_value values[] = { sg_number(id), sg_number(file) };

	return sg_bulk_add(store, &occurrences->units, values, error);
}

enum sl_code sg_occurrences_flush(struct sg_store *store,
				  struct sg_occurrences *occurrences,
				  struct sl_error *error)
{
	enum sl_code code = sg_bulk_flush(store, &occurrences->rows, error);

	if (code == SL_OK)
		code = sg_bulk_flush(store, &occurrences->fingerprints, error);
	if (code == SL_OK)
		code = sg_bulk_flush(store, &occurrences->events, error);
	if (code == SL_OK)
		code = sg_bulk_flush(store, &occurrences->units, error);
	return code;
}

void sg_occurrences_finish(struct sg_occurrences *occurrences)
{
	sg_bulk_finish(&occurrences->rows);
	sg_bulk_finish(&occurrences->fingerprints);
	sg_bulk_finish(&occurrences->events);
	sg_bulk_finish(&occurrences->units);
}
