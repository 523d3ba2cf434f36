/* SPDX-License-Identifier: MIT */
/** @file
 * What an import has around its reports: the root of the tree, its sources, and
 * what people decided to live with.
 */
#ifndef SCGATE_IMPORT_AROUND_H
#define SCGATE_IMPORT_AROUND_H

#include "gate/suppressions.h"
#include "run/tree.h"
#include "store/store.h"

/** A zeroed one has nothing. */
struct import_around {
	char *root; /**< owned; absolute; NULL: it is not on this machine */
	struct sg_tree *tree; /**< owned; NULL: no sources are at hand */
	struct sg_suppressions *list; /**< owned; NULL: there is no tree */
};

/** Find all that, and say so in @p start, whose root and commit are as the user
 * gave them; it borrows from @p around. @p suppressions: the tracked file;
 * NULL: the root's. After a failure import_around_close() is still due. */
enum sl_code import_around_open(struct import_around *around,
				struct sg_run_start *start,
				const char *suppressions,
				struct sl_error *error) SL_MUST_CHECK;
void import_around_close(struct import_around *around);

#endif
