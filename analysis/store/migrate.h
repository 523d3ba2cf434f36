/* SPDX-License-Identifier: MIT */
/** @file
 * A store's schema: made, recognised, brought up to date.
 */
#ifndef SG_STORE_MIGRATE_H
#define SG_STORE_MIGRATE_H

#include "store/sql.h"

/** SQL that leads from one schema to the next. */
struct sg_migration {
	const char *text; /**< borrowed; runs within a transaction */
};

/** Schemas: `current` is what `schema` makes of an empty file, and
 * migrations[N - 1] leads from N to N + 1. */
struct sg_schema {
	const char *text;
	int current;
	const struct sg_migration *migrations; /**< current - 1 of them */
};

/** What this program writes. */
extern const struct sg_schema sg_store_current;

/** Make sure that the open database is a store of just @p schema, without
 * writing to it. SL_EINVAL: it is not, or it is empty. */
enum sl_code sg_store_check(struct sg_store *store,
			    const struct sg_schema *schema,
			    struct sl_error *error) SL_MUST_CHECK;

/** Make sure that the open database is a store of @p schema. An empty one
 * becomes a store. An older one is migrated in one transaction, after a copy
 * was written to PATH.schema-N, N being its old schema. SL_EINVAL: another
 * program's, or newer; it is not touched. */
enum sl_code sg_store_ensure(struct sg_store *store,
			     const struct sg_schema *schema,
			     struct sl_error *error) SL_MUST_CHECK;

#endif
