/* SPDX-License-Identifier: MIT */
/* Any two runs held against each other. */
#include "store/compare.h"

#include <stdlib.h>
#include <string.h>

#include "store/sightings.h"

struct comparing {
	struct sg_store *store;
	struct sl_error *error;
	int64_t run, base;
	bool tells_fixed;
	struct sg_paths paths;
	struct sg_sightings olds, news;
};

/* ---- matched anew ------------------------------------------------------ */

static bool was_analysed(const void *context, size_t old_at)
{
	const struct comparing *comparing = context;

	return comparing->tells_fixed &&
	       comparing->olds.rows[old_at].comparable;
}

static enum sl_code add(struct comparing *comparing,
			const struct sg_sighting_row *own,
			enum sg_verdict verdict)
{
	return SG_DO(comparing->store, comparing->error, SG_SQL_add_matched,
		     sg_number(own->finding), sg_text(sg_verdict_text(verdict)),
		     sg_number(own->occurrence));
}

static enum sl_code write_matched(struct comparing *comparing,
				  const struct sg_match *match)
{
	enum sl_code code = sg_sql_do(comparing->store, SG_SQL_clear_matched,
				      NULL, 0, comparing->error);

	for (size_t at = 0; code == SL_OK && at < match->new_count; at++)
		code = add(comparing, &comparing->news.rows[at],
			   match->news[at].verdict);
	for (size_t at = 0; code == SL_OK && at < match->old_count; at++)
		if (match->olds[at].partner == SG_NO_PARTNER)
			code = add(comparing, &comparing->olds.rows[at],
				   match->olds[at].verdict);
	return code;
}

static enum sl_code load(struct comparing *comparing)
{
	struct sg_store *store = comparing->store;
	struct sl_error *error = comparing->error;
	int64_t tells = 0;
	enum sl_code code = sg_paths_load(&comparing->paths, store, error);

	if (code == SL_OK)
		code = sg_sightings_open_in(&comparing->olds, store,
					    &comparing->paths, comparing->base,
					    error);
	if (code == SL_OK)
		code = sg_sightings_seen_in(&comparing->news, store,
					    &comparing->paths, comparing->run,
					    error);
	if (code == SL_OK)
		code = SG_ASK(store, error, &tells, SG_SQL_tells_fixed,
			      sg_number(comparing->run),
			      sg_number(comparing->base));
	comparing->tells_fixed = tells;
	return code;
}

static enum sl_code match(struct comparing *comparing, const struct sg_map *map)
{
	const struct sg_match_input input = {
		.olds = comparing->olds.sightings,
		.old_count = comparing->olds.count,
		.news = comparing->news.sightings,
		.new_count = comparing->news.count,
		.map = map,
		.was_analysed = was_analysed,
		.context = comparing,
	};
	struct sg_match match;
	enum sl_code code = sg_match_init(&match, &input);

	if (code != SL_OK)
		return SL_FAIL(comparing->error, code,
			       code == SL_EINVAL ? "too many findings to match"
						 : "no memory to match runs");
	code = write_matched(comparing, &match);
	sg_match_finish(&match);
	return code;
}

static enum sl_code match_anew(struct comparing *comparing, sg_map_fn *give_map,
			       void *context)
{
	struct sg_store *store = comparing->store;
	const struct sg_value base = sg_number(comparing->base);
	const struct sg_map *map = NULL;
	char *commit = NULL; /* owned */
	sqlite3_stmt *row;
	enum sl_code code = load(comparing);

	if (code == SL_OK && give_map) {
		row = sg_sql_start(store, SG_SQL_commit_of, &base, 1,
				   comparing->error);
		if (!row)
			return sg_sql_fail(store, comparing->error);
		code = sg_sql_next(store, row, comparing->error);
		if (code == SL_OK && sg_sql_text(row, 0))
			commit = strdup(sg_sql_text(row, 0));
		sg_sql_stop(row);
		if (code == SL_OK)
			code = give_map(context, commit, &map,
					comparing->error);
	}
	if (code == SL_OK)
		code = match(comparing, map);
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
	int64_t own, ancestor = 0;
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
	*view = ancestor ? SG_SQL_compare_by_number : SG_SQL_compare_as_matched;
	if (code == SL_OK && !ancestor)
		code = match_anew(comparing, map, context);
	return code;
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
	sg_sightings_finish(&comparing.olds);
	sg_sightings_finish(&comparing.news);
	sg_paths_finish(&comparing.paths);
	return code;
}
