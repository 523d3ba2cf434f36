/* SPDX-License-Identifier: MIT */
/* RFC 8259's tokens but the brackets, the comma and the colon. */
#include "read/json_tokens.h"

#include <stddef.h>

static struct sg_json_token whole(const char *end)
{
	return (struct sg_json_token){ .end = end };
}

static struct sg_json_token cut(void)
{
	return (struct sg_json_token){ .is_cut = true };
}

static struct sg_json_token wrong(void)
{
	return (struct sg_json_token){ .end = NULL };
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_hex(char c)
{
	char lower = (char)(c | 0x20);

	return is_digit(c) || (lower >= 'a' && lower <= 'f');
}

/* An escape, from its backslash on. */
static struct sg_json_token escape_token(const char *at, const char *end)
{
	if (end - at < 2)
		return cut();
	if (at[1] && strchr("\"\\/bfnrt", at[1]))
		return whole(at + 2);
	if (at[1] != 'u')
		return wrong();
	for (int digit = 2; digit < 6; digit++) {
		if (end - at <= digit)
			return cut();
		if (!is_hex(at[digit]))
			return wrong();
	}
	return whole(at + 6);
}

/* Two bytes matter: what must be mended is none of the skimmer's business. */
struct sg_json_token sg_json_string_token(const char *at, const char *end)
{
	while (at < end) {
		if (end - at >= 8) {
			uint64_t word = sg_json_word(at);
			uint64_t marks = sg_json_equals(word, '"') |
					 sg_json_equals(word, '\\');

			if (!marks) {
				at += 8;
				continue;
			}
			at += sg_json_first(marks);
		}
		if (*at == '"')
			return whole(at + 1);
		if (*at == '\\') {
			struct sg_json_token escape = escape_token(at, end);

			if (!escape.end)
				return escape;
			at = escape.end;
		} else {
			at++;
		}
	}
	return cut();
}

/* Behind something that could be longer; a letter there is an error, and a
 * digit behind a zero another one. */
static struct sg_json_token ended(const char *at, const char *end)
{
	if (at == end)
		return cut();
	return sg_json_ends_scalar(*at) ? whole(at) : wrong();
}

static const char *skip_digits(const char *at, const char *end)
{
	while (at < end && is_digit(*at))
		at++;
	return at;
}

/* Digits, one at least. @return NULL: there are none, or the piece ends. */
static const char *some_digits(const char *at, const char *end)
{
	const char *behind = skip_digits(at, end);

	return behind > at && behind < end ? behind : NULL;
}

static struct sg_json_token number_token(const char *at, const char *end)
{
	const char *part = at;

	if (*at == '-' && ++at == end)
		return cut();
	if (*at == '0')
		at++;
	else if (is_digit(*at))
		at = skip_digits(at, end);
	else
		return wrong();
	if (at < end && *at == '.') {
		part = at + 1;
		at = some_digits(part, end);
	}
	if (at && at < end && (*at == 'e' || *at == 'E')) {
		part = at + 1;
		if (part < end && (*part == '+' || *part == '-'))
			part++;
		at = some_digits(part, end);
	}
	if (!at)
		return skip_digits(part, end) == end ? cut() : wrong();
	return ended(at, end);
}

static struct sg_json_token word_token(const char *at, const char *end,
				       const char *word)
{
	for (; *word; word++, at++) {
		if (at == end)
			return cut();
		if (*at != *word)
			return wrong();
	}
	return ended(at, end);
}

struct sg_json_token sg_json_scalar_token(const char *at, const char *end)
{
	switch (*at) {
	case 't':
		return word_token(at, end, "true");
	case 'f':
		return word_token(at, end, "false");
	case 'n':
		return word_token(at, end, "null");
	default:
		return number_token(at, end);
	}
}

static bool is_in_scalar(char c)
{
	char lower = (char)(c | 0x20);

	return is_digit(c) || (lower >= 'a' && lower <= 'z') || c == '-' ||
	       c == '+' || c == '.';
}

const char *sg_json_cut_end(struct sg_json_cut *cut, const char *at,
			    const char *end)
{
	if (!cut->is_string) {
		while (at < end && is_in_scalar(*at))
			at++;
		cut->is_over = at < end;
		return at;
	}
	if (!cut->is_begun && at < end)
		at++;
	cut->is_begun = true;
	for (; at < end && !cut->is_over; at++) {
		cut->is_over = *at == '"' && !cut->is_escaped;
		cut->is_escaped = *at == '\\' && !cut->is_escaped;
	}
	return at;
}
