/* SPDX-License-Identifier: MIT */
/* libxml2's push parser, fed with whole tokens. */
#include "read/xml.h"

#include <libxml/parser.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/xml_decode.h"
#include "read/xml_references.h"
#include "read/xml_tokens.h"

enum { NAMES_MAX = 10000 };

struct sg_xml {
	const struct sg_xml_handler *handler;
	void *context;
	struct sg_xml_decoder decoder;
	struct sg_xml_tokens tokens;
	struct sg_xml_value values[SG_XML_QUOTES_MAX]; /* of the open tag */
	char *unescaped; /* owned; those that were escaped */
	size_t unescaped_size;
	xmlParserCtxtPtr parser; /* of the document at hand; NULL: none yet */
	char *text; /* SG_TEXT_MAX + 1 bytes */
	size_t text_length;
	size_t depth;
	bool own; /* the root is the handler's */
	bool seen_own;
	bool stopped; /* nothing more is handed on */
	enum sl_code code; /* what a handler returned */
	struct sl_error *error; /* the current call's; borrowed */
	struct sg_ending ending;
	int lines; /* of the documents before this one */
};

struct sg_span sg_xml_attribute(const struct sg_xml_element *element,
				const char *name)
{
	for (size_t at = 0; at < element->attribute_count; at++)
		if (*element->attributes[at].name == *name &&
		    !strcmp(element->attributes[at].name, name))
			return element->attributes[at].text;
	return (struct sg_span){ "", 0 };
}

int64_t sg_xml_number(struct sg_span text)
{
	int64_t number = 0;
	size_t at = 0;

	while (at < text.length && strchr(" \t\n\r", text.text[at]))
		at++;
	for (; at < text.length; at++) {
		int digit = text.text[at] - '0';

		if (digit < 0 || digit > 9)
			break;
		number = number * 10 + digit;
		if (number > INT32_MAX)
			return 0;
	}
	while (at < text.length && strchr(" \t\n\r", text.text[at]))
		at++;
	return at == text.length ? number : 0;
}

void sg_xml_keep(char *to, size_t size, struct sg_span text)
{
	size_t length = text.length < size ? text.length : size - 1;

	while (length < text.length && length &&
	       (text.text[length] & 0xC0) == 0x80)
		length--;
	if (length)
		memcpy(to, text.text, length);
	to[length] = '\0';
}

bool sg_xml_is(const struct sg_xml_element *element, const char *name)
{
	return !strcmp(element->name, name);
}

static void malformed(struct sg_xml *xml, int64_t line, int64_t column,
		      const char *why)
{
	struct sg_ending *ending = &xml->ending;

	if (ending->kind == SG_MALFORMED)
		return;
	xml->stopped = true;
	ending->kind = SG_MALFORMED;
	ending->line = line;
	ending->column = column;
	snprintf(ending->message, sizeof(ending->message), "%s", why);
	/* libxml2's messages end with a newline */
	ending->message[strcspn(ending->message, "\r\n")] = '\0';
}

static void malformed_here(struct sg_xml *xml, const char *why)
{
	const struct _xmlParserInput *input =
		xml->parser ? xml->parser->input : NULL;

	malformed(xml, xml->lines + (input ? input->line : 1),
		  input ? input->col : 1, why);
}

/* @return room for the element's escaped values; NULL: no memory. */
static char *reserve(struct sg_xml *xml, size_t bytes)
{
	char *room;

	if (bytes <= xml->unescaped_size)
		return xml->unescaped;
	room = realloc(xml->unescaped, bytes);
	if (!room)
		return NULL;
	xml->unescaped = room;
	xml->unescaped_size = bytes;
	return room;
}

/* libxml2 has five pointers each: name, prefix, URI, start and end of the
 * value. @return false: no memory. */
static bool take_values(struct sg_xml *xml, const xmlChar **from, size_t count)
{
	size_t escaped = 0;
	char *room;

	for (size_t at = 0; at < count; at++, from += 5) {
		struct sg_xml_value *value = &xml->values[at];

		value->name = (const char *)from[0];
		value->text.text = (const char *)from[3];
		value->text.length = (size_t)(from[4] - from[3]);
		if (value->text.length &&
		    memchr(from[3], SG_XML_ESCAPE, value->text.length))
			escaped += value->text.length;
	}
	if (!escaped)
		return true;
	room = reserve(xml, escaped);
	for (size_t at = 0; room && at < count; at++) {
		struct sg_span *text = &xml->values[at].text;

		if (!text->length ||
		    !memchr(text->text, SG_XML_ESCAPE, text->length))
			continue;
		text->length = sg_xml_unescape(text->text, text->length, room);
		text->text = room;
		room += text->length;
	}
	return room != NULL;
}

