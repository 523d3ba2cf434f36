/* SPDX-License-Identifier: MIT */
/* The filter is a scanner that knows two states, inside a string and outside,
 * and hands on runs of bytes that need no look. */
#include "read/json_filter.h"

#include <stdint.h>
#include <string.h>

#include "read/json_unit.h"
#include "read/json_words.h"
#include "read/reader.h"

enum { OUTSIDE = 1, INSIDE = 2 };

/* Which bytes end a run outside of strings, and which inside one. */
static unsigned char ends_run(unsigned char c)
{
	static const unsigned char ascii[128] = {
		[0] = OUTSIDE | INSIDE, [1] = INSIDE,  [2] = INSIDE,
		[3] = INSIDE,           [4] = INSIDE,  [5] = INSIDE,
		[6] = INSIDE,           [7] = INSIDE,  [8] = INSIDE,
		[9] = INSIDE,           [10] = INSIDE, [11] = INSIDE,
		[12] = INSIDE,          [13] = INSIDE, [14] = INSIDE,
		[15] = INSIDE,          [16] = INSIDE, [17] = INSIDE,
		[18] = INSIDE,          [19] = INSIDE, [20] = INSIDE,
		[21] = INSIDE,          [22] = INSIDE, [23] = INSIDE,
		[24] = INSIDE,          [25] = INSIDE, [26] = INSIDE,
		[27] = INSIDE,          [28] = INSIDE, [29] = INSIDE,
		[30] = INSIDE,          [31] = INSIDE, ['"'] = OUTSIDE | INSIDE,
		['\\'] = INSIDE,
	};

	return c < 128 ? ascii[c] : INSIDE;
}

static ptrdiff_t offset_of(const struct sg_json_filter *filter, const char *at)
{
	return filter->start_offset + (at - filter->start);
}

static enum sl_code flush(struct sg_json_filter *filter, struct sl_error *error)
{
	size_t length = filter->mended_length;

	filter->mended_length = 0;
	return length ? filter->take(filter->context, filter->mended, length,
				     filter->mended_offset, error)
		      : SL_OK;
}

/* Put text behind what was mended. Where a part of it stands is known of the
 * last one alone: so nothing comes behind one that the parser may stop in. */
static enum sl_code mend(struct sg_json_filter *filter, const char *text,
			 size_t length, ptrdiff_t offset,
			 struct sl_error *error)
{
	enum sl_code code = SL_OK;

	if (length > SG_JSON_MENDED - filter->mended_length)
		code = flush(filter, error);
	if (code != SL_OK)
		return code;
	if (length > SG_JSON_MENDED)
		return filter->take(filter->context, text, length, offset,
				    error);
	filter->mended_offset = offset - (ptrdiff_t)filter->mended_length;
	memcpy(filter->mended + filter->mended_length, text, length);
	filter->mended_length += length;
	return filter->refused ? flush(filter, error) : SL_OK;
}

/* A run that stays as it is. Behind the string's end the parser may stumble,
 * and the place must be right: so this part is the last one. */
static enum sl_code pass(struct sg_json_filter *filter, const char *from,
			 const char *to, struct sl_error *error)
{
	size_t length = (size_t)(to - from);
	enum sl_code code;

	if (!length)
		return SL_OK;
	if (!filter->mended_length)
		return filter->take(filter->context, from, length,
				    offset_of(filter, from), error);
	code = mend(filter, from, length, offset_of(filter, from), error);
	if (code == SL_OK && memchr(from, '"', length))
		code = flush(filter, error);
	return code;
}

/* @return the quote that ends a string of which no more is wanted, or the
 * piece's end. */
static const char *skip_string(struct sg_json_filter *filter, const char *at,
			       const char *end)
{
	for (; at < end; at++) {
		if (filter->escaped)
			filter->escaped = false;
		else if (*at == '\\')
			filter->escaped = true;
		else if (*at == '"')
			break;
	}
	return at;
}

/* The piece while it is outside of strings. @return where it is no longer. */
static const char *scan_outside(const char *at, const char *end)
{
	for (; end - at >= 8; at += 8) {
		uint64_t word = sg_json_word(at);
		uint64_t ends = sg_json_zeros(word) | sg_json_equals(word, '"');

		if (ends) {
			at += sg_json_first(ends);
			break;
		}
	}
	while (at < end && !(ends_run((unsigned char)*at) & OUTSIDE))
		at++;
	return at;
}

/* @return where a run inside a string ends, at its longest allowed. */
static const char *scan_inside(struct sg_json_filter *filter, const char *at,
			       const char *end)
{
	size_t room = SG_TEXT_MAX - filter->string_length;
	const char *start = at;

	if ((size_t)(end - at) > room)
		end = at + room;
	for (; end - at >= 8; at += 8) {
		uint64_t ends = sg_json_specials(sg_json_word(at));

		if (ends) {
			at += sg_json_first(ends);
			break;
		}
	}
	while (at < end && !(ends_run((unsigned char)*at) & INSIDE))
		at++;
	filter->string_length += (size_t)(at - start);
	return at;
}

/* A unit inside a string, at @p *at. Text before it, from @p *clean on, is
 * handed on if the unit cannot stay. */
