/* SPDX-License-Identifier: MIT */
/** @file
 * Contents of git's objects: a conversation with git cat-file.
 */
#ifndef SG_RUN_BLOBS_H
#define SG_RUN_BLOBS_H

#include <stdbool.h>

#include "run/git.h"
#include "sluice/buffer.h"
#include "sluice/defs.h"
#include "sluice/error.h"

/** Larger texts are not read. */
enum { SG_TEXT_MAX = 64 << 20 };

struct sg_blobs {
	struct sg_git git; /**< child -1: it does not run yet */
	bool is_mute; /**< it ended: there are no blobs */
};

void sg_blobs_init(struct sg_blobs *blobs);
void sg_blobs_finish(struct sg_blobs *blobs);

/** Replace what is in @p text by the object that the @p name names, given in
 * parts with NULL behind the last. *there: false, if the repository of @p
 * folder has no such blob, or it is larger than SG_TEXT_MAX. SL_EIO: git
 * ended. */
enum sl_code sg_blobs_read(struct sg_blobs *blobs, const char *folder,
			   const char *const *name, struct sl_buffer *text,
			   bool *there, struct sl_error *error) SL_MUST_CHECK;

#endif
