/* SPDX-License-Identifier: MIT */
/** @file
 * The way through a document's values, along the tree of wanted places: YAJL's
 * calls become the events of read/json.h. Only json.c uses it.
 *
 * Invariant: a zeroed struct with `root`, `take` and `context` set, which are
 * borrowed, stands before a document.
 */
#ifndef SG_READ_JSON_WALK_H
#define SG_READ_JSON_WALK_H

#include <stdbool.h>
#include <stddef.h>

#include <yajl/yajl_parse.h>

#include "read/json.h"
#include "read/json_paths.h"
#include "sluice/error.h"

/* More than any path of ours is long. */
enum { SG_JSON_FRAMES_MAX = 32, SG_JSON_KEY_MAX = 1024 };

/** An object or array that a path leads into. */
struct sg_json_frame {
	const struct sg_json_node *node;
	bool is_array;
};

struct sg_json_walk {
	const struct sg_json_node *root;
	sg_json_fn *take;
	void *context;
	struct sg_json_frame frames[SG_JSON_FRAMES_MAX];
	unsigned frame_count;
	unsigned ignored; /**< objects and arrays below that no path leads into
			   */
	const struct sg_json_node *target; /**< of the next value */
	size_t indices[SG_JSON_ARRAYS_MAX];
	unsigned array_count; /**< arrays among the frames */
	char key[SG_JSON_KEY_MAX]; /**< that stands for the last "*" */
	size_t key_length;
	bool opened; /**< an object or array was, since the owner cleared it */
	bool too_deep;
	enum sl_code code; /**< what the reader returned */
	struct sl_error *error; /**< of the feed at hand; borrowed */
};

/** With a struct sg_json_walk as the context. */
extern const yajl_callbacks sg_json_walk_callbacks;

/** @return whether a document was begun and not closed. */
bool sg_json_walk_is_inside(const struct sg_json_walk *walk);

#endif
