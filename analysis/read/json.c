/* SPDX-License-Identifier: MIT */
/* Encoding, filter, YAJL, paths: bytes go in at the left, events come out at
 * the right. */
#include "read/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yajl/yajl_parse.h>

#include "base/text.h"
#include "read/json_encoding.h"
#include "read/json_filter.h"
#include "read/json_paths.h"
#include "read/json_text.h"

/* More than any path of ours is long. */
enum { FRAMES_MAX = 32, KEY_MAX = 1024 };

/* An object or array that a path leads into. */
struct frame {
	const struct sg_json_node *node;
	bool is_array;
};

struct sg_json {
	struct sl_arena arena; /* the paths' nodes */
	const struct sg_json_node *root;
	sg_json_fn *take;
	void *context;
	bool many;

	struct sg_json_encoding encoding;
	struct sg_json_filter filter;
	yajl_handle yajl;

	struct frame frames[FRAMES_MAX];
	unsigned frame_count;
	unsigned ignored; /* objects and arrays below that no path leads into */
	const struct sg_json_node *target; /* of the next value */
	size_t indices[SG_JSON_ARRAYS_MAX];
	unsigned array_count; /* arrays among the frames */
	char key[KEY_MAX]; /* that stands for the last "*" */
	size_t key_length;

	enum sl_code code; /* what the reader returned */
	struct sl_error *error; /* of the feed at hand; borrowed */
	const char *piece, *piece_end; /* UTF-8 being fed; borrowed */
	ptrdiff_t
		stop; /* where in it YAJL wanted no more; below 0: before it */
	struct sg_json_position position; /* of the piece's start */
	bool begun; /* something other than blanks came */
	bool too_deep;
	bool malformed;
	bool skipping; /* to the end of a line that is no JSON */
	bool between; /* nothing came behind such lines yet */
	uint64_t skipped;
	struct sg_ending fault; /* where and why it is malformed */
};

/* Where the next value stands: behind its key, or one further in an array. */
static const struct sg_json_node *arrive(struct sg_json *json)
{
	const struct frame *frame;

	if (json->ignored)
		return NULL;
	if (!json->frame_count)
		return json->root;
	frame = &json->frames[json->frame_count - 1];
	if (!frame->is_array)
		return json->target;
	if (json->array_count <= SG_JSON_ARRAYS_MAX)
		json->indices[json->array_count - 1]++;
	return frame->node->element;
}

static int hand_on(struct sg_json *json, const struct sg_json_node *node,
		   struct sg_json_event event)
{
	if (!node || !node->id)
		return 1;
	event.id = node->id;
	event.key = json->key;
	event.key_length = json->key_length;
	json->code = json->take(json->context, &event, json->error);
	return json->code == SL_OK;
}

static int on_null(void *context)
{
	struct sg_json *json = context;

	return hand_on(json, arrive(json),
		       (struct sg_json_event){ .kind = SG_JSON_NULL });
}

static int on_boolean(void *context, int value)
{
	struct sg_json *json = context;

	return hand_on(json, arrive(json),
		       (struct sg_json_event){ .kind = SG_JSON_BOOLEAN,
					       .number = value != 0 });
}

static int on_number(void *context, const char *text, size_t length)
{
	struct sg_json *json = context;
	const struct sg_json_node *node = arrive(json);

	if (!node || !node->id)
		return 1;
	return hand_on(json, node,
		       (struct sg_json_event){
			       .kind = SG_JSON_NUMBER,
			       .number = sg_json_whole(text, length) });
}

static int on_string(void *context, const unsigned char *text, size_t length)
{
	struct sg_json *json = context;

	return hand_on(json, arrive(json),
		       (struct sg_json_event){ .kind = SG_JSON_STRING,
					       .text = (const char *)text,
					       .length = length });
}

static int on_key(void *context, const unsigned char *text, size_t length)
{
	struct sg_json *json = context;
	const struct sg_json_node *node;

	if (json->ignored)
		return 1;
	node = json->frames[json->frame_count - 1].node;
	json->target = sg_json_member(node, (const char *)text, length);
	if (json->target && json->target == node->any) {
		json->key_length = length < KEY_MAX ? length : KEY_MAX;
		memcpy(json->key, text, json->key_length);
	}
	return 1;
}

