/* SPDX-License-Identifier: MIT */
/* Encoding, skimmer, filter, YAJL, walk: bytes go in at the left, events come
 * out at the right. The skimmer does without the filter and YAJL for all but
 * what a reader wants, until something is not as it should be. */
#include "read/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yajl/yajl_parse.h>

#include "base/text.h"
#include "read/json_encoding.h"
#include "read/json_filter.h"
#include "read/json_paths.h"
#include "read/json_skim.h"
#include "read/json_text.h"
#include "read/json_tokens.h"
#include "read/json_walk.h"

/* Who reads on. */
enum reading {
	BY_SKIMMER,
	TOKEN_BY_YAJL, /* one that a piece's end cut; then the skimmer again */
	BY_YAJL,
};

struct sg_json {
	struct sl_arena arena; /* the paths' nodes */
	struct sg_json_walk walk;
	bool many;

	struct sg_json_encoding encoding;
	enum reading reading;
	struct sg_json_skim skim;
	struct sg_json_filter filter;
	yajl_handle yajl; /* owned; NULL: it is not needed so far */
	yajl_callbacks callbacks; /* its own */
	struct sg_json_cut cut; /* the token that it reads */

	const char *piece, *piece_end; /* UTF-8 being fed; borrowed */
	size_t done; /* bytes of it that were read */
	ptrdiff_t
		stop; /* where in it YAJL wanted no more; below 0: before it */
	struct sg_json_position position; /* of the piece's start */
	bool begun; /* something other than blanks came */
	bool malformed;
	bool skipping; /* to the end of a line that is no JSON */
	bool between; /* such lines came, with no document open */
	uint64_t skipped;
	struct sg_ending fault; /* where and why it is malformed */
};

static yajl_handle parser_create(struct sg_json *json)
{
	yajl_handle yajl = yajl_alloc(&json->callbacks, NULL, &json->walk);

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
	json->done = 0;
}

