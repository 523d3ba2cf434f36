/* SPDX-License-Identifier: MIT */
/* Bytes on their way to the parser. */
#include "read/xml_put.h"

#include <stdlib.h>
#include <string.h>

enum sl_code sg_xml_put(struct sg_xml_tokens *tokens, const char *text,
			size_t length, struct sl_error *error)
{
	if (tokens->size - tokens->used < length) {
		size_t size = (tokens->used + length) * 2 + SG_XML_FLUSH;
		char *bytes = realloc(tokens->bytes, size);

		if (!bytes)
			return SL_FAIL(error, SL_ENOMEM,
				       "no memory for a report's text");
		tokens->bytes = bytes;
		tokens->size = size;
	}
	if (length)
		memcpy(tokens->bytes + tokens->used, text, length);
	tokens->used += length;
	return SL_OK;
}

enum sl_code sg_xml_put_value(struct sg_xml_tokens *tokens, const char *text,
			      size_t length, struct sl_error *error)
{
	size_t room = SG_XML_VALUE_MAX - tokens->run;

	if (length > room) {
		while (room && (text[room] & 0xC0) == 0x80)
			room--;
		length = room;
		tokens->run = SG_XML_VALUE_MAX;
	} else {
		tokens->run += length;
	}
	return sg_xml_put(tokens, text, length, error);
}

enum sl_code sg_xml_put_blanks(struct sg_xml_tokens *tokens, const char *text,
			       size_t length, struct sl_error *error)
{
	enum sl_code code = SL_OK;

	for (size_t at = 0; code == SL_OK && at < length; at++)
		code = sg_xml_put_value(tokens, text[at] == '\n' ? "\n" : " ",
					1, error);
	return code;
}

enum sl_code sg_xml_put_text(struct sg_xml_tokens *tokens, const char *text,
			     size_t length, struct sl_error *error)
{
	const char *end = text + length, *mark;
	enum sl_code code = SL_OK;

	while (code == SL_OK &&
	       (mark = memchr(text, '>', (size_t)(end - text)))) {
		code = sg_xml_put_value(tokens, text, (size_t)(mark - text),
					error);
		if (code != SL_OK)
			return code;
		if (tokens->used - tokens->whole >= 2 &&
		    memcmp(tokens->bytes + tokens->used - 2, "]]", 2) == 0)
			code = sg_xml_put_value(tokens, "&gt;", 4, error);
		else
			code = sg_xml_put_value(tokens, mark, 1, error);
		text = mark + 1;
	}
	return code == SL_OK ? sg_xml_put_value(tokens, text,
						(size_t)(end - text), error)
			     : code;
}
