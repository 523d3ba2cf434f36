/* SPDX-License-Identifier: MIT */
/* A line's start, then a ring of its last bytes. */
#include "read/line_kept.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

#define ELLIPSIS "\xe2\x80\xa6"

enum { MARK = sizeof(ELLIPSIS) - 1 };

enum sl_code sg_line_kept_init(struct sg_line_kept *kept,
			       struct sl_error *error)
{
	*kept = (struct sg_line_kept){ .text = malloc(SG_LINE_HEAD +
						      SG_LINE_TAIL) };
	return kept->text ? SL_OK
			  : SL_FAIL(error, SL_ENOMEM, "no memory for a line");
}

void sg_line_kept_release(struct sg_line_kept *kept)
{
	free(kept->text);
	kept->text = NULL;
}

static void add_to_tail(struct sg_line_kept *kept, const char *bytes,
			size_t length)
{
	/* what would be overwritten at once */
	if (length > SG_LINE_TAIL) {
		kept->length += length - SG_LINE_TAIL;
		bytes += length - SG_LINE_TAIL;
		length = SG_LINE_TAIL;
	}
	while (length) {
		size_t at = (kept->length - SG_LINE_HEAD) % SG_LINE_TAIL;
		size_t part =
			SG_LINE_TAIL - at < length ? SG_LINE_TAIL - at : length;

		memcpy(kept->text + SG_LINE_HEAD + at, bytes, part);
		kept->length += part;
		bytes += part;
		length -= part;
	}
}

void sg_line_kept_add(struct sg_line_kept *kept, const char *bytes,
		      size_t length)
{
	size_t room =
		kept->length < SG_LINE_HEAD ? SG_LINE_HEAD - kept->length : 0;

	if (room > length)
		room = length;
	if (room)
		memcpy(kept->text + kept->length, bytes, room);
	kept->length += room;
	if (length > room)
		add_to_tail(kept, bytes + room, length - room);
}

/* @return the head's length without a character that its end cuts. */
static size_t whole_head(const struct sg_line_kept *kept)
{
	const unsigned char *end =
		(const unsigned char *)kept->text + SG_LINE_HEAD;
	size_t back = 1;

	while (back < 4 && (end[-(ptrdiff_t)back] & 0xc0) == 0x80)
		back++;
	end -= back;
	return *end >= 0xc0 && !sl_utf8_sequence(end, back)
		       ? SG_LINE_HEAD - back
		       : SG_LINE_HEAD;
}

/* Put the ring's bytes in their order. */
static void straighten(struct sg_line_kept *kept)
{
	size_t first = (kept->length - SG_LINE_HEAD) % SG_LINE_TAIL;
	char *ring = kept->text + SG_LINE_HEAD, old[SG_LINE_TAIL];

	memcpy(old, ring, SG_LINE_TAIL);
	memcpy(ring, old + first, SG_LINE_TAIL - first);
	memcpy(ring + SG_LINE_TAIL - first, old, first);
}

/* Join both parts, the mark in the place of some bytes between. */
static size_t join(struct sg_line_kept *kept)
{
	size_t head = whole_head(kept), skipped = MARK;
	const char *tail = kept->text + SG_LINE_HEAD;

	straighten(kept);
	while (skipped < MARK + 3 && (tail[skipped] & 0xc0) == 0x80)
		skipped++;
	memcpy(kept->text + head, ELLIPSIS, MARK);
	memmove(kept->text + head + MARK, tail + skipped,
		SG_LINE_TAIL - skipped);
	return head + MARK + SG_LINE_TAIL - skipped;
}

struct sg_span sg_line_kept_take(struct sg_line_kept *kept)
{
	struct sg_span line = { kept->text, kept->length };

	if (kept->length > SG_LINE_HEAD + SG_LINE_TAIL)
		line.length = join(kept);
	kept->length = 0;
	return line;
}
