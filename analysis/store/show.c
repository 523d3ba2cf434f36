/* SPDX-License-Identifier: MIT */
/* One finding, from all tables that have something to say of it. */
#include "store/show.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "store/ask.h"

/* Made of show.sql by embed.cmake. */
extern const char sg_store_show_statements[];

struct telling {
	struct sg_shown shown; /* first: its destroyer gets no other pointer */
	struct sl_arena arena;
};

void sg_shown_destroy(struct sg_shown *shown)
{
	struct telling *telling = (struct telling *)shown;

	if (!telling)
		return;
	sl_arena_finish(&telling->arena);
	free(telling);
}

/* Ask for a row. SL_END: there is none. */
static enum sl_code ask_one(struct sg_ask *row, struct sg_store *store,
			    const struct sg_shown *shown, const char *mark,
			    struct sl_error *error)
{
	enum sl_code code =
		sg_ask_start(row, store, sg_store_show_statements, mark,
			     shown->finding, shown->run, error);

	return code == SL_OK ? sg_ask_next(row, error) : code;
}

/* ---- values ------------------------------------------------------------ */

/* NULL is no text; no memory is a failure. */
static enum sl_code copy(struct telling *telling, const struct sg_ask *row,
			 int column, const char **text, struct sl_error *error)
{
	const char *shown;

	*text = NULL;
	if (sqlite3_column_type(row->statement, column) == SQLITE_NULL)
		return SL_OK;
	shown = sg_sql_text(row->statement, column);
	if (shown)
		*text = sl_arena_text(&telling->arena, shown, strlen(shown));
	if (!*text)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a finding");
	return SL_OK;
}

struct column {
	int column;
	const char **text;
};

static enum sl_code copy_all(struct telling *telling, const struct sg_ask *row,
			     const struct column *columns, size_t count,
			     struct sl_error *error)
{
	enum sl_code code = SL_OK;

	for (size_t at = 0; at < count && code == SL_OK; at++)
		code = copy(telling, row, columns[at].column, columns[at].text,
			    error);
	return code;
}

#define COPY(telling, row, error, ...) \
	copy_all((telling), (row), (const struct column[]){ __VA_ARGS__ }, \
		 sizeof((const struct column[]){ __VA_ARGS__ }) / \
			 sizeof(struct column), \
		 (error))

/* ---- lists ------------------------------------------------------------- */

typedef enum sl_code take_fn(struct telling *telling, const struct sg_ask *row,
			     void *element, struct sl_error *error);

/* Collect an answer's rows as elements of @p size bytes, borrowed from the
 * arena. */
static enum sl_code collect(struct telling *telling, struct sg_ask *rows,
			    size_t size, take_fn *take, void **elements,
			    size_t *count, struct sl_error *error)
{
	size_t capacity = 0;
	enum sl_code code;

	while ((code = sg_ask_next(rows, error)) == SL_OK) {
		if (*count == capacity) {
			char *grown;

			capacity = capacity ? 2 * capacity : 8;
			grown = sl_arena_alloc(&telling->arena,
					       capacity * size);
			if (!grown)
				return SL_FAIL(error, SL_ENOMEM,
					       "no memory for a finding");
			if (*count)
				memcpy(grown, *elements, *count * size);
			*elements = grown;
		}
		code = take(telling, rows, (char *)*elements + *count * size,
			    error);
		if (code != SL_OK)
			return code;
		++*count;
	}
	return code == SL_END ? SL_OK : code;
}

static enum sl_code list(struct telling *telling, struct sg_store *store,
			 const char *mark, size_t size, take_fn *take,
			 void **elements, size_t *count, struct sl_error *error)
{
	SL_CLEANUP(sg_ask_end) struct sg_ask rows = { .statement = NULL };
	enum sl_code code =
		sg_ask_start(&rows, store, sg_store_show_statements, mark,
			     telling->shown.finding, telling->shown.run, error);

	*elements = NULL;
	*count = 0;
	return code == SL_OK ? collect(telling, &rows, size, take, elements,
				       count, error)
			     : code;
}

static enum sl_code take_unit(struct telling *telling, const struct sg_ask *row,
			      void *element, struct sl_error *error)
{
	return copy(telling, row, 0, element, error);
}

