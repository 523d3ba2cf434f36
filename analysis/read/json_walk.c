/* SPDX-License-Identifier: MIT */
/* What YAJL calls. */
#include "read/json_walk.h"

#include <string.h>

#include "read/json_text.h"

/* Where the next value stands: behind its key, or one further in an array. */
static struct sg_json_node *arrive(struct sg_json_walk *walk)
{
	const struct sg_json_frame *frame;

	if (walk->ignored)
		return NULL;
	if (!walk->frame_count)
		return walk->root;
	frame = &walk->frames[walk->frame_count - 1];
	if (!frame->is_array)
		return walk->target;
	if (walk->array_count <= SG_JSON_ARRAYS_MAX)
		walk->indices[walk->array_count - 1]++;
	return frame->node->element;
}

static int hand_on(struct sg_json_walk *walk, const struct sg_json_node *node,
		   struct sg_json_event event)
{
	if (!node || !node->id)
		return 1;
	event.id = node->id;
	event.key = walk->key;
	event.key_length = walk->key_length;
	walk->code = walk->take(walk->context, &event, walk->error);
	return walk->code == SL_OK;
}

static int on_null(void *context)
{
	struct sg_json_walk *walk = context;

	return hand_on(walk, arrive(walk),
		       (struct sg_json_event){ .kind = SG_JSON_NULL });
}

static int on_boolean(void *context, int value)
{
	struct sg_json_walk *walk = context;

	return hand_on(walk, arrive(walk),
		       (struct sg_json_event){ .kind = SG_JSON_BOOLEAN,
					       .number = value != 0 });
}

int sg_json_walk_number(struct sg_json_walk *walk, int64_t number)
{
	return hand_on(walk, arrive(walk),
		       (struct sg_json_event){ .kind = SG_JSON_NUMBER,
					       .number = number });
}

static int on_number(void *context, const char *text, size_t length)
{
	struct sg_json_walk *walk = context;

	/* its value costs more than the question */
	if (!sg_json_walk_wants(walk)) {
		sg_json_walk_pass(walk);
		return 1;
	}
	return sg_json_walk_number(walk, sg_json_whole(text, length));
}

int sg_json_walk_string(struct sg_json_walk *walk, const char *text,
			size_t length)
{
	return hand_on(walk, arrive(walk),
		       (struct sg_json_event){ .kind = SG_JSON_STRING,
					       .text = text,
					       .length = length });
}

static int on_string(void *context, const unsigned char *text, size_t length)
{
	return sg_json_walk_string(context, (const char *)text, length);
}

int sg_json_walk_key(struct sg_json_walk *walk, const char *key, size_t length)
{
	struct sg_json_frame *frame;

	if (walk->ignored)
		return 1;
	frame = &walk->frames[walk->frame_count - 1];
	walk->target = sg_json_member(frame->node, key, length);
	if (!walk->target)
		return 1;
	if (walk->target == frame->node->any) {
		walk->key_length =
			length < SG_JSON_KEY_MAX ? length : SG_JSON_KEY_MAX;
		memcpy(walk->key, key, walk->key_length);
		return 1;
	}
	if (frame->member)
		frame->member->follower = walk->target;
	else
		frame->node->first = walk->target;
	frame->member = walk->target;
	return 1;
}

static int on_key(void *context, const unsigned char *text, size_t length)
{
	return sg_json_walk_key(context, (const char *)text, length);
}

int sg_json_walk_open(struct sg_json_walk *walk, bool is_array)
{
	struct sg_json_node *node = arrive(walk);

	walk->opened = true;
	if (walk->frame_count + walk->ignored >= SG_JSON_DEPTH_MAX) {
		walk->too_deep = true;
		return 0;
	}
	if (!node || walk->frame_count == SG_JSON_FRAMES_MAX) {
		walk->ignored++;
		return 1;
	}
	if (!hand_on(walk, node,
		     (struct sg_json_event){ .kind = SG_JSON_OPEN,
					     .number = is_array }))
		return 0;
	walk->frames[walk->frame_count++] =
		(struct sg_json_frame){ .node = node, .is_array = is_array };
	/* the first element counts it up to 0 */
	if (is_array && walk->array_count++ < SG_JSON_ARRAYS_MAX)
		walk->indices[walk->array_count - 1] = SIZE_MAX;
	return 1;
}

static int on_open_object(void *context)
{
	return sg_json_walk_open(context, false);
}

static int on_open_array(void *context)
{
	return sg_json_walk_open(context, true);
}

int sg_json_walk_close(struct sg_json_walk *walk)
{
	const struct sg_json_frame *frame;

	if (walk->ignored) {
		walk->ignored--;
		return 1;
	}
	frame = &walk->frames[--walk->frame_count];
	if (frame->is_array)
		walk->array_count--;
	return hand_on(walk, frame->node,
		       (struct sg_json_event){ .kind = SG_JSON_CLOSE });
}

static int on_close(void *context)
{
	return sg_json_walk_close(context);
}

bool sg_json_walk_is_inside(const struct sg_json_walk *walk)
{
	return walk->frame_count || walk->ignored || walk->too_deep;
}

const yajl_callbacks sg_json_walk_callbacks = {
	.yajl_null = on_null,
	.yajl_boolean = on_boolean,
	.yajl_number = on_number,
	.yajl_string = on_string,
	.yajl_start_map = on_open_object,
	.yajl_map_key = on_key,
	.yajl_end_map = on_close,
	.yajl_start_array = on_open_array,
	.yajl_end_array = on_close,
};
