/* SPDX-License-Identifier: MIT */
/* Statements for one use. */
#include "store/ask.h"

#include <string.h>

enum sl_code sg_ask_start(struct sg_ask *ask, struct sg_store *store,
			  const char *statements, const char *mark, int64_t one,
			  int64_t two, struct sl_error *error)
{
	const int64_t values[] = { one, two };
	const char *text = strstr(statements, mark);
	int wanted;

	ask->store = store;
	ask->statement = NULL;
	if (!text)
		return SL_FAIL(error, SL_EINVAL, "no statement %s", mark);
	/* SQLite compiles what stands before the first semicolon. */
	if (sqlite3_prepare_v2(store->db, text, -1, &ask->statement, NULL) !=
	    SQLITE_OK)
		return sg_sql_fail(store, error);
	wanted = sqlite3_bind_parameter_count(ask->statement);
	for (int at = 0; at < wanted && at < 2; at++)
		if (sqlite3_bind_int64(ask->statement, at + 1, values[at]) !=
		    SQLITE_OK)
			return sg_sql_fail(store, error);
	return SL_OK;
}

void sg_ask_end(struct sg_ask *ask)
{
	sqlite3_finalize(ask->statement);
	ask->statement = NULL;
}

enum sl_code sg_ask_next(struct sg_ask *ask, struct sl_error *error)
{
	return sg_sql_next(ask->store, ask->statement, error);
}
