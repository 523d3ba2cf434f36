/* SPDX-License-Identifier: MIT */
/* A run and its base, row by row. */
#include "store/export.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "gate/identity.h"
#include "store/compare.h"
#include "store/exporting.h"

/* Made of export.sql by embed.cmake. */
extern const char sg_store_export_statements[];

enum sl_code sg_export_no_memory(const struct sg_exporting *exporting)
{
	return SL_FAIL(exporting->error, SL_ENOMEM, "no memory for a run");
}

enum sl_code sg_export_ask(const struct sg_exporting *exporting,
			   struct sg_ask *ask, const char *mark)
{
	return sg_ask_start(ask, exporting->store, sg_store_export_statements,
			    mark, exporting->run, exporting->base,
			    exporting->error);
}

/* ---- columns ----------------------------------------------------------- */

const char *sg_export_text(struct sg_export_row *row, int column)
{
	const char *text, *copy;

	if (sqlite3_column_type(row->row->statement, column) == SQLITE_NULL)
		return NULL;
	text = sg_sql_text(row->row->statement, column);
	copy = text ? sl_arena_text(row->exporting->arena, text, strlen(text))
		    : NULL;
	row->no_memory |= !copy;
	return copy;
}

static enum sg_severity severity_of(int64_t number)
{
	return number >= 0 && number <= SG_ERROR ? (enum sg_severity)number
						 : SG_SEVERITY_UNKNOWN;
}

static enum sg_verdict verdict_of(const char *text)
{
	for (int at = SG_SAME; text && at <= SG_UNKNOWN; at++)
		if (strcmp(text, sg_verdict_text((enum sg_verdict)at)) == 0)
			return (enum sg_verdict)at;
	return SG_UNKNOWN;
}

/* ---- findings ---------------------------------------------------------- */

static void read_finding(struct sg_export_row *row, struct sg_finding *finding)
{
	*finding = (struct sg_finding){
		.tool = sg_export_text(row, 2),
		.tool_version = sg_export_text(row, 3),
		.rule = sg_export_text(row, 4),
		.severity = severity_of(sg_export_number(row, 5)),
		.severity_word = sg_export_text(row, 6),
		.message = sg_export_text(row, 7),
		.verbose = sg_export_text(row, 8),
		.path = sg_export_text(row, 9),
		.line = sg_export_number(row, 10),
		.column = sg_export_number(row, 11),
		.end_line = sg_export_number(row, 12),
		.end_column = sg_export_number(row, 13),
		.function = sg_export_text(row, 14),
		.cwe = sg_export_number(row, 15),
		.inconclusive = sg_export_number(row, 16) != 0,
		.suppressed = sg_export_number(row, 17) != 0,
		.repeats = sg_export_number(row, 18),
	};
	if (finding->rule && !*finding->rule)
		finding->rule = NULL;
}

/* Who wrote the store may have left out fingerprints. */
static enum sl_code read_identity(const struct sg_export_row *row,
				  struct sg_judged *judged)
{
	const struct sg_finding *finding = &judged->finding;
	const struct sg_words words = { .tool = finding->tool,
					.rule = finding->rule,
					.function = finding->function,
					.message = finding->message };
	sqlite3_stmt *statement = row->row->statement;
	struct sg_fingerprint fingerprint = { .bare = false };
	enum sl_code code = SL_OK;

	fingerprint.function = sg_sql_hash(statement, 24);
	fingerprint.line = sg_sql_hash(statement, 25);
	if (sg_hash_is_zero(fingerprint.function))
		code = sg_fingerprint_init(&fingerprint, &words, NULL, 0);
	judged->identity = sg_identity_key(&fingerprint, finding->path);
	return code;
}

static enum sl_code read_judged(struct sg_export_row *row,
				struct sg_judged *judged)
{
	const struct sg_exporting *exporting = row->exporting;

	*judged = (struct sg_judged){
		.verdict = verdict_of(sg_export_text(row, 0)),
		.reason = sg_export_text(row, 19),
		.until = sg_export_text(row, 20),
		.was_path = sg_export_text(row, 21),
		.was_line = sg_export_number(row, 22),
		.accepted_before = sg_export_number(row, 23) != 0,
		.policy = SG_POLICY_NO_NEW,
		.counts = true,
	};
	read_finding(row, &judged->finding);
	judged->accepted = judged->finding.suppressed || judged->reason;
	if (row->no_memory)
		return sg_export_no_memory(exporting);
	if (!judged->finding.tool || !judged->finding.message)
		return SL_FAIL(exporting->error, SL_EINVAL,
			       "%s has a finding without a tool or a message",
			       sl_path_tail(exporting->store->path));
	return read_identity(row, judged) == SL_OK
		       ? SL_OK
		       : sg_export_no_memory(exporting);
}

static enum sl_code make_room(struct sg_exporting *exporting)
{
	struct sg_judgement *judgement = exporting->judgement;
	size_t room = exporting->room ? exporting->room * 2 : 256;
	struct sg_judged *judged;
	struct sg_export_place *places;

