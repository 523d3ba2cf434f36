/* SPDX-License-Identifier: MIT */
/* The way that bytes went before there was a skimmer. */
#include "tests/analysis/read/json_oracle.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "read/json.h"
#include "read/json_encoding.h"
#include "read/json_filter.h"
#include "read/json_paths.h"
#include "read/json_text.h"
#include "read/json_walk.h"

static const struct sg_json_path paths[] = {
	{ "", 1 },
	{ "a", 2 },
	{ "b[]", 3 },
	{ "b[].c", 4 },
	{ "b[].c.d", 5 },
	{ "*", 6 },
	{ "*.d", 7 },
	{ "[]", 8 },
	{ "[].a", 9 },
	{ "[][]", 10 },
	{ "e.*.f", 11 },
	{ "e.known", 12 },
	{ "a[].a[].a", 13 },
	{ "longer_than_8", 14 },
	{ "longer_than_9", 15 },
};

enum { PATHS = sizeof(paths) / sizeof(paths[0]) };

struct log {
	char *text;
	size_t length;
	struct sg_json *json; /* NULL: indices are those of `walk` */
	struct sg_json_walk *walk;
};

struct oracle {
	struct sl_arena arena;
	struct sg_json_walk walk;
	struct sg_json_encoding encoding;
	struct sg_json_filter filter;
	yajl_handle yajl;
	struct sg_json_position position;
	ptrdiff_t stop;
	struct sg_ending ending;
	bool begun;
};

static SL_PRINTF(2, 3) void put(struct log *log, const char *fmt, ...)
{
	char text[512];
	va_list args;
	int length;

	va_start(args, fmt);
	length = vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	log->text = realloc(log->text, log->length + sizeof(text));
	if (!log->text || length < 0 || (size_t)length >= sizeof(text))
		abort();
	memcpy(log->text + log->length, text, (size_t)length + 1);
	log->length += (size_t)length;
}

/* Bytes as digits and, so that a log is short, their hash if they are many. */
static void put_bytes(struct log *log, const char *bytes, size_t length)
{
	uint64_t hash = 0xcbf29ce484222325;

	for (size_t at = 0; at < length; at++) {
		hash = (hash ^ (unsigned char)bytes[at]) * 0x100000001b3;
		if (at < 40)
			put(log, "%02x", (unsigned char)bytes[at]);
	}
	put(log, ":%zu:%" PRIx64, length, hash);
}

static size_t index_of(const struct log *log, unsigned level)
{
	if (log->json)
		return sg_json_index(log->json, level);
	return level < log->walk->array_count && level < SG_JSON_ARRAYS_MAX
		       ? log->walk->indices[level]
		       : 0;
}

static enum sl_code take(void *context, const struct sg_json_event *event,
			 struct sl_error *error)
{
	struct log *log = context;

	(void)error;
	put(log, "%d.%d=%" PRId64 "(%zu,%zu,%zu)", event->id, (int)event->kind,
	    event->number, index_of(log, 0), index_of(log, 1),
	    index_of(log, 2));
	put_bytes(log, event->key, event->key_length);
	if (event->kind == SG_JSON_STRING)
		put_bytes(log, event->text, event->length);
	put(log, "\n");
	return SL_OK;
}

static void put_ending(struct log *log, const struct sg_ending *ending)
{
	put(log, "kind %d, %" PRId64 ":%" PRId64 " %s\n", (int)ending->kind,
	    ending->line, ending->column, ending->message);
}

static enum sl_code take_slice(void *context, const char *text, size_t length,
			       ptrdiff_t offset, struct sl_error *error)
{
	struct oracle *oracle = context;
	size_t consumed;

	(void)error;
	if (yajl_parse(oracle->yajl, (const unsigned char *)text, length) ==
	    yajl_status_ok)
		return SL_OK;
	consumed = yajl_get_bytes_consumed(oracle->yajl);
	if (consumed > length)
		consumed = length;
	oracle->stop = offset + (ptrdiff_t)consumed - 1;
	return SL_END;
}

static void describe(struct oracle *oracle)
{
	struct sg_ending *ending = &oracle->ending;
	unsigned char *words;

	ending->kind = SG_MALFORMED;
	ending->line = oracle->position.line;
	ending->column = oracle->position.column;
	if (oracle->walk.too_deep) {
		snprintf(ending->message, sizeof(ending->message),
			 "nested deeper than %d levels", SG_JSON_DEPTH_MAX);
		return;
	}
	words = yajl_get_error(oracle->yajl, 0, NULL, 0);
	if (!words)
		abort();
	snprintf(ending->message, sizeof(ending->message), "%.*s",
		 (int)strcspn((const char *)words, "\n"), (const char *)words);
	yajl_free_error(oracle->yajl, words);
	sl_text_flatten(ending->message);
}

