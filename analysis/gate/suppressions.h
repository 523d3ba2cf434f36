/* SPDX-License-Identifier: MIT */
/** @file
 * What people decided to live with: one tracked file, a JSON object a line.
 *
 *     {"path":"src/pool.c","line":157,"tool":"cppcheck","rule":"unreadVariable",
 *      "function":"pool_done","message":"...","code":"1:HASH:HASH",
 *      "reason":"kept for the debugger","until":"2027-03-31"}
 *
 * (in one line.) An entry is a finding as it was when it was suppressed, and is
 * matched with a run's findings as those of a base are, one to one: it survives
 * the same edits, and a second equal finding is not excused. `line`,
 * `function`, `code` (the version and the hashes `line` and `window` of its
 * fingerprint) and `until` may be missing; `path` is null for a finding without
 * a place; unknown members are refused. The last day that it holds is `until`,
 * YYYY-MM-DD. Entries are sorted, so that branches seldom touch the same lines.
 * Empty lines and lines that begin with '#' are allowed, and kept at the top.
 */
#ifndef SG_GATE_SUPPRESSIONS_H
#define SG_GATE_SUPPRESSIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "match/fingerprint.h"
#include "sluice/defs.h"
#include "sluice/error.h"

/** The tracked file's name, in the root of the tree. */
#define SG_SUPPRESSIONS_NAME ".scgate-suppressions"

/** Texts are owned by the list; NULL: not given. */
struct sg_suppression {
	const char *path, *tool, *rule, *function, *message;
	int64_t line; /**< 0: not given */
	struct sg_hash line_hash, window_hash; /**< zero: not given, or of
						    another version */
	const char *reason; /**< never NULL or empty */
	const char *until; /**< "2027-03-31" */
	int64_t position; /**< its line in the file, from 1; 0: it is new */
};

struct sg_suppressions; /* entries, and the text above them */

/** Read @p path. A file that is not there is an empty list. SL_EINVAL: a line
 * that is no entry; @p error names the file and the line. SL_EIO; SL_ENOMEM.
 * @p list: owned by the caller. */
enum sl_code sg_suppressions_read(const char *path,
				  struct sg_suppressions **list,
				  struct sl_error *error) SL_MUST_CHECK;
/** @return an empty list, owned by the caller; NULL: no memory. */
struct sg_suppressions *sg_suppressions_create(void);
void sg_suppressions_destroy(struct sg_suppressions *list); /**< takes NULL */

size_t sg_suppressions_count(const struct sg_suppressions *list);
/** @return entry @p at, borrowed, in the order of the file. */
const struct sg_suppression *
sg_suppressions_at(const struct sg_suppressions *list, size_t at);

/** @return the comments and empty lines at the top of the file, borrowed until
 * the list changes; never NULL. */
const char *sg_suppressions_top(struct sg_suppressions *list);
/** Put @p text, whole lines, in their place. SL_ENOMEM. */
enum sl_code sg_suppressions_set_top(struct sg_suppressions *list,
				     const char *text,
				     struct sl_error *error) SL_MUST_CHECK;

/** Add a copy of @p entry where it belongs in the order. SL_EINVAL: no reason,
 * or a day that is none; SL_ENOMEM. */
enum sl_code sg_suppressions_add(struct sg_suppressions *list,
				 const struct sg_suppression *entry,
				 struct sl_error *error) SL_MUST_CHECK;

/** Take entry @p at out of the list. */
void sg_suppressions_remove(struct sg_suppressions *list, size_t at);

/** Write @p path anew, whole or not at all: a file beside it takes its place. A
 * symlink stays one. */
enum sl_code sg_suppressions_write(const struct sg_suppressions *list,
				   const char *path,
				   struct sl_error *error) SL_MUST_CHECK;

/** @return whether @p text is a day, "2027-03-31". */
bool sg_is_day(const char *text);

#endif
