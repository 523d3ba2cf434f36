/* SPDX-License-Identifier: MIT */
/* Lines: an encoding is decided once, bytes are cut at LF, and a line is made
 * clean as a whole, so that nothing depends on how the pieces were cut. */
#include "read/lines.h"

#include <stdlib.h>
#include <string.h>

#include "read/line_clean.h"
#include "read/reader.h"

#define REPLACEMENT "\xef\xbf\xbd"

enum sl_code sg_lines_init(struct sg_lines *lines, sg_line_fn *take,
			   void *context, struct sl_error *error)
{
	*lines = (struct sg_lines){ .take = take,
				    .context = context,
				    .number = 1 };
	lines->clean = malloc(SG_LINE_MAX);
	if (!lines->clean)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a line");
	if (sg_line_kept_init(&lines->kept, error) == SL_OK)
		return SL_OK;
	sg_lines_release(lines);
	return SL_ENOMEM;
}

void sg_lines_release(struct sg_lines *lines)
{
	sg_line_kept_release(&lines->kept);
	free(lines->clean);
	lines->clean = NULL;
}

/* A line without CR. */
static enum sl_code hand_on(struct sg_lines *lines, const char *text,
			    size_t length, struct sl_error *error)
{
	struct sg_span line = { text, length };

	if (sg_line_clean_part(text, length) != length) {
		line.text = lines->clean;
		line.length =
			sg_line_clean(text, length, lines->clean, SG_LINE_MAX);
	}
	return lines->take(lines->context, line, error);
}

/* A line that may have CRs inside, which end it too. */
static enum sl_code hand_on_parts(struct sg_lines *lines, const char *text,
				  size_t length, struct sl_error *error)
{
	for (;;) {
		const char *end = length ? memchr(text, '\r', length) : NULL;
		size_t part = end ? (size_t)(end - text) : length;
		enum sl_code code = hand_on(lines, text, part, error);

		if (code != SL_OK || !end)
			return code;
		text += part + 1;
		length -= part + 1;
	}
}

/* A line as it came, without its LF. */
static enum sl_code line_done(struct sg_lines *lines, const char *text,
			      size_t length, struct sl_error *error)
{
	enum sl_code code;

	while (length && text[length - 1] == '\r')
		length--;
	/* nearly all lines are clean, which a CR is not */
	if (sg_line_clean_part(text, length) == length)
		code = lines->take(lines->context,
				   (struct sg_span){ text, length }, error);
	else
		code = hand_on_parts(lines, text, length, error);
	lines->number++;
	return code;
}

/* The line at hand up to its last byte, which is a CR. */
static enum sl_code kept_parts_done(struct sg_lines *lines,
				    struct sl_error *error)
{
	struct sg_span line = sg_line_kept_take(&lines->kept);

	return hand_on_parts(lines, line.text, line.length - 1, error);
}

/* A CR that none and no LF follows has ended a line: what is before it goes on
 * at once, or all that a progress bar wrote would be a single, too long one. */
static enum sl_code keep(struct sg_lines *lines, const char *bytes,
			 size_t length, struct sl_error *error)
{
	while (length) {
		const char *end = memchr(bytes, '\r', length);
		size_t part = end ? (size_t)(end - bytes) + 1 : length;
		enum sl_code code = SL_OK;

		if (lines->after_cr && *bytes != '\r')
			code = kept_parts_done(lines, error);
		if (code != SL_OK)
			return code;
		sg_line_kept_add(&lines->kept, bytes, part);
		lines->after_cr = end != NULL;
		bytes += part;
		length -= part;
	}
	return SL_OK;
}

static enum sl_code kept_done(struct sg_lines *lines, struct sl_error *error)
{
	struct sg_span line = sg_line_kept_take(&lines->kept);

	lines->after_cr = false;
	return line_done(lines, line.text, line.length, error);
}

static enum sl_code feed_bytes(struct sg_lines *lines, const char *bytes,
			       size_t length, struct sl_error *error)
{
	while (length) {
		const char *end = memchr(bytes, '\n', length);
		size_t part = end ? (size_t)(end - bytes) : length;
		enum sl_code code;

		if (!end)
			return keep(lines, bytes, length, error);
		if (lines->kept.length || part > SG_LINE_HEAD + SG_LINE_TAIL) {
			code = keep(lines, bytes, part, error);
			if (code == SL_OK)
				code = kept_done(lines, error);
		} else {
			code = line_done(lines, bytes, part, error);
		}
		if (code != SL_OK)
			return code;
		bytes = end + 1;
		length -= part + 1;
	}
	return SL_OK;
}

