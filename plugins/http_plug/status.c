/* SPDX-License-Identifier: MIT */
#include "status.h"

#include <stdio.h>
#include <string.h>

#include <yajl/yajl_parse.h>

enum type {
	TYPE_NULL,
	TYPE_BOOLEAN,
	TYPE_NUMBER,
	TYPE_STRING,
	TYPE_OBJECT,
	TYPE_ARRAY,
};

static const char *const type_names[] = {
	[TYPE_NULL] = "null",        [TYPE_BOOLEAN] = "a boolean",
	[TYPE_NUMBER] = "a number",  [TYPE_STRING] = "a string",
	[TYPE_OBJECT] = "an object", [TYPE_ARRAY] = "an array",
};

/** What we want, and where it stands. */
enum wanted {
	WANT_NOTHING,
	WANT_ROOT, /**< the answer itself */
	WANT_ID, /**< id */
	WANT_APOWER, /**< apower */
	WANT_AENERGY, /**< aenergy */
	WANT_TOTAL, /**< aenergy.total */
	WANT_CONTROL, /**< PowerControl */
	WANT_MEMBER, /**< PowerControl[] */
	WANT_MEMBER_ID, /**< PowerControl[].MemberId */
	WANT_NAME, /**< PowerControl[].Name */
	WANT_WATTS, /**< PowerControl[].PowerConsumedWatts */
	WANTED_COUNT,
};

static const struct {
	enum plug_kind kind;
	enum wanted inside; /**< of what */
	const char *key; /**< NULL: an element */
	enum type type;
} table[WANTED_COUNT] = {
	[WANT_ID] = { PLUG_SHELLY, WANT_ROOT, "id", TYPE_NUMBER },
	[WANT_APOWER] = { PLUG_SHELLY, WANT_ROOT, "apower", TYPE_NUMBER },
	[WANT_AENERGY] = { PLUG_SHELLY, WANT_ROOT, "aenergy", TYPE_OBJECT },
	[WANT_TOTAL] = { PLUG_SHELLY, WANT_AENERGY, "total", TYPE_NUMBER },
	[WANT_CONTROL] = { PLUG_REDFISH, WANT_ROOT, "PowerControl",
			   TYPE_ARRAY },
	[WANT_MEMBER] = { PLUG_REDFISH, WANT_CONTROL, NULL, TYPE_OBJECT },
	[WANT_MEMBER_ID] = { PLUG_REDFISH, WANT_MEMBER, "MemberId",
			     TYPE_STRING },
	[WANT_NAME] = { PLUG_REDFISH, WANT_MEMBER, "Name", TYPE_STRING },
	[WANT_WATTS] = { PLUG_REDFISH, WANT_MEMBER, "PowerConsumedWatts",
			 TYPE_NUMBER },
};

/** An answer on its way. */
struct walk {
	struct plug_status *status;
	enum plug_kind kind;
	yajl_handle handle;
	size_t length; /**< of the answer */
	size_t before; /**< bytes of it that YAJL has put behind itself */
	struct sl_error *error;
	bool failed; /**< and `error` says why */
	enum wanted open[DEPTH_MAX]; /**< what we are inside of */
	unsigned depth;
	enum wanted next; /**< what the next value is */
	unsigned seen; /**< bits of enum wanted; a member's begin anew */
};

enum { CONTINUE = 1, CANCEL = 0 };

#define FAIL(walk, ...) \
	((void)SL_FAIL((walk)->error, SL_EIO, __VA_ARGS__), \
	 (walk)->failed = true, CANCEL)

/* At the end YAJL is given a blank that is not of the answer. */
static size_t place(const struct walk *walk)
{
	size_t byte = walk->before + yajl_get_bytes_consumed(walk->handle);

	return byte < walk->length ? byte : walk->length;
}

static const char *name_of(enum wanted wanted)
{
	if (wanted == WANT_ROOT)
		return "the answer";
	return table[wanted].key ? table[wanted].key : "a member";
}

