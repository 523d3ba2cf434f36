/* SPDX-License-Identifier: MIT */
/* The format "gcc-json": -fdiagnostics-format=json, an array a translation
 * unit, several of them behind one another. What a linker or make writes
 * between the arrays is skipped. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "read/formats.h"
#include "read/json.h"
#include "read/reader.h"
#include "read/record.h"

/* Before the name of a warning that became an error. */
#define AS_ERROR "-Werror"

enum group {
	GROUP_REPORT = 0x100,
	GROUP_DIAGNOSTIC = 0x200,
	GROUP_PLACE = 0x300, /* where the diagnostic is */
	GROUP_NOTE = 0x400, /* where a note is */
	GROUP_STEP = 0x500, /* where a step of the analyzer's path is */
	FIELDS = 0xff
};

enum field {
	FIELD_ITSELF = 1,
	FIELD_KIND,
	FIELD_MESSAGE,
	FIELD_OPTION,
	FIELD_CWE,
	FIELD_FUNCTION,
	FIELD_FILE,
	FIELD_LINE,
	FIELD_COLUMN,
	FIELD_END_LINE,
	FIELD_END_COLUMN,
};

#define POINT(at, group) \
	{ at ".file", group | FIELD_FILE }, \
		{ at ".line", group | FIELD_LINE }, \
	{ \
		at ".column", group | FIELD_COLUMN \
	}

static const struct sg_json_path paths[] = {
	{ "", GROUP_REPORT | FIELD_ITSELF },
	{ "[]", GROUP_DIAGNOSTIC | FIELD_ITSELF },
	{ "[].kind", GROUP_DIAGNOSTIC | FIELD_KIND },
	{ "[].message", GROUP_DIAGNOSTIC | FIELD_MESSAGE },
	{ "[].option", GROUP_DIAGNOSTIC | FIELD_OPTION },
	{ "[].metadata.cwe", GROUP_DIAGNOSTIC | FIELD_CWE },
	POINT("[].locations[].caret", GROUP_PLACE),
	{ "[].locations[].finish.line", GROUP_PLACE | FIELD_END_LINE },
	{ "[].locations[].finish.column", GROUP_PLACE | FIELD_END_COLUMN },
	{ "[].children[]", GROUP_NOTE | FIELD_ITSELF },
	{ "[].children[].message", GROUP_NOTE | FIELD_MESSAGE },
	POINT("[].children[].locations[].caret", GROUP_NOTE),
	{ "[].path[]", GROUP_STEP | FIELD_ITSELF },
	{ "[].path[].description", GROUP_STEP | FIELD_MESSAGE },
	{ "[].path[].function", GROUP_STEP | FIELD_FUNCTION },
	POINT("[].path[].location", GROUP_STEP),
};

/* Of a place in the ending's message: the end of the path, and all. */
enum { PLACE_PATH = 100, PLACE_BYTES = PLACE_PATH + 32 };

/* Arrays on the way to a value, from the outermost. */
enum { LEVEL_LOCATION = 1, LEVEL_NOTE_LOCATION = 2 };

struct diagnostic {
	struct sg_record record;
	sg_text kind, option;
	int64_t cwe;
};

struct reader {
	struct sg_json *json;
	sg_finding_fn *take;
	void *context;
	struct diagnostic now; /* being read */
	struct diagnostic held; /* the one before: notes may follow */
	bool holds;
	struct sg_place *event; /* being read; NULL: no room for it */

	uint64_t findings, arrays, diagnostics; /* diagnostics: those begun */
	bool has_stopped; /* gcc gave up on a unit, or had to refuse it */
	char reason[224];
};

static sg_text text_of(struct reader *reader, const struct sg_json_event *event)
{
	return event->kind == SG_JSON_STRING
		       ? sg_record_text(&reader->now.record, event->text,
					event->length)
		       : 0;
}

/* After these the unit's other diagnostics are missing. */
static bool is_end_of_unit(const char *kind)
{
	return strcmp(kind, "fatal error") == 0 ||
	       strcmp(kind, "internal compiler error") == 0 ||
	       strcmp(kind, "ice") == 0;
}

/* After these those that need more than the parser are. A warning that -Werror
 * made an error stops nothing; one of -pedantic-errors does. */
static bool is_compile_error(const char *kind, const char *option)
{
	return strcmp(kind, "sorry, unimplemented") == 0 ||
	       (strcmp(kind, "error") == 0 &&
		!(option && strncmp(option, AS_ERROR, strlen(AS_ERROR)) == 0));
}

