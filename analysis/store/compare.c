/* SPDX-License-Identifier: MIT */
/* Any two runs held against each other. */
#include "store/compare.h"

#include <stdlib.h>
#include <string.h>

#include "store/health.h"
#include "store/sightings.h"

struct comparing {
	struct sg_store *store;
	struct sl_error *error;
	int64_t run, base;
	bool is_descendant; /* the run's verdicts go back to the base */
	struct sg_paths paths;
	struct sg_health health;
	struct sg_sightings olds, news; /* those not paired yet come first */
	size_t old_rest, new_rest; /* how many these are */
};

/* ---- by number --------------------------------------------------------- */

static enum sl_code add(struct comparing *comparing,
			const struct sg_sighting_row *own,
			enum sg_verdict verdict)
{
	return SG_DO(comparing->store, comparing->error, SG_SQL_add_matched,
		     sg_number(own->finding), sg_text(sg_verdict_text(verdict)),
		     sg_number(own->occurrence));
}

static void keep(struct sg_sightings *side, size_t at, size_t *rest)
{
	side->sightings[*rest] = side->sightings[at];
	side->rows[(*rest)++] = side->rows[at];
}

/* Both are in the order of numbers. What is the same is written; the rest is
 * moved to the front. */
static enum sl_code pair_by_number(struct comparing *comparing)
{
	struct sg_sightings *olds = &comparing->olds, *news = &comparing->news;
	size_t old_at = 0, new_at = 0;
	enum sl_code code = SL_OK;

	while (code == SL_OK &&
	       (old_at < olds->count || new_at < news->count)) {
		int64_t old_number = old_at < olds->count
					     ? olds->rows[old_at].finding
					     : INT64_MAX;
		int64_t new_number = new_at < news->count
					     ? news->rows[new_at].finding
					     : INT64_MAX;

		if (old_number < new_number) {
			keep(olds, old_at++, &comparing->old_rest);
		} else if (new_number < old_number) {
			keep(news, new_at++, &comparing->new_rest);
		} else {
			code = add(comparing, &news->rows[new_at++], SG_SAME);
			old_at++;
		}
	}
	return code;
}

/* ---- by fingerprints --------------------------------------------------- */

/* What a descendant's history calls unknown is; the rest is fixed. */
static bool history_tells(const struct comparing *comparing, int64_t finding)
{
	int64_t is_told;
	const struct sg_value values[] = { sg_number(comparing->run),
					   sg_number(finding) };
	sqlite3_stmt *row = sg_sql_start(comparing->store, SG_SQL_verdict_of,
					 values, 2, NULL);
	enum sl_code code;

	if (!row)
		return false;
	code = sg_sql_next(comparing->store, row, NULL);
	is_told = code == SL_OK ? sqlite3_column_int64(row, 0) : code == SL_END;
	sg_sql_stop(row);
	return is_told;
}

static bool was_analysed(const void *context, size_t old_at)
{
	const struct comparing *comparing = context;
	const struct sg_sighting_row *row = &comparing->olds.rows[old_at];

	return comparing->is_descendant
		       ? history_tells(comparing, row->finding)
		       : sg_health_shows(&comparing->health, row);
}

static enum sl_code write_rest(struct comparing *comparing,
			       const struct sg_match *match)
{
	enum sl_code code = SL_OK;

	for (size_t at = 0; code == SL_OK && at < match->new_count; at++)
		code = add(comparing, &comparing->news.rows[at],
			   match->news[at].verdict);
	for (size_t at = 0; code == SL_OK && at < match->old_count; at++)
		if (match->olds[at].partner == SG_NO_PARTNER)
			code = add(comparing, &comparing->olds.rows[at],
				   match->olds[at].verdict);
	return code;
}

static enum sl_code match_rest(struct comparing *comparing,
			       const struct sg_map *map)
{
	const struct sg_match_input input = {
		.olds = comparing->olds.sightings,
		.old_count = comparing->old_rest,
		.news = comparing->news.sightings,
		.new_count = comparing->new_rest,
		.map = map,
		.was_analysed = was_analysed,
		.context = comparing,
	};
	struct sg_match match;
	enum sl_code code;

	comparing->health.map = map;
	code = sg_match_init(&match, &input);
	if (code != SL_OK)
		return SL_FAIL(comparing->error, code,
			       code == SL_EINVAL ? "too many findings to match"
						 : "no memory to match runs");
	code = write_rest(comparing, &match);
	sg_match_finish(&match);
	return code;
}

/* ---- both -------------------------------------------------------------- */

static enum sl_code examine(struct comparing *comparing)
{
	struct sg_health_sides sides = { .run = comparing->run,
					 .base = comparing->base };
	int64_t tells;
	enum sl_code code = SG_ASK(
		comparing->store, comparing->error, &tells, SG_SQL_tells_fixed,
		sg_number(comparing->run), sg_number(comparing->base));

