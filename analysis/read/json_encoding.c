/* SPDX-License-Identifier: MIT */
/* From UTF-16 to UTF-8; UTF-8 passes as it is. */
#include "read/json_encoding.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* A lone surrogate becomes this, U+FFFD. */
enum { REPLACEMENT = 0xfffd };

static uint32_t unit_at(const struct sg_json_encoding *encoding,
			const unsigned char *at)
{
	return encoding->encoding == SG_UTF16LE
		       ? (uint32_t)(at[0] | at[1] << 8)
		       : (uint32_t)(at[0] << 8 | at[1]);
}

static size_t utf8_write(uint32_t character, char *to)
{
	if (character < 0x80) {
		to[0] = (char)character;
		return 1;
	}
	if (character < 0x800) {
		to[0] = (char)(0xc0 | character >> 6);
		to[1] = (char)(0x80 | (character & 0x3f));
		return 2;
	}
	if (character < 0x10000) {
		to[0] = (char)(0xe0 | character >> 12);
		to[1] = (char)(0x80 | (character >> 6 & 0x3f));
		to[2] = (char)(0x80 | (character & 0x3f));
		return 3;
	}
	to[0] = (char)(0xf0 | character >> 18);
	to[1] = (char)(0x80 | (character >> 12 & 0x3f));
	to[2] = (char)(0x80 | (character >> 6 & 0x3f));
	to[3] = (char)(0x80 | (character & 0x3f));
	return 4;
}

/* The character at @p at. @return bytes used; 0: not enough are there. */
static size_t utf16_read(const struct sg_json_encoding *encoding,
			 const unsigned char *at, size_t length,
			 uint32_t *character)
{
	uint32_t high, low;

	if (length < 2)
		return 0;
	high = unit_at(encoding, at);
	*character = high;
	if ((high & 0xf800) != 0xd800)
		return 2;
	*character = REPLACEMENT;
	if (high >= 0xdc00)
		return 2;
	if (length < 4)
		return 0;
	low = unit_at(encoding, at + 2);
	if ((low & 0xfc00) != 0xdc00)
		return 2;
	*character = 0x10000 + ((high & 0x3ff) << 10 | (low & 0x3ff));
	return 4;
}

/* Whole characters of @p at, and what is left over put aside. */
static enum sl_code utf16_run(struct sg_json_encoding *encoding,
			      const unsigned char *at, size_t length,
			      struct sl_error *error)
{
	char text[4096];
	size_t filled = 0, used;
	uint32_t character;
	enum sl_code code = SL_OK;

	while (code == SL_OK &&
	       (used = utf16_read(encoding, at, length, &character)) > 0) {
		at += used;
		length -= used;
		filled += utf8_write(character, text + filled);
		if (filled > sizeof(text) - 4) {
			code = encoding->take(encoding->context, text, filled,
					      error);
			filled = 0;
		}
	}
	memcpy(encoding->odd, at, length < 4 ? length : 0);
	encoding->odd_length = length < 4 ? length : 0;
	if (code == SL_OK && filled)
		code = encoding->take(encoding->context, text, filled, error);
	return code;
}

static enum sl_code pass(struct sg_json_encoding *encoding, const char *bytes,
			 size_t length, struct sl_error *error)
{
	const unsigned char *at = (const unsigned char *)bytes;
	enum sl_code code = SL_OK;

	if (encoding->encoding == SG_UTF8)
		return length ? encoding->take(encoding->context, bytes, length,
					       error)
			      : SL_OK;
	while (encoding->odd_length && length && code == SL_OK) {
		unsigned char odd[5];
		size_t odd_length = encoding->odd_length;

		memcpy(odd, encoding->odd, odd_length);
		odd[odd_length++] = *at++;
		length--;
		code = utf16_run(encoding, odd, odd_length, error);
	}
	return code == SL_OK && length ? utf16_run(encoding, at, length, error)
				       : code;
}

/* @return the length of the BOM. */
static size_t decide(struct sg_json_encoding *encoding)
{
	const unsigned char *head = encoding->head;
	size_t length = encoding->head_length;

	encoding->encoding = SG_UTF8;
	if (length >= 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0)
		return 3;
	if (length < 2)
		return 0;
	if (head[0] == 0xff && head[1] == 0xfe) {
		encoding->encoding = SG_UTF16LE;
		return 2;
	}
	if (head[0] == 0xfe && head[1] == 0xff) {
		encoding->encoding = SG_UTF16BE;
		return 2;
	}
	if (head[0] && !head[1])
		encoding->encoding = SG_UTF16LE;
	else if (!head[0] && head[1])
		encoding->encoding = SG_UTF16BE;
	return 0;
}

static enum sl_code start(struct sg_json_encoding *encoding,
			  struct sl_error *error)
{
	size_t bom = decide(encoding);
	char head[sizeof(encoding->head)];

	memcpy(head, encoding->head, sizeof(head));
	return pass(encoding, head + bom, encoding->head_length - bom, error);
}

enum sl_code sg_json_decode(struct sg_json_encoding *encoding,
			    const char *bytes, size_t length,
			    struct sl_error *error)
{
	enum sl_code code = SL_OK;

	while (encoding->encoding == SG_UNDECIDED && length) {
		encoding->head[encoding->head_length++] =
			(unsigned char)*bytes++;
		length--;
		if (encoding->head_length == 3)
			code = start(encoding, error);
	}
	return code == SL_OK && length ? pass(encoding, bytes, length, error)
				       : code;
}

enum sl_code sg_json_decode_end(struct sg_json_encoding *encoding,
				struct sl_error *error)
{
	return encoding->encoding == SG_UNDECIDED ? start(encoding, error)
						  : SL_OK;
}