/* A code point as UTF-8. @return its bytes. */
static size_t encode(uint32_t point, char *out)
{
	if (point < 0x80) {
		out[0] = (char)point;
		return 1;
	}
	if (point < 0x800) {
		out[0] = (char)(0xc0 | point >> 6);
		out[1] = (char)(0x80 | (point & 0x3f));
		return 2;
	}
	if (point < 0x10000) {
		out[0] = (char)(0xe0 | point >> 12);
		out[1] = (char)(0x80 | (point >> 6 & 0x3f));
		out[2] = (char)(0x80 | (point & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | point >> 18);
	out[1] = (char)(0x80 | (point >> 12 & 0x3f));
	out[2] = (char)(0x80 | (point >> 6 & 0x3f));
	out[3] = (char)(0x80 | (point & 0x3f));
	return 4;
}

/* A unit of UTF-16: what it makes complete, at most two characters. */
static size_t decode(struct sg_lines *lines, uint16_t unit, char *out)
{
	size_t written = 0;

	if (lines->high && unit >= 0xdc00 && unit < 0xe000) {
		uint32_t point = 0x10000 +
				 ((uint32_t)(lines->high - 0xd800) << 10) +
				 (unit - 0xdc00u);

		lines->high = 0;
		return encode(point, out);
	}
	if (lines->high) {
		written = encode(0xfffd, out);
		lines->high = 0;
	}
	if (unit >= 0xd800 && unit < 0xdc00)
		lines->high = unit;
	else if (unit >= 0xdc00 && unit < 0xe000)
		written += encode(0xfffd, out + written);
	else
		written += encode(unit, out + written);
	return written;
}

static enum sl_code feed_utf16(struct sg_lines *lines,
			       const unsigned char *bytes, size_t length,
			       struct sl_error *error)
{
	bool big = lines->encoding == SG_ENCODING_UTF16_BE;
	char out[512];
	size_t written = 0;

	for (size_t at = 0; at < length; at++) {
		unsigned first = lines->half, second = bytes[at];

		lines->half_given = !lines->half_given;
		if (lines->half_given) {
			lines->half = bytes[at];
			continue;
		}
		written += decode(lines,
				  (uint16_t)(big ? first << 8 | second
						 : second << 8 | first),
				  out + written);
		if (written + 8 > sizeof(out)) {
			enum sl_code code =
				feed_bytes(lines, out, written, error);

			if (code != SL_OK)
				return code;
			written = 0;
		}
	}
	return feed_bytes(lines, out, written, error);
}

static enum sl_code feed_known(struct sg_lines *lines, const char *bytes,
			       size_t length, struct sl_error *error)
{
	if (lines->encoding == SG_ENCODING_BYTES)
		return feed_bytes(lines, bytes, length, error);
	return feed_utf16(lines, (const unsigned char *)bytes, length, error);
}

/* Decide by the first bytes, as many as there are. @return those of a BOM. */
static size_t decide(struct sg_lines *lines)
{
	const unsigned char *head = lines->head;
	size_t length = lines->head_length;

	lines->encoding = SG_ENCODING_BYTES;
	if (length >= 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0)
		return 3;
	if (length >= 2 && head[0] == 0xff && head[1] == 0xfe) {
		lines->encoding = SG_ENCODING_UTF16_LE;
		return 2;
	}
	if (length >= 2 && head[0] == 0xfe && head[1] == 0xff) {
		lines->encoding = SG_ENCODING_UTF16_BE;
		return 2;
	}
	if (length == 4 && head[0] && !head[1] && head[2] && !head[3])
		lines->encoding = SG_ENCODING_UTF16_LE;
	else if (length == 4 && !head[0] && head[1] && !head[2] && head[3])
		lines->encoding = SG_ENCODING_UTF16_BE;
	return 0;
}

static enum sl_code feed_head(struct sg_lines *lines, struct sl_error *error)
{
	size_t skip = decide(lines);
	char head[sizeof(lines->head)];

	memcpy(head, lines->head, sizeof(head));
	return feed_known(lines, head + skip, lines->head_length - skip, error);
}

enum sl_code sg_lines_feed(struct sg_lines *lines, const char *bytes,
			   size_t length, struct sl_error *error)
{
	if (lines->encoding == SG_ENCODING_OPEN) {
		while (length && lines->head_length < sizeof(lines->head)) {
			lines->head[lines->head_length++] =
				(unsigned char)*bytes++;
			length--;
		}
		if (lines->head_length < sizeof(lines->head))
			return SL_OK;

		enum sl_code code = feed_head(lines, error);

		if (code != SL_OK)
			return code;
	}
	return feed_known(lines, bytes, length, error);
}

enum sl_code sg_lines_finish(struct sg_lines *lines, struct sl_error *error)
{
	enum sl_code code = SL_OK;

	if (lines->encoding == SG_ENCODING_OPEN)
		code = feed_head(lines, error);
	if (code == SL_OK && (lines->high || lines->half_given))
		code = feed_bytes(lines, REPLACEMENT, 3, error);
	if (code == SL_OK && lines->kept.length)
		code = kept_done(lines, error);
	return code;
}
