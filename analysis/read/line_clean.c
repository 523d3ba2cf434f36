/* SPDX-License-Identifier: MIT */
/* A line's bytes made clean: escape sequences go, and what is no valid text
 * becomes U+FFFD. */
#include "read/line_clean.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/utf8.h"
#include "sluice/defs.h"

#define REPLACEMENT "\xef\xbf\xbd"
#define ESCAPE 0x1b
#define EIGHT sizeof(uint64_t)

/* 0x80 in each byte of a word. */
#define HIGH_BITS UINT64_C(0x8080808080808080)
#define EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

/* C1 control characters are two bytes in UTF-8. */
static bool is_c1(const unsigned char *at)
{
	return at[0] == 0xc2 && at[1] < 0xa0;
}

/* The length of the character of several bytes at @p at; 0: it is not clean. */
static size_t clean_character(const unsigned char *at, size_t left)
{
	size_t length = sl_utf8_sequence(at, left);

	return length && is_c1(at) ? 0 : length;
}

/* The length of the escape sequence at @p at, 1 if it is none. One that the
 * line's end cuts is none: its text may be what somebody looks for. */
static size_t escape(const unsigned char *at, size_t left)
{
	size_t next = 2;

	if (left < 2)
		return 1;
	if (at[1] == '[') {
		while (next < left && at[next] >= 0x20 && at[next] < 0x40)
			next++;
		return next < left && at[next] >= 0x40 && at[next] < 0x7f
			       ? next + 1
			       : 1;
	}
	if (at[1] == ']') {
		for (; next < left; next++) {
			if (at[next] == 0x07)
				return next + 1;
			if (at[next] == ESCAPE && next + 1 < left &&
			    at[next + 1] == '\\')
				return next + 2;
		}
		return 1;
	}
	if (at[1] >= 0x20 && at[1] < 0x30)
		return left > 2 ? 3 : 1;
	return at[1] >= 0x30 && at[1] < 0x7f ? 2 : 1;
}

/* 0x80 in each of eight bytes that is no printable ASCII: under 0x20, or over
 * 0x7e. Right up to the lowest one: what it borrows and carries goes higher. */
static uint64_t others(const unsigned char *at)
{
	uint64_t word;

	memcpy(&word, at, sizeof(word));
	word = SL_LITTLE_64(word);
	return ((word - EACH(0x20)) | (word + EACH(0x01)) | word) & HIGH_BITS;
}

/* How many bytes from the start are printable ASCII: eight at a time; the last
 * eight overlap those before. */
static size_t plain_part(const unsigned char *text, size_t length)
{
	size_t at = 0;
	uint64_t found;

	if (length >= EIGHT) {
		for (; length - at > EIGHT; at += EIGHT)
			if ((found = others(text + at)))
				return at + SL_LOWEST_BIT(found) / 8;
		at = length - EIGHT;
		found = others(text + at);
		return found ? at + SL_LOWEST_BIT(found) / 8 : length;
	}
	while (at < length && text[at] >= 0x20 && text[at] < 0x7f)
		at++;
	return at;
}

size_t sg_line_clean_part(const char *text, size_t length)
{
	const unsigned char *bytes = (const unsigned char *)text;
	size_t at = 0;

	for (;;) {
		size_t many = 1;

		at += plain_part(bytes + at, length - at);
		if (at == length)
			return at;
		if (bytes[at] >= 0x80)
			many = clean_character(bytes + at, length - at);
		else if (bytes[at] != '\t')
			many = 0;
		if (!many)
			return at;
		at += many;
	}
}

size_t sg_line_clean(const char *text, size_t length, char *out, size_t room)
{
	const unsigned char *bytes = (const unsigned char *)text;
	size_t at = 0, written = 0;

	while (at < length) {
		size_t many = sg_line_clean_part(text + at, length - at);

		if (many > room - written) {
			/* not in the middle of a character */
			many = room - written;
			while (many && (bytes[at + many] & 0xc0) == 0x80)
				many--;
			memcpy(out + written, bytes + at, many);
			return written + many;
		}
		memcpy(out + written, bytes + at, many);
		written += many;
		at += many;
		if (at == length)
			break;
		many = bytes[at] == ESCAPE ? escape(bytes + at, length - at)
					   : 1;
		if (many == 1) {
			if (room - written < strlen(REPLACEMENT))
				break;
			memcpy(out + written, REPLACEMENT, 3);
			written += 3;
			if (bytes[at] == 0xc2 && length - at > 1 &&
			    sl_utf8_sequence(bytes + at, length - at))
				many = 2;
		}
		at += many;
	}
	return written;
}
