/* SPDX-License-Identifier: MIT */
/** @file
 * Statements that are compiled for one use: those that only one command asks.
 */
#ifndef SG_STORE_ASK_H
#define SG_STORE_ASK_H

#include "store/sql.h"

/** A zeroed one is empty. */
struct sg_ask {
	struct sg_store *store; /**< borrowed */
	sqlite3_stmt *statement; /**< owned */
};

/** Compile the statement of @p statements behind the line @p mark ("-- name:
 * units\n") and bind @p one and @p two to ?1 and ?2, as far as it has them.
 * Afterwards sg_ask_end(), after a failure too. */
enum sl_code sg_ask_start(struct sg_ask *ask, struct sg_store *store,
			  const char *statements, const char *mark, int64_t one,
			  int64_t two, struct sl_error *error) SL_MUST_CHECK;
void sg_ask_end(struct sg_ask *ask);

/** The next row. SL_END: there is none. */
enum sl_code sg_ask_next(struct sg_ask *ask,
			 struct sl_error *error) SL_MUST_CHECK;

static inline int64_t sg_ask_number(const struct sg_ask *ask, int column)
{
	return sqlite3_column_int64(ask->statement, column);
}

#endif
