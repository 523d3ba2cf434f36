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
	struct sg_json_node *node;
	struct sg_json_node *member; /**< the last one that a path leads to */
	bool is_array;
};

struct sg_json_walk {
	struct sg_json_node *root;
	sg_json_fn *take;
	void *context;
	struct sg_json_frame frames[SG_JSON_FRAMES_MAX];
	unsigned frame_count;
	unsigned ignored; /**< objects and arrays below that no path leads into
			   */
	struct sg_json_node *target; /**< of the next value */
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

/* What YAJL calls; 0: go no further, for `too_deep` or `code`. */
int sg_json_walk_open(struct sg_json_walk *walk, bool is_array);
int sg_json_walk_close(struct sg_json_walk *walk);
int sg_json_walk_key(struct sg_json_walk *walk, const char *key, size_t length);
int sg_json_walk_string(struct sg_json_walk *walk, const char *text,
			size_t length);
int sg_json_walk_number(struct sg_json_walk *walk, int64_t number);

/** The key that begins at @p key, if it is the one that is likely to come.
 * @return behind its quote; NULL: it is another one. */
static inline const char *sg_json_walk_guess(struct sg_json_walk *walk,
					     const char *key, const char *end)
{
	struct sg_json_frame *frame = &walk->frames[walk->frame_count - 1];
	struct sg_json_node *guess =
		frame->member ? frame->member->follower : frame->node->first;

	if (!guess || (size_t)(end - key) <= guess->length ||
	    key[guess->length] != '"' || !sg_json_is_name(guess, key))
		return NULL;
	walk->target = frame->member = guess;
	return key + guess->length + 1;
}

/** @return whether the reader asks for the next value, if it is none that has
 * values inside. */
static inline bool sg_json_walk_wants(const struct sg_json_walk *walk)
{
	const struct sg_json_node *node = walk->target;

	if (walk->ignored)
		return false;
	if (!walk->frame_count)
		node = walk->root;
	else if (walk->frames[walk->frame_count - 1].is_array)
		node = walk->frames[walk->frame_count - 1].node->element;
	return node && node->id;
}

/** Go past a value that nobody wants. */
static inline void sg_json_walk_pass(struct sg_json_walk *walk)
{
	if (!walk->ignored && walk->frame_count &&
	    walk->frames[walk->frame_count - 1].is_array &&
	    walk->array_count <= SG_JSON_ARRAYS_MAX)
		walk->indices[walk->array_count - 1]++;
}

/** @return whether a document was begun and not closed. */
bool sg_json_walk_is_inside(const struct sg_json_walk *walk);

#endif
