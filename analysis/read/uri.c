/* SPDX-License-Identifier: MIT */
/* file: URIs and relative references. */
#include "read/uri.h"

#include <string.h>
#include <strings.h>

#include "base/utf8.h"

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* @return the scheme's length, without the colon; 0: there is none. One letter
 * is a drive. */
static size_t scheme_length(const char *uri)
{
	size_t length = 0;

	if (!is_letter(uri[0]))
		return 0;
	while (is_letter(uri[length]) ||
	       (uri[length] >= '0' && uri[length] <= '9') ||
	       (uri[length] && strchr("+-.", uri[length])))
		length++;
	return uri[length] == ':' && length > 1 ? length : 0;
}

static bool has_drive(const char *path)
{
	return is_letter(path[0]) && path[1] == ':';
}

bool sg_uri_is_absolute(const char *uri)
{
	return uri[0] == '/' || uri[0] == '\\' || has_drive(uri) ||
	       scheme_length(uri) > 0;
}

static int hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)(c | 0x20);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* @return the byte of a percent code, or -1. */
static int percent_code(const char *at)
{
	if (at[0] != '%' || hex_value(at[1]) < 0 || hex_value(at[2]) < 0)
		return -1;
	return hex_value(at[1]) * 16 + hex_value(at[2]);
}

/* The bytes of a UTF-8 character written in percent codes.
 * @return how many there are; 0: it is none, or a NUL. */
static size_t decode_character(const char *at, unsigned char bytes[4])
{
	int first = percent_code(at);
	size_t size = first >= 0xf0   ? 4
		      : first >= 0xe0 ? 3
		      : first >= 0xc2 ? 2
				      : 1;

	if (first <= 0 || (first >= 0x80 && first < 0xc2) || first > 0xf4)
		return 0;
	bytes[0] = (unsigned char)first;
	for (size_t next = 1; next < size; next++) {
		int code = percent_code(at += 3);

		if (code < 0x80 || code > 0xbf)
			return 0;
		bytes[next] = (unsigned char)code;
	}
	return size == 1 ? 1 : sl_utf8_sequence(bytes, size);
}

static void decode(const char *from, char *to)
{
	unsigned char bytes[4];

	while (*from) {
		size_t size = *from == '%' ? decode_character(from, bytes) : 0;

		if (size) {
			memcpy(to, bytes, size);
			to += size;
			from += 3 * size;
		} else {
			*to++ = *from++;
		}
	}
	*to = '\0';
}

/* @return what is behind "file:" and an empty or local host. */
static const char *behind_host(const char *uri)
{
	const char *at = uri + strlen("file:");

	if (at[0] != '/' || at[1] != '/')
		return at;
	if (at[2] == '/' || has_drive(at + 2))
		at += 2;
	else if (strncasecmp(at + 2, "localhost/", 10) == 0)
		at += 11;
	return at;
}

void sg_uri_to_path(char *uri)
{
	size_t scheme = scheme_length(uri);
	const char *from = uri;

	if (scheme == 4 && strncasecmp(uri, "file", 4) == 0) {
		from = behind_host(uri);
		if (from[0] == '/' && has_drive(from + 1))
			from++;
	} else if (scheme || strchr(uri, '\\')) {
		return;
	}
	decode(from, uri);
}
