/* SPDX-License-Identifier: MIT */
/* A deep copy. */
#include "read/copy.h"

#include <string.h>

struct copying {
	struct sl_arena *arena;
	size_t bytes;
	bool failed; /* for want of memory */
};

static const char *copy_text(struct copying *copying, const char *text)
{
	size_t length = text ? strlen(text) : 0;
	char *copy = text ? sl_arena_text(copying->arena, text, length) : NULL;

	copying->failed |= text && !copy;
	copying->bytes += length + 1;
	return copy;
}

static void *copy_table(struct copying *copying, size_t size)
{
	void *table = sl_arena_alloc(copying->arena, size);

	copying->failed |= !table;
	copying->bytes += size;
	return table;
}

static const struct sg_event *copy_events(struct copying *copying,
					  const struct sg_finding *from)
{
	struct sg_event *events =
		copy_table(copying, from->event_count * sizeof(*from->events));

	for (size_t at = 0; events && at < from->event_count; at++) {
		const struct sg_event *event = &from->events[at];

		events[at] = *event;
		events[at].path = copy_text(copying, event->path);
		events[at].message = copy_text(copying, event->message);
		events[at].function = copy_text(copying, event->function);
	}
	return events;
}

static const char *const *copy_units(struct copying *copying,
				     const struct sg_finding *from)
{
	const char **units =
		copy_table(copying, from->unit_count * sizeof(*from->units));

	for (size_t at = 0; units && at < from->unit_count; at++)
		units[at] = copy_text(copying, from->units[at]);
	return units;
}

bool sg_finding_copy(const struct sg_finding *from, struct sl_arena *arena,
		     struct sg_finding *to, size_t *bytes)
{
	struct copying copying = { .arena = arena };

	*to = *from;
	to->tool = copy_text(&copying, from->tool);
	to->tool_version = copy_text(&copying, from->tool_version);
	to->rule = copy_text(&copying, from->rule);
	to->severity_word = copy_text(&copying, from->severity_word);
	to->message = copy_text(&copying, from->message);
	to->verbose = copy_text(&copying, from->verbose);
	to->path = copy_text(&copying, from->path);
	to->function = copy_text(&copying, from->function);
	to->events = copy_events(&copying, from);
	to->units = copy_units(&copying, from);
	*bytes += copying.bytes;
	return !copying.failed;
}