static int open_value(struct sg_json *json, bool is_array)
{
	const struct sg_json_node *node = arrive(json);

	json->between = false;
	if (json->frame_count + json->ignored >= SG_JSON_DEPTH_MAX) {
		json->too_deep = true;
		return 0;
	}
	if (!node || json->frame_count == FRAMES_MAX) {
		json->ignored++;
		return 1;
	}
	if (!hand_on(json, node,
		     (struct sg_json_event){ .kind = SG_JSON_OPEN,
					     .number = is_array }))
		return 0;
	json->frames[json->frame_count++] =
		(struct frame){ .node = node, .is_array = is_array };
	/* the first element counts it up to 0 */
	if (is_array && json->array_count++ < SG_JSON_ARRAYS_MAX)
		json->indices[json->array_count - 1] = SIZE_MAX;
	return 1;
}

static int on_open_object(void *context)
{
	return open_value(context, false);
}

static int on_open_array(void *context)
{
	return open_value(context, true);
}

static int on_close(void *context)
{
	struct sg_json *json = context;
	const struct frame *frame;

	if (json->ignored) {
		json->ignored--;
		return 1;
	}
	frame = &json->frames[--json->frame_count];
	if (frame->is_array)
		json->array_count--;
	return hand_on(json, frame->node,
		       (struct sg_json_event){ .kind = SG_JSON_CLOSE });
}