static enum sl_code take_utf8(void *context, const char *bytes, size_t length,
			      struct sl_error *error)
{
	struct oracle *oracle = context;
	const char *to = bytes + length;
	enum sl_code code;

	for (size_t at = 0; at < length && !oracle->begun; at++)
		oracle->begun = !memchr(" \t\r\n", bytes[at], 4);
	if (oracle->ending.kind == SG_MALFORMED)
		return SL_OK;
	code = sg_json_filter_feed(&oracle->filter, bytes, length, error);
	if (code == SL_END)
		to = bytes + (oracle->stop > 0 ? oracle->stop : 0);
	sg_json_position_move(&oracle->position, bytes, to);
	if (code != SL_END)
		return code;
	if (oracle->stop < 0)
		oracle->position.column += oracle->stop;
	describe(oracle);
	return SL_OK;
}

static void oracle_end(struct oracle *oracle)
{
	struct sg_ending *ending = &oracle->ending;

	if (ending->kind == SG_MALFORMED)
		return;
	if (!oracle->begun) {
		*ending = (struct sg_ending){ .kind = SG_NO_REPORT,
					      .message = "nothing is in it" };
	} else if (yajl_complete_parse(oracle->yajl) != yajl_status_ok) {
		*ending = (struct sg_ending){
			.kind = SG_BROKEN_OFF,
			.line = oracle->position.line,
			.column = oracle->position.column,
			.message = "ends in the middle of the document"
		};
	}
}

static char *ask_oracle(const char *text, size_t length, size_t piece)
{
	struct oracle *oracle = calloc(1, sizeof(*oracle));
	struct sl_error error;
	struct log log = { 0 };

	if (!oracle)
		abort();
	log.walk = &oracle->walk;
	put(&log, "%s", "");
	oracle->walk.take = take;
	oracle->walk.context = &log;
	oracle->walk.root = sg_json_paths_build(&oracle->arena, paths, PATHS);
	oracle->encoding = (struct sg_json_encoding){ .take = take_utf8,
						      .context = oracle };
	oracle->filter = (struct sg_json_filter){ .take = take_slice,
						  .context = oracle };
	oracle->position = (struct sg_json_position){ 1, 1 };
	oracle->ending.kind = SG_COMPLETE;
	oracle->yajl = yajl_alloc(&sg_json_walk_callbacks, NULL, &oracle->walk);
	if (!oracle->yajl || !oracle->walk.root)
		abort();
	yajl_config(oracle->yajl, yajl_dont_validate_strings, 1);
	for (size_t at = 0; at < length; at += piece)
		if (sg_json_decode(&oracle->encoding, text + at,
				   length - at < piece ? length - at : piece,
				   &error) != SL_OK)
			abort();
	if (sg_json_decode_end(&oracle->encoding, &error) != SL_OK)
		abort();
	oracle_end(oracle);
	put_ending(&log, &oracle->ending);
	yajl_free(oracle->yajl);
	sl_arena_finish(&oracle->arena);
	free(oracle);
	return log.text;
}

static char *ask_ours(const char *text, size_t length, size_t piece)
{
	struct sg_ending ending;
	struct log log = { 0 };
	struct sl_error error;

	put(&log, "%s", "");
	log.json = sg_json_create(paths, PATHS, false, take, &log);
	if (!log.json)
		abort();
	for (size_t at = 0; at < length; at += piece) {
		size_t size = length - at < piece ? length - at : piece;
		/* a copy, so that reading beyond it is seen */
		char *copy = malloc(size);

		if (!copy)
			abort();
		memcpy(copy, text + at, size);
		if (sg_json_feed(log.json, copy, size, &error) != SL_OK)
			abort();
		free(copy);
	}
	if (sg_json_finish(log.json, &ending, &error) != SL_OK)
		abort();
	put_ending(&log, &ending);
	sg_json_destroy(log.json);
	return log.text;
}

void json_oracle_ask(const char *text, size_t length, size_t piece, char **ours,
		     char **oracle)
{
	*ours = ask_ours(text, length, piece);
	*oracle = ask_oracle(text, length, piece);
}
