/* SPDX-License-Identifier: MIT */
/* A run held against its base: which finding each occurrence is, and what
 * became of those that are not there. */
#include <stdlib.h>
#include <string.h>

#include "store/counts.h"
#include "store/health.h"
#include "store/import.h"
#include "store/sightings.h"

struct linking {
	struct sg_store *store;
	struct sl_error *error;
	struct base {
		int64_t id; /* 0: there is none */
		char *commit; /* owned; NULL: not known */
		bool same_configuration;
		int64_t reports;
		bool had_sources;
	} base;
	struct sg_paths paths;
	struct sg_health health;
	struct sg_sightings olds, news;
	struct sg_match match;
	bool matched;
	int64_t last_finding; /* id that was given out last */
	struct sg_bulk findings, links; /* to be written */
	struct sg_counts counts; /* of the links */
};

/* ---- the base ---------------------------------------------------------- */

static bool is_same_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "") == 0;
}

static enum sl_code read_base(struct linking *linking, sqlite3_stmt *row)
{
	const struct sg_run_start *start = &linking->store->import->start;
	const char *commit = sg_sql_text(row, 1);
	struct base *base = &linking->base;

	base->id = sqlite3_column_int64(row, 0);
	base->same_configuration =
		is_same_text(sg_sql_text(row, 2), start->configuration);
	base->reports = sqlite3_column_int64(row, 3);
	base->had_sources = sqlite3_column_int64(row, 4);
	base->commit = commit ? strdup(commit) : NULL;
	if (commit && !base->commit)
		return SL_FAIL(linking->error, SL_ENOMEM,
			       "no memory to match runs");
	return SL_OK;
}

static enum sl_code find_base(struct linking *linking)
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
		code = read_base(linking, row);
	sg_sql_stop(row);
	if (code == SL_END)
		return SL_OK;
	if (code != SL_OK)
		return code;
	return SG_DO(store, linking->error, SG_SQL_set_base, run,
		     sg_number(linking->base.id));
}

/* ---- matching ---------------------------------------------------------- */

static bool was_analysed(const void *context, size_t old_at)
{
	const struct linking *linking = context;

	return sg_health_shows(&linking->health, &linking->olds.rows[old_at]);
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

	if (start->map && linking->base.id)
		code = start->map(start->context, linking->base.commit,
				  &input.map, linking->error);
	if (code != SL_OK)
		return code;
	linking->health.map = input.map;
	code = sg_match_init(&linking->match, &input);
	linking->matched = code == SL_OK;
	if (code == SL_EINVAL)
		return SL_FAIL(linking->error, code,
			       "too many findings to match");
	if (code != SL_OK)
		return SL_FAIL(linking->error, code, "no memory to match runs");
	return SL_OK;
}

/* ---- writing ----------------------------------------------------------- */

static enum sl_code add_link(struct linking *linking, int64_t finding,
			     const struct sg_match_row *row,
			     const struct sg_sighting_row *own)
{
	const struct sg_value values[] = {
		sg_number(finding),
		sg_text(sg_verdict_text(row->verdict)),
		sg_number(row->step),
		sg_number(own->occurrence),
	};

	if (sg_counts_add(&linking->counts, own, row->verdict) != SL_OK)
		return SL_FAIL(linking->error, SL_ENOMEM,
			       "no memory to count findings");
	return sg_bulk_add(linking->store, &linking->links, values,
			   linking->error);
}

static enum sl_code add_finding(struct linking *linking, int64_t rule,
				int64_t *finding)
{
	struct sg_value values[] = { sg_number(0), sg_number(rule) };

	if (linking->last_finding == INT64_MAX)
		return SL_FAIL(linking->error, SL_EINVAL,
			       "%s has no number left for a finding",
			       sl_path_tail(linking->store->path));
	*finding = values[0].number = ++linking->last_finding;
	return sg_bulk_add(linking->store, &linking->findings, values,
			   linking->error);
}

static enum sl_code link_news(struct linking *linking)
{
	enum sl_code code = SL_OK;

