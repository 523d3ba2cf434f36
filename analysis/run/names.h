/* SPDX-License-Identifier: MIT */
/** @file
 * Which files of a tree an included name can mean: part of run/closure.h.
 */
#ifndef SG_RUN_NAMES_H
#define SG_RUN_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "run/snapshot.h"
#include "sluice/defs.h"
#include "sluice/error.h"

/** A name, and all files that it can mean. */
struct sg_name {
	const char *text; /**< as it is matched */
	size_t length;
	const uint32_t *files; /**< indices, in no order */
	size_t count;
};

/** A table of texts; each has a number, from 0. */
struct sg_texts {
	struct sg_text_slot {
		const char *text; /**< NULL: free; borrowed */
		size_t length;
		uint32_t number;
	} * slots; /**< owned */
	size_t count, room;
};

/** All names of a tree's files. A zeroed struct is empty. */
struct sg_names {
	struct sl_arena arena;
	const struct sg_snapshot_file *files; /**< borrowed */
	size_t file_count;
	struct sg_texts lasts; /**< last parts of the files' paths */
	uint32_t *first; /**< owned; by number in `lasts`: a file, from 1 */
	uint32_t *next; /**< owned; by file: the next with its last part */
	bool *links; /**< owned; by number in `lasts`: a symlink is so called */
	bool has_links;
	struct sg_texts texts; /**< names that were asked for */
	struct sg_name *names; /**< owned; by number in `texts` */
	size_t names_room;
	struct sg_texts asked; /**< last parts of these */
};

/** Index @p files, which are borrowed until the finish. */
enum sl_code sg_names_init(struct sg_names *names,
			   const struct sg_snapshot_file *files, size_t count,
			   struct sl_error *error) SL_MUST_CHECK;
void sg_names_finish(struct sg_names *names);

/** Find the files that a name can mean: those whose path ends in it. Parts that
 * are "." or empty are taken off, and all up to the last "..". Of a name one of
 * whose folders may be a symlink in the tree, also what ends in the rest; of an
 * absolute one, also files whose whole path it ends in. *number: of the name;
 * the same for equal ones. */
enum sl_code sg_names_find(struct sg_names *names, const char *text,
			   size_t length, uint32_t *number,
			   struct sl_error *error) SL_MUST_CHECK;

/** @return whether a name with the last part @p last was asked for. */
bool sg_names_asked(const struct sg_names *names, const char *last);

#endif
