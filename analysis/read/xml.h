/* SPDX-License-Identifier: MIT */
/** @file
 * XML for readers: elements as they come, from any bytes, in bounded memory.
 *
 * libxml2's SAX2 push parser behind two filters (xml_decode.h, xml_tokens.h).
 * Nothing is loaded, no entity is expanded, nesting is bounded. A malformed
 * document ends at its first fault; what came before was handed on.
 *
 * Not thread-safe: one sg_xml, one thread.
 */
#ifndef SG_READ_XML_H
#define SG_READ_XML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "read/lines.h"
#include "read/reader.h"

/** The deepest nesting; nothing that we read goes beyond 40. */
#define SG_XML_DEPTH_MAX 256

struct sg_xml_value {
	const char *name; /**< without a namespace's prefix */
	struct sg_span text; /**< not NUL-terminated */
};

/** An element that opens, or closes. Borrowed for the time of the call. */
struct sg_xml_element {
	const char *name; /**< without a namespace's prefix */
	size_t depth; /**< 1: the root */
	const struct sg_xml_value *attributes; /**< in their order */
	size_t attribute_count;
	/** Text since the last tag, at most SG_TEXT_MAX bytes; what encloses
	 * other elements has only what follows the last of them. NUL follows.
	 * Empty when the element opens. */
	struct sg_span text;
};

/** @return the attribute's value, not NUL-terminated; empty if it is not
 * there. Of an element that opens only. */
struct sg_span sg_xml_attribute(const struct sg_xml_element *element,
				const char *name);

/** @return the decimal number, blanks around it allowed; 0 for a negative one,
 * one beyond 31 bits (no file has that many lines), or none. */
int64_t sg_xml_number(struct sg_span text);

/** Copy a text into @p size bytes with a NUL behind, cut between characters if
 * it is too long. */
void sg_xml_keep(char *to, size_t size, struct sg_span text);

/** @return whether the element has that name. */
bool sg_xml_is(const struct sg_xml_element *element, const char *name);

/** What they return other than SL_OK ends the parsing. A document of another
 * root is not handed on. */
struct sg_xml_handler {
	const char *root; /**< the root element's name */
	enum sl_code (*open)(void *context,
			     const struct sg_xml_element *element,
			     struct sl_error *error);
	enum sl_code (*close)(void *context,
			      const struct sg_xml_element *element,
			      struct sl_error *error);
};

struct sg_xml;

/** @p handler and @p context are borrowed until sg_xml_destroy().
 * @return owned by the caller; NULL: no memory. */
struct sg_xml *sg_xml_create(const struct sg_xml_handler *handler,
			     void *context);

SL_MUST_CHECK enum sl_code sg_xml_feed(struct sg_xml *xml, const char *bytes,
				       size_t length, struct sl_error *error);

/** The document is over. *ending is SG_COMPLETE, SG_BROKEN_OFF, SG_MALFORMED or
 * SG_NO_REPORT (there was no such root), with place and message;
 * ending->findings is left as it is. */
SL_MUST_CHECK enum sl_code sg_xml_finish(struct sg_xml *xml,
					 struct sg_ending *ending,
					 struct sl_error *error);

void sg_xml_destroy(struct sg_xml *xml);

/** Look at a document's start. @return whether its root is @p root and, if
 * @p inside is not NULL, whether that text stands somewhere behind it (2), or
 * not (1); 0: another root, or no XML. */
int sg_xml_sniff(const char *start, size_t length, const char *root,
		 const char *inside);

#endif
