/* SPDX-License-Identifier: MIT */
/** @file
 * What of a tree a unit can depend on, by the texts alone.
 *
 * The closure of a source is the source itself and, for every name that a file
 * of the closure includes, all files of the tree whose path ends in that name
 * (up to its last "../" taken off; whole parts of paths). It is larger than
 * what a compiler would read, never smaller: a file that is added or removed
 * changes the closure of all who could have meant it. If a file of the closure
 * includes by a macro, the whole tree is the closure.
 *
 * A symlink to a file of the tree includes its target. All other symlinks, as
 * to folders, are in every closure, for any path may lead through them. What a
 * submodule has is not of the tree.
 */
#ifndef SG_RUN_CLOSURE_H
#define SG_RUN_CLOSURE_H

#include "run/snapshot.h"

/** Gives what sg_includes_scan() says of a file, borrowed until the next call;
 * its caller keeps it by the file's content. */
typedef enum sl_code sg_scan_fn(void *context,
				const struct sg_snapshot_file *file,
				const char **scan, struct sl_error *error);

struct sg_closures;

/** Scan what is needed of @p snapshot, which is borrowed until the destroy:
 * regular files, and what symlinks in it lead to, as far as closures reach;
 * each at most once. */
enum sl_code sg_closures_create(struct sg_closures **closures,
				struct sg_snapshot *snapshot, sg_scan_fn *scan,
				void *context,
				struct sl_error *error) SL_MUST_CHECK;
void sg_closures_destroy(struct sg_closures *closures); /**< takes NULL */

/** A closure. */
struct sg_closure {
	struct sg_hash hash; /**< of the paths and contents in it */
	const size_t *files; /**< indices into sg_snapshot_files(), ascending;
				  borrowed until the next call */
	size_t count;
	bool whole; /**< it is the whole tree */
};

/** A forced name that can mean any file: the closure is the whole tree. */
#define SG_ANY_FILE "*"

/** The closure of @p source and of the @p forced names (of -include, -imacros,
 * and files that an analyzer's command names), as of names that were included.
 * SL_END: the tree has no such file. SL_ENOMEM, or the
 * code of a scan. */
enum sl_code sg_closures_of(struct sg_closures *closures, const char *source,
			    const char *const *forced, size_t forced_count,
			    struct sg_closure *closure,
			    struct sl_error *error) SL_MUST_CHECK;

/** @return whether a file of the tree, in any closure asked for so far,
 * includes a name that ends in @p name (without folders). For linking untracked
 * files. An sg_wants_fn, with the closures as context; names with the
 * extensions of headers (h, hh, hpp, hxx, h++, inc, inl, ipp, tcc, tpp, def)
 * are wanted in any case. */
bool sg_closures_want(const void *closures, const char *name);

#endif
