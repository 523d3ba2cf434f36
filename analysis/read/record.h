/* SPDX-License-Identifier: MIT */
/** @file
 * A finding being put together from the pieces of a JSON report.
 *
 * All texts of a record stand in one buffer and are named by where they begin,
 * so that it can grow, be put aside and be used again. A record is bounded:
 * what exceeds SG_RECORD_TEXT_MAX or SG_RECORD_EVENTS_MAX is dropped.
 *
 * Invariant: a zeroed struct is empty. The buffers are owned.
 */
#ifndef SG_READ_RECORD_H
#define SG_READ_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "read/finding.h"
#include "sluice/error.h"

enum {
	SG_RECORD_TEXT_MAX = 16 << 20, /**< bytes of all texts together */
	SG_RECORD_EVENTS_MAX = 10000
};

/** Where a text begins in its record's buffer; 0: there is none. */
typedef uint32_t sg_text;

/** Where something is. Indices are 0 if not given, else one more than in the
 * report. */
struct sg_place {
	sg_text path;
	sg_text base; /**< what the path is relative to */
	sg_text function;
	sg_text message;
	uint32_t artifact; /**< index of what has the path */
	uint32_t logical; /**< index of what has the function */
	int64_t line, column, end_line, end_column;
};

struct sg_record {
	char *text;
	size_t used, size;
	struct sg_place place;
	struct sg_place *events;
	size_t event_count, event_space;
	struct sg_event *shown; /**< the events, as a finding has them */
	size_t shown_space;
	bool no_memory; /**< something is missing for want of it */
};

/** Forget what is in it; keep the buffers. */
void sg_record_clear(struct sg_record *record);
void sg_record_release(struct sg_record *record);

/** Make @p record one like @p other, whose events and texts were put aside:
 * they stand at @p events, aligned or not, and at @p text.
 * @return false: no memory, and what is in @p record has no meaning. */
bool sg_record_copy(struct sg_record *record, const struct sg_record *other,
		    const char *events, const char *text);

/** @return the copy of a text; 0: no room or no memory. */
sg_text sg_record_text(struct sg_record *record, const char *text,
		       size_t length);

/** @return the text, ended by a NUL, borrowed until the next one is added;
 * NULL for 0. */
const char *sg_record_get(const struct sg_record *record, sg_text text);

/** @return a zeroed event behind the others, borrowed until the next one; NULL:
 * no room or no memory. */
struct sg_place *sg_record_event(struct sg_record *record);

/** Put place and events of @p record into @p finding; texts and events stay the
 * record's. @return SL_OK or SL_ENOMEM. */
enum sl_code sg_record_show(struct sg_record *record,
			    struct sg_finding *finding, struct sl_error *error);

/** @return the number of a line or column: 0 if it is none, or is beyond 31
 * bits (no file has that many lines). */
int64_t sg_record_number(int64_t number);

#endif
