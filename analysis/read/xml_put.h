/* SPDX-License-Identifier: MIT */
/** @file
 * How a document's text gets into the buffer of its tokens: the inside of
 * xml_tokens.h. All return SL_OK or SL_ENOMEM.
 */
#ifndef SG_READ_XML_PUT_H
#define SG_READ_XML_PUT_H

#include "read/xml_tokens.h"

enum { SG_XML_FLUSH = 32 * 1024 /* bytes that are handed on together */ };

/** As it is. */
enum sl_code sg_xml_put(struct sg_xml_tokens *tokens, const char *text,
			size_t length, struct sl_error *error) SL_MUST_CHECK;

/** Of a text or value: what is too long is cut, never inside of a character. */
enum sl_code sg_xml_put_value(struct sg_xml_tokens *tokens, const char *text,
			      size_t length,
			      struct sl_error *error) SL_MUST_CHECK;

/** A text, of which ]]> is no end. */
enum sl_code sg_xml_put_text(struct sg_xml_tokens *tokens, const char *text,
			     size_t length,
			     struct sl_error *error) SL_MUST_CHECK;

/** Blanks in place of what is dropped, so that lines and columns stay. */
enum sl_code sg_xml_put_blanks(struct sg_xml_tokens *tokens, const char *text,
			       size_t length,
			       struct sl_error *error) SL_MUST_CHECK;

#endif
