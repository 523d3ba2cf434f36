/* SPDX-License-Identifier: MIT */
/** @file
 * An import that is under way: the inside of store.h.
 */
#ifndef SG_STORE_IMPORT_H
#define SG_STORE_IMPORT_H

#include "match/function.h"
#include "store/seen.h"
#include "store/sql.h"
#include "store/store.h"

/** An id that was asked for lately. */
struct sg_known_id {
	struct sg_hash key; /**< of the name; zero: none */
	int64_t id;
};

enum { SG_KNOWN_IDS = 1024 /* a power of two */ };

/** The source that the last finding was in. */
struct sg_open_source {
	char *path; /**< owned; NULL: none was asked for */
	bool at_hand;
	struct sg_source source; /**< if at hand */
	struct sg_functions functions; /**< if at hand */
};

struct sg_import {
	struct sg_run_start start; /**< borrowed texts */
	int64_t run; /**< id */
	int64_t time; /**< seconds since 1970, UTC */
	bool failed; /**< it was rolled back */
	struct sg_open_source open;
	struct sg_seen seen; /**< occurrences of this run */
	/** Names' ids. What is not in it is in the tables. */
	struct sg_known_id known[SG_KNOWN_IDS];
};

/** @return the id of a tool, rule or file, made if it is new. */
enum sl_code sg_import_tool(struct sg_store *store, const char *name,
			    int64_t *id, struct sl_error *error) SL_MUST_CHECK;
enum sl_code sg_import_rule(struct sg_store *store, int64_t tool,
			    const char *name, int64_t *id,
			    struct sl_error *error) SL_MUST_CHECK;
/** @p path: NULL gives id 0. */
enum sl_code sg_import_file(struct sg_store *store, const char *path,
			    int64_t *id, struct sl_error *error) SL_MUST_CHECK;

/** Whether the import is known to have noted this tool in this version, or this
 * unit (a file's id), before; from now on it may be. */
bool sg_import_has_noted(struct sg_import *import, int64_t tool,
			 const char *version);
bool sg_import_has_noted_unit(struct sg_import *import, int64_t file);

/** Compute a finding's fingerprint, with its source if that is at hand.
 * *function: that encloses it, borrowed until the next call; NULL. */
enum sl_code sg_import_fingerprint(struct sg_import *import,
				   const struct sg_finding *finding,
				   struct sg_fingerprint *fingerprint,
				   const char **function,
				   struct sl_error *error) SL_MUST_CHECK;
void sg_import_close_source(struct sg_import *import);

/** Match the run, whose formats are set, with its base, and write the links and
 * counts. @p state: of the run. */
enum sl_code sg_import_link(struct sg_store *store, enum sg_run_state state,
			    struct sl_error *error) SL_MUST_CHECK;

#endif
