/* SPDX-License-Identifier: MIT */
/* A line of the file of suppressions, read strictly: who accepts a defect must
 * be understood, and one that is not understood excuses nothing. */
#include <stdlib.h>
#include <string.h>
#include <yajl/yajl_parse.h>

#include "gate/entry.h"

enum member {
	PATH,
	LINE,
	TOOL,
	RULE,
	FUNCTION,
	MESSAGE,
	CODE,
	REASON,
	UNTIL,
	MEMBERS,
};

static const struct {
	const char *name;
	bool is_needed;
	bool may_be_null;
} members[MEMBERS] = {
	[PATH] = { "path", true, true },
	[LINE] = { "line", false, true },
	[TOOL] = { "tool", true, false },
	[RULE] = { "rule", true, false },
	[FUNCTION] = { "function", false, true },
	[MESSAGE] = { "message", true, false },
	[CODE] = { "code", false, true },
	[REASON] = { "reason", true, false },
	[UNTIL] = { "until", false, true },
};

static const char allowed[] =
	"path, line, tool, rule, function, message, code, reason and until";

struct parsing {
	struct sl_arena *arena;
	struct sg_suppression *entry;
	struct sl_error *error;
	enum sl_code code; /* SL_OK until something is wrong */
	bool is_open; /* the object has begun */
	enum member member; /* that the value is of */
	unsigned given; /* a bit for each member that was there */
};

/* Bytes of others' words that a message shows. */
enum { SHOWN = 40 };

static int shown(size_t length)
{
	return length < SHOWN ? (int)length : SHOWN;
}

/* For a callback of YAJL: 0 ends the parsing. */
#define REFUSE(parsing, ...) \
	((parsing)->code = SL_FAIL((parsing)->error, SL_EINVAL, __VA_ARGS__), 0)

static int refuse_kind(struct parsing *parsing, const char *what)
{
	if (!parsing->is_open)
		return REFUSE(parsing,
			      "%s; an entry is an object with the members %s",
			      what, allowed);
	return REFUSE(parsing, "\"%s\" is %s; it takes %s%s",
		      members[parsing->member].name, what,
		      parsing->member == LINE ? "a number" : "a text",
		      members[parsing->member].may_be_null ? " or null" : "");
}

/* ---- values ------------------------------------------------------------ */

/* Two hashes with ':' between. */
static bool parse_hash(const char *text, struct sg_hash *hash)
{
	for (int at = 0; at < 32; at++) {
		unsigned value = 0;
		char c = text[at];

		if (c >= '0' && c <= '9')
			value = (unsigned)(c - '0');
		else if (c >= 'a' && c <= 'f')
			value = (unsigned)(c - 'a') + 10;
		else
			return false;
		hash->high = hash->high << 4 | hash->low >> 60;
		hash->low = hash->low << 4 | value;
	}
	return true;
}

static int take_code(struct parsing *parsing, const char *text)
{
	enum { HASH = 32 };
	struct sg_suppression *entry = parsing->entry;
	size_t number = strspn(text, "0123456789");
	const char *hashes = text + number + 1;
	struct sg_hash line = { 0, 0 }, window = { 0, 0 };

	if (number < 1 || number > 9 || text[number] != ':' ||
	    strlen(hashes) != 2 * HASH + 1 || hashes[HASH] != ':' ||
	    !parse_hash(hashes, &line) ||
	    !parse_hash(hashes + HASH + 1, &window))
		return REFUSE(parsing,
			      "\"code\" is \"%.*s\"; it is VERSION:HASH:HASH, "
			      "with hashes of 32 digits 0-9 and a-f",
			      shown(strlen(text)), text);
	if (strtol(text, NULL, 10) != SG_FINGERPRINT_VERSION)
		return 1;
	entry->line_hash = line;
	entry->window_hash = window;
	return 1;
}

static int take_text(struct parsing *parsing, const char *text)
{
	struct sg_suppression *entry = parsing->entry;

	switch (parsing->member) {
	case PATH:
		entry->path = text;
		return 1;
	case TOOL:
		entry->tool = text;
		return 1;
	case RULE:
		entry->rule = text;
		return 1;
	case FUNCTION:
		entry->function = text;
		return 1;
	case MESSAGE:
		entry->message = text;
		return 1;
	case REASON:
		entry->reason = text;
		return 1;
	case UNTIL:
		entry->until = text;
		return 1;
	case CODE:
		return take_code(parsing, text);
	case LINE:
	case MEMBERS:
		break;
	}
	return refuse_kind(parsing, "a text");
}

static int on_string(void *context, const unsigned char *text, size_t length)
{
	struct parsing *parsing = context;
	const char *chars = (const char *)text;
	char *copy;

	if (!parsing->is_open)
		return refuse_kind(parsing, "a text");
	/* Escapes can make what the line's bytes do not show. */
	if (length && memchr(chars, '\0', length))
		return REFUSE(parsing, "\"%s\" has a NUL in it",
			      members[parsing->member].name);
	if (sg_text_valid(chars, length) != length)
		return REFUSE(parsing,
			      "\"%s\" has half a surrogate pair in it, which "
			      "is no character",
			      members[parsing->member].name);
	copy = sl_arena_text(parsing->arena, length ? chars : "", length);
	if (!copy) {
		parsing->code = SL_FAIL(parsing->error, SL_ENOMEM,
					"no memory for an entry");
		return 0;
	}
	return take_text(parsing, copy);
}