static void on_open(void *context, const xmlChar *name, const xmlChar *prefix,
		    const xmlChar *uri, int namespaces, const xmlChar **spaces,
		    int attributes, int defaulted, const xmlChar **values)
{
	struct sg_xml *xml = context;
	struct sg_xml_element element = {
		.name = (const char *)name,
		.attributes = xml->values,
		.attribute_count = (size_t)attributes,
		.text = { "", 0 },
	};

	(void)prefix;
	(void)uri;
	(void)namespaces;
	(void)spaces;
	(void)defaulted;
	xml->text_length = 0;
	if (xml->stopped)
		return;
	element.depth = ++xml->depth;
	if (element.depth > SG_XML_DEPTH_MAX) {
		malformed_here(xml, "elements nested more than 256 deep");
		return;
	}
	if (element.depth == 1) {
		xml->own = sg_xml_is(&element, xml->handler->root);
		xml->seen_own |= xml->own;
	}
	if (!xml->own)
		return;
	if (element.attribute_count > SG_XML_QUOTES_MAX ||
	    !take_values(xml, values, element.attribute_count))
		xml->code = SL_FAIL(xml->error, SL_ENOMEM,
				    "no memory for an element");
	else
		xml->code =
			xml->handler->open(xml->context, &element, xml->error);
	xml->stopped = xml->code != SL_OK;
}

static void on_close(void *context, const xmlChar *name, const xmlChar *prefix,
		     const xmlChar *uri)
{
	struct sg_xml *xml = context;
	struct sg_xml_element element = {
		.name = (const char *)name,
		.depth = xml->depth,
		.text = { xml->text, xml->text_length },
	};

	(void)prefix;
	(void)uri;
	if (xml->stopped)
		return;
	element.text.length =
		sg_xml_unescape(xml->text, xml->text_length, xml->text);
	xml->text[element.text.length] = '\0';
	xml->depth--;
	if (xml->own) {
		xml->code =
			xml->handler->close(xml->context, &element, xml->error);
		xml->stopped = xml->code != SL_OK;
	}
	xml->text_length = 0;
}

static void on_text(void *context, const xmlChar *text, int length)
{
	struct sg_xml *xml = context;
	size_t room = SG_TEXT_MAX - xml->text_length, bytes = (size_t)length;

	if (!xml->own || xml->stopped)
		return;
	if (bytes > room) {
		bytes = room;
		while (bytes && (text[bytes] & 0xC0) == 0x80)
			bytes--;
	}
	memcpy(xml->text + xml->text_length, text, bytes);
	xml->text_length += bytes;
}

static bool open_parser(struct sg_xml *xml)
{
	xmlSAXHandler sax = {
		.initialized = XML_SAX2_MAGIC,
		.startElementNs = on_open,
		.endElementNs = on_close,
		.characters = on_text,
		.ignorableWhitespace = on_text,
		.cdataBlock = on_text,
	};

	xml->depth = 0;
	xml->own = false;
	xml->parser = xmlCreatePushParserCtxt(&sax, xml, NULL, 0, NULL);
	if (!xml->parser)
		return false;
	/* it never sees an entity: references were resolved before */
	xmlCtxtUseOptions(xml->parser, XML_PARSE_NONET | XML_PARSE_NOERROR |
					       XML_PARSE_NOWARNING);
	return true;
}

static void close_parser(struct sg_xml *xml)
{
	if (!xml->parser)
		return;
	xmlFreeDoc(xml->parser->myDoc);
	xml->parser->myDoc = NULL;
	xmlFreeParserCtxt(xml->parser);
	xml->parser = NULL;
}

