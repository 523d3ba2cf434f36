/* SPDX-License-Identifier: MIT */
/* What is cheaper to count than to ask YAJL for. */
#include "read/json_text.h"

#include <stdbool.h>
#include <string.h>

#include "read/json.h"
#include "read/json_words.h"

void sg_json_position_move(struct sg_json_position *position, const char *from,
			   const char *to)
{
	const char *newline;
	int64_t characters = 0;

	while (from < to &&
	       (newline = memchr(from, '\n', (size_t)(to - from)))) {
		position->line++;
		position->column = 1;
		from = newline + 1;
	}
	while (from < to) {
		/* mostly ASCII, and a log may be one line */
		if (to - from >= 16 &&
		    !((sg_json_word(from) | sg_json_word(from + 8)) &
		      SG_JSON_HIGHS)) {
			characters += 16;
			from += 16;
			continue;
		}
		characters += ((unsigned char)*from & 0xc0) != 0x80;
		from++;
	}
	position->column += characters;
}

int64_t sg_json_whole(const char *text, size_t length)
{
	bool negative = length && text[0] == '-', whole = true;
	uint64_t value = 0;
	unsigned exponent = 0;
	size_t at = negative;

	while (at < length && at < 18 && text[at] >= '0' && text[at] <= '9')
		value = value * 10 + (uint64_t)(text[at++] - '0');
	if (at == length)
		return negative ? -(int64_t)value : (int64_t)value;
	for (; at < length && text[at] != 'e' && text[at] != 'E'; at++) {
		if (text[at] == '.')
			whole = false;
		else if (whole && value < UINT64_MAX / 16)
			value = value * 10 + (uint64_t)(text[at] - '0');
	}
	for (at++; at < length && text[at] != '-' && exponent < 20; at++)
		if (text[at] != '+')
			exponent = exponent * 10 + (unsigned)(text[at] - '0');
	while (value && exponent-- > 0 && value < UINT64_MAX / 16)
		value *= 10;
	if (value > INT64_MAX)
		value = INT64_MAX;
	return negative ? -(int64_t)value : (int64_t)value;
}

size_t sg_json_start(const char *start, size_t length, char *ascii, size_t size)
{
	size_t filled = 0;

	for (size_t at = 0; at < length && filled + 1 < size; at++) {
		bool blank = memchr(" \t\r\n", start[at], 4) != NULL;

		if (start[at] != '\0' && (unsigned char)start[at] < 0x80 &&
		    (filled || !blank))
			ascii[filled++] = start[at];
	}
	ascii[filled] = '\0';
	return filled;
}
