/* SPDX-License-Identifier: MIT */
/** @file
 * A finding that is put together line by line, as logs give it.
 *
 * One is open at a time; beginning the next hands it on. Its texts are copied
 * and bounded: one of more than SG_TEXT_MAX bytes is cut, and events beyond
 * SG_DRAFT_EVENTS, or beyond SG_DRAFT_BYTES of text, are dropped.
 *
 * Want of memory is remembered and reported by the next call that returns a
 * code, so that setters need no check.
 *
 * Invariants: `text` and `events` are owned; text[0] is NUL, and an offset of 0
 * is a text that is not there.
 */
#ifndef SG_READ_DRAFT_H
#define SG_READ_DRAFT_H

#include "read/lines.h"
#include "read/reader.h"

#define SG_DRAFT_EVENTS 1024
#define SG_DRAFT_BYTES (16 * SG_TEXT_MAX)

enum sg_draft_text {
	SG_DRAFT_TOOL,
	SG_DRAFT_RULE,
	SG_DRAFT_WORD,
	SG_DRAFT_MESSAGE,
	SG_DRAFT_VERBOSE,
	SG_DRAFT_PATH,
	SG_DRAFT_FUNCTION,
	SG_DRAFT_TEXTS
};

/** An event whose texts are spans; an empty one is not there. */
struct sg_draft_event {
	struct sg_span path, message, function;
	int64_t line, column;
};

struct sg_draft {
	sg_finding_fn *take;
	void *context;
	uint64_t findings; /**< handed on */
	bool open;
	bool no_memory;
	struct sg_finding finding; /**< numbers; its texts are set last */
	size_t texts[SG_DRAFT_TEXTS]; /**< offsets */
	char *text;
	size_t text_length, text_room;
	struct sg_event *events; /**< texts are set when handed on */
	struct sg_draft_offsets *offsets;
	size_t event_count, event_room;
};

enum sl_code sg_draft_init(struct sg_draft *draft, sg_finding_fn *take,
			   void *context, struct sl_error *error) SL_MUST_CHECK;
void sg_draft_release(struct sg_draft *draft);

/** Hand on what is open, and open an empty one of @p tool. */
enum sl_code sg_draft_begin(struct sg_draft *draft, const char *tool,
			    struct sl_error *error) SL_MUST_CHECK;

/** Hand on what is open, if anything is. */
enum sl_code sg_draft_end(struct sg_draft *draft,
			  struct sl_error *error) SL_MUST_CHECK;

/** Forget what is open. */
void sg_draft_drop(struct sg_draft *draft);

/** Of the open one. An empty span takes the text away. */
void sg_draft_set(struct sg_draft *draft, enum sg_draft_text which,
		  struct sg_span text);

/** Continue a text, with a blank between. */
void sg_draft_add(struct sg_draft *draft, enum sg_draft_text which,
		  struct sg_span text);

/** @return the text, "" if it is not there; borrowed until the next call. */
const char *sg_draft_get(const struct sg_draft *draft,
			 enum sg_draft_text which);

void sg_draft_event(struct sg_draft *draft, const struct sg_draft_event *event);

/** Swap the last two of the first @p count events. */
void sg_draft_swap(struct sg_draft *draft, size_t count);

#endif
