/* SPDX-License-Identifier: MIT */
/* Buffers that grow by doubling. */
#include "read/record.h"

#include <stdlib.h>
#include <string.h>

void sg_record_clear(struct sg_record *record)
{
	record->used = 0;
	record->place = (struct sg_place){ 0 };
	record->event_count = 0;
	record->no_memory = false;
}

void sg_record_release(struct sg_record *record)
{
	free(record->text);
	free(record->events);
	free(record->shown);
	*record = (struct sg_record){ 0 };
}

/* @return false: no memory. */
static bool make_room(struct sg_record *record, size_t length)
{
	size_t size = record->size ? record->size : 4096;
	char *text;

	while (size - record->used < length)
		size *= 2;
	if (size == record->size)
		return true;
	text = realloc(record->text, size);
	if (!text) {
		record->no_memory = true;
		return false;
	}
	record->text = text;
	record->size = size;
	return true;
}

sg_text sg_record_text(struct sg_record *record, const char *text,
		       size_t length)
{
	sg_text start;

	if (!record->used)
		record->used = 1; /* 0 is no text */
	if (length >= SG_RECORD_TEXT_MAX - record->used ||
	    !make_room(record, length + 1))
		return 0;
	start = (sg_text)record->used;
	if (length)
		memcpy(record->text + start, text, length);
	record->text[start + length] = '\0';
	record->used += length + 1;
	return start;
}

const char *sg_record_get(const struct sg_record *record, sg_text text)
{
	return text ? record->text + text : NULL;
}

/* @return false: no memory. */
static bool make_event_room(struct sg_record *record, size_t count)
{
	size_t space = record->event_space ? record->event_space : 16;
	struct sg_place *events;

	if (count <= record->event_space)
		return true;
	while (space < count)
		space *= 2;
	events = realloc(record->events, space * sizeof(*events));
	if (!events) {
		record->no_memory = true;
		return false;
	}
	record->events = events;
	record->event_space = space;
	return true;
}

struct sg_place *sg_record_event(struct sg_record *record)
{
	struct sg_place *event;

	if (record->event_count == SG_RECORD_EVENTS_MAX ||
	    !make_event_room(record, record->event_count + 1))
		return NULL;
	event = &record->events[record->event_count++];
	*event = (struct sg_place){ 0 };
	return event;
}

bool sg_record_copy(struct sg_record *record, const struct sg_record *other,
		    const char *events, const char *text)
{
	sg_record_clear(record);
	if (!make_room(record, other->used) ||
	    !make_event_room(record, other->event_count))
		return false;
	if (other->event_count)
		memcpy(record->events, events,
		       other->event_count * sizeof(*record->events));
	if (other->used)
		memcpy(record->text, text, other->used);
	record->used = other->used;
	record->event_count = other->event_count;
	record->place = other->place;
	record->no_memory = other->no_memory;
	return true;
}

static enum sl_code reserve_shown(struct sg_record *record,
				  struct sl_error *error)
{
	struct sg_event *shown;

	if (record->event_count <= record->shown_space)
		return SL_OK;
	shown = realloc(record->shown,
			record->event_space * sizeof(*record->shown));
	if (!shown)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a finding");
	record->shown = shown;
	record->shown_space = record->event_space;
	return SL_OK;
}

enum sl_code sg_record_show(struct sg_record *record,
			    struct sg_finding *finding, struct sl_error *error)
{
	const struct sg_place *place = &record->place;
	enum sl_code code = reserve_shown(record, error);

	if (code != SL_OK)
		return code;
	for (size_t at = 0; at < record->event_count; at++) {
		const struct sg_place *event = &record->events[at];

		record->shown[at] = (struct sg_event){
			.path = sg_record_get(record, event->path),
			.line = event->line,
			.column = event->column,
			.message = sg_record_get(record, event->message),
			.function = sg_record_get(record, event->function),
		};
	}
	finding->events = record->shown;
	finding->event_count = record->event_count;
	finding->path = sg_record_get(record, place->path);
	finding->function = sg_record_get(record, place->function);
	finding->line = place->line;
	finding->column = place->column;
	finding->end_line = place->end_line;
	finding->end_column = place->end_column;
	return SL_OK;
}

int64_t sg_record_number(int64_t number)
{
	return number > 0 && number <= INT32_MAX ? number : 0;
}
