/* SPDX-License-Identifier: MIT */
/* A loop over tokens; each takes one whole, or leaves it where it is. */
#include "read/json_skim.h"

#include <string.h>

#include "read/json_tokens.h"
#include "read/reader.h"

/* ---- values that YAJL reads --------------------------------------------- */

static int take_string(void *context, const unsigned char *text, size_t length)
{
	struct sg_json_skim *skim = context;

	if (skim->is_key)
		return sg_json_walk_key(skim->walk, (const char *)text, length);
	return sg_json_walk_string(skim->walk, (const char *)text, length);
}

static int take_number(void *context, const char *text, size_t length)
{
	struct sg_json_skim *skim = context;

	return sg_json_walk_callbacks.yajl_number(skim->walk, text, length);
}

static int take_boolean(void *context, int value)
{
	struct sg_json_skim *skim = context;

	return sg_json_walk_callbacks.yajl_boolean(skim->walk, value);
}

static int take_null(void *context)
{
	struct sg_json_skim *skim = context;

	return sg_json_walk_callbacks.yajl_null(skim->walk);
}

static const yajl_callbacks value_callbacks = {
	.yajl_null = take_null,
	.yajl_boolean = take_boolean,
	.yajl_number = take_number,
	.yajl_string = take_string,
};

static enum sl_code parse_slice(void *context, const char *text, size_t length,
				ptrdiff_t offset, struct sl_error *error)
{
	struct sg_json_skim *skim = context;

	(void)offset;
	(void)error;
	return yajl_parse(skim->values, (const unsigned char *)text, length) ==
			       yajl_status_ok
		       ? SL_OK
		       : SL_END;
}

bool sg_json_skim_init(struct sg_json_skim *skim, struct sg_json_walk *walk)
{
	skim->walk = walk;
	skim->mender =
		(struct sg_json_filter){ .take = parse_slice, .context = skim };
	skim->values = yajl_alloc(&value_callbacks, NULL, skim);
	if (!skim->values)
		return false;
	/* the mender has seen to it */
	yajl_config(skim->values, yajl_dont_validate_strings, 1);
	/* value behind value, none of which is inside another */
	yajl_config(skim->values, yajl_allow_multiple_values, 1);
	return true;
}

void sg_json_skim_finish(struct sg_json_skim *skim)
{
	if (skim->values)
		yajl_free(skim->values);
	skim->values = NULL;
}

static bool parse(struct sg_json_skim *skim, const char *text, size_t length)
{
	return parse_slice(skim, text, length, 0, NULL) == SL_OK;
}

/* A number needs something behind it to be over. */
static bool parse_scalar(struct sg_json_skim *skim, const char *at,
			 const char *end)
{
	size_t length = (size_t)(end - at);
	char copy[32];

	if (length < sizeof(copy)) {
		memcpy(copy, at, length);
		copy[length] = ' ';
		return parse(skim, copy, length + 1);
	}
	return parse(skim, at, length) && parse(skim, " ", 1);
}

/* ---- the document ------------------------------------------------------- */

static bool open_value(struct sg_json_skim *skim, bool is_array)
{
	unsigned level = skim->depth;
	uint64_t bit = UINT64_C(1) << level % 64;

	if (!sg_json_walk_open(skim->walk, is_array))
		return false;
	if (is_array)
		skim->arrays[level / 64] |= bit;
	else
		skim->arrays[level / 64] &= ~bit;
	skim->depth++;
	skim->in_array = is_array;
	skim->expected = is_array ? SG_JSON_FIRST_ELEMENT : SG_JSON_FIRST_KEY;
	return true;
}

static enum sg_json_expected after_value(const struct sg_json_skim *skim)
{
	if (!skim->depth)
		return SG_JSON_NOTHING;
	return skim->in_array ? SG_JSON_AFTER_ELEMENT : SG_JSON_AFTER_MEMBER;
}

/* A value is over, and a comma mostly follows. @return behind that. */
static const char *end_value(struct sg_json_skim *skim, const char *at,
			     const char *end)
{
	if (SL_LIKELY(at < end && *at == ',' && skim->depth)) {
		skim->expected = skim->in_array ? SG_JSON_ELEMENT : SG_JSON_KEY;
		return at + 1;
	}
	skim->expected = after_value(skim);
	return at;
}

