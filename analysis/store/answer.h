/* SPDX-License-Identifier: MIT */
/** @file
 * The rows of a statement, handed on: what query.h's two ways of asking share.
 */
#ifndef SG_STORE_ANSWER_H
#define SG_STORE_ANSWER_H

#include "store/row.h"
#include "store/sql.h"

/** Step @p statement to its end, each row to @p take. */
enum sl_code sg_answer(struct sg_store *store, sqlite3_stmt *statement,
		       sg_row_fn *take, void *context,
		       struct sl_error *error) SL_MUST_CHECK;

/** Record what SQLite says of somebody's SQL. @return SL_EINVAL if the fault is
 * in it, else as sg_sql_fail(). */
enum sl_code sg_answer_fail(struct sg_store *store, struct sl_error *error);

#endif
