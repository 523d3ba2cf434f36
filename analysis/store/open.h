/* SPDX-License-Identifier: MIT */
/** @file
 * Opening a store's file: the inside of sg_store_open().
 */
#ifndef SG_STORE_OPEN_H
#define SG_STORE_OPEN_H

#include "store/sql.h"

/** Open @p file, which has a slash in it, into the store. SL_EIO: on a network
 * file system, or it cannot be opened; SL_EINVAL: no database; SL_ENOMEM. */
enum sl_code sg_store_open_file(struct sg_store *store, const char *file,
				struct sl_error *error) SL_MUST_CHECK;

#endif
