/* SPDX-License-Identifier: MIT */
/* One pass measures, one writes. */
#include "report/cell.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { BYTES_A_COLUMN = 8, INVALID = -1 };

static const char ellipsis[] = "\xe2\x80\xa6";

struct range {
	int32_t first, last;
};

static const struct range combining[] = {
	{ 0x300, 0x36f },   { 0x483, 0x489 },   { 0x591, 0x5bd },
	{ 0x610, 0x61a },   { 0x64b, 0x65f },   { 0x1ab0, 0x1aff },
	{ 0x1dc0, 0x1dff }, { 0x200b, 0x200d }, { 0x20d0, 0x20ff },
	{ 0xfe00, 0xfe0f }, { 0xfe20, 0xfe2f }, { 0xfeff, 0xfeff },
};

static const struct range wide[] = {
	{ 0x1100, 0x115f },   { 0x2e80, 0x303e },   { 0x3041, 0xa4cf },
	{ 0xac00, 0xd7a3 },   { 0xf900, 0xfaff },   { 0xfe30, 0xfe6f },
	{ 0xff00, 0xff60 },   { 0xffe0, 0xffe6 },   { 0x1f300, 0x1f64f },
	{ 0x1f900, 0x1f9ff }, { 0x20000, 0x3fffd },
};

static const struct range steering[] = {
	{ 0x00, 0x1f },     { 0x7f, 0x9f },     { 0x200e, 0x200f },
	{ 0x2028, 0x202e }, { 0x2066, 0x2069 },
};

static bool is_in(int32_t c, const struct range *ranges, size_t count)
{
	for (size_t at = 0; at < count; at++)
		if (c >= ranges[at].first && c <= ranges[at].last)
			return true;
	return false;
}

#define IS_IN(c, ranges) is_in(c, ranges, sizeof(ranges) / sizeof((ranges)[0]))

/* A character: its bytes, what is shown for it, and the columns of that. */
struct glyph {
	size_t length;
	const char *shown;
	size_t shown_length;
	size_t columns;
};

/* @return the character at @p text, *length bytes of it; INVALID, of one. */
static int32_t decode(const char *text, size_t *length)
{
	static const int32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned char first = (unsigned char)text[0];
	size_t size = first < 0x80   ? 1
		      : first < 0xc2 ? 0
		      : first < 0xe0 ? 2
		      : first < 0xf0 ? 3
		      : first < 0xf5 ? 4
				     : 0;
	int32_t c = size > 1 ? first & (0x7f >> size) : first;

	*length = 1;
	if (!size)
		return INVALID;
	for (size_t at = 1; at < size; at++) {
		unsigned char next = (unsigned char)text[at];

		if ((next & 0xc0) != 0x80)
			return INVALID;
		c = c << 6 | (next & 0x3f);
	}
	if (c < least[size] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return INVALID;
	*length = size;
	return c;
}

static struct glyph glyph_at(const char *text)
{
	struct glyph glyph = { .shown = text, .columns = 1 };
	int32_t c = decode(text, &glyph.length);

	glyph.shown_length = glyph.length;
	if (c == '\n' || c == '\t' || c == '\r')
		glyph.shown = " ";
	else if (c == INVALID || IS_IN(c, steering))
		glyph.shown = "?";
	else if (c >= 0x300)
		glyph.columns = IS_IN(c, combining) ? 0
				: IS_IN(c, wide)    ? 2
						    : 1;
	if (glyph.shown != text)
		glyph.shown_length = 1;
	return glyph;
}

size_t sg_cell_columns(const char *text)
{
	size_t columns = 0;

	while (*text) {
		struct glyph glyph = glyph_at(text);

		columns += glyph.columns;
		text += glyph.length;
	}
	return columns;
}

/* Where the last @p width columns begin. */
static const char *tail(const char *text, size_t columns, size_t width)
{
	while (*text) {
		struct glyph glyph = glyph_at(text);

		if (columns <= width && glyph.columns)
			break;
		columns -= glyph.columns;
		text += glyph.length;
	}
	return text;
}

/* Into room that was reserved. */
static void add(struct sl_buffer *out, const char *bytes, size_t length)
{
	memcpy(out->data + out->used, bytes, length);
	out->used += length;
}

/* @return the columns written, at most @p width. */
static size_t add_glyphs(struct sl_buffer *out, const char *text, size_t width)
{
	size_t left = width * BYTES_A_COLUMN;
	size_t columns = 0;

	while (*text) {
		struct glyph glyph = glyph_at(text);

		if (columns + glyph.columns > width ||
		    glyph.shown_length > left)
			break;
		add(out, glyph.shown, glyph.shown_length);
		left -= glyph.shown_length;
		columns += glyph.columns;
		text += glyph.length;
	}
	return columns;
}

enum sl_code sg_cell_put(struct sl_buffer *out, const char *text, size_t width,
			 unsigned flags, struct sl_error *error)
{
	size_t all = sg_cell_columns(text);
	size_t room = width * (BYTES_A_COLUMN + 1) + sizeof(ellipsis);
	enum sl_code code = sl_buffer_reserve(out, room, error);
	size_t columns;

	if (code != SL_OK)
		return code;
	if (all <= width) {
		columns = add_glyphs(out, text, width);
	} else if (flags & SG_CELL_LEFT) {
		add(out, ellipsis, sizeof(ellipsis) - 1);
		columns = 1 + add_glyphs(out, tail(text, all, width - 1),
					 width - 1);
	} else {
		columns = 1 + add_glyphs(out, text, width - 1);
		add(out, ellipsis, sizeof(ellipsis) - 1);
	}
	for (; (flags & SG_CELL_PADDED) && columns < width; columns++)
		add(out, " ", 1);
	return SL_OK;
}

enum sl_code sg_cell_put_whole(struct sl_buffer *out, const char *text,
			       struct sl_error *error)
{
	size_t columns = sg_cell_columns(text);

	return sg_cell_put(out, text, columns ? columns : 1, 0, error);
}
