/* SPDX-License-Identifier: MIT */
/* Reading text logs in tests. */
#include "analysis/read/text_reading.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct written {
	char text[32768];
	size_t length;
	size_t last; /* where the last finding begins */
};

static void put(struct written *to, const char *fmt, ...) SL_PRINTF(2, 3);

static void put(struct written *to, const char *fmt, ...)
{
	va_list args;
	int length;

	va_start(args, fmt);
	length = vsnprintf(to->text + to->length, sizeof(to->text) - to->length,
			   fmt, args);
	va_end(args);
	assert_true(length >= 0 &&
		    (size_t)length < sizeof(to->text) - to->length);
	to->length += (size_t)length;
}

static const char *or_dash(const char *text)
{
	return text ? text : "-";
}

static enum sl_code take(void *context, const struct sg_finding *finding,
			 struct sl_error *error)
{
	struct written *to = context;

	(void)error;
	to->last = to->length;
	put(to, "%s|%s|%d|%s:%" PRId64 ":%" PRId64 "|%s|%s\n", finding->tool,
	    or_dash(finding->rule), (int)finding->severity,
	    or_dash(finding->path), finding->line, finding->column,
	    or_dash(finding->function), finding->message);
	for (size_t at = 0; at < finding->event_count; at++) {
		const struct sg_event *event = &finding->events[at];

		put(to, "> %s:%" PRId64 ":%" PRId64 "|%s|%s\n",
		    or_dash(event->path), event->line, event->column,
		    or_dash(event->function), or_dash(event->message));
	}
	assert_true(finding->repeats >= 1);
	return SL_OK;
}

static void read_log(const struct sg_format *format, const char *log,
		     size_t length, size_t piece, struct written *to)
{
	static const char *const kinds[] = { "complete",  "unverified",
					     "failed",    "broken off",
					     "malformed", "no report" };
	void *state = format->create(take, to);
	struct sg_ending ending;

	assert_non_null(state);
	to->length = to->last = 0;
	to->text[0] = '\0';
	for (size_t at = 0; at < length; at += piece) {
		size_t many = length - at < piece ? length - at : piece;
		/* a copy, so that reading beyond the piece is seen */
		char *bytes = malloc(many);

		assert_non_null(bytes);
		memcpy(bytes, log + at, many);
		assert_int_equal(format->feed(state, bytes, many, NULL), SL_OK);
		free(bytes);
	}
	assert_int_equal(format->finish(state, &ending, NULL), SL_OK);
	format->destroy(state);
	put(to, "= %s %" PRId64 "\n", kinds[ending.kind], ending.line);
}

void reads_bytes(const struct sg_format *format, const char *log, size_t length,
		 const char *expected)
{
	static const size_t pieces[] = { SIZE_MAX, 1, 2, 3, 7 };
	struct written to;

	for (size_t at = 0; at < sizeof(pieces) / sizeof(pieces[0]); at++) {
		read_log(format, log, length,
			 pieces[at] == SIZE_MAX ? length + 1 : pieces[at], &to);
		assert_string_equal(to.text, expected);
	}
}

void reads(const struct sg_format *format, const char *log,
	   const char *expected)
{
	size_t length = strlen(log);
	struct written to;

	reads_bytes(format, log, length, expected);
	for (size_t cut = 0; cut < length; cut++) {
		read_log(format, log, cut, cut + 1, &to);
		/* the last finding may be cut, all before it are whole */
		assert_memory_equal(to.text, expected, to.last);
	}
}

static enum sl_code ignore(void *context, const struct sg_finding *finding,
			   struct sl_error *error)
{
	(void)context;
	(void)finding;
	(void)error;
	return SL_OK;
}

struct sg_ending ending_of(const struct sg_format *format, const char *start,
			   const char *rest)
{
	void *state = format->create(ignore, NULL);
	struct sg_ending ending;

	assert_non_null(state);
	assert_int_equal(format->feed(state, start, strlen(start), NULL),
			 SL_OK);
	assert_int_equal(format->feed(state, rest, strlen(rest), NULL), SL_OK);
	assert_int_equal(format->finish(state, &ending, NULL), SL_OK);
	format->destroy(state);
	return ending;
}