static enum sl_code parse(struct sg_xml *xml, const char *text, size_t length,
			  int last, struct sl_error *error)
{
	const struct _xmlError *fault;

	xml->error = error;
	/* the parser counts in int; tokens are far below that */
	xmlParseChunk(xml->parser, text, (int)length, last);
	xml->error = NULL;
	if (xml->code != SL_OK)
		return xml->code;
	/* the parser keeps each name for ever, and finds it in linear time */
	if (xmlDictSize(xml->parser->dict) > NAMES_MAX)
		malformed_here(xml, "more than 10000 different names");
	if (xml->stopped || xml->parser->wellFormed)
		return SL_OK;
	fault = xmlCtxtGetLastError(xml->parser);
	if (fault && fault->code == XML_ERR_NO_MEMORY)
		return SL_FAIL(error, SL_ENOMEM, "no memory to parse XML");
	if (fault && fault->message)
		malformed(xml, xml->lines + fault->line, fault->int2,
			  fault->message);
	else
		malformed_here(xml, "not well-formed");
	return SL_OK;
}

/* Takes whole tokens; NULL: a document is over. */
static enum sl_code take_tokens(void *context, const char *text, size_t length,
				struct sl_error *error)
{
	struct sg_xml *xml = context;
	enum sl_code code;

	if (xml->stopped)
		return SL_OK;
	if (!xml->parser && !open_parser(xml))
		return SL_FAIL(error, SL_ENOMEM, "no memory to parse XML");
	if (text)
		return parse(xml, text, length, 0, error);
	code = parse(xml, NULL, 0, 1, error);
	if (xml->parser->input)
		xml->lines += xml->parser->input->line - 1;
	close_parser(xml);
	return code;
}

struct sg_xml *sg_xml_create(const struct sg_xml_handler *handler,
			     void *context)
{
	struct sg_xml *xml = calloc(1, sizeof(*xml));

	if (!xml)
		return NULL;
	xml->text = malloc(SG_TEXT_MAX + 1);
	if (!xml->text) {
		free(xml);
		return NULL;
	}
	xmlInitParser();
	xml->handler = handler;
	xml->context = context;
	sg_xml_tokens_init(&xml->tokens, take_tokens, xml);
	sg_xml_decoder_init(&xml->decoder, sg_xml_tokens_feed, &xml->tokens);
	return xml;
}

/* After each piece, so that a finding is handed on as soon as it is read. */
static enum sl_code flush(struct sg_xml *xml, struct sl_error *error)
{
	enum sl_code code = sg_xml_tokens_flush(&xml->tokens, error);

	if (code == SL_OK && xml->tokens.refused)
		malformed(xml, xml->tokens.line, xml->tokens.column,
			  xml->tokens.refused);
	return code;
}

static void broken_off(struct sg_xml *xml)
{
	struct sg_ending *ending = &xml->ending;

	ending->kind = SG_BROKEN_OFF;
	ending->line = xml->tokens.line;
	ending->column = xml->tokens.column;
	snprintf(ending->message, sizeof(ending->message),
		 "the document ends inside of an element");
}

enum sl_code sg_xml_feed(struct sg_xml *xml, const char *bytes, size_t length,
			 struct sl_error *error)
{
	enum sl_code code;

	if (xml->stopped)
		return xml->code;
	code = sg_xml_decoder_feed(&xml->decoder, bytes, length, error);
	return code == SL_OK ? flush(xml, error) : code;
}

enum sl_code sg_xml_finish(struct sg_xml *xml, struct sg_ending *ending,
			   struct sl_error *error)
{
	enum sl_code code = SL_OK;
	uint64_t findings = ending->findings;

	if (!xml->stopped)
		code = sg_xml_decoder_end(&xml->decoder, error);
	if (code == SL_OK && !xml->stopped)
		code = flush(xml, error);
	if (code != SL_OK || xml->code != SL_OK)
		return code != SL_OK ? code : xml->code;
	if (xml->ending.kind == SG_COMPLETE && xml->tokens.in_document)
		broken_off(xml);
	if (!xml->seen_own) {
		xml->ending.kind = SG_NO_REPORT;
		snprintf(xml->ending.message, sizeof(xml->ending.message),
			 "no <%s> in it", xml->handler->root);
	}
	*ending = xml->ending;
	ending->findings = findings;
	return SL_OK;
}

void sg_xml_destroy(struct sg_xml *xml)
{
	if (!xml)
		return;
	close_parser(xml);
	sg_xml_decoder_finish(&xml->decoder);
	sg_xml_tokens_finish(&xml->tokens);
	free(xml->unescaped);
	free(xml->text);
	free(xml);
}
