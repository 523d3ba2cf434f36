/* SPDX-License-Identifier: MIT */
/* Events and units, which come in the order of occurrences, and find theirs by
 * a search. */
#include "store/exporting.h"

#include <stdlib.h>
#include <string.h>

static int compare_places(const void *a, const void *b)
{
	const struct sg_export_place *one = a, *two = b;

	return one->occurrence < two->occurrence   ? -1
	       : one->occurrence > two->occurrence ? 1
						   : 0;
}

/* Elements of one occurrence, until another one's come. */
struct collected {
	int64_t occurrence; /* 0: none yet */
	char *elements; /* owned */
	size_t count, room, size; /* of elements; bytes of one */
};

typedef void read_fn(struct sg_export_row *row, void *element);
typedef void give_fn(struct sg_finding *finding, void *elements, size_t count);

static void read_event(struct sg_export_row *row, void *element)
{
	*(struct sg_event *)element = (struct sg_event){
		.path = sg_export_text(row, 1),
		.line = sg_export_number(row, 2),
		.column = sg_export_number(row, 3),
		.message = sg_export_text(row, 4),
		.function = sg_export_text(row, 5),
	};
}

static void give_events(struct sg_finding *finding, void *elements,
			size_t count)
{
	finding->events = elements;
	finding->event_count = count;
}

static void read_unit(struct sg_export_row *row, void *element)
{
	*(const char **)element = sg_export_text(row, 1);
}

static void give_units(struct sg_finding *finding, void *elements, size_t count)
{
	finding->units = elements;
	finding->unit_count = count;
}

/* Give what was collected to its finding. */
static enum sl_code give(struct sg_exporting *exporting,
			 struct collected *collected, give_fn *give_it)
{
	const struct sg_export_place key = { .occurrence =
						     collected->occurrence };
	const struct sg_export_place *place;
	size_t bytes = collected->count * collected->size;
	void *kept;

	if (!collected->count || !exporting->places)
		return SL_OK;
	place = bsearch(&key, exporting->places,
			exporting->judgement->judged_count, sizeof(key),
			compare_places);
	if (!place)
		return SL_OK;
	kept = sl_arena_alloc(exporting->arena, bytes);
	if (!kept)
		return sg_export_no_memory(exporting);
	memcpy(kept, collected->elements, bytes);
	give_it(&exporting->judgement->judged[place->at].finding, kept,
		collected->count);
	return SL_OK;
}

static enum sl_code collect(struct sg_export_row *row,
			    struct collected *collected, read_fn *read_it)
{
	if (collected->count == collected->room) {
		size_t room = collected->room ? collected->room * 2 : 16;
		char *more =
			realloc(collected->elements, room * collected->size);

		if (!more)
			return sg_export_no_memory(row->exporting);
		collected->elements = more;
		collected->room = room;
	}
	read_it(row,
		collected->elements + collected->count++ * collected->size);
	return row->no_memory ? sg_export_no_memory(row->exporting) : SL_OK;
}

static enum sl_code load_parts(struct sg_exporting *exporting, const char *mark,
			       size_t size, read_fn *read_it, give_fn *give_it)
{
	SL_CLEANUP(sg_ask_end) struct sg_ask rows = { .statement = NULL };
	struct collected collected = { .size = size };
	enum sl_code code = sg_export_ask(exporting, &rows, mark);

	while (code == SL_OK &&
	       (code = sg_ask_next(&rows, exporting->error)) == SL_OK) {
		struct sg_export_row reading = { .exporting = exporting,
						 .row = &rows };

		if (sg_ask_number(&rows, 0) != collected.occurrence) {
			code = give(exporting, &collected, give_it);
			collected.occurrence = sg_ask_number(&rows, 0);
			collected.count = 0;
		}
		if (code == SL_OK)
			code = collect(&reading, &collected, read_it);
	}
	if (code == SL_END)
		code = give(exporting, &collected, give_it);
	free(collected.elements);
	return code;
}

enum sl_code sg_export_ways(struct sg_exporting *exporting)
{
	enum sl_code code;

	if (exporting->places)
		qsort(exporting->places, exporting->judgement->judged_count,
		      sizeof(*exporting->places), compare_places);
	code = load_parts(exporting, "-- name: events\n",
			  sizeof(struct sg_event), read_event, give_events);
	if (code == SL_OK)
		code = load_parts(exporting, "-- name: units\n",
				  sizeof(const char *), read_unit, give_units);
	return code;
}
