/* SPDX-License-Identifier: MIT */
/** @file
 * From the pieces of a text log to its lines.
 *
 * What a line's taker sees is UTF-8 without control characters other than the
 * tab: a BOM is dropped, UTF-16 (by its BOM, or by the NULs of its first two
 * characters) becomes UTF-8, terminal colours and hyperlinks (ECMA-48, OSC 8)
 * are removed, and each control character or byte that is no UTF-8 becomes
 * U+FFFD. A line ends at LF or CR LF; a CR inside, as progress bars write it,
 * ends one too, but is not counted. Of a line that is too long its middle is
 * dropped (see read/line_kept.h).
 *
 * Invariants: `clean` is owned. How the pieces were cut never shows.
 */
#ifndef SG_READ_LINES_H
#define SG_READ_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "read/line_kept.h"
#include "sluice/defs.h"
#include "sluice/error.h"

/** Bytes of a line that is taken, at most: each of its own may have become
 * U+FFFD. */
#define SG_LINE_MAX (3 * (SG_LINE_HEAD + SG_LINE_TAIL))

/** Takes a line, without its end. What it returns other than SL_OK ends the
 * reading. */
typedef enum sl_code sg_line_fn(void *context, struct sg_span line,
				struct sl_error *error);

enum sg_encoding {
	SG_ENCODING_OPEN, /**< not seen enough */
	SG_ENCODING_BYTES, /**< UTF-8, or what claims to be */
	SG_ENCODING_UTF16_LE,
	SG_ENCODING_UTF16_BE,
};

struct sg_lines {
	sg_line_fn *take;
	void *context;
	int64_t number; /**< of the line at hand, from 1 */
	enum sg_encoding encoding;
	unsigned char head[4]; /**< bytes before the encoding is known */
	size_t head_length;
	bool half_given; /**< UTF-16: half a unit is waiting */
	unsigned char half;
	uint16_t high; /**< UTF-16: a high surrogate waits; 0: none */
	bool after_cr; /**< the line at hand ends in one so far */
	struct sg_line_kept kept; /**< the line at hand, if it came in pieces */
	char *clean;
};

/** @return SL_OK or SL_ENOMEM; on failure there is nothing to release. */
enum sl_code sg_lines_init(struct sg_lines *lines, sg_line_fn *take,
			   void *context, struct sl_error *error) SL_MUST_CHECK;

enum sl_code sg_lines_feed(struct sg_lines *lines, const char *bytes,
			   size_t length, struct sl_error *error) SL_MUST_CHECK;

/** Hand on a last line that has no end. */
enum sl_code sg_lines_finish(struct sg_lines *lines,
			     struct sl_error *error) SL_MUST_CHECK;

void sg_lines_release(struct sg_lines *lines);

#endif
