/* SPDX-License-Identifier: MIT */
/** @file
 * Where a token of a JSON text ends, if it is whole and as it must be. What is
 * taken here YAJL takes, too, once json_filter.h has mended it; what is not
 * taken it judges.
 */
#ifndef SG_READ_JSON_TOKENS_H
#define SG_READ_JSON_TOKENS_H

#include <stdbool.h>

#include "read/json_words.h"

struct sg_json_token {
	const char *end; /**< behind it; NULL: it was not taken */
	bool is_cut; /**< not taken because the piece ends */
};

/** @return where a run inside a string ends that needs no look, or @p end. */
static inline const char *sg_json_plain_end(const char *at, const char *end)
{
	for (; end - at >= 8; at += 8) {
		uint64_t marks = sg_json_specials(sg_json_word(at));

		if (marks)
			return at + sg_json_first(marks);
	}
	while (at < end && (unsigned char)*at >= 0x20 &&
	       (unsigned char)*at < 0x80 && *at != '"' && *at != '\\')
		at++;
	return at;
}

/** A string on from where a plain run in it ends, but not at its quote. */
struct sg_json_token sg_json_string_token(const char *at, const char *end);

/** A number, true, false or null, at least one byte. What is directly behind
 * it must be there, and be able to stand there. */
struct sg_json_token sg_json_scalar_token(const char *at, const char *end);

/** A token of which a piece has only the start: zeroed but for `is_string`. */
struct sg_json_cut {
	bool is_string; /**< rather than a number or a word */
	bool is_begun; /**< its first byte has been seen */
	bool is_escaped; /**< the next byte is */
	bool is_over;
};

/** @return where the token ends, or @p end if it is not over there: a string
 * behind its quote, others before what cannot belong to them. */
const char *sg_json_cut_end(struct sg_json_cut *cut, const char *at,
			    const char *end);

/** YAJL's blanks, and NUL, which the filter makes one. */
static inline bool sg_json_is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r') || c == '\0';
}

/** @return whether it may stand directly behind a number, or a word. */
static inline bool sg_json_ends_scalar(char c)
{
	return c == ',' || c == '}' || c == ']' || sg_json_is_blank(c);
}

/** Most numbers: a few digits, and then a comma or the like. @return behind
 * them; NULL: it is something else. */
static inline const char *sg_json_small_number(const char *at, const char *end,
					       int64_t *number)
{
	const char *start = at;
	int64_t value = 0;

	/* what has 18 digits fits */
	if (end - at > 18)
		end = at + 18;
	for (; at < end && *at >= '0' && *at <= '9'; at++)
		value = value * 10 + (*at - '0');
	if (at == end || at == start || (*start == '0' && at - start > 1) ||
	    !sg_json_ends_scalar(*at))
		return NULL;
	*number = value;
	return at;
}

/** @return the next byte that is none, or @p end. */
static inline const char *sg_json_skip_blanks(const char *at, const char *end)
{
	const uint64_t blanks = SG_JSON_ONES * ' ';

	if (at < end && !sg_json_is_blank(*at))
		return at;
	/* a newline, and then the indentation */
	while (at < end && sg_json_is_blank(*at)) {
		at++;
		while (end - at >= 8) {
			uint64_t others = sg_json_word(at) ^ blanks;

			if (others) {
				at += sg_json_first(others);
				break;
			}
			at += 8;
		}
	}
	return at;
}

#endif