static void note_stop(struct reader *reader, const struct sg_finding *finding,
		      const char *what)
{
	char *reason = reader->reason;
	const char *path = finding->path;
	char place[PLACE_BYTES] = "";
	size_t length = path ? strlen(path) : 0;

	if (reader->has_stopped)
		return;
	reader->has_stopped = true;
	if (length > PLACE_PATH)
		path += length - PLACE_PATH;
	while (path && ((unsigned char)*path & 0xc0) == 0x80)
		path++;
	if (path)
		(void)snprintf(place, sizeof(place), "%s:%" PRId64 ": ", path,
			       finding->line);
	(void)snprintf(reason, sizeof(reader->reason), "%s: %s%s", what, place,
		       finding->message);
	length = strlen(reason);
	/* the last character, which may have been cut */
	if (length == sizeof(reader->reason) - 1) {
		while (--length &&
		       ((unsigned char)reason[length] & 0xc0) == 0x80)
			;
		reason[length] = '\0';
	}
	sl_text_flatten(reason);
}

/* Of "-Werror=foo" the rule is -Wfoo, as without -Werror. */
static const char *plain_rule(struct sg_record *record, sg_text option)
{
	static const char as_error[] = AS_ERROR "=";
	const char *rule = sg_record_get(record, option);
	char *plain;

	if (!rule || strncmp(rule, as_error, strlen(as_error)) != 0)
		return rule;
	plain = record->text + option + strlen(as_error) - strlen("-W");
	memcpy(plain, "-W", strlen("-W"));
	return plain;
}

/* Hand on the diagnostic that is held: it is complete. */
static enum sl_code end_held(struct reader *reader, struct sl_error *error)
{
	struct sg_record *record = &reader->held.record;
	const char *kind = sg_record_get(record, reader->held.kind);
	bool stops = kind &&
		     is_compile_error(
			     kind, sg_record_get(record, reader->held.option));
	struct sg_finding finding = {
		.tool = "gcc",
		.rule = plain_rule(record, reader->held.option),
		.severity = kind ? sg_severity_of(kind, strlen(kind))
				 : SG_SEVERITY_UNKNOWN,
		.severity_word = kind,
		.message = sg_record_get(record, record->place.message),
		.cwe = reader->held.cwe,
		.repeats = 1,
	};
	enum sl_code code;

	if (!reader->holds)
		return SL_OK;
	reader->holds = false;
	if (!finding.message)
		finding.message = "";
	if (record->no_memory)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a finding");
	code = sg_record_show(record, &finding, error);
	if (code != SL_OK)
		return code;
	if (kind && is_end_of_unit(kind))
		note_stop(reader, &finding, "gcc gave up");
	else if (stops)
		note_stop(reader, &finding, "a unit did not compile");
	reader->findings++;
	return reader->take(reader->context, &finding, error);
}

static sg_text copy_text(struct sg_record *to, const struct sg_record *from,
			 sg_text text)
{
	const char *words = sg_record_get(from, text);

	return words ? sg_record_text(to, words, strlen(words)) : 0;
}

static void add_event(struct sg_record *to, const struct sg_record *from,
		      const struct sg_place *place)
{
	struct sg_place *event = sg_record_event(to);

	if (!event)
		return;
	*event = *place;
	event->path = copy_text(to, from, place->path);
	event->function = copy_text(to, from, place->function);
	event->message = copy_text(to, from, place->message);
}

/* A note without an option of its own is about the diagnostic before it. */
static bool belongs_to_held(const struct reader *reader)
{
	const struct diagnostic *now = &reader->now;
	const char *kind = sg_record_get(&now->record, now->kind);

	return reader->holds && kind && strcmp(kind, "note") == 0 &&
	       !now->option;
}

static enum sl_code end_diagnostic(struct reader *reader,
				   struct sl_error *error)
{
	struct diagnostic *now = &reader->now, before;
	enum sl_code code;

	if (!now->kind && !now->record.place.message)
		return SL_OK;
	if (belongs_to_held(reader)) {
		struct sg_record *held = &reader->held.record;

		add_event(held, &now->record, &now->record.place);
		for (size_t at = 0; at < now->record.event_count; at++)
			add_event(held, &now->record, &now->record.events[at]);
		held->no_memory |= now->record.no_memory;
		return SL_OK;
	}
	code = end_held(reader, error);
	before = reader->held;
	reader->held = *now;
	*now = before;
	reader->holds = true;
	return code;
}

static void start_diagnostic(struct reader *reader)
{
	struct diagnostic *now = &reader->now;

	reader->diagnostics++;
	sg_record_clear(&now->record);
	now->kind = now->option = 0;
	now->cwe = 0;
	reader->event = NULL;
}

static enum sl_code take_diagnostic(struct reader *reader,
				    const struct sg_json_event *event,
				    struct sl_error *error)
{
	switch (event->id & FIELDS) {
	case FIELD_ITSELF:
		if (event->kind == SG_JSON_CLOSE)
			return end_diagnostic(reader, error);
		start_diagnostic(reader);
		break;
	case FIELD_KIND:
		reader->now.kind = text_of(reader, event);
		break;
	case FIELD_MESSAGE:
		reader->now.record.place.message = text_of(reader, event);
		break;
	case FIELD_OPTION:
		reader->now.option = text_of(reader, event);
		break;
	case FIELD_CWE:
		reader->now.cwe = sg_record_number(event->number);
		break;
	default:
		break;
	}
	return SL_OK;
}

