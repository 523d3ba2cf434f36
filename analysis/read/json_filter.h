/* SPDX-License-Identifier: MIT */
/** @file
 * Bytes of a JSON text made fit for a strict parser, before it sees them.
 *
 * Reports quote what programs print, and tools forget to escape it. Inside
 * strings invalid UTF-8, NUL and lone surrogates become U+FFFD, raw control
 * characters become escapes, and a string is cut at SG_TEXT_MAX bytes; a number
 * of more than SG_JSON_NUMBER_MAX characters is cut too. So nothing that a
 * parser keeps whole is without bound. Outside of strings a NUL is a blank.
 * What needs no mending is passed on as slices of the input, uncopied.
 */
#ifndef SG_READ_JSON_FILTER_H
#define SG_READ_JSON_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#include "sluice/error.h"

enum {
	/** The longest number kept when it comes in many pieces, in bytes. */
	SG_JSON_NUMBER_MAX = 1024,
	/** The longest thing that is mended as a whole: two escapes. */
	SG_JSON_UNIT_MAX = 12,
	/** YAJL reads a string anew for each slice of it: mended ones are
	 * handed on in slices of this size, not of three bytes. */
	SG_JSON_MENDED = 8192
};

/** Takes mended text. @p offset is where it stands, in bytes from the start of
 * the piece being fed; below 0 if it began in an earlier one. What it returns
 * other than SL_OK ends the feeding. */
typedef enum sl_code sg_json_slice_fn(void *context, const char *text,
				      size_t length, ptrdiff_t offset,
				      struct sl_error *error);

/** A zeroed struct with `take` and `context` set is at the start of a text. */
struct sg_json_filter {
	sg_json_slice_fn *take;
	void *context; /**< borrowed, passed to `take` */
	bool in_string;
	bool cutting; /**< this string is long enough: drop what follows */
	bool escaped; /**< while cutting: the next character is escaped */
	bool refused; /**< the parser is about to stop in this string */
	const char *start; /**< of what is scanned; borrowed */
	ptrdiff_t start_offset; /**< where that stands */
	size_t string_length; /**< so far, in bytes */
	size_t number_length; /**< of the number that the last piece ends in */
	char pending[SG_JSON_UNIT_MAX]; /**< a unit that a piece's end cuts */
	size_t pending_length;
	char mended[SG_JSON_MENDED]; /**< a string, from a replacement on */
	size_t mended_length;
	ptrdiff_t mended_offset; /**< where it would begin for its last part */
};

/** The next piece, of any size, cut anywhere.
 * @return SL_OK, or what `take` returned. */
enum sl_code sg_json_filter_feed(struct sg_json_filter *filter,
				 const char *bytes, size_t length,
				 struct sl_error *error);

#endif
