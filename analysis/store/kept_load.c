/* SPDX-License-Identifier: MIT */
/* The findings of results that were kept, into memory. */
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "store/import.h"
#include "store/kept.h"
#include "store/seen.h"

struct loading {
	struct sg_store *store;
	struct sl_arena *arena;
	struct sl_error *error;
	struct sg_kept_finding *findings; /* owned */
	size_t count, room;
	struct sg_seen seen; /* ids: index + 1 */
	bool by_code; /* others' code is another finding */
	bool lacks_memory;
};

/* ---- a row ------------------------------------------------------------- */

static const char *text_at(struct loading *loading, sqlite3_stmt *row,
			   int column)
{
	const char *text = sg_sql_text(row, column), *copy;

	if (!text)
		return NULL;
	copy = sl_arena_text(loading->arena, text,
			     (size_t)sqlite3_column_bytes(row, column));
	loading->lacks_memory |= !copy;
	return copy;
}

static enum sg_severity severity_at(sqlite3_stmt *row, int column)
{
	int step = sqlite3_column_int(row, column);

	return step >= SG_INFO && step <= SG_ERROR ? (enum sg_severity)step
						   : SG_SEVERITY_UNKNOWN;
}

static void read_finding(struct loading *loading, sqlite3_stmt *row,
			 struct sg_finding *finding)
{
	const char *rule = sg_sql_text(row, 2);

	*finding = (struct sg_finding){
		.tool = text_at(loading, row, 1),
		.rule = rule && *rule ? text_at(loading, row, 2) : NULL,
		.path = text_at(loading, row, 3),
		.line = sqlite3_column_int64(row, 4),
		.column = sqlite3_column_int64(row, 5),
		.end_line = sqlite3_column_int64(row, 6),
		.end_column = sqlite3_column_int64(row, 7),
		.function = text_at(loading, row, 8),
		.severity = severity_at(row, 9),
		.severity_word = text_at(loading, row, 10),
		.cwe = sqlite3_column_int64(row, 11),
		.message = text_at(loading, row, 12),
		.verbose = text_at(loading, row, 13),
		.inconclusive = sqlite3_column_int(row, 14),
		.suppressed = sqlite3_column_int(row, 15),
		.repeats = sqlite3_column_int64(row, 16),
		.tool_version = text_at(loading, row, 17),
	};
}

/* Hashes of another version stay zero: they equal none. */
static void read_fingerprint(sqlite3_stmt *row,
			     struct sg_fingerprint *fingerprint)
{
	*fingerprint = (struct sg_fingerprint){ .bare = true };
	if (sqlite3_column_int64(row, 18) != SG_FINGERPRINT_VERSION)
		return;
	fingerprint->bare = sqlite3_column_int(row, 19);
	fingerprint->message = sg_sql_hash(row, 20);
	fingerprint->function = sg_sql_hash(row, 21);
	fingerprint->line = sg_sql_hash(row, 22);
	fingerprint->window = sg_sql_hash(row, 23);
	fingerprint->unmasked = sg_sql_hash(row, 24);
}

/* ---- equal ones are one ------------------------------------------------ */

static void add_text(XXH3_state_t *state, const char *text)
{
	XXH3_128bits_update(state, text ? text : "",
			    (text ? strlen(text) : 0) + 1);
}

static struct sg_hash equality_of(const struct loading *loading,
				  const struct sg_kept_finding *kept)
{
	const struct sg_finding *finding = &kept->finding;
	const struct sg_hash *code = &kept->fingerprint.line;
	const uint64_t place[] = {
		(uint64_t)finding->line,
		(uint64_t)finding->column,
		loading->by_code ? code->high : 0,
		loading->by_code ? code->low : 0,
	};
	XXH3_state_t state;
	XXH128_hash_t hash;

	XXH3_128bits_reset(&state);
	XXH3_128bits_update(&state, place, sizeof(place));
	add_text(&state, finding->tool);
	add_text(&state, finding->rule);
	add_text(&state, finding->path);
	add_text(&state, finding->message);
	hash = XXH3_128bits_digest(&state);
	return (struct sg_hash){ hash.high64, hash.low64 };
}

static struct sg_kept_finding *room_for_one(struct loading *loading)
{
	size_t room = loading->room ? 2 * loading->room : 256;
	struct sg_kept_finding *grown;

	if (loading->count < loading->room)
		return &loading->findings[loading->count];
	grown = realloc(loading->findings, room * sizeof(*grown));
	if (!grown)
		return NULL;
	loading->findings = grown;
	loading->room = room;
	return &grown[loading->count];
}

static enum sl_code take(struct loading *loading, sqlite3_stmt *row,
			 int64_t result)
{
	struct sg_kept_finding *kept = room_for_one(loading);
	struct sg_seen_slot *slot;

	if (!kept)
		return SL_ENOMEM;
	read_finding(loading, row, &kept->finding);
	if (loading->lacks_memory)
		return SL_ENOMEM;
	read_fingerprint(row, &kept->fingerprint);
	kept->occurrence = sqlite3_column_int64(row, 0);
	kept->result = result;
	slot = sg_seen_slot(&loading->seen, equality_of(loading, kept));
	if (!slot)
		return SL_ENOMEM;
	if (slot->id) {
		/* one that nobody accepted outweighs one that was */
		loading->findings[slot->id - 1].finding.suppressed &=
			kept->finding.suppressed;
		return SL_OK;
	}
	slot->id = (int64_t)++loading->count;
	return SL_OK;
}

