/* SPDX-License-Identifier: MIT */
/** @file
 * Results and notes kept by a key: what `scgate check` need not do again.
 *
 * A result is what one analyzer said of one unit. Its key is a hash of all that
 * it depends on (docs/decisions/0008), so it never goes stale; of two processes
 * that keep the same one the first wins. A note is a small text by a hash: what
 * a scan of a file found, what a compiler read.
 *
 *     sg_kept_begin(store, source, context, error)
 *     sg_kept_add(store, finding, error)           (any number)
 *     sg_kept_end(store, key, end, &result, error)
 *     sg_kept_commit(store, error)
 *
 * Any number of results may stand between begin and commit, which are one
 * transaction: it holds the store's write lock. Codes: as store.h.
 */
#ifndef SG_STORE_KEPT_H
#define SG_STORE_KEPT_H

#include "base/arena.h"
#include "match/match.h"
#include "store/store.h"

/** A result that is there. */
struct sg_kept_result {
	int64_t id; /**< 0: it is not there */
	enum sg_run_state state; /**< complete or limited */
	bool is_old; /**< it was not used lately: sg_kept_use() */
};

/** Look for the result with @p key. */
enum sl_code sg_kept_find(struct sg_store *store, struct sg_hash key,
			  struct sg_kept_result *result,
			  struct sl_error *error) SL_MUST_CHECK;

/** Say that the result with @p key was of use, so that it stays. */
enum sl_code sg_kept_use(struct sg_store *store, struct sg_hash key,
			 struct sl_error *error) SL_MUST_CHECK;

/** @p source, @p context: as in struct sg_run_start; texts of the tree that the
 * findings are of. SL_EINVAL: an import or another one is under way. */
enum sl_code sg_kept_begin(struct sg_store *store, sg_source_fn *source,
			   void *context, struct sl_error *error) SL_MUST_CHECK;
/** As sg_store_add(). */
enum sl_code sg_kept_add(struct sg_store *store,
			 const struct sg_finding *finding,
			 struct sl_error *error) SL_MUST_CHECK;
/** Keep what was added since the last one as the result of @p key; where that
 * is there already, the new one is dropped. A rule by which a tool says that it
 * gave up makes a complete one limited. One that is incomplete or unverified is
 * dropped: it is never kept. *result: what is there now. */
enum sl_code sg_kept_end(struct sg_store *store, struct sg_hash key,
			 const struct sg_result_end *end,
			 struct sg_kept_result *result,
			 struct sl_error *error) SL_MUST_CHECK;
enum sl_code sg_kept_commit(struct sg_store *store,
			    struct sl_error *error) SL_MUST_CHECK;

/** The note of @p key, in @p arena; *text is NULL if there is none. */
enum sl_code sg_kept_note(struct sg_store *store, struct sg_hash key,
			  struct sl_arena *arena, const char **text,
			  struct sl_error *error) SL_MUST_CHECK;
/** Keep a note; it replaces an older one. Within begin and commit, or alone. */
enum sl_code sg_kept_put_note(struct sg_store *store, struct sg_hash key,
			      const char *text,
			      struct sl_error *error) SL_MUST_CHECK;

/** A finding as it is kept. */
struct sg_kept_finding {
	struct sg_finding finding; /**< without units and events */
	struct sg_fingerprint fingerprint;
	int64_t occurrence; /**< id */
	int64_t result; /**< id of the first of the results that has it */
};

/** Load the findings of @p count results into @p arena; those that are equal in
 * several (tool, rule, path, line, column, message) are one. *findings: owned,
 * for free(); by path, line, column, tool, rule, message. */
enum sl_code sg_kept_load(struct sg_store *store, const int64_t *results,
			  size_t count, struct sl_arena *arena,
			  struct sg_kept_finding **findings, size_t *found,
			  struct sl_error *error) SL_MUST_CHECK;

/** The same of what was kept of a place, whatever tree it is of; those that are
 * equal in all but the code are several. The latest first. */
enum sl_code sg_kept_at(struct sg_store *store, const char *path, int64_t line,
			struct sl_arena *arena,
			struct sg_kept_finding **findings, size_t *found,
			struct sl_error *error) SL_MUST_CHECK;

/** @return negative, 0, positive: by path, line, column, tool, rule, message.
 */
int sg_finding_order(const struct sg_finding *a, const struct sg_finding *b);

/** Load the events of one (the first 256) of them into @p arena. */
enum sl_code sg_kept_events(struct sg_store *store, struct sl_arena *arena,
			    struct sg_kept_finding *finding,
			    struct sl_error *error) SL_MUST_CHECK;

/** Forget results and notes that were of no use for @p days days; what runs
 * refer to stays theirs. @p removed: how many results went. */
enum sl_code sg_kept_prune(struct sg_store *store, int64_t days,
			   int64_t *removed,
			   struct sl_error *error) SL_MUST_CHECK;

#endif
