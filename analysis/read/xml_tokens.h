/* SPDX-License-Identifier: MIT */
/** @file
 * Clean text to whole XML tokens, and only those that reports need.
 *
 * It stands before libxml2's push parser, so that the parser never waits in the
 * middle of a tag: what it says does not depend on how a report was cut, and
 * its buffers cannot be made to grow.
 *
 * - Comments, processing instructions, the declaration, a document type and
 *   text outside of the root become blanks, character for character.
 * - A document type with declarations of its own is refused: no entities.
 * - References are resolved or escaped (read/xml_references.h). One other than
 *   XML's five and legal character numbers is the text it is made of, and so is
 *   ]]>. CDATA becomes text.
 * - Texts and values beyond SG_XML_VALUE_MAX bytes are cut.
 * - A second document behind the first is announced and read as well.
 */
#ifndef SG_READ_XML_TOKENS_H
#define SG_READ_XML_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "read/xml_decode.h"

enum {
	SG_XML_VALUE_MAX = 512 * 1024, /**< bytes of a value as written */
	SG_XML_TAG_MAX = 2048 * 1024, /**< bytes of a tag */
	SG_XML_QUOTES_MAX = 512, /**< attributes of a tag: the parser's check
				      for duplicates is quadratic */
};

enum sg_xml_token_state {
	SG_XML_TEXT = 0,
	SG_XML_OPEN, /**< behind a < */
	SG_XML_TAG,
	SG_XML_VALUE, /**< between quotes */
	SG_XML_END_TAG,
	SG_XML_BANG, /**< behind <! */
	SG_XML_COMMENT,
	SG_XML_INSTRUCTION,
	SG_XML_CDATA,
	SG_XML_DOCTYPE,
};

struct sg_xml_tokens {
	/** Takes whole tokens; NULL, 0 where a document is over. */
	sg_xml_text_fn *take;
	void *context; /**< take's; borrowed */
	char *bytes; /**< owned: whole tokens, then the one begun */
	size_t used, size, whole;
	char *escaped; /**< owned: tokens without their references */
	size_t escaped_size;
	enum sg_xml_token_state state;
	size_t run; /**< bytes of the text or value so far */
	size_t quotes; /**< values of this tag */
	char quote;
	char word[8]; /**< what follows <! */
	size_t word_length;
	size_t match; /**< bytes of the closing mark seen */
	size_t depth; /**< of open elements */
	bool in_document; /**< a root was opened and not yet closed */
	bool seen_root;
	int64_t line, column; /**< of what comes next, in characters from 1 */
	const char *refused; /**< why nothing more is read; static text */
};

void sg_xml_tokens_init(struct sg_xml_tokens *tokens, sg_xml_text_fn *take,
			void *context);

/** An sg_xml_text_fn; @p context is a struct sg_xml_tokens. */
enum sl_code sg_xml_tokens_feed(void *context, const char *text, size_t length,
				struct sl_error *error);

/** Hand on the whole tokens that still wait. */
SL_MUST_CHECK enum sl_code sg_xml_tokens_flush(struct sg_xml_tokens *tokens,
					       struct sl_error *error);

void sg_xml_tokens_finish(struct sg_xml_tokens *tokens);

#endif