static struct plug_member *member_of(struct walk *walk)
{
	return &walk->status->members[walk->status->member_count - 1];
}

/* ---- values ----------------------------------------------------------- */

static struct plug_field *field_of(struct walk *walk, enum wanted wanted)
{
	switch ((int)wanted) {
	case WANT_ID:
		return &walk->status->id;
	case WANT_APOWER:
		return &walk->status->apower;
	case WANT_TOTAL:
		return &walk->status->total_wh;
	case WANT_WATTS:
		return &member_of(walk)->watts;
	default:
		return NULL;
	}
}

static void keep_name(char name[NAME_BYTES], const char *text, size_t length)
{
	size_t at = 0;

	for (; at < length && at < NAME_BYTES - 1; at++)
		name[at] = text[at] >= ' ' && text[at] <= '~' ? text[at] : '?';
	name[at] = '\0';
}

/* One more member, and its keys may come again. */
static int begin_member(struct walk *walk)
{
	static const unsigned keys =
		1u << WANT_MEMBER_ID | 1u << WANT_NAME | 1u << WANT_WATTS;

	if (walk->status->member_count == MEMBERS_MAX)
		return FAIL(walk, "byte %zu: more than %d members", place(walk),
			    MEMBERS_MAX);
	walk->status->member_count++;
	walk->seen &= ~keys;
	return CONTINUE;
}

/* Of the type that is wanted, or null. */
static int take(struct walk *walk, enum wanted wanted, enum type type,
		const char *text, size_t length)
{
	struct plug_field *field = field_of(walk, wanted);

	if (field) {
		field->there = true;
		field->is_null = type == TYPE_NULL;
		field->byte = place(walk);
		if (!field->is_null &&
		    !sl_decimal_parse(text, length, &field->value))
			return FAIL(walk, "byte %zu: %s is no number",
				    place(walk), name_of(wanted));
		return CONTINUE;
	}
	if (wanted == WANT_MEMBER && type == TYPE_OBJECT)
		return begin_member(walk);
	if (wanted == WANT_MEMBER_ID && type == TYPE_STRING)
		keep_name(member_of(walk)->id, text, length);
	if (wanted == WANT_NAME && type == TYPE_STRING)
		keep_name(member_of(walk)->name, text, length);
	return CONTINUE;
}

/* What the value that begins here is to us. In an array each one is. */
static enum wanted expected(struct walk *walk)
{
	enum wanted next = walk->next;

	if (walk->depth == 0)
		return WANT_ROOT;
	if (walk->open[walk->depth - 1] == WANT_CONTROL)
		return WANT_MEMBER;
	walk->next = WANT_NOTHING;
	return next;
}

static int value(struct walk *walk, enum type type, const char *text,
		 size_t length)
{
	enum wanted wanted = expected(walk);
	enum type right =
		wanted == WANT_ROOT ? TYPE_OBJECT : table[wanted].type;
	bool may_be_null = wanted != WANT_ROOT && wanted != WANT_MEMBER;

	if (wanted == WANT_NOTHING)
		return CONTINUE;
	if (type != right && !(type == TYPE_NULL && may_be_null))
		return FAIL(walk, "byte %zu: %s is %s, %s is wanted",
			    place(walk), name_of(wanted), type_names[type],
			    type_names[right]);
	if (wanted != WANT_ROOT && wanted != WANT_MEMBER) {
		if (walk->seen & 1u << wanted)
			return FAIL(walk, "byte %zu: %s stands there twice",
				    place(walk), name_of(wanted));
		walk->seen |= 1u << wanted;
	}
	return take(walk, wanted, type, text, length);
}

/* ---- what YAJL calls -------------------------------------------------- */

static int on_null(void *context)
{
	return value(context, TYPE_NULL, NULL, 0);
}

static int on_boolean(void *context, int unused)
{
	(void)unused;
	return value(context, TYPE_BOOLEAN, NULL, 0);
}

static int on_number(void *context, const char *text, size_t length)
{
	return value(context, TYPE_NUMBER, text, length);
}