static int on_number(void *context, const char *text, size_t length)
{
	struct parsing *parsing = context;
	bool is_whole = true;
	int64_t number = 0;

	if (!parsing->is_open || parsing->member != LINE)
		return refuse_kind(parsing, "a number");
	for (size_t at = 0; at < length && is_whole; at++) {
		int digit = text[at] - '0';

		is_whole = digit >= 0 && digit <= 9 &&
			   number <= (INT64_MAX - digit) / 10;
		if (is_whole)
			number = number * 10 + digit;
	}
	if (!is_whole || number < 1)
		return REFUSE(parsing,
			      "\"line\" is %.*s; it takes a whole number from "
			      "1 on",
			      shown(length), text);
	parsing->entry->line = number;
	return 1;
}

static int on_null(void *context)
{
	struct parsing *parsing = context;

	if (parsing->is_open && members[parsing->member].may_be_null)
		return 1;
	return refuse_kind(parsing, "null");
}

static int on_boolean(void *context, int value)
{
	return refuse_kind(context, value ? "true" : "false");
}

static int on_array(void *context)
{
	return refuse_kind(context, "an array");
}

/* ---- the object -------------------------------------------------------- */

static int on_object(void *context)
{
	struct parsing *parsing = context;

	if (parsing->is_open)
		return refuse_kind(parsing, "an object");
	parsing->is_open = true;
	return 1;
}

static int on_key(void *context, const unsigned char *key, size_t length)
{
	struct parsing *parsing = context;

	for (int at = 0; at < MEMBERS; at++) {
		const char *name = members[at].name;

		if (strlen(name) != length || memcmp(name, key, length) != 0)
			continue;
		if (parsing->given & 1U << at)
			return REFUSE(parsing, "\"%s\" is there twice", name);
		parsing->given |= 1U << at;
		parsing->member = (enum member)at;
		return 1;
	}
	return REFUSE(parsing, "\"%.*s\" is no member of an entry; it has %s",
		      shown(length), (const char *)key, allowed);
}

static enum sl_code fail_syntax(yajl_handle yajl, struct sl_error *error)
{
	unsigned char *words = yajl_get_error(yajl, 0, NULL, 0);
	const char *text = words ? (const char *)words : "";

	/* "lexical error: invalid char in json text.", a line */
	(void)SL_FAIL(error, SL_EINVAL,
		      "no JSON at byte %zu: %.*s; an entry is an object on one "
		      "line",
		      yajl_get_bytes_consumed(yajl), (int)strcspn(text, ".\n"),
		      text);
	if (words)
		yajl_free_error(yajl, words);
	return SL_EINVAL;
}

static enum sl_code parse_json(struct parsing *parsing, const char *line,
			       size_t length)
{
	static const yajl_callbacks callbacks = {
		.yajl_null = on_null,
		.yajl_boolean = on_boolean,
		.yajl_number = on_number,
		.yajl_string = on_string,
		.yajl_start_map = on_object,
		.yajl_map_key = on_key,
		.yajl_start_array = on_array,
	};
	yajl_handle yajl = yajl_alloc(&callbacks, NULL, parsing);
	yajl_status status;

	if (!yajl)
		return SL_FAIL(parsing->error, SL_ENOMEM,
			       "no memory for an entry");
	status = yajl_parse(yajl, (const unsigned char *)line, length);
	if (status == yajl_status_ok)
		status = yajl_complete_parse(yajl);
	if (status != yajl_status_ok && parsing->code == SL_OK)
		parsing->code = fail_syntax(yajl, parsing->error);
	yajl_free(yajl);
	return parsing->code;
}

enum sl_code sg_line_check(const char *line, size_t length,
			   struct sl_error *error)
{
	size_t valid = sg_text_valid(line, length);

	if (valid == length)
		return SL_OK;
	if (line[valid] == '\0')
		return SL_FAIL(error, SL_EINVAL,
			       "byte %zu is a NUL; the file is text",
			       valid + 1);
	return SL_FAIL(error, SL_EINVAL,
		       "byte %zu is no UTF-8; the file is UTF-8", valid + 1);
}

enum sl_code sg_entry_parse(const char *line, size_t length,
			    struct sl_arena *arena,
			    struct sg_suppression *entry,
			    struct sl_error *error)
{
	struct parsing parsing = { .arena = arena,
				   .entry = entry,
				   .error = error };
	enum sl_code code = sg_line_check(line, length, error);

	memset(entry, 0, sizeof(*entry));
	if (code == SL_OK)
		code = parse_json(&parsing, line, length);
	if (code != SL_OK)
		return code;
	for (int at = 0; at < MEMBERS; at++)
		if (members[at].is_needed && !(parsing.given & 1U << at))
			return SL_FAIL(error, SL_EINVAL, "\"%s\" is missing",
				       members[at].name);
	return sg_entry_check(entry, error);
}
