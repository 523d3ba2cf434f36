/* SPDX-License-Identifier: MIT */
/* Questions that have names. The build makes the list of the files in queries/.
 */
#include "store/query.h"

#include <stdio.h>
#include <string.h>

#include "store/answer.h"
#include "store/compare.h"
#include "store/runs.h"

const struct sg_query *sg_query_named(const char *name)
{
	for (const struct sg_query *query = sg_queries; query->name; query++)
		if (strcmp(query->name, name) == 0)
			return query;
	return NULL;
}

/* The second line: behind that of the licence. */
void sg_query_summary(const struct sg_query *query, char *line, size_t size)
{
	const char *text = strchr(query->text, '\n');
	size_t length;

	text = text ? text + 1 : "";
	text += strspn(text, "- ");
	length = strcspn(text, "\n");
	if (length && text[length - 1] == '.')
		length--;
	snprintf(line, size, "%.*s", (int)length, text);
}

static enum sl_code bind(struct sg_store *store, sqlite3_stmt *statement,
			 const char *name, int64_t id, struct sl_error *error)
{
	int at = sqlite3_bind_parameter_index(statement, name);

	if (at && id && sqlite3_bind_int64(statement, at, id) != SQLITE_OK)
		return sg_sql_fail(store, error);
	return SL_OK;
}

static enum sl_code ask(struct sg_store *store, const struct sg_query *query,
			int64_t run, int64_t base, sg_row_fn *take,
			void *context, struct sl_error *error)
{
	sqlite3_stmt *statement;
	enum sl_code code;

	if (sqlite3_prepare_v2(store->db, query->text, -1, &statement, NULL) !=
	    SQLITE_OK)
		return sg_sql_fail(store, error);
	code = bind(store, statement, ":run", run, error);
	if (code == SL_OK)
		code = bind(store, statement, ":base", base, error);
	if (code == SL_OK)
		code = sg_answer(store, statement, take, context, error);
	sqlite3_finalize(statement);
	return code;
}

static enum sl_code compare_and_ask(struct sg_store *store,
				    const struct sg_question *question,
				    sg_row_fn *take, void *context,
				    struct sl_error *error)
{
	struct sg_run about = { .base = 0 };
	enum sl_code code = sg_run_show(store, question->run, &about, error);

	sg_run_hide(store);
	if (code == SL_OK)
		code = sg_store_compare(store, question->run, question->base,
					question->map, question->map_context,
					error);
	if (code != SL_OK)
		return code;
	return ask(store, question->query, question->run,
		   question->base ? question->base : about.base, take, context,
		   error);
}

/* One look at the store from beginning to end: a run that is pruned in between
 * must not seem to have nothing. */
enum sl_code sg_store_query(struct sg_store *store,
			    const struct sg_question *question, sg_row_fn *take,
			    void *context, struct sl_error *error)
{
	enum sl_code code = sg_sql_exec(store, "SAVEPOINT question", error);
	enum sl_code ended;

	if (code != SL_OK)
		return code;
	code = compare_and_ask(store, question, take, context, error);
	ended = sg_sql_exec(store, "RELEASE question",
			    code == SL_OK ? error : NULL);
	return code == SL_OK ? ended : code;
}
