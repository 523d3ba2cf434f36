/* SPDX-License-Identifier: MIT */
/* Locations of a SARIF result, whatever they are locations of. */
#include "read/sarif_paths.h"
#include "read/sarif_reader.h"

/* Arrays on the way to a value, from the outermost. */
enum { LEVEL_IN_RESULT = 2, LEVEL_THREAD };

sg_text sarif_text(struct sg_record *record, const struct sg_json_event *event)
{
	return event->kind == SG_JSON_STRING
		       ? sg_record_text(record, event->text, event->length)
		       : 0;
}

void sarif_set_text(struct sg_record *record, sg_text *text,
		    const struct sg_json_event *event)
{
	if (!*text)
		*text = sarif_text(record, event);
}

uint32_t sarif_index(const struct sg_json_event *event)
{
	return event->kind == SG_JSON_NUMBER && event->number >= 0 &&
			       event->number < UINT32_MAX
		       ? (uint32_t)event->number + 1
		       : 0;
}

/* A location begins: which one is it, and does it count? The first one is where
 * the finding is; of code flows the first thread of the first one is told. */
static struct sg_place *place_for(struct sarif_reader *reader, int group)
{
	size_t in_result = sg_json_index(reader->json, LEVEL_IN_RESULT);
	size_t thread = sg_json_index(reader->json, LEVEL_THREAD);
	struct sg_record *record = &reader->result.record;

	if (group == SARIF_PLACE)
		return in_result ? NULL : &record->place;
	if (group == SARIF_FLOW && (in_result || thread))
		return NULL;
	return sg_record_event(record);
}

/* A step of a flow counts though it says nothing: a frame without a name. A
 * related location that says nothing is none. A region on one line names it
 * once. */
static void end_place(struct sarif_reader *reader, int group)
{
	struct sg_record *record = &reader->result.record;
	struct sg_place *place = reader->place;

	if (place && place->end_column && !place->end_line)
		place->end_line = place->line;
	if (place && group == SARIF_RELATED && !place->path &&
	    !place->artifact && !place->message && !place->function &&
	    !place->logical && !place->line)
		record->event_count--;
	reader->place = NULL;
}

void sarif_take_place(struct sarif_reader *reader,
		      const struct sg_json_event *event)
{
	struct sg_record *record = &reader->result.record;
	struct sg_place *place = reader->place;
	int field = event->id & SARIF_FIELDS;

	if (field == PLACE_ITSELF) {
		if (event->kind != SG_JSON_OPEN) {
			end_place(reader, event->id & ~SARIF_FIELDS);
			return;
		}
		reader->place = place_for(reader, event->id & ~SARIF_FIELDS);
		reader->logical_count = 0;
		return;
	}
	if (field == PLACE_LOGICAL)
		reader->logical_count += event->kind == SG_JSON_OPEN;
	if (!place ||
	    (field >= PLACE_LOGICAL_NAME && reader->logical_count > 1))
		return;
	switch (field) {
	case PLACE_URI:
		place->path = sarif_text(record, event);
		break;
	case PLACE_BASE:
		place->base = sarif_text(record, event);
		break;
	case PLACE_INDEX:
		place->artifact = sarif_index(event);
		break;
	case PLACE_LINE:
		place->line = sg_record_number(event->number);
		break;
	case PLACE_COLUMN:
		place->column = sg_record_number(event->number);
		break;
	case PLACE_END_LINE:
		place->end_line = sg_record_number(event->number);
		break;
	case PLACE_END_COLUMN:
		place->end_column = sg_record_number(event->number);
		break;
	case PLACE_TEXT:
		/* the finding's own message is the result's */
		if (place != &record->place)
			place->message = sarif_text(record, event);
		break;
	case PLACE_LOGICAL_NAME:
		sarif_set_text(record, &place->function, event);
		break;
	case PLACE_LOGICAL_FULL_NAME:
		place->function = sarif_text(record, event);
		break;
	case PLACE_LOGICAL_INDEX:
		place->logical = sarif_index(event);
		break;
	default:
		break;
	}
}