static void leave(struct sg_json_skim *skim)
{
	unsigned level = --skim->depth - 1;

	skim->in_array =
		skim->depth && (skim->arrays[level / 64] >> level % 64 & 1);
}

static enum sg_json_stop close_value(struct sg_json_skim *skim, const char **at,
				     const char *end)
{
	leave(skim);
	if (!sg_json_walk_close(skim->walk))
		return SG_JSON_REFUSED;
	*at = end_value(skim, *at + 1, end);
	return SG_JSON_AT_END;
}

/* A string with something to mend or to decode, or which is cut; @p stop is
 * where it is no longer plain. *is_wanted: it is handed on, as it was mended.
 * @return behind it; NULL: *why. */
static const char *hard_string(struct sg_json_skim *skim, const char *at,
			       const char *stop, const char *end,
			       bool is_wanted, enum sg_json_stop *why)
{
	struct sg_json_token token = sg_json_string_token(stop, end);

	*why = token.is_cut ? SG_JSON_CUT : SG_JSON_WRONG;
	if (!token.end)
		return NULL;
	/* the filter cuts it, and looks no more at what is behind */
	*why = SG_JSON_CUT;
	if (token.end - at > SG_TEXT_MAX - SG_JSON_UNIT_MAX)
		return NULL;
	*why = SG_JSON_REFUSED;
	if (is_wanted &&
	    sg_json_filter_feed(&skim->mender, at, (size_t)(token.end - at),
				NULL) != SL_OK)
		return NULL;
	return token.end;
}

/* @return whether a plain run is all of a string, which is not to be cut. */
static inline bool is_easy(const char *at, const char *stop, const char *end)
{
	return stop < end && *stop == '"' &&
	       stop - at < SG_TEXT_MAX - SG_JSON_UNIT_MAX;
}

/* @return behind a key, that is handed on; NULL: *why. */
static const char *take_key(struct sg_json_skim *skim, const char *at,
			    const char *end, enum sg_json_stop *why)
{
	struct sg_json_walk *walk = skim->walk;
	const char *key = at + 1;
	const char *stop =
		walk->ignored ? NULL : sg_json_walk_guess(walk, key, end);

	if (SL_LIKELY(stop != NULL))
		return stop;
	stop = sg_json_plain_end(key, end);
	if (!is_easy(key, stop, end)) {
		skim->is_key = true;
		return hard_string(skim, at, stop, end, !walk->ignored, why);
	}
	if (!walk->ignored)
		sg_json_walk_key(walk, key, (size_t)(stop - key));
	return stop + 1;
}

static enum sg_json_stop skim_key(struct sg_json_skim *skim, const char **at,
				  const char *end)
{
	enum sg_json_stop why;
	const char *behind = take_key(skim, *at, end, &why);

	if (!behind)
		return why;
	skim->expected = SG_JSON_COLON;
	if (SL_LIKELY(behind < end && *behind == ':')) {
		skim->expected = SG_JSON_MEMBER;
		behind++;
	}
	*at = behind;
	return SG_JSON_AT_END;
}

static enum sg_json_stop skim_string(struct sg_json_skim *skim, const char **at,
				     const char *end)
{
	const char *stop = sg_json_plain_end(*at + 1, end);
	bool is_wanted = sg_json_walk_wants(skim->walk);
	enum sg_json_stop why;

	if (SL_LIKELY(is_easy(*at, stop, end))) {
		const char *text = *at + 1;

		if (is_wanted && !sg_json_walk_string(skim->walk, text,
						      (size_t)(stop - text)))
			return SG_JSON_REFUSED;
		stop++;
	} else {
		skim->is_key = false;
		stop = hard_string(skim, *at, stop, end, is_wanted, &why);
		if (!stop)
			return why;
	}
	if (!is_wanted)
		sg_json_walk_pass(skim->walk);
	*at = end_value(skim, stop, end);
	return SG_JSON_AT_END;
}