static int on_string(void *context, const unsigned char *text, size_t length)
{
	return value(context, TYPE_STRING, (const char *)text, length);
}

static int open_one(struct walk *walk, enum type type)
{
	enum wanted inside = walk->depth == 0 ? WANT_ROOT : walk->next;

	if (walk->depth && walk->open[walk->depth - 1] == WANT_CONTROL)
		inside = WANT_MEMBER;
	if (value(walk, type, NULL, 0) == CANCEL)
		return CANCEL;
	if (walk->depth == DEPTH_MAX)
		return FAIL(walk, "byte %zu: nested deeper than %d levels",
			    place(walk), DEPTH_MAX);
	walk->open[walk->depth++] = inside;
	walk->next = WANT_NOTHING;
	return CONTINUE;
}

static int on_object(void *context)
{
	return open_one(context, TYPE_OBJECT);
}

static int on_array(void *context)
{
	return open_one(context, TYPE_ARRAY);
}

static int on_key(void *context, const unsigned char *text, size_t length)
{
	struct walk *walk = context;
	enum wanted inside = walk->open[walk->depth - 1];

	walk->next = WANT_NOTHING;
	for (enum wanted at = WANT_ID; at < WANTED_COUNT; at++)
		if (table[at].kind == walk->kind &&
		    table[at].inside == inside && table[at].key &&
		    strlen(table[at].key) == length &&
		    memcmp(table[at].key, text, length) == 0)
			walk->next = at;
	return CONTINUE;
}

static int on_end(void *context)
{
	struct walk *walk = context;

	walk->depth--;
	walk->next = WANT_NOTHING;
	return CONTINUE;
}

static const yajl_callbacks callbacks = {
	.yajl_null = on_null,
	.yajl_boolean = on_boolean,
	.yajl_number = on_number,
	.yajl_string = on_string,
	.yajl_start_map = on_object,
	.yajl_map_key = on_key,
	.yajl_end_map = on_end,
	.yajl_start_array = on_array,
	.yajl_end_array = on_end,
};

/* YAJL's own words, without its line ends. */
static void say_wrong_json(const struct walk *walk)
{
	unsigned char *text = yajl_get_error(walk->handle, 0, NULL, 0);
	const char *words = text ? (const char *)text : "no JSON";

	(void)SL_FAIL(walk->error, SL_EIO, "byte %zu: %.*s", place(walk),
		      (int)strcspn(words, "\n"), words);
	if (text)
		yajl_free_error(walk->handle, text);
}

/* Members without an id are called by their place. */
static enum sl_code name_members(struct plug_status *status,
				 struct sl_error *error)
{
	for (size_t at = 0; at < status->member_count; at++) {
		struct plug_member *member = &status->members[at];

		if (!member->id[0])
			snprintf(member->id, NAME_BYTES, "%zu", at);
		for (size_t other = 0; other < at; other++)
			if (strcmp(status->members[other].id, member->id) == 0)
				return SL_FAIL(error, SL_EIO,
					       "two members are called \"%s\"",
					       member->id);
	}
	return SL_OK;
}

enum sl_code plug_status_parse(struct plug_status *status, enum plug_kind kind,
			       const char *text, size_t length,
			       struct sl_error *error)
{
	struct walk walk = {
		.status = status,
		.kind = kind,
		.length = length,
		.error = error,
	};
	yajl_status done;

	*status = (struct plug_status){ 0 };
	walk.handle = yajl_alloc(&callbacks, NULL, &walk);
	if (!walk.handle)
		return SL_FAIL(error, SL_ENOMEM, "no memory");
	done = yajl_parse(walk.handle, (const unsigned char *)text, length);
	if (done == yajl_status_ok) {
		walk.before = length;
		done = yajl_complete_parse(walk.handle);
	}
	if (done != yajl_status_ok && !walk.failed)
		say_wrong_json(&walk);
	yajl_free(walk.handle);
	return done == yajl_status_ok ? name_members(status, error) : SL_EIO;
}
