/* SPDX-License-Identifier: MIT */
/** @file
 * Reading the small files of /sys and /proc, or of a tree that stands in for
 * them: a *root* ("/" or the tree's folder) and a path below it without a
 * leading slash ("sys/class/hwmon").
 *
 * A file that is not there is SL_END, with an error text all the same; one that
 * cannot be read, is empty or holds something else is SL_EIO or SL_EINVAL.
 * Messages begin with the path below the root: "sys/class/powercap/
 * intel-rapl:0/energy_uj: Permission denied". Nothing waits: a FIFO counts as
 * empty. Thread-safe.
 */
#ifndef SLUICE_TREE_H
#define SLUICE_TREE_H

#include <stddef.h>
#include <stdint.h>

#include "sluice/buffer.h"
#include "sluice/defs.h"
#include "sluice/error.h"

/** Names in a folder. A zeroed one is empty. Frozen layout. */
struct sl_tree_names {
	char **names; /**< owned, each and the array */
	size_t count;
};

SL_BEGIN_DECLS

/** Read a whole file, at most @p limit bytes, into text->data, with a NUL
 * behind text->used. */
enum sl_code sl_tree_load(const char *root, const char *path, size_t limit,
			  struct sl_buffer *text,
			  struct sl_error *error) SL_MUST_CHECK;

/** Read a file of one short line, without blanks at its ends, into @p text.
 * SL_EINVAL if it does not fit into @p size bytes, or holds nothing. */
enum sl_code sl_tree_text(const char *root, const char *path, char *text,
			  size_t size, struct sl_error *error) SL_MUST_CHECK;

/** Read a file that holds one decimal number and nothing else. */
enum sl_code sl_tree_u64(const char *root, const char *path, uint64_t *value,
			 struct sl_error *error) SL_MUST_CHECK;
enum sl_code sl_tree_i64(const char *root, const char *path, int64_t *value,
			 struct sl_error *error) SL_MUST_CHECK;

/** The names in a folder that begin with @p prefix, numbers in them in their
 * order ("hwmon2" before "hwmon10"). */
enum sl_code sl_tree_list(const char *root, const char *path,
			  const char *prefix, struct sl_tree_names *names,
			  struct sl_error *error) SL_MUST_CHECK;
void sl_tree_names_finish(struct sl_tree_names *names);

SL_END_DECLS

#endif
