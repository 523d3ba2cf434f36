/* SPDX-License-Identifier: MIT */
/* A run held against its base: which finding each occurrence is, and what
 * became of those that are not there. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "match/match.h"
#include "store/import.h"

/* One side: what is matched, and what the rows are. */
struct rows {
	struct sg_sighting *sightings; /* owned */
	struct row {
		int64_t occurrence, finding, rule;
		bool comparable; /* its hashes are of this program's version */
	} * rows; /* owned; as many */
	size_t count;
};

struct linking {
	struct sg_store *store;
	struct sl_error *error;
	int64_t base; /* id; 0: there is none */
	char *base_commit; /* owned; NULL: not known */
	bool tells_fixed; /* what is not in this run is gone */
	struct sl_arena arena; /* has the paths */
	const char **paths; /* owned; by file id; borrowed from the arena */
	size_t path_count;
	struct rows olds, news;
	struct sg_match match;
	bool matched;
};

static enum sl_code no_memory(struct linking *linking)
{
	return SL_FAIL(linking->error, SL_ENOMEM, "no memory to match runs");
}

/* ---- the base ---------------------------------------------------------- */

static bool is_same_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "") == 0;
}

static enum sl_code read_base(struct linking *linking, sqlite3_stmt *row,
			      enum sg_run_state state)
{
	const struct sg_run_start *start = &linking->store->import->start;
	const char *commit = sg_sql_text(row, 1);

	linking->base = sqlite3_column_int64(row, 0);
	linking->tells_fixed =
		state == SG_RUN_COMPLETE &&
		is_same_text(sg_sql_text(row, 2), start->configuration);
	linking->base_commit = commit ? strdup(commit) : NULL;
	return commit && !linking->base_commit ? no_memory(linking) : SL_OK;
}

static enum sl_code find_base(struct linking *linking, enum sg_run_state state)
{
	struct sg_store *store = linking->store;
	const struct sg_value run = sg_number(store->import->run);
	sqlite3_stmt *row =
		sg_sql_start(store, SG_SQL_find_base, &run, 1, linking->error);
	enum sl_code code;

	if (!row)
		return sg_sql_fail(store, linking->error);
	code = sg_sql_next(store, row, linking->error);
	if (code == SL_OK)
		code = read_base(linking, row, state);
	sg_sql_stop(row);
	if (code == SL_END)
		return SL_OK;
	if (code != SL_OK)
		return code;
	return SG_DO(store, linking->error, SG_SQL_set_base, run,
		     sg_number(linking->base));
}

/* ---- loading ----------------------------------------------------------- */

static enum sl_code read_path(struct linking *linking, sqlite3_stmt *row)
{
	int64_t id = sqlite3_column_int64(row, 0);
	size_t length = (size_t)sqlite3_column_bytes(row, 1);

	if (id < 0 || (size_t)id >= linking->path_count)
		return SL_OK;
	linking->paths[id] =
		sl_arena_text(&linking->arena, sg_sql_text(row, 1), length);
	return linking->paths[id] ? SL_OK : no_memory(linking);
}

static enum sl_code load_paths(struct linking *linking)
{
	struct sg_store *store = linking->store;
	int64_t last;
	sqlite3_stmt *row;
	enum sl_code code = sg_sql_ask(store, SG_SQL_last_file, NULL, 0, &last,
				       linking->error);

	if (code != SL_OK)
		return code;
	linking->path_count = (size_t)last + 1;
	linking->paths = calloc(linking->path_count, sizeof(*linking->paths));
	if (!linking->paths)
		return no_memory(linking);
	row = sg_sql_start(store, SG_SQL_list_files, NULL, 0, linking->error);
	if (!row)
		return sg_sql_fail(store, linking->error);
	while ((code = sg_sql_next(store, row, linking->error)) == SL_OK) {
		code = read_path(linking, row);
		if (code != SL_OK)
			break;
	}
	sg_sql_stop(row);
	return code == SL_END ? SL_OK : code;
}

static void read_sighting(struct linking *linking, sqlite3_stmt *from,
			  struct sg_sighting *sighting, struct row *row)
{
	int64_t file = sqlite3_column_int64(from, 3);
	struct sg_fingerprint *fingerprint = &sighting->fingerprint;

	row->occurrence = sqlite3_column_int64(from, 0);
	row->finding = sqlite3_column_int64(from, 1);
	row->rule = sqlite3_column_int64(from, 2);
	row->comparable =
		sqlite3_column_int64(from, 6) == SG_FINGERPRINT_VERSION;
	sighting->path = linking->paths[file];
	sighting->line = sqlite3_column_int64(from, 4);
	sighting->column = sqlite3_column_int64(from, 5);
	fingerprint->bare = sqlite3_column_int(from, 7);
	/* Hashes of another version are left zero: they equal none. */
	if (!row->comparable)
		return;
	fingerprint->message = sg_sql_hash(from, 8);
	fingerprint->function = sg_sql_hash(from, 9);
	fingerprint->line = sg_sql_hash(from, 10);
	fingerprint->window = sg_sql_hash(from, 11);
	fingerprint->unmasked = sg_sql_hash(from, 12);
}

