/* SPDX-License-Identifier: MIT */
/** @file
 * Text of a report that grows piece by piece.
 */
#ifndef SL_PIPELINE_REPORT_PUT_H
#define SL_PIPELINE_REPORT_PUT_H

#include <stddef.h>
#include <stdint.h>

#include "sluice/buffer.h"
#include "sluice/defs.h"
#include "sluice/stats.h"

/** The first failure sticks: later pieces are not put, so that it is enough to
 * look at `code` in the end. */
struct sl_put {
	struct sl_buffer *text; /**< borrowed; once something is put, a NUL
				     stands behind what is used */
	enum sl_code code;
	struct sl_error *error; /**< borrowed */
};

/** Append bytes. */
void sl_put_bytes(struct sl_put *put, const char *bytes, size_t size);

/** Append text. */
void sl_put_text(struct sl_put *put, const char *text);

/** Append what printf() would print, at most 511 bytes of it. */
void sl_put_format(struct sl_put *put, const char *fmt, ...) SL_PRINTF(2, 3);

/** Append "HEAD: TEXT" and a newline, broken between words into lines of at
 * most 80 bytes, the further ones indented by two more than @p head is. */
void sl_put_wrapped(struct sl_put *put, const char *head, const char *text);

/** Append numbers as every reader understands them; a double that is read back
 * is the same. It must be finite. */
void sl_put_count(struct sl_put *put, uint64_t count);
void sl_put_double(struct sl_put *put, double number);

/** Append text, each byte that is no part of a valid UTF-8 sequence as U+FFFD:
 * what a file system or a configuration calls a thing may be any bytes, what
 * reads the report wants characters. @p escape is called for each byte below
 * 0x80 and puts it; NULL: they stand as they are. */
void sl_put_utf8(struct sl_put *put, const char *text,
		 void (*escape)(struct sl_put *put, char byte));

/** An instance of a run by number: the source first, then the stages, the sink
 * last. NULL: there are not so many. */
const struct sl_instance_stats *sl_stats_instance(const struct sl_stats *stats,
						  size_t at);

/** "source", "stage" or "sink": what sl_stats_instance() gives for @p at. A
 * source and a sink may have the same name. */
const char *sl_stats_role(const struct sl_stats *stats, size_t at);

/** "done", "failed", "stopped", "running". */
const char *sl_stats_outcome(enum sl_outcome outcome);

/** "measured", "on-die", "integrated", "model". */
const char *sl_stats_quality(enum sl_quality quality);

#endif