static void take_place(struct reader *reader, struct sg_place *place,
		       const struct sg_json_event *event)
{
	switch (event->id & FIELDS) {
	case FIELD_MESSAGE:
		place->message = text_of(reader, event);
		break;
	case FIELD_FUNCTION:
		place->function = text_of(reader, event);
		break;
	case FIELD_FILE:
		place->path = text_of(reader, event);
		break;
	case FIELD_LINE:
		place->line = sg_record_number(event->number);
		break;
	case FIELD_COLUMN:
		place->column = sg_record_number(event->number);
		break;
	case FIELD_END_LINE:
		place->end_line = sg_record_number(event->number);
		break;
	case FIELD_END_COLUMN:
		place->end_column = sg_record_number(event->number);
		break;
	default:
		break;
	}
}

/* A note, or a step: it begins, or one of its members is here. */
static void take_event(struct reader *reader, const struct sg_json_event *event)
{
	if ((event->id & FIELDS) == FIELD_ITSELF) {
		reader->event = event->kind == SG_JSON_OPEN
					? sg_record_event(&reader->now.record)
					: NULL;
		return;
	}
	if ((event->id & ~FIELDS) == GROUP_NOTE &&
	    sg_json_index(reader->json, LEVEL_NOTE_LOCATION))
		return;
	if (reader->event)
		take_place(reader, reader->event, event);
}

static enum sl_code take(void *context, const struct sg_json_event *event,
			 struct sl_error *error)
{
	struct reader *reader = context;

	switch (event->id & ~FIELDS) {
	case GROUP_REPORT:
		if (event->kind == SG_JSON_CLOSE)
			return end_held(reader, error);
		reader->arrays += event->kind == SG_JSON_OPEN && event->number;
		break;
	case GROUP_DIAGNOSTIC:
		return take_diagnostic(reader, event, error);
	case GROUP_PLACE:
		if (!sg_json_index(reader->json, LEVEL_LOCATION))
			take_place(reader, &reader->now.record.place, event);
		break;
	default:
		take_event(reader, event);
	}
	return SL_OK;
}

static int sniff(const char *start, size_t length)
{
	char text[SG_SNIFF_BYTES + 1];

	if (!sg_json_start(start, length, text, sizeof(text)) || *text != '[')
		return 0;
	if (strstr(text, "\"kind\"") && strstr(text, "\"message\"") &&
	    (strstr(text, "\"locations\"") || strstr(text, "\"children\"")))
		return strstr(text, "\"caret\"") ? 95 : 80;
	/* a unit without diagnostics */
	return text[1 + strspn(text + 1, " \t\r\n")] == ']' ? 30 : 0;
}

static void destroy(void *state)
{
	struct reader *reader = state;

	if (!reader)
		return;
	sg_json_destroy(reader->json);
	sg_record_release(&reader->now.record);
	sg_record_release(&reader->held.record);
	free(reader);
}

static void *create(sg_finding_fn *take_finding, void *context)
{
	struct reader *reader = calloc(1, sizeof(*reader));

	if (!reader)
		return NULL;
	reader->take = take_finding;
	reader->context = context;
	reader->json = sg_json_create(paths, sizeof(paths) / sizeof(paths[0]),
				      true, take, reader);
	if (reader->json)
		return reader;
	destroy(reader);
	return NULL;
}

static enum sl_code feed(void *state, const char *bytes, size_t length,
			 struct sl_error *error)
{
	struct reader *reader = state;

	return sg_json_feed(reader->json, bytes, length, error);
}

static void judge(const struct reader *reader, struct sg_ending *ending)
{
	uint64_t skipped = sg_json_skipped(reader->json);

	if (!reader->arrays) {
		ending->kind = SG_NO_REPORT;
		snprintf(ending->message, sizeof(ending->message),
			 "no array of diagnostics is in it");
	} else if (reader->has_stopped) {
		ending->kind = SG_TOOL_FAILED;
		snprintf(ending->message, sizeof(ending->message), "%s",
			 reader->reason);
	} else if (skipped) {
		snprintf(ending->message, sizeof(ending->message),
			 "%llu lines between the arrays are no JSON",
			 (unsigned long long)skipped);
	}
}

static enum sl_code finish(void *state, struct sg_ending *ending,
			   struct sl_error *error)
{
	struct reader *reader = state;
	enum sl_code code = sg_json_finish(reader->json, ending, error);

	/* its array is not closed */
	if (code == SL_OK)
		code = end_held(reader, error);
	if (code == SL_OK && ending->kind == SG_COMPLETE)
		judge(reader, ending);
	else if (code == SL_OK && ending->kind == SG_MALFORMED &&
		 !reader->diagnostics)
		ending->kind = SG_NO_REPORT;
	ending->findings = reader->findings;
	return code;
}

const struct sg_format sg_format_gcc_json = {
	.name = "gcc-json",
	.summary = "gcc's -fdiagnostics-format=json",
	.sniff = sniff,
	.create = create,
	.feed = feed,
	.finish = finish,
	.destroy = destroy,
};
