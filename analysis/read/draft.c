/* SPDX-License-Identifier: MIT */
/* A draft keeps offsets instead of pointers, for its text moves as it grows. */
#include "read/draft.h"

#include <stdlib.h>
#include <string.h>

struct sg_draft_offsets {
	size_t path, message, function;
};

enum sl_code sg_draft_init(struct sg_draft *draft, sg_finding_fn *take,
			   void *context, struct sl_error *error)
{
	*draft = (struct sg_draft){ .take = take, .context = context };
	draft->text_room = 1024;
	draft->text = calloc(1, draft->text_room);
	if (!draft->text)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a finding");
	draft->text_length = 1;
	return SL_OK;
}

void sg_draft_release(struct sg_draft *draft)
{
	free(draft->text);
	free(draft->events);
	free(draft->offsets);
	*draft = (struct sg_draft){ 0 };
}

/* @return the offset of @p length bytes and a NUL; 0: no room. */
static size_t reserve(struct sg_draft *draft, size_t length)
{
	size_t at = draft->text_length, room = draft->text_room;
	char *grown;

	if (length >= SG_DRAFT_BYTES - at)
		return 0;
	while (room - at <= length)
		room *= 2;
	if (room != draft->text_room) {
		grown = realloc(draft->text, room);
		if (!grown) {
			draft->no_memory = true;
			return 0;
		}
		draft->text = grown;
		draft->text_room = room;
	}
	draft->text_length += length + 1;
	draft->text[at + length] = '\0';
	return at;
}

/* Cut before the character that goes beyond. */
static size_t bounded(struct sg_span text, size_t most)
{
	size_t length = text.length;

	if (length <= most)
		return length;
	length = most;
	while (length && (text.text[length] & 0xc0) == 0x80)
		length--;
	return length;
}

static size_t copy(struct sg_draft *draft, struct sg_span text)
{
	size_t length = bounded(text, SG_TEXT_MAX), at;

	if (!length)
		return 0;
	at = reserve(draft, length);
	if (at)
		memcpy(draft->text + at, text.text, length);
	return at;
}

static const char *text_at(const struct sg_draft *draft, size_t offset)
{
	return offset ? draft->text + offset : NULL;
}

static void point(struct sg_draft *draft)
{
	struct sg_finding *finding = &draft->finding;

	finding->tool = sg_draft_get(draft, SG_DRAFT_TOOL);
	finding->rule = text_at(draft, draft->texts[SG_DRAFT_RULE]);
	finding->severity_word = text_at(draft, draft->texts[SG_DRAFT_WORD]);
	finding->message = sg_draft_get(draft, SG_DRAFT_MESSAGE);
	finding->verbose = text_at(draft, draft->texts[SG_DRAFT_VERBOSE]);
	finding->path = text_at(draft, draft->texts[SG_DRAFT_PATH]);
	finding->function = text_at(draft, draft->texts[SG_DRAFT_FUNCTION]);
	for (size_t at = 0; at < draft->event_count; at++) {
		const struct sg_draft_offsets *from = &draft->offsets[at];
		struct sg_event *event = &draft->events[at];

		event->path = text_at(draft, from->path);
		event->message = text_at(draft, from->message);
		event->function = text_at(draft, from->function);
	}
	finding->events = draft->event_count ? draft->events : NULL;
	finding->event_count = draft->event_count;
}

enum sl_code sg_draft_end(struct sg_draft *draft, struct sl_error *error)
{
	if (draft->no_memory)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a finding");
	if (!draft->open)
		return SL_OK;
	draft->open = false;
	draft->findings++;
	point(draft);
	return draft->take(draft->context, &draft->finding, error);
}

enum sl_code sg_draft_begin(struct sg_draft *draft, const char *tool,
			    struct sl_error *error)
{
	enum sl_code code = sg_draft_end(draft, error);

	if (code != SL_OK)
		return code;
	draft->finding = (struct sg_finding){ .repeats = 1 };
	memset(draft->texts, 0, sizeof(draft->texts));
	draft->text_length = 1;
	draft->event_count = 0;
	draft->open = true;
	sg_draft_set(draft, SG_DRAFT_TOOL,
		     (struct sg_span){ tool, strlen(tool) });
	return SL_OK;
}

void sg_draft_drop(struct sg_draft *draft)
{
	draft->open = false;
}

void sg_draft_set(struct sg_draft *draft, enum sg_draft_text which,
		  struct sg_span text)
{
	draft->texts[which] = copy(draft, text);
}

void sg_draft_add(struct sg_draft *draft, enum sg_draft_text which,
		  struct sg_span text)
{
	size_t old = draft->texts[which];
	size_t before = old ? strlen(draft->text + old) : 0, more, at;

	if (!before) {
		sg_draft_set(draft, which, text);
		return;
	}
	if (before + 1 >= SG_TEXT_MAX)
		return;
	more = bounded(text, SG_TEXT_MAX - before - 1);
	at = more ? reserve(draft, before + 1 + more) : 0;
	if (!at)
		return;
	memcpy(draft->text + at, draft->text + old, before);
	draft->text[at + before] = ' ';
	memcpy(draft->text + at + before + 1, text.text, more);
	draft->texts[which] = at;
}

const char *sg_draft_get(const struct sg_draft *draft, enum sg_draft_text which)
{
	/* text[0] is NUL */
	return draft->text + draft->texts[which];
}

static bool grow_events(struct sg_draft *draft)
{
	size_t room = draft->event_room ? 2 * draft->event_room : 16;
	struct sg_event *events =
		realloc(draft->events, room * sizeof(*events));
	struct sg_draft_offsets *offsets;

	if (events)
		draft->events = events;
	offsets = events ? realloc(draft->offsets, room * sizeof(*offsets))
			 : NULL;
	if (!offsets) {
		draft->no_memory = true;
		return false;
	}
	draft->offsets = offsets;
	draft->event_room = room;
	return true;
}

void sg_draft_event(struct sg_draft *draft, const struct sg_draft_event *event)
{
	size_t wanted = event->path.length + event->message.length +
			event->function.length + 3;

	if (draft->event_count >= SG_DRAFT_EVENTS ||
	    wanted >= SG_DRAFT_BYTES - draft->text_length)
		return;
	if (draft->event_count == draft->event_room && !grow_events(draft))
		return;
	draft->offsets[draft->event_count] = (struct sg_draft_offsets){
		.path = copy(draft, event->path),
		.message = copy(draft, event->message),
		.function = copy(draft, event->function),
	};
	draft->events[draft->event_count++] = (struct sg_event){
		.line = event->line,
		.column = event->column,
	};
}

void sg_draft_swap(struct sg_draft *draft, size_t count)
{
	struct sg_draft_offsets offsets;
	struct sg_event event;

	if (count < 2 || count > draft->event_count)
		return;
	offsets = draft->offsets[count - 1];
	draft->offsets[count - 1] = draft->offsets[count - 2];
	draft->offsets[count - 2] = offsets;
	event = draft->events[count - 1];
	draft->events[count - 1] = draft->events[count - 2];
	draft->events[count - 2] = event;
}
