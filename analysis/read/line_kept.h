/* SPDX-License-Identifier: MIT */
/** @file
 * The line of a log that came in several pieces, or is too long to be kept.
 *
 * Of a line of more than SG_LINE_HEAD + SG_LINE_TAIL bytes its start and its
 * end are kept, with U+2026 between: where a finding is stands at one, its rule
 * at the other.
 *
 * Invariants: `text` is owned and has room for SG_LINE_HEAD + SG_LINE_TAIL
 * bytes; the second part is a ring.
 */
#ifndef SG_READ_LINE_KEPT_H
#define SG_READ_LINE_KEPT_H

#include <stddef.h>

#include "read/reader.h"
#include "read/spans.h"
#include "sluice/error.h"

/** Bytes of a line's start: a text as long as may be, and what is around it. */
#define SG_LINE_HEAD (SG_TEXT_MAX + 4096)
#define SG_LINE_TAIL 8192

struct sg_line_kept {
	char *text;
	size_t length; /**< of the line so far, with what was not kept */
};

/** @return SL_OK or SL_ENOMEM; on failure there is nothing to release. */
enum sl_code sg_line_kept_init(struct sg_line_kept *kept,
			       struct sl_error *error) SL_MUST_CHECK;
void sg_line_kept_release(struct sg_line_kept *kept);

void sg_line_kept_add(struct sg_line_kept *kept, const char *bytes,
		      size_t length);

/** The line is over: the next bytes are another's. No character is cut in its
 * middle. @return what is kept of it, borrowed until the next call. */
struct sg_span sg_line_kept_take(struct sg_line_kept *kept);

#endif
