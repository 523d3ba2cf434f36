/* SPDX-License-Identifier: MIT */
/** @file
 * The places of a document that a reader wants, as a tree to walk along.
 */
#ifndef SG_READ_JSON_PATHS_H
#define SG_READ_JSON_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "read/json.h"
#include "read/json_words.h"

struct sg_json_node {
	const char *name; /**< a key, borrowed from the table; not ended */
	size_t length;
	int id; /**< 0: nobody asks for this place itself */
	struct sg_json_node *element; /**< of an array; NULL: not wanted */
	struct sg_json_node *any; /**< whatever key; NULL: not wanted */
	struct sg_json_node *members; /**< by name, linked by `next` */
	struct sg_json_node *next;
	/* which key came next, the last time: tools write them in one order */
	struct sg_json_node *first; /**< at an object's start; or NULL */
	struct sg_json_node *follower; /**< behind this member; or NULL */
};

/** @return whether a key of a node's length is its. Names are short, and most
 * differ at their start. */
static inline bool sg_json_is_name(const struct sg_json_node *node,
				   const char *key)
{
	if (node->length < 8)
		return memcmp(node->name, key, node->length) == 0;
	return sg_json_word(node->name) == sg_json_word(key) &&
	       memcmp(node->name + 8, key + 8, node->length - 8) == 0;
}

/** @return the tree, in @p arena; NULL: no memory. */
struct sg_json_node *sg_json_paths_build(struct sl_arena *arena,
					 const struct sg_json_path *paths,
					 size_t count);

/** @return where @p key leads to from @p node, or NULL. */
struct sg_json_node *sg_json_member(const struct sg_json_node *node,
				    const char *key, size_t length);

#endif