static enum sg_json_stop skim_scalar(struct sg_json_skim *skim, const char **at,
				     const char *end)
{
	bool is_wanted = sg_json_walk_wants(skim->walk), goes_on = true;
	struct sg_json_token token = { 0 };
	int64_t number;

	token.end = sg_json_small_number(*at, end, &number);
	if (SL_LIKELY(token.end != NULL)) {
		if (is_wanted)
			goes_on = sg_json_walk_number(skim->walk, number);
	} else {
		token = sg_json_scalar_token(*at, end);
		if (!token.end)
			return token.is_cut ? SG_JSON_CUT : SG_JSON_WRONG;
		if (is_wanted)
			goes_on = parse_scalar(skim, *at, token.end);
	}
	if (!goes_on)
		return SG_JSON_REFUSED;
	if (!is_wanted)
		sg_json_walk_pass(skim->walk);
	*at = end_value(skim, token.end, end);
	return SG_JSON_AT_END;
}

/* Where a value must come. */
static enum sg_json_stop skim_value(struct sg_json_skim *skim, const char **at,
				    const char *end)
{
	switch (**at) {
	case '"':
		return skim_string(skim, at, end);
	case '{':
	case '[':
		if (!open_value(skim, **at == '['))
			return SG_JSON_REFUSED;
		++*at;
		return SG_JSON_AT_END;
	default:
		return skim_scalar(skim, at, end);
	}
}

/* One token, to which @p at points. @return SG_JSON_AT_END: it is taken. */
static enum sg_json_stop skim_token(struct sg_json_skim *skim, const char **at,
				    const char *end)
{
	char c = **at;

	switch (skim->expected) {
	case SG_JSON_FIRST_KEY:
		if (c == '}')
			return close_value(skim, at, end);
		return c == '"' ? skim_key(skim, at, end) : SG_JSON_WRONG;
	case SG_JSON_KEY:
		return c == '"' ? skim_key(skim, at, end) : SG_JSON_WRONG;
	case SG_JSON_COLON:
		if (c != ':')
			return SG_JSON_WRONG;
		++*at;
		skim->expected = SG_JSON_MEMBER;
		return SG_JSON_AT_END;
	case SG_JSON_FIRST_ELEMENT:
		if (c == ']')
			return close_value(skim, at, end);
		return skim_value(skim, at, end);
	case SG_JSON_A_DOCUMENT:
	case SG_JSON_ELEMENT:
	case SG_JSON_MEMBER:
		return skim_value(skim, at, end);
	case SG_JSON_AFTER_ELEMENT:
	case SG_JSON_AFTER_MEMBER:
		if (c == (skim->in_array ? ']' : '}'))
			return close_value(skim, at, end);
		if (c != ',')
			return SG_JSON_WRONG;
		*at = end_value(skim, *at, end);
		return SG_JSON_AT_END;
	case SG_JSON_NOTHING:
	default:
		return SG_JSON_WRONG;
	}
}

enum sg_json_stop sg_json_skim(struct sg_json_skim *skim, const char **at,
			       const char *end)
{
	enum sg_json_stop stop = SG_JSON_AT_END;

	while (stop == SG_JSON_AT_END) {
		*at = sg_json_skip_blanks(*at, end);
		if (*at == end)
			break;
		stop = skim_token(skim, at, end);
	}
	return stop;
}

const char *sg_json_skim_lead(const struct sg_json_skim *skim)
{
	static const char *const leads[] = {
		[SG_JSON_A_DOCUMENT] = "",
		[SG_JSON_FIRST_ELEMENT] = "[",
		[SG_JSON_ELEMENT] = "[[],",
		[SG_JSON_MEMBER] = "{\"\":",
		[SG_JSON_FIRST_KEY] = "{",
		[SG_JSON_KEY] = "{\"\":[],",
		[SG_JSON_COLON] = "{\"\"",
		[SG_JSON_AFTER_ELEMENT] = "[[]",
		[SG_JSON_AFTER_MEMBER] = "{\"\":[]",
		[SG_JSON_NOTHING] = "[]",
	};

	return leads[skim->expected];
}

void sg_json_skim_past(struct sg_json_skim *skim, char next)
{
	if (skim->expected == SG_JSON_KEY ||
	    skim->expected == SG_JSON_FIRST_KEY) {
		skim->expected = SG_JSON_COLON;
		return;
	}
	if (next == ']' || next == '}')
		leave(skim);
	end_value(skim, &next, &next + (next == ','));
}
