/* SPDX-License-Identifier: MIT */
/** @file
 * Spans of text, and looking at them: starts, ends, blanks, digits.
 */
#ifndef SG_READ_SPANS_H
#define SG_READ_SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/** A run of bytes, borrowed; not ended by a NUL. */
struct sg_span {
	const char *text;
	size_t length;
};

/** A literal as a span. */
#define SG_SPAN(literal) ((struct sg_span){ literal, sizeof(literal) - 1 })

static inline struct sg_span sg_span_from(struct sg_span span, size_t at)
{
	/* nothing may be added to NULL, not even 0 */
	return (struct sg_span){ at ? span.text + at : span.text,
				 span.length - at };
}

static inline struct sg_span sg_span_to(struct sg_span span, size_t length)
{
	return (struct sg_span){ span.text, length };
}

static inline bool sg_span_starts(struct sg_span span, const char *with)
{
	size_t length;

	if (!*with)
		return true;
	/* in a search through a table nearly always */
	if (!span.length || *span.text != *with)
		return false;
	length = strlen(with);
	return span.length >= length && memcmp(span.text, with, length) == 0;
}

static inline bool sg_span_ends(struct sg_span span, const char *with)
{
	size_t length = strlen(with);

	return span.length >= length &&
	       memcmp(span.text + span.length - length, with, length) == 0;
}

static inline bool sg_span_equal(struct sg_span one, struct sg_span other)
{
	return one.length == other.length &&
	       (!one.length || memcmp(one.text, other.text, one.length) == 0);
}

static inline bool sg_span_is(struct sg_span span, const char *text)
{
	return span.length == strlen(text) && sg_span_starts(span, text);
}

/** @return where @p text is in the span, from @p at on; its length: nowhere. */
static inline size_t sg_span_find(struct sg_span span, size_t at,
				  const char *text)
{
	size_t length = strlen(text);

	while (at < span.length && span.length - at >= length) {
		const char *next = (const char *)memchr(
			span.text + at, text[0], span.length - at - length + 1);

		if (!next)
			break;
		at = (size_t)(next - span.text);
		if (memcmp(next, text, length) == 0)
			return at;
		at++;
	}
	return span.length;
}

static inline bool sg_span_has(struct sg_span span, const char *text)
{
	return sg_span_find(span, 0, text) < span.length;
}

/** @return where one of the texts is: at the start, or behind a ": ", where
 * programs begin what they say; the span's length: nowhere. */
static inline size_t sg_span_says(struct sg_span span, const char *const *texts,
				  size_t count)
{
	size_t at = 0;

	while (at < span.length) {
		for (size_t text = 0; text < count; text++)
			if (span.text[at] == texts[text][0] &&
			    sg_span_starts((struct sg_span){ span.text + at,
							     span.length - at },
					   texts[text]))
				return at;
		at = sg_span_find(span, at, ": ");
		at += at < span.length ? 2 : 0;
	}
	return span.length;
}

/** Without blanks and tabs around. */
static inline struct sg_span sg_span_trim(struct sg_span span)
{
	while (span.length && (*span.text == ' ' || *span.text == '\t'))
		span = sg_span_from(span, 1);
	while (span.length && (span.text[span.length - 1] == ' ' ||
			       span.text[span.length - 1] == '\t'))
		span.length--;
	return span;
}

static inline bool sg_is_digit(char byte)
{
	return byte >= '0' && byte <= '9';
}

static inline bool sg_is_letter(char byte)
{
	return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

/** A decimal number at @p at. @return its digits; 0: there is none. One that is
 * beyond 32 bits is none either: no file has that many lines. */
static inline size_t sg_span_number(struct sg_span span, size_t at,
				    int64_t *number)
{
	size_t digits = 0;
	int64_t value = 0;

	while (at + digits < span.length && digits < 11 &&
	       sg_is_digit(span.text[at + digits]))
		value = 10 * value + (span.text[at + digits++] - '0');
	if (!digits || value > INT32_MAX)
		return 0;
	*number = value;
	return digits;
}

#endif
