/* SPDX-License-Identifier: MIT */
/** @file
 * The database that a command works on.
 */
#ifndef SCGATE_DATABASE_H
#define SCGATE_DATABASE_H

#include "store/store.h"

/** Open @p path; NULL: scgate/findings.db in the repository's common folder,
 * which worktrees share; it is made if it is not there. @p store: owned by the
 * caller. */
enum sl_code scgate_open(const char *path, struct sg_store **store,
			 struct sl_error *error) SL_MUST_CHECK;

/** The same of one that must be there, to change it. */
enum sl_code scgate_open_old(const char *path, struct sg_store **store,
			     struct sl_error *error) SL_MUST_CHECK;

/** The same to read it (sg_store_open_to_read()): nothing is made. */
enum sl_code scgate_open_to_read(const char *path, struct sg_store **store,
				 struct sl_error *error) SL_MUST_CHECK;

#endif
