/* SPDX-License-Identifier: MIT */
/* Occurrences from the store, for matching. */
#include "store/sightings.h"

#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "store/seen.h"

enum { FILES_MAX = INT32_MAX };

/* ---- paths ------------------------------------------------------------- */

static enum sl_code read_path(struct sg_paths *paths, sqlite3_stmt *row,
			      struct sl_error *error)
{
	int64_t id = sqlite3_column_int64(row, 0);
	size_t length = (size_t)sqlite3_column_bytes(row, 1);

	if (id < 0 || (size_t)id >= paths->count)
		return SL_OK;
	paths->paths[id] =
		sl_arena_text(&paths->arena, sg_sql_text(row, 1), length);
	if (!paths->paths[id])
		return SL_FAIL(error, SL_ENOMEM, "no memory for paths");
	return SL_OK;
}

enum sl_code sg_paths_load(struct sg_paths *paths, struct sg_store *store,
			   struct sl_error *error)
{
	int64_t last;
	sqlite3_stmt *row;
	enum sl_code code =
		sg_sql_ask(store, SG_SQL_last_file, NULL, 0, &last, error);

	*paths = (struct sg_paths){ .paths = NULL };
	if (code != SL_OK)
		return code;
	if (last < 0 || last >= FILES_MAX)
		return SL_FAIL(error, SL_EINVAL,
			       "%s is damaged: a file has the number %lld",
			       sl_path_tail(store->path), (long long)last);
	paths->count = (size_t)last + 1;
	paths->paths = calloc(paths->count, sizeof(*paths->paths));
	if (!paths->paths)
		return SL_FAIL(error, SL_ENOMEM, "no memory for paths");
	row = sg_sql_start(store, SG_SQL_list_files, NULL, 0, error);
	if (!row)
		return sg_sql_fail(store, error);
	while ((code = sg_sql_next(store, row, error)) == SL_OK) {
		code = read_path(paths, row, error);
		if (code != SL_OK)
			break;
	}
	sg_sql_stop(row);
	return code == SL_END ? SL_OK : code;
}

const char *sg_paths_at(const struct sg_paths *paths, int64_t file)
{
	return file >= 0 && (size_t)file < paths->count ? paths->paths[file]
							: NULL;
}

void sg_paths_finish(struct sg_paths *paths)
{
	sl_arena_finish(&paths->arena);
	free(paths->paths);
	paths->paths = NULL;
}

/* ---- sightings --------------------------------------------------------- */

/* @return whether the row is sound. */
static bool read_sighting(const struct sg_paths *paths, sqlite3_stmt *from,
			  struct sg_sighting *sighting,
			  struct sg_sighting_row *row)
{
	struct sg_fingerprint *fingerprint = &sighting->fingerprint;

	row->occurrence = sqlite3_column_int64(from, 0);
	row->finding = sqlite3_column_int64(from, 1);
	row->rule = sqlite3_column_int64(from, 2);
	row->file = sqlite3_column_int64(from, 3);
	row->comparable =
		sqlite3_column_int64(from, 6) == SG_FINGERPRINT_VERSION;
	row->suppressed = sqlite3_column_int(from, 13);
	row->severity = sqlite3_column_int(from, 14);
	if (row->file < 0 || (size_t)row->file >= paths->count)
		return false;
	sighting->path = paths->paths[row->file];
	sighting->line = sqlite3_column_int64(from, 4);
	sighting->column = sqlite3_column_int64(from, 5);
	fingerprint->bare = sqlite3_column_int(from, 7);
	/* Hashes of another version are left zero: they equal none. */
	if (!row->comparable)
		return true;
	fingerprint->message = sg_sql_hash(from, 8);
	fingerprint->function = sg_sql_hash(from, 9);
	fingerprint->line = sg_sql_hash(from, 10);
	fingerprint->window = sg_sql_hash(from, 11);
	fingerprint->unmasked = sg_sql_hash(from, 12);
	return true;
}

static enum sl_code load(struct sg_sightings *to, struct sg_store *store,
			 const struct sg_paths *paths, int64_t run,
			 enum sg_statement count, enum sg_statement list,
			 struct sl_error *error)
{
	const struct sg_value value = sg_number(run);
	sqlite3_stmt *row;
	int64_t room;
	enum sl_code code = SG_ASK(store, error, &room, count, value);

