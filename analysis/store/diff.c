/* SPDX-License-Identifier: MIT */
/* Two runs, compared and told apart. */
#include "store/diff.h"

#include "store/answer.h"
#include "store/ask.h"
#include "store/compare.h"

/* Made of diff.sql by embed.cmake. */
extern const char sg_store_diff_statements[];

static enum sl_code count(struct sg_store *store, struct sg_diff *diff,
			  struct sl_error *error)
{
	SL_CLEANUP(sg_ask_end) struct sg_ask row = { .statement = NULL };
	enum sl_code code = sg_ask_start(&row, store, sg_store_diff_statements,
					 "-- name: counts\n", 0, 0, error);

	if (code == SL_OK)
		code = sg_ask_next(&row, error);
	if (code != SL_OK)
		return code;
	diff->added = sg_ask_number(&row, 0);
	diff->fixed = sg_ask_number(&row, 1);
	diff->unknown = sg_ask_number(&row, 2);
	diff->same = sg_ask_number(&row, 3);
	return SL_OK;
}

static enum sl_code tell(struct sg_store *store, sg_row_fn *take, void *context,
			 struct sg_diff *diff, struct sl_error *error)
{
	SL_CLEANUP(sg_ask_end) struct sg_ask rows = { .statement = NULL };
	enum sl_code code = count(store, diff, error);

	if (code == SL_OK)
		code = sg_ask_start(&rows, store, sg_store_diff_statements,
				    "-- name: rows\n", 0, 0, error);
	return code == SL_OK
		       ? sg_answer(store, rows.statement, take, context, error)
		       : code;
}

enum sl_code sg_store_diff(struct sg_store *store, int64_t run, int64_t base,
			   sg_map_fn *map, void *map_context, sg_row_fn *take,
			   void *context, struct sg_diff *diff,
			   struct sl_error *error)
{
	/* A prune in between must not take what was compared. */
	enum sl_code code = sg_sql_exec(store, "SAVEPOINT diff", error);

	if (code != SL_OK)
		return code;
	code = sg_store_compare(store, run, base, map, map_context, error);
	if (code == SL_OK)
		code = tell(store, take, context, diff, error);
	(void)!sg_sql_exec(store, "RELEASE diff", NULL);
	return code;
}
