/* SPDX-License-Identifier: MIT */
/** @file
 * The store: runs and their findings in one SQLite file; schema.sql says what
 * is in it.
 *
 * A run is imported by sg_store_begin(), sg_store_add() for each finding,
 * sg_store_end_result() behind those of each report, and sg_store_finish(), in
 * one transaction: whatever comes between, a kill too, leaves the store as it
 * was. An import holds the store's write lock from begin to finish; others wait
 * for it, up to SG_STORE_WAIT_MS. Reading goes on meanwhile.
 *
 * Memory grows by at most 48 bytes a finding of a report, whatever is in it,
 * by some megabytes of rows that wait to be inserted (store/bulk.h), and during
 * sg_store_finish() by about 300 for each in the run and its base.
 *
 * Codes: SL_ENOMEM; SL_EINVAL: a file that is no store of ours, or too new, or
 * calls out of order; SL_EIO: it cannot be opened, read or written, the disk is
 * full, or another one held it for too long. Messages name the file.
 *
 * A store is used by one thread at a time; several may be open on one file, in
 * any number of processes of one machine.
 */
#ifndef SG_STORE_STORE_H
#define SG_STORE_STORE_H

#include <stddef.h>
#include <stdint.h>

#include "match/map.h"
#include "read/finding.h"
#include "sluice/defs.h"
#include "sluice/error.h"

/** "SGAT": SQLite's application_id of a store. */
#define SG_STORE_APPLICATION 0x53474154
/** The schema that this program writes: SQLite's user_version. */
#define SG_STORE_SCHEMA 1
/** How long one waits for another's import. */
#define SG_STORE_WAIT_MS 120000

struct sg_store;

/** For programs of one thread that do nothing with stores but import: SQLite
 * takes no locks, and does not count its memory, which a limit of what queries
 * may take (store/query.h) would need. Of the whole process, so that a library
 * leaves it to the program. Does nothing once a store was opened. */
void sg_store_import_only(void);

/** Open @p path, and create it if it is not there; its folder must be. A store
 * of an older schema is brought up to date, after a copy of it was written to
 * PATH.schema-N. A file that is not ours is not touched. Refused, too: a file
 * on a network file system, where the locks of SQLite's WAL do not hold.
 * @p store: owned by the caller, for sg_store_close(). */
enum sl_code sg_store_open(const char *path, struct sg_store **store,
			   struct sl_error *error) SL_MUST_CHECK;

/** Open @p path to read it: it must be there, and be of this schema. What
 * writes fails. Otherwise as sg_store_open(). */
enum sl_code sg_store_open_to_read(const char *path, struct sg_store **store,
				   struct sl_error *error) SL_MUST_CHECK;

/** An import that was not finished is abandoned. Takes NULL. */
void sg_store_close(struct sg_store *store);

/** Whether a run shows all that is to be seen; the worst counts. */
enum sg_run_state {
	SG_RUN_COMPLETE = 0, /**< proven to be whole */
	SG_RUN_LIMITED, /**< whole, but a tool gave up on a part */
	SG_RUN_UNVERIFIED, /**< nothing proves that it is whole */
	SG_RUN_INCOMPLETE, /**< broken off, malformed, a tool failed */
};

/** @return "complete", "limited", ... as the store has it. */
const char *sg_run_state_text(enum sg_run_state state);

/** Gives the text of @p path in the run's revision, borrowed until the next
 * call; *text stays NULL if it is not at hand, and the fingerprint is bare.
 * What was asked for lately is not asked for again. */
typedef enum sl_code sg_source_fn(void *context, const char *path,
				  const char **text, size_t *length,
				  struct sl_error *error);

/** Gives the map from the tree of @p base_commit (may be NULL) to the run's,
 * borrowed until the next call; *map stays NULL if it is not known. */
typedef enum sl_code sg_map_fn(void *context, const char *base_commit,
			       const struct sg_map **map,
			       struct sl_error *error);

struct sg_suppressions;

/** What is known of a run before its findings. All borrowed until
 * sg_store_finish(); NULL: not known. */
struct sg_run_start {
	const char *name; /**< for people; need not be unique */
	const char *commit; /**< the revision that was analysed */
	const char *configuration; /**< digest of tools and flags: what a run
				      of another one does not find is not
				      taken for fixed */
	const char *root; /**< that paths are relative to */
	const struct sg_suppressions *suppressions; /**< the tracked file */
	sg_source_fn *source;
	sg_map_fn *map;
	void *context; /**< for both */
};