static enum sl_code take_unit(struct sg_json_filter *filter, const char **clean,
			      const char **at, const char *end,
			      struct sl_error *error)
{
	struct sg_json_unit unit = sg_json_unit_at(*at, (size_t)(end - *at));
	const char *origin = *at;
	enum sl_code code;

	if (unit.verdict == SG_JSON_KEEP || unit.verdict == SG_JSON_REFUSE) {
		if (unit.verdict == SG_JSON_REFUSE)
			filter->refused = true;
		*at += unit.size;
		filter->string_length += unit.size;
		return SL_OK;
	}
	code = pass(filter, *clean, origin, error);
	if (code != SL_OK)
		return code;
	if (unit.verdict == SG_JSON_NEED_MORE) {
		filter->pending_length = (size_t)(end - origin);
		memcpy(filter->pending, origin, filter->pending_length);
		*at = *clean = end;
		return SL_OK;
	}
	*at = *clean = origin + unit.size;
	filter->string_length += strlen(unit.text);
	return mend(filter, unit.text, strlen(unit.text),
		    offset_of(filter, origin), error);
}

/* One step of a string: a run, and what ends it. */
static enum sl_code step_inside(struct sg_json_filter *filter,
				const char **clean, const char **at,
				const char *end, struct sl_error *error)
{
	enum sl_code code = SL_OK;

	if (!filter->cutting) {
		*at = scan_inside(filter, *at, end);
		if (*at < end && **at != '"') {
			/* a unit is cut off whole, never in its middle */
			if (filter->string_length + SG_JSON_UNIT_MAX <=
			    SG_TEXT_MAX)
				return take_unit(filter, clean, at, end, error);
			filter->cutting = true;
		}
	}
	if (filter->cutting && *at < end) {
		code = pass(filter, *clean, *at, error);
		*at = *clean = skip_string(filter, *at, end);
	}
	if (*at < end) {
		filter->in_string = filter->cutting = filter->refused = false;
		++*at;
	}
	return code;
}

static enum sl_code step_outside(struct sg_json_filter *filter,
				 const char **clean, const char **at,
				 const char *end, struct sl_error *error)
{
	enum sl_code code;

	*at = scan_outside(*at, end);
	if (*at == end)
		return SL_OK;
	if (**at == '"') {
		filter->in_string = true;
		filter->string_length = 0;
		++*at;
		return SL_OK;
	}
	code = pass(filter, *clean, *at, error);
	if (code == SL_OK)
		code = mend(filter, " ", 1, offset_of(filter, *at), error);
	*clean = ++*at;
	return code;
}

/* @p offset: where @p at stands in the piece. */
static enum sl_code run(struct sg_json_filter *filter, const char *at,
			const char *end, ptrdiff_t offset,
			struct sl_error *error)
{
	const char *clean = at;
	enum sl_code code = SL_OK;

	filter->start = at;
	filter->start_offset = offset;
	while (at < end && code == SL_OK)
		code = filter->in_string
			       ? step_inside(filter, &clean, &at, end, error)
			       : step_outside(filter, &clean, &at, end, error);
	if (code == SL_OK)
		code = pass(filter, clean, end, error);
	return code == SL_OK ? flush(filter, error) : code;
}

/* Complete a unit that the last piece cut, a byte at a time. What turns out
 * not to belong to it is scanned again. */
static enum sl_code resume(struct sg_json_filter *filter, char next,
			   ptrdiff_t offset, struct sl_error *error)
{
	char text[SG_JSON_UNIT_MAX];
	size_t length;

	filter->pending[filter->pending_length++] = next;
	length = filter->pending_length;
	if (sg_json_unit_at(filter->pending, length).verdict ==
	    SG_JSON_NEED_MORE)
		return SL_OK;
	memcpy(text, filter->pending, length);
	filter->pending_length = 0;
	return run(filter, text, text + length,
		   offset - (ptrdiff_t)(length - 1), error);
}

static bool is_number(char c)
{
	return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' ||
	       c == 'e' || c == 'E';
}

/* How long the number is that the piece ends in: it grows piece by piece. */
static void measure_number(struct sg_json_filter *filter, const char *start,
			   const char *end)
{
	const char *at = end;

	if (filter->in_string) {
		filter->number_length = 0;
		return;
	}
	while (at > start && is_number(at[-1]) && end - at < SG_JSON_NUMBER_MAX)
		at--;
	if (at > start)
		filter->number_length = 0;
	filter->number_length += (size_t)(end - at);
}

enum sl_code sg_json_filter_feed(struct sg_json_filter *filter,
				 const char *bytes, size_t length,
				 struct sl_error *error)
{
	const char *at = bytes, *end = bytes + length;
	enum sl_code code = SL_OK;

	for (; filter->pending_length && at < end && code == SL_OK; at++)
		code = resume(filter, *at, at - bytes, error);
	if (!filter->in_string && filter->number_length >= SG_JSON_NUMBER_MAX)
		while (at < end && is_number(*at))
			at++;
	if (at == end || code != SL_OK)
		return code;
	code = run(filter, at, end, at - bytes, error);
	measure_number(filter, at, end);
	return code;
}