	if (judgement->judged_count < exporting->room)
		return SL_OK;
	judged = realloc(judgement->judged, room * sizeof(*judged));
	if (!judged)
		return sg_export_no_memory(exporting);
	judgement->judged = judged;
	places = realloc(exporting->places, room * sizeof(*places));
	if (!places)
		return sg_export_no_memory(exporting);
	exporting->places = places;
	exporting->room = room;
	return SL_OK;
}

static enum sl_code load_findings(struct sg_exporting *exporting)
{
	SL_CLEANUP(sg_ask_end) struct sg_ask rows = { .statement = NULL };
	struct sg_judgement *judgement = exporting->judgement;
	enum sl_code code =
		sg_export_ask(exporting, &rows, "-- name: findings\n");

	while (code == SL_OK &&
	       (code = sg_ask_next(&rows, exporting->error)) == SL_OK) {
		struct sg_export_row reading = { .exporting = exporting,
						 .row = &rows };
		size_t at = judgement->judged_count;

		code = make_room(exporting);
		if (code == SL_OK)
			code = read_judged(&reading, &judgement->judged[at]);
		if (code != SL_OK)
			return code;
		exporting->places[at].occurrence = sg_ask_number(&rows, 1);
		exporting->places[at].at = at;
		judgement->judged_count++;
	}
	return code == SL_END ? SL_OK : code;
}

/* ---- the run ----------------------------------------------------------- */

static const char *name_run(const struct sg_exporting *exporting, int64_t id,
			    const char *commit)
{
	return commit ? sl_arena_printf(exporting->arena,
					"run %" PRId64 ", %.40s", id, commit)
		      : sl_arena_printf(exporting->arena, "run %" PRId64, id);
}

static void note_state(struct sg_exporting *exporting, const char *state,
		       const char *note)
{
	struct sg_judgement *judgement = exporting->judgement;
	struct sg_trouble *trouble = exporting->trouble;

	if (strcmp(state, "complete") == 0)
		return;
	trouble->limited = strcmp(state, "incomplete") != 0;
	trouble->why = note ? note : state;
	judgement->troubles = trouble;
	judgement->trouble_count = 1;
	if (!trouble->limited)
		judgement->outcome = SG_INCOMPLETE;
}

static enum sl_code load_run(struct sg_exporting *exporting)
{
	SL_CLEANUP(sg_ask_end) struct sg_ask row = { .statement = NULL };
	struct sg_export_row reading = { .exporting = exporting, .row = &row };
	struct sg_judgement *judgement = exporting->judgement;
	const char *state, *note, *commit;
	enum sl_code code = sg_export_ask(exporting, &row, "-- name: run\n");

	if (code == SL_OK)
		code = sg_ask_next(&row, exporting->error);
	if (code == SL_END)
		return SL_FAIL(
			exporting->error, SL_EINVAL, "%s has no run %" PRId64,
			sl_path_tail(exporting->store->path), exporting->run);
	if (code != SL_OK)
		return code;
	state = sg_export_text(&reading, 0);
	note = sg_export_text(&reading, 1);
	commit = sg_export_text(&reading, 2);
	exporting->base = sg_export_number(&reading, 3);
	judgement->is_whole = true;
	judgement->tested = name_run(exporting, exporting->run, commit);
	if (exporting->base)
		judgement->base = name_run(exporting, exporting->base,
					   sg_export_text(&reading, 4));
	if (reading.no_memory || !state || !judgement->tested ||
	    (exporting->base && !judgement->base))
		return sg_export_no_memory(exporting);
	note_state(exporting, state, note);
	return SL_OK;
}

static enum sl_code load(struct sg_exporting *exporting, bool with_ways)
{
	enum sl_code code = load_run(exporting);

	if (code == SL_OK)
		code = sg_store_compare(exporting->store, exporting->run, 0,
					NULL, NULL, exporting->error);
	if (code == SL_OK)
		code = load_findings(exporting);
	if (code == SL_OK && with_ways)
		code = sg_export_ways(exporting);
	if (code == SL_OK &&
	    sg_identities_part(exporting->judgement->judged,
			       exporting->judgement->judged_count) != SL_OK)
		code = sg_export_no_memory(exporting);
	return code;
}

enum sl_code sg_store_export(struct sg_store *store, int64_t run,
			     bool with_ways, struct sg_stored *stored,
			     struct sl_error *error)
{
	struct sg_exporting exporting = {
		.store = store,
		.error = error,
		.arena = &stored->arena,
		.judgement = &stored->judgement,
		.trouble = &stored->trouble,
		.run = run,
	};
	/* A prune in between must not take what was compared. */
	enum sl_code code = sg_sql_exec(store, "SAVEPOINT export", error);

	if (code != SL_OK)
		return code;
	code = load(&exporting, with_ways);
	(void)!sg_sql_exec(store, "RELEASE export", NULL);
	free(exporting.places);
	return code;
}

void sg_stored_finish(struct sg_stored *stored)
{
	free(stored->judgement.judged);
	sl_arena_finish(&stored->arena);
	*stored = (struct sg_stored){ .trouble = { .why = NULL } };
}