/** A run in the store. Texts are borrowed for the time of a callback, or until
 * the store's next call; NULL: not known. */
struct sg_run {
	int64_t id; /**< ascends in the order of imports */
	const char *name, *commit, *configuration, *root, *formats, *note;
	const char *state; /**< "complete", ...; never NULL */
	int64_t time; /**< of the import: seconds since 1970, UTC */
	int64_t base; /**< id of the run it was matched with; 0: none */
	/** Findings, where equal reports are one: `found` in this run, of these
	 * `added` not in the base, and `suppressed` by the report itself or the
	 * tracked file; of the base's not found `fixed`, or `unknown` where
	 * that is not sure. */
	int64_t found, added, suppressed, fixed, unknown;
};

/** Begin an import. One a store at a time. After a failure none has begun. */
enum sl_code sg_store_begin(struct sg_store *store,
			    const struct sg_run_start *start,
			    struct sl_error *error) SL_MUST_CHECK;

/** Add a finding. One that is equal to an earlier one (tool, rule, path, line,
 * column, message) adds to its repeats and units. After a failure the import
 * is abandoned: sg_store_finish() will fail. */
enum sl_code sg_store_add(struct sg_store *store,
			  const struct sg_finding *finding,
			  struct sl_error *error) SL_MUST_CHECK;

/** How a report ended. Texts are borrowed for the call; NULL: not known. */
struct sg_result_end {
	enum sg_run_state state;
	const char *note; /**< why it is not complete */
	const char *tool; /**< that spoke, also if it found nothing */
	const char *tool_version;
};

/** What has come since the last call, or sg_store_begin(), was one report that
 * ended so: a result, kept once however often it is imported. A rule by which a
 * tool says that it gave up makes a complete one limited. A failure abandons
 * the import as that of sg_store_add(). */
enum sl_code sg_store_end_result(struct sg_store *store,
				 const struct sg_result_end *end,
				 struct sl_error *error) SL_MUST_CHECK;

/** Match the run with the last one that it can be held against, and commit.
 *
 * That is the last run of the same formats, with a tool in common unless one of
 * the two found nothing at all; never an incomplete one, and one that is
 * complete or limited rather than an unverified one. What it has and this one
 * has not is fixed if its rule and all its units were analysed healthily
 * (store/health.h); else it is unknown, and stays so until a run tells.
 *
 * The run's state is the worst of its results'. @p formats: of its reports,
 * sorted, a blank between. Findings behind the last sg_store_end_result() are
 * an unverified result. @p run: may be NULL. After a failure the import is
 * abandoned. */
enum sl_code sg_store_finish(struct sg_store *store, const char *formats,
			     struct sg_run *run,
			     struct sl_error *error) SL_MUST_CHECK;

/** Forget the import, as if it had not begun. Does nothing if there is none. */
void sg_store_abandon(struct sg_store *store);

/** Takes a run; must not call the store. What it returns other than SL_OK ends
 * the listing. */
typedef enum sl_code sg_run_fn(void *context, const struct sg_run *run,
			       struct sl_error *error);

/** Hand all runs to @p take, the oldest first. */
enum sl_code sg_store_runs(struct sg_store *store, sg_run_fn *take,
			   void *context, struct sl_error *error) SL_MUST_CHECK;

/** Find the run that @p text means: "last", which NULL means too; an id; the
 * last run of that name; or the last of that commit, of which seven digits are
 * enough. SL_EINVAL: there is none. */
enum sl_code sg_store_run_named(struct sg_store *store, const char *text,
				int64_t *run,
				struct sl_error *error) SL_MUST_CHECK;

/** Delete run @p run, as if it had not been imported; runs that were held
 * against it stay what they are. SL_EINVAL: there is none. */
enum sl_code sg_store_forget(struct sg_store *store, int64_t run,
			     struct sl_error *error) SL_MUST_CHECK;

/** Delete all but the last @p keep runs; the last complete or limited one of
 * each kind of reports stays, for the next import to be held against. Findings
 * and results that no run mentions any more go.
 * @p removed: how many runs went. */
enum sl_code sg_store_prune(struct sg_store *store, int64_t keep,
			    int64_t *removed,
			    struct sl_error *error) SL_MUST_CHECK;

/** @return whether a tool says by the rule that it gave up on a part. */
bool sg_rule_gives_up(const char *rule);

#endif