	if (code != SL_OK)
		return code;
	sides.tells = tells;
	return sg_health_init(&comparing->health, comparing->store, &sides,
			      &comparing->paths, comparing->error);
}

static enum sl_code load(struct comparing *comparing)
{
	struct sg_store *store = comparing->store;
	struct sl_error *error = comparing->error;
	enum sl_code code = sg_paths_load(&comparing->paths, store, error);

	if (code == SL_OK)
		code = sg_sightings_open_in(&comparing->olds, store,
					    &comparing->paths, comparing->base,
					    error);
	if (code == SL_OK)
		code = sg_sightings_seen_in(&comparing->news, store,
					    &comparing->paths, comparing->run,
					    error);
	return code == SL_OK ? examine(comparing) : code;
}

/* *commit: owned; NULL: the base has none. */
static enum sl_code find_commit(struct comparing *comparing, char **commit)
{
	struct sg_store *store = comparing->store;
	const struct sg_value base = sg_number(comparing->base);
	const char *text;
	sqlite3_stmt *row = sg_sql_start(store, SG_SQL_commit_of, &base, 1,
					 comparing->error);
	enum sl_code code;

	*commit = NULL;
	if (!row)
		return SL_EIO;
	code = sg_sql_next(store, row, comparing->error);
	text = code == SL_OK ? sg_sql_text(row, 0) : NULL;
	if (text) {
		*commit = strdup(text);
		if (!*commit)
			code = SL_FAIL(comparing->error, SL_ENOMEM,
				       "no memory to match runs");
	}
	sg_sql_stop(row);
	return code == SL_END ? SL_OK : code;
}

static enum sl_code match_anew(struct comparing *comparing, sg_map_fn *give_map,
			       void *context)
{
	const struct sg_map *map = NULL;
	char *commit = NULL;
	enum sl_code code = load(comparing);

	if (code == SL_OK)
		code = sg_sql_do(comparing->store, SG_SQL_clear_matched, NULL,
				 0, comparing->error);
	if (code == SL_OK)
		code = pair_by_number(comparing);
	if (code == SL_OK && give_map)
		code = find_commit(comparing, &commit);
	if (code == SL_OK && give_map)
		code = give_map(context, commit, &map, comparing->error);
	if (code == SL_OK)
		code = match_rest(comparing, map);
	free(commit);
	return code;
}

/* ---- which way --------------------------------------------------------- */

static enum sl_code require_run(struct comparing *comparing, int64_t id)
{
	int64_t found;
	enum sl_code code = SG_ASK(comparing->store, comparing->error, &found,
				   SG_SQL_run_with_id, sg_number(id));

	if (code == SL_OK && !found)
		return SL_FAIL(
			comparing->error, SL_EINVAL, "%s has no run %lld",
			sl_path_tail(comparing->store->path), (long long)id);
	return code;
}

static enum sl_code choose(struct comparing *comparing, sg_map_fn *map,
			   void *context, enum sg_statement *view)
{
	struct sg_store *store = comparing->store;
	struct sl_error *error = comparing->error;
	int64_t own = 0, ancestor = 0;
	enum sl_code code = require_run(comparing, comparing->run);

	*view = SG_SQL_compare_as_linked;
	if (code == SL_OK)
		code = SG_ASK(store, error, &own, SG_SQL_base_of,
			      sg_number(comparing->run));
	if (code != SL_OK || !comparing->base || comparing->base == own) {
		comparing->base = code == SL_OK ? own : 0;
		return code;
	}
	code = require_run(comparing, comparing->base);
	if (code == SL_OK)
		code = SG_ASK(store, error, &ancestor, SG_SQL_is_ancestor,
			      sg_number(comparing->run),
			      sg_number(comparing->base));
	*view = SG_SQL_compare_as_matched;
	comparing->is_descendant = ancestor;
	return code == SL_OK ? match_anew(comparing, map, context) : code;
}

enum sl_code sg_store_compare(struct sg_store *store, int64_t run, int64_t base,
			      sg_map_fn *map, void *context,
			      struct sl_error *error)
{
	struct comparing comparing = {
		.store = store, .error = error, .run = run, .base = base
	};
	enum sg_statement view;
	enum sl_code code = choose(&comparing, map, context, &view);

	if (code == SL_OK)
		code = SG_DO(store, error, SG_SQL_set_pair, sg_number(run),
			     sg_number_given(comparing.base));
	if (code == SL_OK)
		code = sg_sql_do(store, SG_SQL_forget_compared, NULL, 0, error);
	if (code == SL_OK)
		code = sg_sql_do(store, view, NULL, 0, error);
	sg_health_finish(&comparing.health);
	sg_sightings_finish(&comparing.olds);
	sg_sightings_finish(&comparing.news);
	sg_paths_finish(&comparing.paths);
	return code;
}