static enum sl_code take_event(struct telling *telling,
			       const struct sg_ask *row, void *element,
			       struct sl_error *error)
{
	struct sg_event *event = element;

	event->line = sg_ask_number(row, 1);
	event->column = sg_ask_number(row, 2);
	return COPY(telling, row, error, { 0, &event->path },
		    { 3, &event->message }, { 4, &event->function });
}

static enum sl_code take_run(struct telling *telling, const struct sg_ask *row,
			     void *element, struct sl_error *error)
{
	struct sg_shown_run *run = element;

	run->run = sg_ask_number(row, 0);
	return copy(telling, row, 1, &run->verdict, error);
}

static enum sl_code tell_lists(struct telling *telling, struct sg_store *store,
			       struct sl_error *error)
{
	struct sg_shown *shown = &telling->shown;
	void *units, *events, *history;
	enum sl_code code =
		list(telling, store, "-- name: units\n", sizeof(char *),
		     take_unit, &units, &shown->said.unit_count, error);

	if (code == SL_OK)
		code = list(telling, store, "-- name: events\n",
			    sizeof(struct sg_event), take_event, &events,
			    &shown->said.event_count, error);
	if (code == SL_OK)
		code = list(telling, store, "-- name: history\n",
			    sizeof(struct sg_shown_run), take_run, &history,
			    &shown->history_count, error);
	if (code != SL_OK)
		return code;
	shown->said.units = units;
	shown->said.events = events;
	shown->history = history;
	return SL_OK;
}

/* ---- the finding ------------------------------------------------------- */

static enum sl_code take_finding(struct telling *telling,
				 const struct sg_ask *row,
				 struct sl_error *error)
{
	struct sg_shown *shown = &telling->shown;
	struct sg_finding *said = &shown->said;
	int64_t severity = sg_ask_number(row, 6);

	shown->run_time = sg_ask_number(row, 3);
	said->severity = severity >= 0 && severity <= SG_ERROR
				 ? (enum sg_severity)severity
				 : SG_SEVERITY_UNKNOWN;
	said->line = sg_ask_number(row, 11);
	said->column = sg_ask_number(row, 12);
	said->end_line = sg_ask_number(row, 13);
	said->end_column = sg_ask_number(row, 14);
	said->cwe = sg_ask_number(row, 16);
	said->inconclusive = sg_ask_number(row, 17) != 0;
	said->suppressed = sg_ask_number(row, 18) != 0;
	shown->first_time = sg_ask_number(row, 19);
	shown->first_run = sg_ask_number(row, 21);
	if (sg_ask_number(row, 23) == SG_FINGERPRINT_VERSION) {
		shown->line_hash = sg_sql_hash(row->statement, 24);
		shown->window_hash = sg_sql_hash(row->statement, 25);
	}
	return COPY(telling, row, error, { 0, &shown->verdict },
		    { 1, &shown->run_commit }, { 26, &shown->seen_commit },
		    { 27, &shown->seen_root }, { 4, &said->tool },
		    { 5, &said->rule }, { 7, &said->severity_word },
		    { 8, &said->message }, { 9, &said->verbose },
		    { 10, &said->path }, { 15, &said->function },
		    { 20, &shown->first_commit }, { 22, &said->tool_version });
}

/* SL_END: the run does not tell of it. */
static enum sl_code tell_finding(struct telling *telling,
				 struct sg_store *store, struct sl_error *error)
{
	struct sg_shown *shown = &telling->shown;
	SL_CLEANUP(sg_ask_end) struct sg_ask row = { .statement = NULL };
	enum sl_code code =
		ask_one(&row, store, shown, "-- name: finding\n", error);

	return code == SL_OK ? take_finding(telling, &row, error) : code;
}

static enum sl_code tell_repeats(struct telling *telling,
				 struct sg_store *store, struct sl_error *error)
{
	SL_CLEANUP(sg_ask_end) struct sg_ask row = { .statement = NULL };
	enum sl_code code = ask_one(&row, store, &telling->shown,
				    "-- name: repeats\n", error);

