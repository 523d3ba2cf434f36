/* SPDX-License-Identifier: MIT */
/* One pass from left to right; each rule looks at what stands at the place,
 * and some at the byte before it. */
#include "match/mask.h"

#include <stdbool.h>
#include <string.h>

/* A message under way. */
struct masking {
	const char *text, *end;
	char *to, *start;
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_hex(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* Of names. Not the bytes of UTF-8: in some languages no space stands between
 * a number and the words around it. */
static bool is_word(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* The marks that quote, other than ' itself, and their bytes. */
static size_t quote_at(const char *at, const char *end)
{
	static const char *const marks[] = {
		"`",
		"\xe2\x80\x98",
		"\xe2\x80\x99",
		"\xe2\x80\x9c",
		"\xe2\x80\x9d",
		"\xc2\xab",
		"\xc2\xbb",
	};

	for (size_t mark = 0; mark < sizeof(marks) / sizeof(marks[0]); mark++) {
		size_t length = strlen(marks[mark]);

		if ((size_t)(end - at) >= length &&
		    memcmp(at, marks[mark], length) == 0)
			return length;
	}
	return 0;
}

/* @return behind the word or number that starts at @p at. */
static const char *word_end(const char *at, const char *end)
{
	while (at < end && is_word(*at))
		at++;
	return at;
}

/* @return behind the number, with its point, exponent, suffix and separators,
 * that starts at @p at. What follows a point is a part of it only if it is a
 * digit: "12." ends a sentence. */
static const char *number_end(const char *at, const char *end)
{
	bool hex = end - at > 2 && at[0] == '0' && (at[1] | 0x20) == 'x';

	for (;;) {
		const char *stop = word_end(at, end);
		char last;

		if (stop == at || end - stop < 2)
			return stop;
		last = (char)(stop[-1] | 0x20);
		if (!is_digit(stop[1]))
			return stop;
		if (*stop != '.' && *stop != '\'' &&
		    ((*stop != '-' && *stop != '+') ||
		     last != (hex ? 'p' : 'e')))
			return stop;
		at = stop + 1;
	}
}

/* Whether the word of @p length bytes is an address without its 0x. */
static bool is_bare_address(const char *word, size_t length)
{
	bool digits = false;

	if (length != 12 && length != 16)
		return false;
	for (size_t at = 0; at < length; at++) {
		if (!is_hex(word[at]))
			return false;
		digits |= is_digit(word[at]);
	}
	return digits;
}

/* "_12": a name that a compiler made. */
static bool is_numbered(const char *word, size_t length)
{
	for (size_t at = 1; at < length; at++)
		if (!is_digit(word[at]))
			return false;
	return length > 1 && word[0] == '_';
}

static char number_mask(const char *number, const char *stop)
{
	size_t length = (size_t)(stop - number);

	if (is_bare_address(number, length))
		return '@';
	return length >= 8 && number[0] == '0' && (number[1] | 0x20) == 'x' &&
			       word_end(number, stop) == stop
		       ? '@'
		       : '#';
}

static void put_word(struct masking *masking)
{
	const char *stop = word_end(masking->text, masking->end);
	size_t length = (size_t)(stop - masking->text);

	if (is_bare_address(masking->text, length)) {
		*masking->to++ = '@';
	} else if (is_numbered(masking->text, length)) {
		*masking->to++ = '#';
	} else {
		memmove(masking->to, masking->text, length);
		masking->to += length;
	}
	masking->text = stop;
}

static void put_number(struct masking *masking)
{
	const char *stop = number_end(masking->text, masking->end);

	*masking->to++ = number_mask(masking->text, stop);
	masking->text = stop;
}

static bool is_in_path(char c)
{
	return !is_space(c) && !strchr("'\"`<>:;,()[]", c);
}

/* @return behind the last slash of the absolute path at @p at, or @p at: a
 * path has at least two slashes or a drive, and names between and behind. */
static const char *folder_end(const char *at, const char *end)
{
	const char *start = at, *last = at, *look;
	bool drive = end - at > 2 && at[1] == ':' && strchr("/\\", at[2]) &&
		     is_word(*at) && !is_digit(*at);
	unsigned slashes = drive;

	if (drive)
		start += 2;
	else if (*at != '/')
		return at;
	for (look = start; look < end; look++) {
		if (!is_in_path(*look) || quote_at(look, end))
			break;
		if (*look != '/' && *look != '\\')
			continue;
		if (look == last && look != start)
			return at;
		slashes++;
		last = look + 1;
	}
	return slashes > 1 && look > last ? last : at;
}

static bool put_space(struct masking *masking)
{
	if (!is_space(*masking->text))
		return false;
	while (masking->text < masking->end && is_space(*masking->text))
		masking->text++;
	if (masking->to > masking->start && masking->text < masking->end)
		*masking->to++ = ' ';
	return true;
}

/* What starts a token is looked at with what was written before it. */
static void put_token(struct masking *masking)
{
	const char *at = masking->text, *end = masking->end;
	char before = masking->to > masking->start ? masking->to[-1] : ' ';
	bool fresh = !is_word(before) && !strchr(".#@)/\\", before);
	const char *file = fresh ? folder_end(at, end) : at;

	if (file > at)
		masking->text = file;
	else if (is_digit(*at))
		put_number(masking);
	else if (is_word(*at))
		put_word(masking);
	else if ((*at == '-' || *at == '+') && fresh && before != *at &&
		 end - at > 1 && is_digit(at[1]))
		masking->text++; /* a sign belongs to its number */
	else
		*masking->to++ = *masking->text++;
}

size_t sg_mask(const char *message, size_t length, char *masked)
{
	struct masking masking = { message, message + length, masked, masked };

	while (masking.text < masking.end) {
		size_t quote = quote_at(masking.text, masking.end);

		if (quote > 0) {
			*masking.to++ = '\'';
			masking.text += quote;
		} else if (!put_space(&masking)) {
			put_token(&masking);
		}
	}
	return (size_t)(masking.to - masked);
}
