/* SPDX-License-Identifier: MIT */
/* References resolved, and what the parser must not see escaped. */
#include "read/xml_references.h"

#include <stdint.h>
#include <string.h>

/* What is escaped, and by which letter. */
static const char characters[] = "&<>\"'\t\n\r\x7f";
static const char letters[] = "algqptnrd";
static const char *const names[] = { "&amp;", "&lt;", "&gt;", "&quot;",
				     "&apos;" };

/* ---- references -------------------------------------------------------- */

static bool is_legal(uint32_t code)
{
	return (code >= 0x20 || code == 9 || code == 10 || code == 13) &&
	       (code < 0xD800 || code > 0xDFFF) && code != 0xFFFE &&
	       code != 0xFFFF;
}

/* "&#10;" or "&#xA;". @return its length and *code; 0: it is none. */
static size_t number_length(const char *at, size_t length, uint32_t *code)
{
	uint32_t base = length > 2 && at[2] == 'x' ? 16 : 10;
	size_t digits = base == 16 ? 3 : 2;

	*code = 0;
	if (length < 4 || at[1] != '#')
		return 0;
	for (size_t end = digits; end < length && *code <= 0x10FFFF; end++) {
		char c = at[end];

		if (c >= '0' && c <= '9')
			*code = *code * base + (uint32_t)(c - '0');
		else if (base == 16 && (c | 32) >= 'a' && (c | 32) <= 'f')
			*code = *code * base + (uint32_t)((c | 32) - 'a' + 10);
		else
			return c == ';' && end > digits && is_legal(*code)
				       ? end + 1
				       : 0;
	}
	return 0;
}

/* @return the length of the reference at an &, and the character that it is; 0:
 * it is none. */
static size_t reference_length(const char *at, size_t length, uint32_t *code)
{
	for (size_t name = 0; name < sizeof(names) / sizeof(names[0]); name++) {
		size_t bytes = strlen(names[name]);

		if (bytes > length || memcmp(at, names[name], bytes) != 0)
			continue;
		*code = (unsigned char)characters[name];
		return bytes;
	}
	return number_length(at, length, code);
}

/* ---- escaping ---------------------------------------------------------- */

/* Where the next of each kind stands; NULL: nowhere. */
struct unfit {
	const char *reference, *escape;
};

static const char *find(char byte, const char *at, const char *end)
{
	return at < end ? memchr(at, byte, (size_t)(end - at)) : NULL;
}

static struct unfit find_unfit(const char *at, const char *end)
{
	return (struct unfit){ .reference = find('&', at, end),
			       .escape = find(SG_XML_ESCAPE, at, end) };
}

static const char *first_of(const struct unfit *unfit)
{
	const char *first = unfit->reference;

	if (unfit->escape && (!first || unfit->escape < first))
		first = unfit->escape;
	return first;
}

static size_t put_escaped(char byte, char *to)
{
	const char *character = strchr(characters, byte);

	to[0] = SG_XML_ESCAPE;
	to[1] = letters[character - characters];
	return 2;
}

static size_t put_character(uint32_t code, char *to)
{
	if (code < 0x80 && strchr(characters, (char)code))
		return put_escaped((char)code, to);
	if (code < 0x80) {
		to[0] = (char)code;
		return 1;
	}
	if (code < 0x800) {
		to[0] = (char)(0xC0 | code >> 6);
		to[1] = (char)(0x80 | (code & 0x3F));
		return 2;
	}
	if (code < 0x10000) {
		to[0] = (char)(0xE0 | code >> 12);
		to[1] = (char)(0x80 | (code >> 6 & 0x3F));
		to[2] = (char)(0x80 | (code & 0x3F));
		return 3;
	}
	to[0] = (char)(0xF0 | code >> 18);
	to[1] = (char)(0x80 | (code >> 12 & 0x3F));
	to[2] = (char)(0x80 | (code >> 6 & 0x3F));
	to[3] = (char)(0x80 | (code & 0x3F));
	return 4;
}

bool sg_xml_is_unfit(const char *text, size_t length)
{
	const struct unfit unfit = find_unfit(text, text + length);

	return first_of(&unfit) != NULL;
}

size_t sg_xml_escape(const char *text, size_t length, char *to)
{
	const char *at = text, *end = text + length, *bad;
	struct unfit unfit = find_unfit(at, end);
	size_t used = 0;

	while ((bad = first_of(&unfit))) {
		uint32_t code = (unsigned char)*bad;
		size_t bytes = 0;

		memcpy(to + used, at, (size_t)(bad - at));
		used += (size_t)(bad - at);
		if (*bad == '&')
			bytes = reference_length(bad, (size_t)(end - bad),
						 &code);
		if (!bytes)
			code = (unsigned char)*bad;
		at = bad + (bytes ? bytes : 1);
		used += put_character(code, to + used);
		if (bad == unfit.reference)
			unfit.reference = find('&', at, end);
		else
			unfit.escape = find(SG_XML_ESCAPE, at, end);
	}
	memcpy(to + used, at, (size_t)(end - at));
	return used + (size_t)(end - at);
}

size_t sg_xml_unescape(const char *text, size_t length, char *to)
{
	const char *at = text, *end = text + length, *escape;
	size_t used = 0;

	while ((escape = find(SG_XML_ESCAPE, at, end))) {
		const char *letter =
			escape + 1 < end ? strchr(letters, escape[1]) : NULL;
		size_t bytes = (size_t)(escape - at);

		memmove(to + used, at, bytes);
		used += bytes;
		at = escape + 1 + (letter && *letter);
		if (letter && *letter)
			to[used++] = characters[letter - letters];
	}
	memmove(to + used, at, (size_t)(end - at));
	return used + (size_t)(end - at);
}