static enum sl_code load(struct linking *linking, struct rows *rows,
			 int64_t run, enum sg_statement count,
			 enum sg_statement list)
{
	struct sg_store *store = linking->store;
	const struct sg_value value = sg_number(run);
	sqlite3_stmt *row;
	int64_t room;
	enum sl_code code = SG_ASK(store, linking->error, &room, count, value);

	if (code != SL_OK)
		return code;
	rows->sightings = calloc((size_t)room + 1, sizeof(*rows->sightings));
	rows->rows = calloc((size_t)room + 1, sizeof(*rows->rows));
	if (!rows->sightings || !rows->rows)
		return no_memory(linking);
	row = sg_sql_start(store, list, &value, 1, linking->error);
	if (!row)
		return sg_sql_fail(store, linking->error);
	while (rows->count < (size_t)room &&
	       (code = sg_sql_next(store, row, linking->error)) == SL_OK) {
		read_sighting(linking, row, &rows->sightings[rows->count],
			      &rows->rows[rows->count]);
		rows->count++;
	}
	sg_sql_stop(row);
	return code == SL_END ? SL_OK : code;
}

/* ---- matching ---------------------------------------------------------- */

static bool was_analysed(const void *context, size_t old_at)
{
	const struct linking *linking = context;

	return linking->tells_fixed && linking->olds.rows[old_at].comparable;
}

static enum sl_code match(struct linking *linking)
{
	const struct sg_run_start *start = &linking->store->import->start;
	struct sg_match_input input = {
		.olds = linking->olds.sightings,
		.old_count = linking->olds.count,
		.news = linking->news.sightings,
		.new_count = linking->news.count,
		.was_analysed = was_analysed,
		.context = linking,
	};
	enum sl_code code = SL_OK;

	if (start->map && linking->base)
		code = start->map(start->context, linking->base_commit,
				  &input.map, linking->error);
	if (code != SL_OK)
		return code;
	code = sg_match_init(&linking->match, &input);
	linking->matched = code == SL_OK;
	if (code == SL_EINVAL)
		return SL_FAIL(linking->error, code,
			       "too many findings to match");
	return code == SL_OK ? SL_OK : no_memory(linking);
}

/* ---- writing ----------------------------------------------------------- */

static enum sl_code add_link(struct linking *linking, int64_t finding,
			     const struct sg_match_row *row, int64_t occurrence)
{
	return SG_DO(linking->store, linking->error, SG_SQL_add_link,
		     sg_number(linking->store->import->run), sg_number(finding),
		     sg_text(sg_verdict_text(row->verdict)),
		     sg_number(row->step), sg_number(occurrence));
}

static enum sl_code link_news(struct linking *linking)
{
	struct sg_store *store = linking->store;
	const struct sg_import *import = store->import;
	enum sl_code code = SL_OK;

	for (size_t at = 0; code == SL_OK && at < linking->news.count; at++) {
		const struct sg_match_row *row = &linking->match.news[at];
		const struct row *own = &linking->news.rows[at];
		int64_t finding;

		if (row->partner == SG_NO_PARTNER) {
			code = SG_DO(store, linking->error, SG_SQL_add_finding,
				     sg_number(own->rule),
				     sg_number(import->time),
				     sg_text(import->start.commit));
			finding = sqlite3_last_insert_rowid(store->db);
		} else {
			finding = linking->olds.rows[row->partner].finding;
		}
		if (code == SL_OK)
			code = add_link(linking, finding, row, own->occurrence);
	}
	return code;
}

static enum sl_code link_olds(struct linking *linking)
{
	enum sl_code code = SL_OK;

	for (size_t at = 0; code == SL_OK && at < linking->olds.count; at++) {
		const struct sg_match_row *row = &linking->match.olds[at];
		const struct row *own = &linking->olds.rows[at];

		if (row->partner == SG_NO_PARTNER)
			code = add_link(linking, own->finding, row,
					own->occurrence);
	}
	return code;
}

static enum sl_code link_all(struct linking *linking, enum sg_run_state state)
{
	const struct sg_value run = sg_number(linking->store->import->run);
	enum sl_code code = find_base(linking, state);

	if (code == SL_OK)
		code = load_paths(linking);
	if (code == SL_OK && linking->base)
		code = load(linking, &linking->olds, linking->base,
			    SG_SQL_count_olds, SG_SQL_list_olds);
	if (code == SL_OK)
		code = load(linking, &linking->news, run.number,
			    SG_SQL_count_news, SG_SQL_list_news);
	if (code == SL_OK)
		code = match(linking);
	if (code == SL_OK)
		code = link_news(linking);
	if (code == SL_OK)
		code = link_olds(linking);
	if (code == SL_OK)
		code = sg_sql_do(linking->store, SG_SQL_add_counts, &run, 1,
				 linking->error);
	return code;
}

enum sl_code sg_import_link(struct sg_store *store, enum sg_run_state state,
			    struct sl_error *error)
{
	struct linking linking = { .store = store, .error = error };
	enum sl_code code = link_all(&linking, state);

	if (linking.matched)
		sg_match_finish(&linking.match);
	free(linking.olds.sightings);
	free(linking.olds.rows);
	free(linking.news.sightings);
	free(linking.news.rows);
	free(linking.paths);
	free(linking.base_commit);
	sl_arena_finish(&linking.arena);
	return code;
}