static enum sl_code load_rows(struct loading *loading, enum sg_statement which,
			      const struct sg_value *values, size_t count,
			      int64_t result)
{
	sqlite3_stmt *row = sg_sql_start(loading->store, which, values, count,
					 loading->error);
	enum sl_code code;

	if (!row)
		return sg_sql_fail(loading->store, loading->error);
	while ((code = sg_sql_next(loading->store, row, loading->error)) ==
	       SL_OK)
		if (take(loading, row, result) != SL_OK) {
			code = SL_FAIL(loading->error, SL_ENOMEM,
				       "no memory for findings");
			break;
		}
	sg_sql_stop(row);
	return code == SL_END ? SL_OK : code;
}

static enum sl_code load_result(struct loading *loading, int64_t result)
{
	const struct sg_value value = sg_number(result);

	return load_rows(loading, SG_SQL_list_kept, &value, 1, result);
}

/* ---- in order ---------------------------------------------------------- */

static int order_texts(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

int sg_finding_order(const struct sg_finding *a, const struct sg_finding *b)
{
	int order = order_texts(a->path, b->path);

	if (!order)
		order = (a->line > b->line) - (a->line < b->line);
	if (!order)
		order = (a->column > b->column) - (a->column < b->column);
	if (!order)
		order = order_texts(a->tool, b->tool);
	if (!order)
		order = order_texts(a->rule, b->rule);
	return order ? order : order_texts(a->message, b->message);
}

static int order_kept(const void *a, const void *b)
{
	const struct sg_kept_finding *left = a, *right = b;

	return sg_finding_order(&left->finding, &right->finding);
}

static int order_ids(const void *a, const void *b)
{
	const int64_t *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

/* Many units have equal results: each is loaded once. */
static enum sl_code load_all(struct loading *loading, const int64_t *results,
			     size_t count)
{
	int64_t *ids = malloc((count + 1) * sizeof(*ids));
	enum sl_code code = SL_OK;

	if (!ids)
		return SL_FAIL(loading->error, SL_ENOMEM,
			       "no memory for findings");
	memcpy(ids, results, count * sizeof(*ids));
	qsort(ids, count, sizeof(*ids), order_ids);
	for (size_t at = 0; code == SL_OK && at < count; at++)
		if (at == 0 || ids[at] != ids[at - 1])
			code = load_result(loading, ids[at]);
	free(ids);
	return code;
}

enum sl_code sg_kept_load(struct sg_store *store, const int64_t *results,
			  size_t count, struct sl_arena *arena,
			  struct sg_kept_finding **findings, size_t *found,
			  struct sl_error *error)
{
	struct loading loading = { .store = store,
				   .arena = arena,
				   .error = error };
	enum sl_code code = load_all(&loading, results, count);

	sg_seen_finish(&loading.seen);
	*findings = NULL;
	*found = 0;
	if (code != SL_OK) {
		free(loading.findings);
		return code;
	}
	if (loading.count)
		qsort(loading.findings, loading.count,
		      sizeof(*loading.findings), order_kept);
	*findings = loading.findings;
	*found = loading.count;
	return SL_OK;
}

enum sl_code sg_kept_at(struct sg_store *store, const char *path, int64_t line,
			struct sl_arena *arena,
			struct sg_kept_finding **findings, size_t *found,
			struct sl_error *error)
{
	const struct sg_value values[] = { sg_text(path), sg_number(line) };
	struct loading loading = {
		.store = store, .arena = arena, .error = error, .by_code = true
	};
	enum sl_code code =
		load_rows(&loading, SG_SQL_list_kept_at, values, 2, 0);

	sg_seen_finish(&loading.seen);
	*findings = loading.findings;
	*found = loading.count;
	return code;
}

/* ---- events ------------------------------------------------------------ */

enum { EVENTS_SHOWN_MAX = 256 };

enum sl_code sg_kept_events(struct sg_store *store, struct sl_arena *arena,
			    struct sg_kept_finding *finding,
			    struct sl_error *error)
{
	const struct sg_value value = sg_number(finding->occurrence);
	struct loading loading = { .arena = arena };
	struct sg_event events[EVENTS_SHOWN_MAX], *copy;
	sqlite3_stmt *row =
		sg_sql_start(store, SG_SQL_list_events, &value, 1, error);
	enum sl_code code = SL_OK;
	size_t count = 0;

	if (!row)
		return sg_sql_fail(store, error);
	while (count < EVENTS_SHOWN_MAX &&
	       (code = sg_sql_next(store, row, error)) == SL_OK)
		events[count++] = (struct sg_event){
			.path = text_at(&loading, row, 0),
			.line = sqlite3_column_int64(row, 1),
			.column = sqlite3_column_int64(row, 2),
			.message = text_at(&loading, row, 3),
			.function = text_at(&loading, row, 4),
		};
	sg_sql_stop(row);
	copy = sl_arena_alloc(arena, (count + 1) * sizeof(*copy));
	if (!copy || loading.lacks_memory)
		return SL_FAIL(error, SL_ENOMEM, "no memory for findings");
	memcpy(copy, events, count * sizeof(*copy));
	finding->finding.events = copy;
	finding->finding.event_count = count;
	return code == SL_END ? SL_OK : code;
}
