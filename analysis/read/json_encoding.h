/* SPDX-License-Identifier: MIT */
/** @file
 * A JSON text in UTF-8, UTF-16LE or UTF-16BE, turned to UTF-8 without BOM.
 * Told by the BOM, or by the NUL that every ASCII character has in UTF-16
 * (RFC 4627, section 3): a JSON text begins with one.
 */
#ifndef SG_READ_JSON_ENCODING_H
#define SG_READ_JSON_ENCODING_H

#include <stddef.h>

#include "sluice/error.h"

/** Takes UTF-8, or what was said to be. What it returns other than SL_OK ends
 * the feeding. */
typedef enum sl_code sg_utf8_fn(void *context, const char *bytes, size_t length,
				struct sl_error *error);

/** A zeroed struct with `take` and `context` set is at a text's start. */
struct sg_json_encoding {
	sg_utf8_fn *take;
	void *context; /**< borrowed */
	enum { SG_UNDECIDED, SG_UTF8, SG_UTF16LE, SG_UTF16BE } encoding;
	unsigned char head[4]; /**< bytes before the encoding is known */
	size_t head_length;
	unsigned char odd[4]; /**< bytes of a character that is not whole */
	size_t odd_length;
};

enum sl_code sg_json_decode(struct sg_json_encoding *encoding,
			    const char *bytes, size_t length,
			    struct sl_error *error);

/** The text is over: decide, if it was too short for it. */
enum sl_code sg_json_decode_end(struct sg_json_encoding *encoding,
				struct sl_error *error);

#endif
