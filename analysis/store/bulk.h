/* SPDX-License-Identifier: MIT */
/** @file
 * Rows on their way into a table. They are kept until they are many, and one
 * statement inserts them all: to begin and end a statement, and to find the
 * place in the tree, costs SQLite more than the row.
 *
 * Such a statement reads them from the table "given", whose columns are "a",
 * "b", "c" and so on to "q", in the order of the values; which it is within
 * the statement only.
 */
#ifndef SG_STORE_BULK_H
#define SG_STORE_BULK_H

#include "base/arena.h"
#include "store/sql.h"

enum {
	SG_BULK_ROWS = 512,
	SG_BULK_BYTES = 256
			<< 10, /**< of texts: then these are many rows too */
	SG_BULK_COLUMNS = 17,
	SG_BULK_BOUND = 2,
};

/** Invariant: zeroed but for the first four it holds no rows. */
struct sg_bulk {
	enum sg_statement insert;
	size_t columns; /**< values a row, at most SG_BULK_COLUMNS */
	/** ?1, ?2, ..., which all rows have. Texts are borrowed. */
	struct sg_value bound[SG_BULK_BOUND];
	size_t bound_count;
	size_t count; /**< rows that are kept */
	size_t bytes; /**< of their texts */
	struct sg_value *values; /**< owned; of SG_BULK_ROWS rows */
	struct sl_arena texts; /**< of the values */
};

/** Make "given" known to the store's statements. */
enum sl_code sg_bulk_set_up(struct sg_store *store,
			    struct sl_error *error) SL_MUST_CHECK;

/** Keep a row, of which texts are copied. If there are many, insert them.
 * @p values: bulk->columns; no bytes among them. */
enum sl_code sg_bulk_add(struct sg_store *store, struct sg_bulk *bulk,
			 const struct sg_value *values,
			 struct sl_error *error) SL_MUST_CHECK;

/** Insert the rows that are kept. */
enum sl_code sg_bulk_flush(struct sg_store *store, struct sg_bulk *bulk,
			   struct sl_error *error) SL_MUST_CHECK;

/** Forget the rows that are kept. */
void sg_bulk_drop(struct sg_bulk *bulk);
void sg_bulk_finish(struct sg_bulk *bulk);

#endif