	if (code == SL_OK)
		telling->shown.said.repeats = sg_ask_number(&row, 0);
	return code == SL_END ? SL_OK : code;
}

static enum sl_code tell_entry(struct telling *telling, struct sg_store *store,
			       struct sl_error *error)
{
	struct sg_suppression *entry;
	SL_CLEANUP(sg_ask_end) struct sg_ask row = { .statement = NULL };
	enum sl_code code = ask_one(&row, store, &telling->shown,
				    "-- name: entry\n", error);

	if (code != SL_OK)
		return code == SL_END ? SL_OK : code;
	entry = sl_arena_alloc(&telling->arena, sizeof(*entry));
	if (!entry)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a finding");
	entry->position = sg_ask_number(&row, 0);
	entry->line = sg_ask_number(&row, 4);
	telling->shown.entry = entry;
	return COPY(telling, &row, error, { 1, &entry->tool },
		    { 2, &entry->rule }, { 3, &entry->path },
		    { 5, &entry->message }, { 6, &entry->reason },
		    { 7, &entry->until }, { 8, &telling->shown.entry_state });
}

/* Settle which run it is. *last: the last that tells of the finding or, if one
 * does, that has it open. */
static enum sl_code choose_run(struct sg_shown *shown, struct sg_store *store,
			       int64_t *last, struct sl_error *error)
{
	SL_CLEANUP(sg_ask_end) struct sg_ask row = { .statement = NULL };
	enum sl_code code =
		ask_one(&row, store, shown, "-- name: last_run\n", error);

	if (code != SL_OK)
		return code;
	if (!sg_ask_number(&row, 0))
		return SL_FAIL(error, SL_EINVAL, "there is no finding %" PRId64,
			       shown->finding);
	if (!shown->run)
		shown->run = sg_ask_number(&row, 0);
	*last = sg_ask_number(&row, 1) ? sg_ask_number(&row, 1)
				       : sg_ask_number(&row, 0);
	return SL_OK;
}

static enum sl_code tell(struct telling *telling, struct sg_store *store,
			 struct sl_error *error)
{
	struct sg_shown *shown = &telling->shown;
	int64_t last = 0;
	enum sl_code code = choose_run(shown, store, &last, error);

	if (code != SL_OK)
		return code;
	code = tell_finding(telling, store, error);
	if (code == SL_END)
		return SL_FAIL(error, SL_EINVAL,
			       "run %" PRId64 " does not have finding %" PRId64
			       "; the last that has it is run %" PRId64,
			       shown->run, shown->finding, last);
	if (code == SL_OK)
		code = tell_repeats(telling, store, error);
	if (code == SL_OK)
		code = tell_lists(telling, store, error);
	return code == SL_OK ? tell_entry(telling, store, error) : code;
}

enum sl_code sg_store_show(struct sg_store *store, int64_t finding, int64_t run,
			   struct sg_shown **shown, struct sl_error *error)
{
	struct telling *telling = calloc(1, sizeof(*telling));
	enum sl_code code;

	*shown = NULL;
	if (!telling)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a finding");
	telling->shown.finding = finding;
	telling->shown.run = run;
	/* An import or a prune in between must not mix two states. */
	code = sg_sql_exec(store, "SAVEPOINT show", error);
	if (code == SL_OK) {
		code = tell(telling, store, error);
		(void)!sg_sql_exec(store, "RELEASE show", NULL);
	}
	if (code == SL_OK)
		*shown = &telling->shown;
	else
		sg_shown_destroy(&telling->shown);
	return code;
}

enum sl_code sg_store_equals(struct sg_store *store,
			     const struct sg_shown *shown,
			     struct sg_equals *equals, struct sl_error *error)
{
	SL_CLEANUP(sg_ask_end) struct sg_ask row = { .statement = NULL };
	enum sl_code code =
		ask_one(&row, store, shown, "-- name: equals\n", error);

	*equals = (struct sg_equals){ 0, 0 };
	if (code != SL_OK)
		return code == SL_END ? SL_OK : code;
	equals->findings = sg_ask_number(&row, 0);
	equals->entries = sg_ask_number(&row, 1);
	return SL_OK;
}