/* YAJL's words, without the excerpt that it quotes. */
static void describe(const struct sg_json *json, char *message, size_t size)
{
	unsigned char *words;

	if (json->walk.too_deep) {
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
	if (json->walk.code != SL_OK)
		return json->walk.code;
	consumed = yajl_get_bytes_consumed(json->yajl);
	if (consumed > length)
		consumed = length;
	json->stop = (ptrdiff_t)json->done + offset + (ptrdiff_t)consumed - 1;
	return SL_END;
}

/* A parser at a text's start. */
static enum sl_code parse_anew(struct sg_json *json, struct sl_error *error)
{
	yajl_handle yajl = parser_create(json);

	if (!yajl)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a parser");
	if (json->yajl)
		yajl_free(json->yajl);
	json->yajl = yajl;
	json->filter =
		(struct sg_json_filter){ .take = take_slice, .context = json };
	return SL_OK;
}

/* Between documents stands what is none: go on behind its line. */
static enum sl_code start_anew(struct sg_json *json, struct sl_error *error)
{
	enum sl_code code = parse_anew(json, error);

	if (code != SL_OK)
		return code;
	json->skipping = json->between = true;
	json->walk.opened = false;
	json->skipped++;
	return SL_OK;
}

/* The parser stopped at json->stop. */
static enum sl_code stopped(struct sg_json *json, struct sl_error *error)
{
	bool between = !sg_json_walk_is_inside(&json->walk);

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

/* YAJL reads on where the skimmer stopped, in a document that is to it as the
 * one at hand is. */
static enum sl_code hand_over(struct sg_json *json, enum reading reading,
			      struct sl_error *error)
{
	const char *lead = sg_json_skim_lead(&json->skim);
	enum sl_code code = parse_anew(json, error);

	if (code != SL_OK)
		return code;
	json->callbacks = (yajl_callbacks){ 0 };
	if (yajl_parse(json->yajl, (const unsigned char *)lead, strlen(lead)) !=
	    yajl_status_ok)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a parser");
	json->callbacks = sg_json_walk_callbacks;
	json->reading = reading;
	json->cut = (struct sg_json_cut){ 0 };
	json->cut.is_string = json->piece[json->done] == '"';
	return SL_OK;
}

static enum sl_code skim(struct sg_json *json, struct sl_error *error)
{
	const char *at = json->piece + json->done;
	enum sg_json_stop stop =
		sg_json_skim(&json->skim, &at, json->piece_end);

	json->done = (size_t)(at - json->piece);
	if (stop == SG_JSON_AT_END)
		return SL_OK;
	if (json->walk.code != SL_OK)
		return json->walk.code;
	if (json->walk.too_deep) {
		json->stop = (ptrdiff_t)json->done;
		return SL_END;
	}
	return hand_over(json, stop == SG_JSON_CUT ? TOKEN_BY_YAJL : BY_YAJL,
			 error);
}

static enum sl_code parse(struct sg_json *json, const char *end,
			  struct sl_error *error)
{
	const char *at = json->piece + json->done;
	enum sl_code code = sg_json_filter_feed(&json->filter, at,
						(size_t)(end - at), error);

	if (code == SL_OK)
		json->done = (size_t)(end - json->piece);
	return code;
}

/* The rest of a token that is cut, or too long for the skimmer. A number is
 * over when something else comes, which must not be apart from it: YAJL's
 * places of errors depend on that. */
static enum sl_code parse_token(struct sg_json *json, struct sl_error *error)
{
	const char *end = sg_json_cut_end(&json->cut, json->piece + json->done,
					  json->piece_end);
	bool is_over = json->cut.is_over;
	char next = '\0';
	enum sl_code code;

	if (is_over && !json->cut.is_string) {
		next = *end++;
		if (!sg_json_ends_scalar(next)) {
			json->reading = BY_YAJL;
			end = json->piece_end;
		}
	}
	code = parse(json, end, error);
	if (code == SL_OK && is_over && json->reading == TOKEN_BY_YAJL) {
		sg_json_skim_past(&json->skim, next);
		json->reading = BY_SKIMMER;
	}
	return code;
}

static enum sl_code parse_part(struct sg_json *json, struct sl_error *error)
{
	const char *end = part_end(json);
	enum sl_code code = parse(json, end, error);

	if (code == SL_OK)
		advance(json, end);
	return code;
}

/* The piece's position stays that of its start until all of it is read: what
 * is wrong may be before what YAJL was given. */
static enum sl_code read_on(struct sg_json *json, struct sl_error *error)
{
	enum sl_code code;

	if (json->reading == BY_SKIMMER)
		code = skim(json, error);
	else if (json->reading == TOKEN_BY_YAJL)
		code = parse_token(json, error);
	else
		code = parse_part(json, error);
	return code == SL_END ? stopped(json, error) : code;
}

static enum sl_code take_utf8(void *context, const char *bytes, size_t length,
			      struct sl_error *error)
{
	struct sg_json *json = context;
	enum sl_code code = SL_OK;

	json->piece = bytes;
	json->piece_end = bytes + length;
	for (size_t at = 0; at < length && !json->begun; at++)
		json->begun = !memchr(" \t\r\n", bytes[at], 4);
	while (json->piece + json->done < json->piece_end && !json->malformed &&
	       code == SL_OK) {
		if (json->skipping)
			skip_line(json);
		else
			code = read_on(json, error);
	}
	if (code == SL_OK && !json->malformed)
		advance(json, json->piece_end);
	return code;
}

struct sg_json *sg_json_create(const struct sg_json_path *paths, size_t count,
			       bool many, sg_json_fn *take, void *context)
{
	struct sg_json *json = calloc(1, sizeof(*json));

	if (!json)
		return NULL;
	json->walk.take = take;
	json->walk.context = context;
	json->many = many;
	json->position = (struct sg_json_position){ 1, 1 };
	json->encoding =
		(struct sg_json_encoding){ .take = take_utf8, .context = json };
	json->callbacks = sg_json_walk_callbacks;
	json->walk.root = sg_json_paths_build(&json->arena, paths, count);
	/* between documents may stand what is none: YAJL finds it */
	json->reading = many ? BY_YAJL : BY_SKIMMER;
	if (json->walk.root && sg_json_skim_init(&json->skim, &json->walk) &&
	    (!many || parse_anew(json, NULL) == SL_OK))
		return json;
	sg_json_destroy(json);
	return NULL;
}

enum sl_code sg_json_feed(struct sg_json *json, const char *bytes,
			  size_t length, struct sl_error *error)
{
	if (json->malformed)
		return SL_OK;
	json->walk.error = error;
	return sg_json_decode(&json->encoding, bytes, length, error);
}

enum sl_code sg_json_finish(struct sg_json *json, struct sg_ending *ending,
			    struct sl_error *error)
{
	enum sl_code code;

	json->walk.error = error;
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
	if (json->between && !json->walk.opened)
		return SL_OK;
	if (json->reading == BY_SKIMMER) {
		if (json->skim.expected == SG_JSON_NOTHING)
			return SL_OK;
	} else if (yajl_complete_parse(json->yajl) == yajl_status_ok) {
		/* a number may end with the text, and is handed on only now */
		return SL_OK;
	}
	if (json->walk.code != SL_OK)
		return json->walk.code;
	ending->kind = SG_BROKEN_OFF;
	ending->line = json->position.line;
	ending->column = json->position.column;
	snprintf(ending->message, sizeof(ending->message),
		 "ends in the middle of the document");
	return SL_OK;
}

size_t sg_json_index(const struct sg_json *json, unsigned level)
{
	return level < json->walk.array_count && level < SG_JSON_ARRAYS_MAX
		       ? json->walk.indices[level]
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
	sg_json_skim_finish(&json->skim);
	sl_arena_finish(&json->arena);
	free(json);
}
