/* SPDX-License-Identifier: MIT */
/* Which findings a run would have shown. */
#include "store/health.h"

#include <stdlib.h>
#include <string.h>

static enum sl_code add_limit(struct sg_health *health, int64_t tool,
			      int64_t file, struct sl_error *error)
{
	if (health->limit_count == health->limit_room) {
		size_t room = health->limit_room ? health->limit_room * 2 : 16;
		struct sg_limit *limits =
			realloc(health->limits, room * sizeof(*health->limits));

		if (!limits)
			return SL_FAIL(error, SL_ENOMEM,
				       "no memory to match runs");
		health->limits = limits;
		health->limit_room = room;
	}
	health->limits[health->limit_count++] =
		(struct sg_limit){ .tool = tool, .file = file };
	return SL_OK;
}

/* Rows of a tool and, if @p which gives them, a file. */
static enum sl_code load(struct sg_health *health, enum sg_statement which,
			 const struct sg_value *values, size_t count,
			 struct sl_error *error)
{
	sqlite3_stmt *row =
		sg_sql_start(health->store, which, values, count, error);
	enum sl_code code;

	if (!row)
		return sg_sql_fail(health->store, error);
	while ((code = sg_sql_next(health->store, row, error)) == SL_OK) {
		int64_t file = sqlite3_column_count(row) > 1
				       ? sqlite3_column_int64(row, 1)
				       : 0;

		code = add_limit(health, sqlite3_column_int64(row, 0), file,
				 error);
		if (code != SL_OK)
			break;
	}
	sg_sql_stop(row);
	return code == SL_END ? SL_OK : code;
}

enum sl_code sg_health_init(struct sg_health *health, struct sg_store *store,
			    const struct sg_health_sides *sides,
			    const struct sg_paths *paths,
			    struct sl_error *error)
{
	static const enum sg_statement unlike[] = {
		SG_SQL_list_changed_tools,
		SG_SQL_list_absent_tools,
		SG_SQL_list_lost_tools,
	};
	const struct sg_value runs[] = { sg_number(sides->run),
					 sg_number(sides->base) };
	enum sl_code code = SL_OK;

	*health = (struct sg_health){ .store = store,
				      .paths = paths,
				      .tells = sides->tells };
	if (!sides->base || !sides->tells)
		return SL_OK;
	for (size_t at = 0;
	     code == SL_OK && at < sizeof(unlike) / sizeof(unlike[0]); at++)
		code = load(health, unlike[at], runs, 2, error);
	if (code == SL_OK && sides->limited)
		code = load(health, SG_SQL_list_limits, runs, 1, error);
	return code;
}

void sg_health_finish(struct sg_health *health)
{
	free(health->limits);
	health->limits = NULL;
}

/* ---- a finding --------------------------------------------------------- */

static bool is_file(const struct sg_health *health, int64_t limited,
		    int64_t file)
{
	const char *path = sg_paths_at(health->paths, file);
	const char *other = sg_paths_at(health->paths, limited), *now;

	if (limited == file)
		return true;
	if (!health->map || !path || !other)
		return false;
	now = sg_map_place(health->map, path, 0).path;
	return now && now != path && strcmp(now, other) == 0;
}

static bool is_limited(const struct sg_health *health, int64_t tool,
		       int64_t file)
{
	for (size_t at = 0; at < health->limit_count; at++) {
		const struct sg_limit *limit = &health->limits[at];

		if (limit->tool == tool &&
		    (!limit->file || is_file(health, limit->file, file)))
			return true;
	}
	return false;
}

static bool gave_up(const struct sg_health *health, int64_t tool)
{
	for (size_t at = 0; at < health->limit_count; at++)
		if (health->limits[at].tool == tool)
			return true;
	return false;
}

/* A file that is not compiled by itself. */
static bool is_header(const char *path)
{
	const char *dot = path ? strrchr(path, '.') : NULL;
	const char *const endings[] = { "h",   "hh",  "hpp", "hxx", "H",
					"inc", "inl", "ipp", "tcc" };

	for (size_t at = 0; dot && at < sizeof(endings) / sizeof(endings[0]);
	     at++)
		if (strcmp(dot + 1, endings[at]) == 0)
			return true;
	return path && !dot; /* <vector> */
}

/* @return whether one of its units is limited, or may be. */
static bool has_limited_unit(const struct sg_health *health, int64_t tool,
			     const struct sg_sighting_row *row)
{
	const struct sg_value value = sg_number(row->occurrence);
	sqlite3_stmt *unit =
		sg_sql_start(health->store, SG_SQL_list_units, &value, 1, NULL);
	bool any = false, limited = false;
	enum sl_code code = SL_EIO;

	while (unit && !limited &&
	       (code = sg_sql_next(health->store, unit, NULL)) == SL_OK) {
		any = true;
		limited =
			is_limited(health, tool, sqlite3_column_int64(unit, 0));
	}
	if (unit)
		sg_sql_stop(unit);
	if (code != SL_OK && code != SL_END)
		return true;
	return limited ||
	       (!any && is_header(sg_paths_at(health->paths, row->file)));
}

bool sg_health_shows(const struct sg_health *health,
		     const struct sg_sighting_row *row)
{
	int64_t tool;

	if (!health->tells || !row->comparable)
		return false;
	if (!health->limit_count)
		return true;
	if (SG_ASK(health->store, NULL, &tool, SG_SQL_tool_of_rule,
		   sg_number(row->rule)) != SL_OK)
		return false;
	if (!gave_up(health, tool))
		return true;
	return !is_limited(health, tool, row->file) &&
	       !has_limited_unit(health, tool, row);
}
