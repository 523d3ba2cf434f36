/* SPDX-License-Identifier: MIT */
/* Findings as text, so that what is expected can be written out. */
#include "tests/analysis/read/json_reading.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static SL_PRINTF(2, 3) void put(struct reading *reading, const char *fmt, ...)
{
	va_list args;
	int length;

	va_start(args, fmt);
	length = vsnprintf(NULL, 0, fmt, args);
	va_end(args);
	assert_true(length >= 0);
	reading->text =
		realloc(reading->text, reading->length + (size_t)length + 1);
	assert_non_null(reading->text);
	va_start(args, fmt);
	vsnprintf(reading->text + reading->length, (size_t)length + 1, fmt,
		  args);
	va_end(args);
	reading->length += (size_t)length;
}

static void put_place(struct reading *reading, const char *path, int64_t line,
		      int64_t column)
{
	if (path)
		put(reading, "%s:", path);
	if (line || column)
		put(reading, "%lld:%lld", (long long)line, (long long)column);
}

static void put_events(struct reading *reading,
		       const struct sg_finding *finding)
{
	for (size_t at = 0; at < finding->event_count; at++) {
		const struct sg_event *event = &finding->events[at];

		put(reading, " ");
		put_place(reading, event->path, event->line, event->column);
		if (event->function)
			put(reading, " %s", event->function);
		put(reading, ": %s\n", event->message ? event->message : "");
	}
}

static enum sl_code take(void *context, const struct sg_finding *finding,
			 struct sl_error *error)
{
	struct reading *reading = context;

	(void)error;
	assert_non_null(finding->tool);
	assert_non_null(finding->message);
	assert_true(finding->repeats >= 1);
	put_place(reading, finding->path, finding->line, finding->column);
	if (finding->end_line)
		put(reading, "-%lld:%lld", (long long)finding->end_line,
		    (long long)finding->end_column);
	put(reading, " %s", finding->tool);
	if (finding->tool_version)
		put(reading, " %s", finding->tool_version);
	if (finding->rule)
		put(reading, " [%s]", finding->rule);
	put(reading, " %s/%s", finding->severity_word,
	    sg_severity_text(finding->severity));
	if (finding->cwe)
		put(reading, " cwe-%lld", (long long)finding->cwe);
	if (finding->suppressed)
		put(reading, " suppressed");
	if (finding->repeats > 1)
		put(reading, " x%lld", (long long)finding->repeats);
	if (finding->function)
		put(reading, " %s", finding->function);
	put(reading, ": %s\n", finding->message);
	put_events(reading, finding);
	return SL_OK;
}

struct reading read_report(const struct sg_format *format, const char *report,
			   size_t length, size_t piece)
{
	struct reading reading = { 0 };
	struct sl_error error = { 0 };
	void *state = format->create(take, &reading);

	assert_non_null(state);
	put(&reading, "%s", "");
	for (size_t at = 0; at < length; at += piece) {
		size_t size = length - at < piece ? length - at : piece;
		/* a copy, so that reading beyond it is seen */
		char *copy = malloc(size);

		assert_non_null(copy);
		memcpy(copy, report + at, size);
		assert_int_equal(format->feed(state, copy, size, &error),
				 SL_OK);
		free(copy);
	}
	assert_int_equal(format->finish(state, &reading.ending, &error), SL_OK);
	format->destroy(state);
	return reading;
}

void reading_release(struct reading *reading)
{
	free(reading->text);
	*reading = (struct reading){ 0 };
}

void assert_reads(const struct sg_format *format, const char *report,
		  size_t length, const char *expected, enum sg_ending_kind kind,
		  const char *message)
{
	static const size_t pieces[] = { SIZE_MAX / 2, 1, 7 };

	for (size_t at = 0; at < sizeof(pieces) / sizeof(pieces[0]); at++) {
		struct reading reading =
			read_report(format, report, length, pieces[at]);

		assert_string_equal(reading.text, expected);
		assert_string_equal(reading.ending.message, message);
		assert_int_equal(reading.ending.kind, kind);
		reading_release(&reading);
	}
}

/* @return whether the text ends inside an object, an array or a string. */
static bool is_open(const char *text, size_t length)
{
	bool in_string = false;
	int depth = 0;

	for (size_t at = 0; at < length; at++) {
		if (in_string && text[at] == '\\')
			at++;
		else if (text[at] == '"')
			in_string = !in_string;
		else if (!in_string && strchr("[{", text[at]))
			depth++;
		else if (!in_string && strchr("]}", text[at]))
			depth--;
	}
	return in_string || depth > 0;
}

void assert_reads_prefixes(const struct sg_format *format, const char *report,
			   size_t length, const char *expected)
{
	for (size_t cut = 0; cut < length; cut++) {
		struct reading reading =
			read_report(format, report, cut, SIZE_MAX / 2);

		assert_memory_equal(reading.text, expected, reading.length);
		if (is_open(report, cut))
			assert_int_equal(reading.ending.kind, SG_BROKEN_OFF);
		else
			assert_int_not_equal(reading.ending.kind,
					     SG_BROKEN_OFF);
		reading_release(&reading);
	}
}
