/* SPDX-License-Identifier: MIT */
/** @file
 * The places of a document that a reader wants, as a tree to walk along.
 */
#ifndef SG_READ_JSON_PATHS_H
#define SG_READ_JSON_PATHS_H

#include <stddef.h>

#include "base/arena.h"
#include "read/json.h"

struct sg_json_node {
	const char *name; /**< a key, borrowed from the table; not ended */
	size_t length;
	int id; /**< 0: nobody asks for this place itself */
	struct sg_json_node *element; /**< of an array; NULL: not wanted */
	struct sg_json_node *any; /**< whatever key; NULL: not wanted */
	struct sg_json_node *members; /**< by name, linked by `next` */
	struct sg_json_node *next;
};

/** @return the tree, in @p arena; NULL: no memory. */
struct sg_json_node *sg_json_paths_build(struct sl_arena *arena,
					 const struct sg_json_path *paths,
					 size_t count);

/** @return where @p key leads to from @p node, or NULL. */
const struct sg_json_node *sg_json_member(const struct sg_json_node *node,
					  const char *key, size_t length);

#endif
