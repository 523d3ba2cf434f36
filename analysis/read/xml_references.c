/* SPDX-License-Identifier: MIT */
/* References as XML 1.0, sections 2.2, 4.1 and 4.6, has them. */
#include "read/xml_references.h"

#include <stdint.h>
#include <string.h>

/* @return the length of a reference that the parser takes; 0: none is. */
static size_t reference_length(const char *at, size_t length)
{
	static const char *const names[] = { "&amp;", "&lt;", "&gt;", "&quot;",
					     "&apos;" };
	uint32_t code = 0, base = 10;
	size_t digits = 2;

	for (size_t name = 0; name < sizeof(names) / sizeof(names[0]); name++) {
		size_t bytes = strlen(names[name]);

		if (bytes <= length && !memcmp(at, names[name], bytes))
			return bytes;
	}
	if (length < 4 || at[1] != '#')
		return 0;
	if (at[2] == 'x') {
		base = 16;
		digits = 3;
	}
	for (size_t end = digits; end < length && code <= 0x10FFFF; end++) {
		char c = at[end];

		if (c >= '0' && c <= '9')
			code = code * base + (uint32_t)(c - '0');
		else if (base == 16 && (c | 32) >= 'a' && (c | 32) <= 'f')
			code = code * base + (uint32_t)((c | 32) - 'a' + 10);
		else if (c == ';' && end > digits &&
			 (code >= 0x20 || code == 9 || code == 10 ||
			  code == 13) &&
			 (code < 0xD800 || code > 0xDFFF) && code != 0xFFFE &&
			 code != 0xFFFF)
			return end + 1;
		else
			return 0;
	}
	return 0;
}

const char *sg_xml_bad_reference(const char *at, const char *end)
{
	while ((at = memchr(at, '&', (size_t)(end - at)))) {
		size_t length = reference_length(at, (size_t)(end - at));

		if (!length)
			return at;
		at += length;
	}
	return NULL;
}

const char *sg_xml_bad_mark(const char *at, const char *end)
{
	while ((at = memchr(at, ']', (size_t)(end - at)))) {
		if (end - at >= 3 && at[1] == ']' && at[2] == '>')
			return at + 2;
		at++;
	}
	return NULL;
}
