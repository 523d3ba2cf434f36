/* SPDX-License-Identifier: MIT */
/* What is wrong with a string of JSON, a character at a time. */
#include "read/json_unit.h"

#include <stdio.h>
#include <string.h>

static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD */

static struct sg_json_unit unit_keep(size_t size)
{
	return (struct sg_json_unit){ .verdict = SG_JSON_KEEP, .size = size };
}

static struct sg_json_unit unit_refuse(void)
{
	return (struct sg_json_unit){ .verdict = SG_JSON_REFUSE, .size = 2 };
}

static struct sg_json_unit unit_replace(size_t size, const char *text)
{
	struct sg_json_unit unit = { .verdict = SG_JSON_REPLACE, .size = size };

	snprintf(unit.text, sizeof(unit.text), "%s", text);
	return unit;
}

static struct sg_json_unit unit_more(void)
{
	return (struct sg_json_unit){ .verdict = SG_JSON_NEED_MORE };
}

static int hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)(c | 0x20);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The four digits of \uXXXX. @return their value, -1: not digits, -2: the
 * piece ends before one can tell. */
static int unicode_escape(const char *at, size_t length)
{
	int value = 0;

	for (size_t digit = 2; digit < 6; digit++) {
		if (digit >= length)
			return -2;
		if (hex_value(at[digit]) < 0)
			return -1;
		value = value * 16 + hex_value(at[digit]);
	}
	return value;
}

/* A high surrogate wants its low one right behind it. */
static struct sg_json_unit surrogate_unit(const char *at, size_t length)
{
	int low;

	if (length > 6 && at[6] != '\\')
		return unit_replace(6, replacement);
	if (length > 7 && at[7] != 'u')
		return unit_replace(6, replacement);
	if (length < 8)
		return unit_more();
	low = unicode_escape(at + 6, length - 6);
	if (low == -2)
		return unit_more();
	return low >= 0xdc00 && low <= 0xdfff ? unit_keep(12)
					      : unit_replace(6, replacement);
}

/* Escapes that JSON does not have are left for the parser to refuse. */
static struct sg_json_unit escape_unit(const char *at, size_t length)
{
	int value;

	if (length < 2)
		return unit_more();
	if (at[1] != 'u')
		return at[1] && strchr("\"\\/bfnrt", at[1]) ? unit_keep(2)
							    : unit_refuse();
	value = unicode_escape(at, length);
	if (value == -2)
		return unit_more();
	if (value == -1)
		return unit_refuse();
	if (value >= 0xd800 && value <= 0xdbff)
		return surrogate_unit(at, length);
	if (value == 0 || (value >= 0xdc00 && value <= 0xdfff))
		return unit_replace(6, replacement);
	return unit_keep(6);
}

/* RFC 3629, table 3-7 of Unicode: the second byte's range depends on the
 * first. What is invalid is replaced up to the first byte that cannot be. */
static struct sg_json_unit utf8_unit(const char *text, size_t length)
{
	const unsigned char *at = (const unsigned char *)text;
	unsigned char low = 0x80, high = 0xbf;
	size_t size = at[0] >= 0xf0 ? 4 : at[0] >= 0xe0 ? 3 : 2;

	if (at[0] < 0xc2 || at[0] > 0xf4)
		return unit_replace(1, replacement);
	if (at[0] == 0xe0)
		low = 0xa0;
	else if (at[0] == 0xed)
		high = 0x9f;
	else if (at[0] == 0xf0)
		low = 0x90;
	else if (at[0] == 0xf4)
		high = 0x8f;
	for (size_t next = 1; next < size; next++) {
		if (next >= length)
			return unit_more();
		if (at[next] < low || at[next] > high)
			return unit_replace(next, replacement);
		low = 0x80;
		high = 0xbf;
	}
	return unit_keep(size);
}

struct sg_json_unit sg_json_unit_at(const char *at, size_t length)
{
	unsigned char first = (unsigned char)at[0];
	char escape[8];

	if (first == '\\')
		return escape_unit(at, length);
	if (first >= 0x80)
		return utf8_unit(at, length);
	if (first >= 0x20)
		return unit_keep(1);
	if (first == '\0')
		return unit_replace(1, replacement);
	snprintf(escape, sizeof(escape), "\\u%04x", first);
	return unit_replace(1, escape);
}