static yajl_handle parser_create(struct sg_json *json)
{
	static const yajl_callbacks callbacks = {
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
	yajl_handle yajl = yajl_alloc(&callbacks, NULL, json);

	if (!yajl)
		return NULL;
	/* the filter has seen to it */
	yajl_config(yajl, yajl_dont_validate_strings, 1);
	yajl_config(yajl, yajl_allow_multiple_values, json->many ? 1 : 0);
	return yajl;
}

/* Move on to @p to, counting lines and characters. */
static void advance(struct sg_json *json, const char *to)
{
	sg_json_position_move(&json->position, json->piece, to);
	json->piece = to;
}

/* YAJL's words, without the excerpt that it quotes. */
static void describe(const struct sg_json *json, char *message, size_t size)
{
	unsigned char *words;

	if (json->too_deep) {
		snprintf(message, size, "nested deeper than %d levels",
			 SG_JSON_DEPTH_MAX);
		return;
	}
	words = yajl_get_error(json->yajl, 0, NULL, 0);
	snprintf(message, size, "%.*s",
		 words ? (int)strcspn((const char *)words, "\n") : 0,
		 words ? (const char *)words : "");
	if (words)
		yajl_free_error(json->yajl, words);
	sl_text_flatten(message);
}

/* YAJL stands behind the byte that it does not like, which may have been the
 * last one of an earlier slice. SL_END: it wants no more of this piece. */
static enum sl_code take_slice(void *context, const char *text, size_t length,
			       ptrdiff_t offset, struct sl_error *error)
{
	struct sg_json *json = context;
	const unsigned char *bytes = (const unsigned char *)text;
	size_t consumed;

	(void)error;
	if (yajl_parse(json->yajl, bytes, length) == yajl_status_ok)
		return SL_OK;
	if (json->code != SL_OK)
		return json->code;
	consumed = yajl_get_bytes_consumed(json->yajl);
	if (consumed > length)
		consumed = length;
	json->stop = offset + (ptrdiff_t)consumed - 1;
	return SL_END;
}

/* Between documents stands what is none: go on behind its line. */
static enum sl_code start_anew(struct sg_json *json, struct sl_error *error)
{
	yajl_handle yajl = parser_create(json);

	if (!yajl)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a parser");
	yajl_free(json->yajl);
	json->yajl = yajl;
	json->filter =
		(struct sg_json_filter){ .take = take_slice, .context = json };
	json->skipping = json->between = true;
	json->skipped++;
	return SL_OK;
}

/* The parser stopped at json->stop. */
static enum sl_code stopped(struct sg_json *json, struct sl_error *error)
{
	bool between = !json->frame_count && !json->ignored && !json->too_deep;

	if (json->stop >= 0)
		advance(json, json->piece + json->stop);
	else /* in a token, which is on one line */
		json->position.column += json->stop;
	if (json->many && between)
		return start_anew(json, error);
	json->malformed = true;
	json->fault = (struct sg_ending){ .kind = SG_MALFORMED,
					  .line = json->position.line,
					  .column = json->position.column };
	describe(json, json->fault.message, sizeof(json->fault.message));
	return SL_OK;
}

/* Behind the newline of a line that is skipped, or to the piece's end: always
 * on, for YAJL may complain of what came before. */
static void skip_line(struct sg_json *json)
{
	size_t length = (size_t)(json->piece_end - json->piece);
	const char *newline = memchr(json->piece, '\n', length);

	json->skipping = !newline;
	advance(json, newline ? newline + 1 : json->piece_end);
}

/* Among lines that are no JSON the filter must not look at all that is behind
 * each of them. @return where what it is fed next ends. */
static const char *part_end(const struct sg_json *json)
{
	size_t length = (size_t)(json->piece_end - json->piece);
	const char *newline =
		json->many ? memchr(json->piece, '\n', length) : NULL;

	return newline ? newline + 1 : json->piece_end;
}

static enum sl_code take_utf8(void *context, const char *bytes, size_t length,
			      struct sl_error *error)
{
	struct sg_json *json = context;
	enum sl_code code = SL_OK;
	const char *end;

	json->piece = bytes;
	json->piece_end = bytes + length;
	for (size_t at = 0; at < length && !json->begun; at++)
		json->begun = !memchr(" \t\r\n", bytes[at], 4);
	while (json->piece < json->piece_end && !json->malformed) {
		if (json->skipping) {
			skip_line(json);
			continue;
		}
		end = part_end(json);
		code = sg_json_filter_feed(&json->filter, json->piece,
					   (size_t)(end - json->piece), error);
		if (code == SL_OK)
			advance(json, end);
		else if (code == SL_END)
			code = stopped(json, error);
		if (code != SL_OK)
			break;
	}
	return code;
}

struct sg_json *sg_json_create(const struct sg_json_path *paths, size_t count,
			       bool many, sg_json_fn *take, void *context)
{
	struct sg_json *json = calloc(1, sizeof(*json));

	if (!json)
		return NULL;
	json->take = take;
	json->context = context;
	json->many = many;
	json->position = (struct sg_json_position){ 1, 1 };
	json->encoding =
		(struct sg_json_encoding){ .take = take_utf8, .context = json };
	json->filter =
		(struct sg_json_filter){ .take = take_slice, .context = json };
	json->root = sg_json_paths_build(&json->arena, paths, count);
	json->yajl = parser_create(json);
	if (json->root && json->yajl)
		return json;
	sg_json_destroy(json);
	return NULL;
}

enum sl_code sg_json_feed(struct sg_json *json, const char *bytes,
			  size_t length, struct sl_error *error)
{
	if (json->malformed)
		return SL_OK;
	json->error = error;
	return sg_json_decode(&json->encoding, bytes, length, error);
}

enum sl_code sg_json_finish(struct sg_json *json, struct sg_ending *ending,
			    struct sl_error *error)
{
	enum sl_code code;

	json->error = error;
	code = sg_json_decode_end(&json->encoding, error);
	if (code != SL_OK)
		return code;
	if (json->malformed) {
		*ending = json->fault;
		return SL_OK;
	}
	*ending = (struct sg_ending){ .kind = SG_COMPLETE };
	if (!json->begun) {
		ending->kind = SG_NO_REPORT;
		snprintf(ending->message, sizeof(ending->message),
			 "nothing is in it");
		return SL_OK;
	}
	if (json->between)
		return SL_OK;
	/* a number may end with the text, and be handed on only now */
	if (yajl_complete_parse(json->yajl) == yajl_status_ok)
		return SL_OK;
	if (json->code != SL_OK)
		return json->code;
	ending->kind = SG_BROKEN_OFF;
	ending->line = json->position.line;
	ending->column = json->position.column;
	snprintf(ending->message, sizeof(ending->message),
		 "ends in the middle of the document");
	return SL_OK;
}

size_t sg_json_index(const struct sg_json *json, unsigned level)
{
	return level < json->array_count && level < SG_JSON_ARRAYS_MAX
		       ? json->indices[level]
		       : 0;
}

uint64_t sg_json_skipped(const struct sg_json *json)
{
	return json->skipped;
}

void sg_json_destroy(struct sg_json *json)
{
	if (!json)
		return;
	if (json->yajl)
		yajl_free(json->yajl);
	sl_arena_finish(&json->arena);
	free(json);
}
