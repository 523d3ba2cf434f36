/* SPDX-License-Identifier: MIT */
/** @file
 * Questions to a store: named ones, each a file of queries/, and those that
 * somebody writes in SQL.
 *
 * A named one is a SELECT with the parameters :run and :base (ids; :base is
 * NULL if the run was held against none). Besides the schema's tables and views
 * it may read the relation `compared` of store/compare.h. Its file begins with
 * comments: the licence, then a line that says what is asked, then what the
 * rows are and each column's meaning.
 */
#ifndef SG_STORE_QUERY_H
#define SG_STORE_QUERY_H

#include "sluice/defs.h"
#include "store/row.h"
#include "store/store.h"

struct sg_query {
	const char *name; /**< "by-rule": its file's name without ".sql" */
	const char *text; /**< the file, comments and all */
};

/** All of them; a NULL name at the end. */
extern const struct sg_query sg_queries[];

/** @return the query of that name, or NULL. */
const struct sg_query *sg_query_named(const char *name);

/** Copy the line that says what is asked into @p line, without its full stop;
 * cut if need be. */
void sg_query_summary(const struct sg_query *query, char *line, size_t size);

/** What is asked of which runs. */
struct sg_question {
	const struct sg_query *query; /**< borrowed */
	int64_t run; /**< id */
	int64_t base; /**< id; 0: the run's own, if it has one */
	sg_map_fn
		*map; /**< from the base's tree to the run's; NULL: not known */
	void *map_context; /**< for it */
};

/** Ask and hand the rows to @p take. Codes as in store.h, SL_EINVAL also if
 * there is no such run, or what @p take returned. */
enum sl_code sg_store_query(struct sg_store *store,
			    const struct sg_question *question, sg_row_fn *take,
			    void *context,
			    struct sl_error *error) SL_MUST_CHECK;

/** Ask what somebody wrote: one SELECT (or WITH, VALUES, EXPLAIN), which may
 * read everything in the store and change nothing: an authorizer refuses
 * writes, ATTACH, PRAGMA and functions that reach outside. @p steps: of
 * SQLite's machine that it may take, so that it ends; 0: any number. A text or
 * blob is at most 64 MiB. SL_EINVAL: it was refused, is no SQL, or took too
 * long. */
enum sl_code sg_store_select(struct sg_store *store, const char *text,
			     uint64_t steps, sg_row_fn *take, void *context,
			     struct sl_error *error) SL_MUST_CHECK;

#endif
