/* SPDX-License-Identifier: MIT */
/* From SQLite's rows to ours. */
#include "store/answer.h"

#include <stdlib.h>

enum sl_code sg_answer_fail(struct sg_store *store, struct sl_error *error)
{
	switch (sqlite3_errcode(store->db)) {
	case SQLITE_ERROR:
	case SQLITE_MISMATCH:
	case SQLITE_RANGE:
	case SQLITE_AUTH:
	case SQLITE_CONSTRAINT:
		return SL_FAIL(error, SL_EINVAL, "%s",
			       sqlite3_errmsg(store->db));
	case SQLITE_TOOBIG:
		return SL_FAIL(error, SL_EINVAL, "a text or blob is too long");
	default:
		return sg_sql_fail(store, error);
	}
}

static const enum sg_field_kind kinds[] = {
	[SQLITE_INTEGER] = SG_FIELD_INTEGER, [SQLITE_FLOAT] = SG_FIELD_REAL,
	[SQLITE_TEXT] = SG_FIELD_TEXT,       [SQLITE_BLOB] = SG_FIELD_BLOB,
	[SQLITE_NULL] = SG_FIELD_NULL,
};

/* The type comes first: to ask for text changes it. Asked of a blob, text is
 * its bytes with a NUL behind. @return false: no memory. */
static bool read_field(sqlite3_stmt *statement, int at, struct sg_field *field)
{
	*field = (struct sg_field){
		.kind = kinds[sqlite3_column_type(statement, at)],
	};
	switch (field->kind) {
	case SG_FIELD_INTEGER:
		field->integer = sqlite3_column_int64(statement, at);
		break;
	case SG_FIELD_REAL:
		field->real = sqlite3_column_double(statement, at);
		break;
	case SG_FIELD_TEXT:
	case SG_FIELD_BLOB:
		field->text = sg_sql_text(statement, at);
		field->length = (size_t)sqlite3_column_bytes(statement, at);
		return field->text;
	case SG_FIELD_NULL:
		break;
	}
	return true;
}

/* Room for names and fields, so that rows need none of their own. */
struct answer {
	const char **names; /* owned array of borrowed texts */
	struct sg_field *fields; /* owned */
	struct sg_row row;
};

/* Only behind the first step: it may compile the statement anew. */
static enum sl_code read_names(struct answer *answer, sqlite3_stmt *statement,
			       struct sl_error *error)
{
	size_t count = (size_t)sqlite3_column_count(statement);

	answer->names = calloc(count + 1, sizeof(*answer->names));
	answer->fields = calloc(count + 1, sizeof(*answer->fields));
	if (!answer->names || !answer->fields)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a row");
	answer->row.names = answer->names;
	answer->row.count = count;
	for (size_t at = 0; at < count; at++) {
		answer->names[at] = sqlite3_column_name(statement, (int)at);
		if (!answer->names[at])
			return SL_FAIL(error, SL_ENOMEM, "no memory for a row");
	}
	return SL_OK;
}

static enum sl_code hand_on(struct answer *answer, sqlite3_stmt *statement,
			    sg_row_fn *take, void *context,
			    struct sl_error *error)
{
	for (size_t at = 0; at < answer->row.count; at++)
		if (!read_field(statement, (int)at, &answer->fields[at]))
			return SL_FAIL(error, SL_ENOMEM, "no memory for a row");
	answer->row.fields = answer->fields;
	return take(context, &answer->row, error);
}

enum sl_code sg_answer(struct sg_store *store, sqlite3_stmt *statement,
		       sg_row_fn *take, void *context, struct sl_error *error)
{
	struct answer answer = { .names = NULL };
	int step = sqlite3_step(statement);
	enum sl_code code = SL_OK;

	if (step == SQLITE_ROW || step == SQLITE_DONE)
		code = read_names(&answer, statement, error);
	if (answer.row.names && code == SL_OK)
		code = take(context, &answer.row, error);
	while (step == SQLITE_ROW && code == SL_OK) {
		code = hand_on(&answer, statement, take, context, error);
		if (code == SL_OK)
			step = sqlite3_step(statement);
	}
	if (code == SL_OK && step != SQLITE_DONE)
		code = sg_answer_fail(store, error);
	free(answer.names);
	free(answer.fields);
	return code;
}
