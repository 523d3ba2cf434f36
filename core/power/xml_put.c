/* SPDX-License-Identifier: MIT */
#include "power/xml_put.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void put(struct sl_xml *xml, const char *bytes, size_t count)
{
	if (xml->failed || sl_buffer_reserve(xml->text, count, NULL) != SL_OK) {
		xml->failed = true;
		return;
	}
	memcpy(xml->text->data + xml->text->used, bytes, count);
	xml->text->used += count;
}

static void put_text(struct sl_xml *xml, const char *text)
{
	put(xml, text, strlen(text));
}

/* @return the length of the UTF-8 character there; 0: it is none, or one that
 * XML 1.0 does not allow. */
static size_t character(const unsigned char *at)
{
	static const struct {
		unsigned char mask, lead;
		uint32_t least;
	} forms[] = { { 0x80, 0x00, 0x20 },
		      { 0xe0, 0xc0, 0x80 },
		      { 0xf0, 0xe0, 0x800 },
		      { 0xf8, 0xf0, 0x10000 } };

	for (size_t length = 1; length <= 4; length++) {
		unsigned char mask = forms[length - 1].mask;
		uint32_t code = at[0] & (unsigned char)~mask;

		if ((at[0] & mask) != forms[length - 1].lead)
			continue;
		for (size_t next = 1; next < length; next++) {
			if ((at[next] & 0xc0) != 0x80)
				return 0;
			code = code << 6 | (at[next] & 0x3f);
		}
		return code >= forms[length - 1].least && code != 0x7f &&
				       code <= 0x10ffff && code != 0xfffe &&
				       code != 0xffff &&
				       (code < 0xd800 || code > 0xdfff)
			       ? length
			       : 0;
	}
	return 0;
}

static void put_escaped(struct sl_xml *xml, const char *text)
{
	while (*text) {
		size_t length = character((const unsigned char *)text);

		if (*text == '&')
			put_text(xml, "&amp;");
		else if (*text == '<')
			put_text(xml, "&lt;");
		else if (*text == '>')
			put_text(xml, "&gt;");
		else if (*text == '"')
			put_text(xml, "&quot;");
		else if (*text == '\n')
			put_text(xml, "&#10;");
		else if (length)
			put(xml, text, length);
		else
			put_text(xml, "?");
		text += length ? length : 1;
	}
}

static void indent(struct sl_xml *xml)
{
	for (unsigned at = 0; at < xml->depth; at++)
		put_text(xml, " ");
}

static void close_tag(struct sl_xml *xml)
{
	if (xml->open)
		put_text(xml, ">\n");
	xml->open = false;
}

void sl_xml_begin(struct sl_xml *xml, const char *element)
{
	close_tag(xml);
	indent(xml);
	put_text(xml, "<");
	put_text(xml, element);
	xml->open = true;
	xml->depth++;
}

void sl_xml_end(struct sl_xml *xml, const char *element)
{
	xml->depth--;
	if (xml->open) {
		put_text(xml, "/>\n");
		xml->open = false;
		return;
	}
	indent(xml);
	put_text(xml, "</");
	put_text(xml, element);
	put_text(xml, ">\n");
}

void sl_xml_text(struct sl_xml *xml, const char *name, const char *value)
{
	put_text(xml, " ");
	put_text(xml, name);
	put_text(xml, "=\"");
	put_escaped(xml, value);
	put_text(xml, "\"");
}

void sl_xml_number(struct sl_xml *xml, const char *name, double value)
{
	char digits[40];

	if (!isfinite(value))
		return;
	snprintf(digits, sizeof(digits), "%.15g", value);
	sl_xml_text(xml, name, digits);
}

void sl_xml_integer(struct sl_xml *xml, const char *name, int64_t value)
{
	char digits[40];

	snprintf(digits, sizeof(digits), "%" PRId64, value);
	sl_xml_text(xml, name, digits);
}

void sl_xml_bool(struct sl_xml *xml, const char *name, bool value)
{
	sl_xml_text(xml, name, value ? "true" : "false");
}

void sl_xml_element(struct sl_xml *xml, const char *element,
		    const char *content)
{
	close_tag(xml);
	indent(xml);
	put_text(xml, "<");
	put_text(xml, element);
	put_text(xml, ">");
	put_escaped(xml, content);
	put_text(xml, "</");
	put_text(xml, element);
	put_text(xml, ">\n");
}