	if (code != SL_OK)
		return code;
	to->sightings = calloc((size_t)room + 1, sizeof(*to->sightings));
	to->rows = calloc((size_t)room + 1, sizeof(*to->rows));
	if (!to->sightings || !to->rows)
		return SL_FAIL(error, SL_ENOMEM, "no memory to match runs");
	row = sg_sql_start(store, list, &value, 1, error);
	if (!row)
		return sg_sql_fail(store, error);
	while (to->count < (size_t)room &&
	       (code = sg_sql_next(store, row, error)) == SL_OK) {
		if (!read_sighting(paths, row, &to->sightings[to->count],
				   &to->rows[to->count])) {
			code = SL_FAIL(error, SL_EINVAL,
				       "%s is damaged: an occurrence has no "
				       "file",
				       sl_path_tail(store->path));
			break;
		}
		to->count++;
	}
	sg_sql_stop(row);
	return code == SL_END ? SL_OK : code;
}

/* ---- equal ones of several results ------------------------------------- */

static struct sg_hash equality_of(const struct sg_sighting *sighting,
				  const struct sg_sighting_row *row)
{
	const int64_t fields[] = {
		row->rule,
		row->file,
		sighting->line,
		sighting->column,
		(int64_t)sighting->fingerprint.unmasked.high,
		(int64_t)sighting->fingerprint.unmasked.low,
	};
	XXH128_hash_t hash = XXH3_128bits(fields, sizeof(fields));

	return (struct sg_hash){ hash.high64, hash.low64 };
}

/* The first stands for all, but one that nobody accepted outweighs it. */
static enum sl_code fold(struct sg_sightings *all, struct sl_error *error)
{
	struct sg_seen seen = { .slots = NULL };
	size_t kept = 0;

	for (size_t at = 0; at < all->count; at++) {
		struct sg_hash hash =
			equality_of(&all->sightings[at], &all->rows[at]);
		struct sg_seen_slot *slot = sg_seen_slot(&seen, hash);

		if (!slot) {
			sg_seen_finish(&seen);
			return SL_FAIL(error, SL_ENOMEM,
				       "no memory to match runs");
		}
		if (slot->id) {
			struct sg_sighting_row *first =
				&all->rows[slot->id - 1];

			if (first->suppressed && !all->rows[at].suppressed)
				*first = all->rows[at];
			continue;
		}
		all->sightings[kept] = all->sightings[at];
		all->rows[kept] = all->rows[at];
		slot->id = (int64_t)++kept;
	}
	all->count = kept;
	sg_seen_finish(&seen);
	return SL_OK;
}

enum sl_code sg_sightings_of_run(struct sg_sightings *sightings,
				 struct sg_store *store,
				 const struct sg_paths *paths, int64_t run,
				 struct sl_error *error)
{
	const struct sg_value value = sg_number(run);
	int64_t results;
	enum sl_code code = load(sightings, store, paths, run,
				 SG_SQL_count_news, SG_SQL_list_news, error);

	if (code == SL_OK)
		code = SG_ASK(store, error, &results, SG_SQL_count_results,
			      value);
	if (code == SL_OK && results > 1)
		code = fold(sightings, error);
	return code;
}

/* Each link has a finding, an occurrence and what belongs to these; else the
 * next run would be held against a part. */
enum sl_code sg_sightings_open_in(struct sg_sightings *sightings,
				  struct sg_store *store,
				  const struct sg_paths *paths, int64_t run,
				  struct sl_error *error)
{
	const struct sg_value value = sg_number(run);
	int64_t links;
	enum sl_code code = load(sightings, store, paths, run,
				 SG_SQL_count_olds, SG_SQL_list_olds, error);

	if (code == SL_OK)
		code = SG_ASK(store, error, &links, SG_SQL_count_olds, value);
	if (code == SL_OK && (size_t)links != sightings->count)
		return SL_FAIL(error, SL_EINVAL,
			       "%s is damaged: a finding of run %lld is not "
			       "whole",
			       sl_path_tail(store->path), (long long)run);
	return code;
}

enum sl_code sg_sightings_seen_in(struct sg_sightings *sightings,
				  struct sg_store *store,
				  const struct sg_paths *paths, int64_t run,
				  struct sl_error *error)
{
	return load(sightings, store, paths, run, SG_SQL_count_olds,
		    SG_SQL_list_seen, error);
}

void sg_sightings_finish(struct sg_sightings *sightings)
{
	free(sightings->sightings);
	free(sightings->rows);
	*sightings = (struct sg_sightings){ .sightings = NULL };
}