	for (size_t at = 0; code == SL_OK && at < linking->news.count; at++) {
		const struct sg_match_row *row = &linking->match.news[at];
		const struct sg_sighting_row *own = &linking->news.rows[at];
		int64_t finding = 0;

		if (row->partner == SG_NO_PARTNER)
			code = add_finding(linking, own->rule, &finding);
		else
			finding = linking->olds.rows[row->partner].finding;
		if (code == SL_OK)
			code = add_link(linking, finding, row, own);
	}
	return code;
}

static enum sl_code link_olds(struct linking *linking)
{
	enum sl_code code = SL_OK;

	for (size_t at = 0; code == SL_OK && at < linking->olds.count; at++) {
		const struct sg_match_row *row = &linking->match.olds[at];
		const struct sg_sighting_row *own = &linking->olds.rows[at];

		if (row->partner == SG_NO_PARTNER)
			code = add_link(linking, own->finding, row, own);
	}
	return code;
}

/* Findings get their numbers here: nobody else writes meanwhile. */
static enum sl_code start_writing(struct linking *linking)
{
	struct sg_store *store = linking->store;
	const struct sg_import *import = store->import;
	enum sl_code code = sg_sql_ask(store, SG_SQL_last_finding, NULL, 0,
				       &linking->last_finding, linking->error);

	linking->findings = (struct sg_bulk){
		.insert = SG_SQL_add_findings,
		.columns = 2,
		.bound = { sg_number(import->time),
			   sg_text(import->start.commit) },
		.bound_count = 2,
	};
	linking->links = (struct sg_bulk){
		.insert = SG_SQL_add_links,
		.columns = 4,
		.bound = { sg_number(import->run) },
		.bound_count = 1,
	};
	return code;
}

static enum sl_code write_all(struct linking *linking)
{
	enum sl_code code = start_writing(linking);

	if (code == SL_OK)
		code = link_news(linking);
	if (code == SL_OK)
		code = link_olds(linking);
	if (code == SL_OK)
		code = sg_bulk_flush(linking->store, &linking->findings,
				     linking->error);
	if (code == SL_OK)
		code = sg_bulk_flush(linking->store, &linking->links,
				     linking->error);
	return code;
}

static enum sl_code examine(struct linking *linking)
{
	const struct sg_import *import = linking->store->import;
	const struct base *base = &linking->base;
	const struct sg_health_sides sides = {
		.run = import->run,
		.base = base->id,
		.tells = import->state <= SG_RUN_LIMITED && !import->is_vague &&
			 base->same_configuration &&
			 import->reports >= base->reports &&
			 base->had_sources == (import->start.source != NULL),
		.limited = import->state == SG_RUN_LIMITED,
	};

	return sg_health_init(&linking->health, linking->store, &sides,
			      &linking->paths, linking->error);
}

static enum sl_code load(struct linking *linking)
{
	struct sg_store *store = linking->store;
	enum sl_code code =
		sg_paths_load(&linking->paths, store, linking->error);

	if (code == SL_OK && linking->base.id)
		code = sg_sightings_open_in(&linking->olds, store,
					    &linking->paths, linking->base.id,
					    linking->error);
	if (code == SL_OK)
		code = sg_sightings_of_run(&linking->news, store,
					   &linking->paths, store->import->run,
					   linking->error);
	return code == SL_OK ? examine(linking) : code;
}

static enum sl_code link_all(struct linking *linking)
{
	int64_t run = linking->store->import->run;
	enum sl_code code = find_base(linking);

	if (code == SL_OK)
		code = load(linking);
	if (code == SL_OK)
		code = match(linking);
	if (code == SL_OK)
		code = write_all(linking);
	if (code == SL_OK)
		code = sg_import_suppress(linking->store, linking->error);
	if (code == SL_OK)
		code = sg_counts_write(&linking->counts, linking->store, run,
				       linking->error);
	return code;
}

enum sl_code sg_import_link(struct sg_store *store, struct sl_error *error)
{
	struct linking linking = { .store = store, .error = error };
	enum sl_code code = link_all(&linking);

	sg_bulk_finish(&linking.findings);
	sg_bulk_finish(&linking.links);
	sg_counts_finish(&linking.counts);
	if (linking.matched)
		sg_match_finish(&linking.match);
	sg_health_finish(&linking.health);
	sg_sightings_finish(&linking.olds);
	sg_sightings_finish(&linking.news);
	sg_paths_finish(&linking.paths);
	free(linking.base.commit);
	return code;
}
