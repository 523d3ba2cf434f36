/* SPDX-License-Identifier: MIT */
/** @file
 * Bytes of an XML document to clean UTF-8.
 *
 * The encoding is that of the byte order mark, else the one that the XML
 * declaration names and iconv knows, else UTF-8. What XML 1.0 does not allow
 * (control characters, NUL, bytes that are no UTF-8, lone surrogates) becomes
 * U+FFFD, so that no byte costs a finding. What comes out does not depend on
 * how the bytes were cut. Not thread-safe.
 */
#ifndef SG_READ_XML_DECODE_H
#define SG_READ_XML_DECODE_H

#include <stdbool.h>
#include <stddef.h>

#include "sluice/defs.h"
#include "sluice/error.h"

/** Takes clean text, whole characters each time. What it returns other than
 * SL_OK ends the decoding. */
typedef enum sl_code sg_xml_text_fn(void *context, const char *text,
				    size_t length, struct sl_error *error);

struct sg_xml_decoder {
	sg_xml_text_fn *take;
	void *context; /**< take's; borrowed */
	bool started; /**< the encoding is known */
	char head[1024]; /**< the start, until the encoding is known */
	size_t head_length;
	void *iconv; /**< owned; NULL: the bytes are UTF-8 */
	size_t unit; /**< bytes to skip over an illegal sequence */
	char rest[16]; /**< a sequence that iconv found cut */
	size_t rest_length;
	char partial[4]; /**< a UTF-8 character that was cut */
	size_t partial_length;
};

void sg_xml_decoder_init(struct sg_xml_decoder *decoder, sg_xml_text_fn *take,
			 void *context);

SL_MUST_CHECK enum sl_code sg_xml_decoder_feed(struct sg_xml_decoder *decoder,
					       const char *bytes, size_t length,
					       struct sl_error *error);

/** No more bytes: decode what waited for them. A character that is cut is
 * dropped. */
SL_MUST_CHECK enum sl_code sg_xml_decoder_end(struct sg_xml_decoder *decoder,
					      struct sl_error *error);

void sg_xml_decoder_finish(struct sg_xml_decoder *decoder);

#endif
