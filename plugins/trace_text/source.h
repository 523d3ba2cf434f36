/* SPDX-License-Identifier: MIT */
/** @file
 * What the source's files share: its state, and what a cut leaves to parse.
 */
#ifndef TRACE_TEXT_SOURCE_H
#define TRACE_TEXT_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "line.h"
#include "sluice/input.h"
#include "sluice/source.h"

enum on_error { ON_ERROR_STOP, ON_ERROR_SKIP };
struct source {
	const char *path;
	const char *fields_text;
	int on_error;
	int64_t packet_interval_ns;

	struct sl_host *host;
	struct fields fields;
	bool default_order;
	line_batch *batch; /**< for many lines at once; may be NULL */
	struct line_forms forms; /**< of use to it */
	struct sl_input input;
	bool skipping; /* inside a line that is too long */
	uint8_t *carry; /* owned: read, but not yet cut */
	size_t carried;
	uint64_t next_index; /* of the next line */
	size_t line_bytes; /* what a line takes, as far as seen */
};

/* What parse must know of a chunk. */
struct cut {
	uint64_t first_index;
	bool too_long; /* it is one line, of which this is the start */
	bool new_names; /* parse met some */
};

/** Fill the chunk with the next lines: as many as a chunk has packets, or as
 * fit; see struct sl_source. */
sl_step cut_chunk;

#endif
