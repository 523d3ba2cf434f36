/* SPDX-License-Identifier: MIT */
/** @file
 * A streaming JSON parser that knows which places of a document matter.
 *
 * A reader hands over a table of paths, each with a number of its own:
 *
 *     { "runs[].results[].message.text", RESULT_MESSAGE }
 *
 * and is called with that number for every value that stands there: once for a
 * string, number, true, false or null, and when an object or array opens and
 * when it closes. "[]" is any element of an array, "*" any key of an object.
 * All else is parsed and skipped. Memory is bounded: by SG_TEXT_MAX for a
 * string, by SG_JSON_DEPTH_MAX for nesting.
 *
 * The text may be UTF-8, with a BOM or not, or UTF-16; what is wrong inside of
 * strings is mended (see json_filter.h). The parser proper is YAJL.
 */
#ifndef SG_READ_JSON_H
#define SG_READ_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "read/finding.h"
#include "sluice/error.h"

enum {
	/** A document that is nested deeper is malformed. */
	SG_JSON_DEPTH_MAX = 1000,
	/** Arrays in a path whose index is known. */
	SG_JSON_ARRAYS_MAX = 8
};

/** A place in a document. The table is borrowed. */
struct sg_json_path {
	const char *path; /**< "" is the document itself */
	int id; /**< above 0 */
};

enum sg_json_kind {
	SG_JSON_OPEN, /**< an object or an array begins */
	SG_JSON_CLOSE,
	SG_JSON_STRING,
	SG_JSON_NUMBER,
	SG_JSON_BOOLEAN,
	SG_JSON_NULL,
};

struct sg_json_event {
	int id;
	enum sg_json_kind kind;
	const char *text; /**< of a string; borrowed, not ended by a NUL */
	size_t length;
	int64_t number; /**< cut to a whole one of 64 bits; a boolean's 0 or 1;
			     SG_JSON_OPEN: 1 for an array, 0 for an object */
	const char *key; /**< what stood for the last "*"; borrowed */
	size_t key_length;
};

/** What it returns other than SL_OK ends the parsing. */
typedef enum sl_code sg_json_fn(void *context,
				const struct sg_json_event *event,
				struct sl_error *error);

struct sg_json;

/** @p many: documents may stand behind one another, and lines between them
 * that are none. @return owned; NULL: no memory. */
struct sg_json *sg_json_create(const struct sg_json_path *paths, size_t count,
			       bool many, sg_json_fn *take, void *context);

/** The next piece, of any size, cut anywhere. What comes behind a place where
 * the document is malformed is ignored.
 * @return SL_OK, SL_ENOMEM, or what the callback returned. */
enum sl_code sg_json_feed(struct sg_json *json, const char *bytes,
			  size_t length, struct sl_error *error);

/** The text is over. Sets kind (SG_COMPLETE, SG_BROKEN_OFF, SG_MALFORMED, or
 * SG_NO_REPORT for blanks alone), line, column (in characters) and message. The
 * place is the start of what is wrong or, if a piece was cut there, its end.
 * @return SL_OK, SL_ENOMEM, or what the callback returned. */
enum sl_code sg_json_finish(struct sg_json *json, struct sg_ending *ending,
			    struct sl_error *error);

/** @return the index, from 0, in the @p level'th array (from 0, the outermost)
 * on the way to the value that the callback is called for. */
size_t sg_json_index(const struct sg_json *json, unsigned level);

/** @return lines between documents that were skipped. */
uint64_t sg_json_skipped(const struct sg_json *json);

void sg_json_destroy(struct sg_json *json); /**< also in the middle; NULL too */

/** For sniffers: the start of a text as ASCII, without BOM, NULs and leading
 * blanks. @return its length, at most @p size - 1; a NUL stands behind it. */
size_t sg_json_start(const char *start, size_t length, char *ascii,
		     size_t size);

#endif
