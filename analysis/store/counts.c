/* SPDX-License-Identifier: MIT */
/* Counts by rule and severity. */
#include "store/counts.h"

#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* @return the row of a rule and severity; NULL: no memory. */
static struct sg_count *row_of(struct sg_counts *counts, int64_t rule,
			       int severity)
{
	const int64_t fields[] = { rule, severity };
	XXH128_hash_t hash = XXH3_128bits(fields, sizeof(fields));
	struct sg_seen_slot *slot = sg_seen_slot(
		&counts->seen, (struct sg_hash){ hash.high64, hash.low64 });

	if (!slot)
		return NULL;
	if (slot->id)
		return &counts->rows[slot->id - 1];
	if (counts->count == counts->room) {
		size_t room = counts->room * 2 + 16;
		struct sg_count *rows =
			realloc(counts->rows, room * sizeof(*rows));

		if (!rows)
			return NULL;
		counts->rows = rows;
		counts->room = room;
	}
	slot->id = (int64_t)counts->count + 1;
	counts->rows[counts->count] =
		(struct sg_count){ .rule = rule, .severity = severity };
	return &counts->rows[counts->count++];
}

enum sl_code sg_counts_add(struct sg_counts *counts,
			   const struct sg_sighting_row *row,
			   enum sg_verdict verdict)
{
	struct sg_count *count = row_of(counts, row->rule, row->severity);

	if (!count)
		return SL_ENOMEM;
	count->verdicts[verdict]++;
	if (row->suppressed && (verdict == SG_SAME || verdict == SG_NEW))
		count->suppressed++;
	return SL_OK;
}

enum sl_code sg_counts_write(const struct sg_counts *counts,
			     struct sg_store *store, int64_t run,
			     struct sl_error *error)
{
	enum sl_code code = SL_OK;

	for (size_t at = 0; code == SL_OK && at < counts->count; at++) {
		const struct sg_count *row = &counts->rows[at];
		const int64_t *verdicts = row->verdicts;

		code = SG_DO(store, error, SG_SQL_add_count, sg_number(run),
			     sg_number(row->rule), sg_number(row->severity),
			     sg_number(verdicts[SG_SAME] + verdicts[SG_NEW]),
			     sg_number(verdicts[SG_NEW]),
			     sg_number(verdicts[SG_FIXED]),
			     sg_number(verdicts[SG_UNKNOWN]),
			     sg_number(row->suppressed));
	}
	return code == SL_OK ? SG_DO(store, error, SG_SQL_count_accepted,
				     sg_number(run))
			     : code;
}

void sg_counts_finish(struct sg_counts *counts)
{
	sg_seen_finish(&counts->seen);
	free(counts->rows);
	*counts = (struct sg_counts){ .rows = NULL };
}
