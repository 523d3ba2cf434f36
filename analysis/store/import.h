/* SPDX-License-Identifier: MIT */
/** @file
 * An import that is under way: the inside of store.h.
 */
#ifndef SG_STORE_IMPORT_H
#define SG_STORE_IMPORT_H

#include "match/function.h"
#include "store/digest.h"
#include "store/occurrences.h"
#include "store/seen.h"
#include "store/sql.h"
#include "store/store.h"

/** An id that was asked for lately. */
struct sg_known_id {
	struct sg_hash key; /**< of the name; zero: none */
	int64_t id;
};

enum { SG_KNOWN_IDS = 8192 /* a power of two */ };

/** A source that a finding was in. */
struct sg_open_source {
	char *path; /**< owned; NULL: the place is free */
	char *text; /**< owned; NULL: it is not at hand */
	size_t length; /**< of it */
	int64_t lines; /**< of it */
	int64_t sized; /**< id of the last result that has its size */
	bool at_hand; /**< the two below are there */
	struct sg_source source;
	struct sg_functions functions;
};

enum {
	SG_OPEN_SOURCES = 1024, /**< places, a power of two */
	SG_OPEN_WAYS = 4, /**< places that a path may have */
	SG_OPEN_BYTES = 4 << 20, /**< of texts together; tokens take more */
};

/** The result that findings are being added to. */
struct sg_open_result {
	int64_t id; /**< 0: none is open */
	bool gave_up; /**< a rule said so */
	char limit[96]; /**< that rule's name, if it did; cut if need be */
	struct sg_digest *digest; /**< owned */
	struct sg_seen seen; /**< ids of its occurrences */
	struct sg_occurrences occurrences;
};

struct sg_import {
	struct sg_run_start start; /**< borrowed texts */
	int64_t run; /**< id; 0: results are kept for no run */
	int64_t time; /**< seconds since 1970, UTC */
	bool failed; /**< it was rolled back */
	int64_t reports; /**< ended so far */
	enum sg_run_state state; /**< the worst of theirs */
	bool is_vague; /**< one is limited, and no rule says where */
	char note[320]; /**< of that one; "": none */
	/** By a hash of the path: reports go to and fro between files. */
	struct sg_open_source opened[SG_OPEN_SOURCES];
	size_t opened_bytes; /**< of their texts */
	size_t next_victim; /**< among a path's places, if all are taken */
	struct sg_open_result result;
	/** What sg_result_end() came to last. */
	struct {
		int64_t id;
		enum sg_run_state state;
	} ended;
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

/** Whether the open result is known to have noted this tool in this version, or
 * this unit (a file's id), before; from now on it may be. */
bool sg_import_has_noted(struct sg_import *import, int64_t tool,
			 const char *version);
bool sg_import_has_noted_unit(struct sg_import *import, int64_t file);
/** The tables were rolled back: no id is known. */
void sg_import_forget_names(struct sg_import *import);

/** Add a finding to the open result; the first one opens it. */
enum sl_code sg_result_add(struct sg_store *store,
			   const struct sg_finding *finding,
			   struct sl_error *error) SL_MUST_CHECK;
/** End it: it is stored, or an equal one that is there takes its place. One
 * without findings is a result too. */
enum sl_code sg_result_end(struct sg_store *store,
			   const struct sg_result_end *end,
			   struct sl_error *error) SL_MUST_CHECK;
/** It was never begun. */
enum sl_code sg_result_undo(struct sg_store *store,
			    struct sl_error *error) SL_MUST_CHECK;
void sg_result_drop(struct sg_import *import);

/** Make room for an import, without a run yet. SL_EINVAL: one is under way. */
enum sl_code sg_import_open(struct sg_store *store,
			    const struct sg_run_start *start,
			    struct sl_error *error) SL_MUST_CHECK;

/** Compute a finding's fingerprint, with its source if that is at hand; then
 * its size is stored for the open result. *function: that encloses it, borrowed
 * until the next call; NULL. */
enum sl_code sg_import_fingerprint(struct sg_store *store,
				   const struct sg_finding *finding,
				   struct sg_fingerprint *fingerprint,
				   const char **function,
				   struct sl_error *error) SL_MUST_CHECK;
void sg_import_close_sources(struct sg_import *import);

/** Match the run, whose results are stored, with its base, and write the links,
 * suppressions and counts. */
enum sl_code sg_import_link(struct sg_store *store,
			    struct sl_error *error) SL_MUST_CHECK;

/** Match the tracked file's entries with what the run has open. */
enum sl_code sg_import_suppress(struct sg_store *store,
				struct sl_error *error) SL_MUST_CHECK;

#endif
