/* SPDX-License-Identifier: MIT */
/* The root of an XML document, from its first bytes. */
#include <string.h>

#include "read/xml.h"
#include "read/xml_decode.h"

/* The start of a document as text. */
struct sniffed {
	char text[2 * SG_SNIFF_BYTES];
	size_t length;
};

static enum sl_code sniff_text(void *context, const char *text, size_t length,
			       struct sl_error *error)
{
	struct sniffed *sniffed = context;
	size_t room = sizeof(sniffed->text) - 1 - sniffed->length;

	(void)error;
	if (length > room)
		length = room;
	memcpy(sniffed->text + sniffed->length, text, length);
	sniffed->length += length;
	return SL_OK;
}

/* @return the first start tag's name, or NULL. */
static const char *first_tag(const char *text)
{
	while ((text = strchr(text, '<'))) {
		const char *mark = "";

		if (text[1] != '?' && text[1] != '!')
			return text + 1;
		if (!strncmp(text, "<!--", 4))
			mark = "-->";
		else
			mark = text[1] == '?' ? "?>" : ">";
		text = strstr(text, mark);
		if (!text)
			return NULL;
	}
	return NULL;
}

int sg_xml_sniff(const char *start, size_t length, const char *root,
		 const char *inside)
{
	struct sg_xml_decoder decoder;
	struct sniffed sniffed = { .length = 0 };
	const char *name;
	size_t bytes = strlen(root);
	enum sl_code code;

	if (length > SG_SNIFF_BYTES)
		length = SG_SNIFF_BYTES;
	sg_xml_decoder_init(&decoder, sniff_text, &sniffed);
	code = sg_xml_decoder_feed(&decoder, start, length, NULL);
	if (code == SL_OK)
		code = sg_xml_decoder_end(&decoder, NULL);
	sg_xml_decoder_finish(&decoder);
	sniffed.text[sniffed.length] = '\0';
	name = code == SL_OK ? first_tag(sniffed.text) : NULL;
	if (!name || strncmp(name, root, bytes) != 0 ||
	    !strchr(" \t\r\n/>", name[bytes]))
		return 0;
	return inside && strstr(name + bytes, inside) ? 2 : 1;
}
