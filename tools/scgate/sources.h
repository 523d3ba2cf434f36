/* SPDX-License-Identifier: MIT */
/** @file
 * Where a command finds a run's sources, and the numbers it is given.
 */
#ifndef SCGATE_SOURCES_H
#define SCGATE_SOURCES_H

#include <stdbool.h>
#include <stdint.h>

#include "run/tree.h"
#include "store/store.h"

/** Open the sources of a run: below @p root if it is given, else below the
 * folder @p run_root that the run names, else in the git work tree that the
 * command was given in; without a commit also in the current folder. @p commit:
 * the run's; NULL: the files as they are. @p tree: owned by the caller; NULL
 * after a failure, and *error says what is the matter. */
enum sl_code scgate_open_sources(const char *root, const char *run_root,
				 const char *commit, struct sg_tree **tree,
				 struct sl_error *error) SL_MUST_CHECK;

/** Open the tree of run @p run if the map from the tree of @p base to it can be
 * known: both name a commit, and the repository is at hand, which is looked for
 * as above. @p tree: for sg_tree_map() and sg_tree_close(); NULL: not known. */
enum sl_code scgate_open_map(struct sg_store *store, int64_t run, int64_t base,
			     const char *root, struct sg_tree **tree,
			     struct sl_error *error) SL_MUST_CHECK;

/** Parse the number of a finding. */
bool scgate_parse_finding(const char *text, int64_t *finding) SL_MUST_CHECK;

/** Put what reports are into the @p error of reading @p path, if that is a
 * folder that is none. */
void scgate_explain_folder(const char *path, struct sl_error *error);

#endif
