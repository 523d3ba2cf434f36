/* SPDX-License-Identifier: MIT */
/* Readings as text. */
#include "xml_reading.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *shown(const char *text)
{
	return text ? text : "-";
}

static void add_events(FILE *to, const struct sg_finding *finding)
{
	for (size_t at = 0; at < finding->event_count; at++) {
		const struct sg_event *event = &finding->events[at];

		fprintf(to, "+ %s:%lld:%lld %s %s\n", shown(event->path),
			(long long)event->line, (long long)event->column,
			shown(event->function), shown(event->message));
	}
}

static enum sl_code take(void *context, const struct sg_finding *finding,
			 struct sl_error *error)
{
	FILE *to = context;

	(void)error;
	assert_true(finding->repeats >= 1);
	if (finding->repeats > 1)
		fprintf(to, "%lld times ", (long long)finding->repeats);
	fprintf(to, "%s %s %s:%lld:%lld %s %s=%s cwe %lld%s unit %s: %s\n",
		finding->tool, shown(finding->rule), shown(finding->path),
		(long long)finding->line, (long long)finding->column,
		shown(finding->function), shown(finding->severity_word),
		sg_severity_text(finding->severity), (long long)finding->cwe,
		finding->inconclusive ? " inconclusive" : "",
		finding->unit_count ? finding->units[0] : "-",
		finding->message);
	add_events(to, finding);
	return SL_OK;
}

void reading_init(struct reading *reading, const struct sg_format *format,
		  const char *bytes, size_t length, size_t piece)
{
	FILE *to;
	void *state;

	memset(reading, 0, sizeof(*reading));
	to = open_memstream(&reading->text, &reading->length);
	assert_non_null(to);
	state = format->create(take, to);
	assert_non_null(state);
	for (size_t at = 0, more; at < length; at += more) {
		more = length - at < piece ? length - at : piece;
		assert_int_equal(format->feed(state, bytes + at, more, NULL),
				 SL_OK);
	}
	assert_int_equal(format->finish(state, &reading->ending, NULL), SL_OK);
	format->destroy(state);
	fclose(to);
}

void reading_finish(struct reading *reading)
{
	free(reading->text);
	reading->text = NULL;
}

void assert_reads(const struct sg_format *format, const char *document,
		  size_t length, const char *expected, enum sg_ending_kind kind)
{
	const size_t pieces[] = { SIZE_MAX, 1, 7 };

	for (size_t at = 0; at < sizeof(pieces) / sizeof(pieces[0]); at++) {
		struct reading reading;

		reading_init(&reading, format, document, length, pieces[at]);
		assert_string_equal(reading.text, expected);
		assert_string_equal(sg_ending_text(reading.ending.kind),
				    sg_ending_text(kind));
		reading_finish(&reading);
	}
}

static size_t findings_in(const char *text)
{
	size_t count = 0;

	for (; *text; text = strchr(text, '\n') + 1)
		count += *text != '+';
	return count;
}

void assert_cuts_break_off(const struct sg_format *format, const char *document)
{
	size_t end = (size_t)(strrchr(document, '>') - document);
	struct reading whole;

	reading_init(&whole, format, document, strlen(document), SIZE_MAX);
	for (size_t length = 0; length <= end; length++) {
		struct reading cut;

		reading_init(&cut, format, document, length, SIZE_MAX);
		assert_true(cut.ending.kind == SG_BROKEN_OFF ||
			    cut.ending.kind == SG_NO_REPORT);
		assert_int_equal(cut.ending.findings, findings_in(cut.text));
		/* events of the last one may be missing */
		assert_memory_equal(cut.text, whole.text, cut.length);
		reading_finish(&cut);
	}
	reading_finish(&whole);
}
