/* SPDX-License-Identifier: MIT */
#include "pipeline/report_put.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void sl_put_bytes(struct sl_put *put, const char *bytes, size_t size)
{
	if (put->code != SL_OK)
		return;
	put->code = sl_buffer_reserve(put->text, size, put->error);
	if (put->code != SL_OK)
		return;
	memcpy(put->text->data + put->text->used, bytes, size);
	put->text->used += size;
}

void sl_put_text(struct sl_put *put, const char *text)
{
	sl_put_bytes(put, text, strlen(text));
}

void sl_put_count(struct sl_put *put, uint64_t count)
{
	char text[24];
	int length = snprintf(text, sizeof(text), "%" PRIu64, count);

	sl_put_bytes(put, text, (size_t)length);
}

/* The shortest of those that read back as the same, with a point whatever the
 * program's locale has. */
void sl_put_double(struct sl_put *put, double number)
{
	char text[40], *comma;
	int length = 0;

	for (int digits = 15; digits <= 17; digits++) {
		double back;

		length = snprintf(text, sizeof(text), "%.*g", digits, number);
		if (sscanf(text, "%lf", &back) == 1 && back >= number &&
		    back <= number)
			break;
	}
	comma = strchr(text, ',');
	if (comma)
		*comma = '.';
	sl_put_bytes(put, text, (size_t)length);
}

/* Bytes of the valid sequence that starts at @p text (Unicode 15, table 3-7);
 * 0: none does. */
static size_t utf8_length(const unsigned char *text)
{
	unsigned char first = text[0], low = 0x80, high = 0xbf;
	size_t length = first < 0x80   ? 1
			: first < 0xc2 ? 0
			: first < 0xe0 ? 2
			: first < 0xf0 ? 3
			: first < 0xf5 ? 4
				       : 0;

	if (first == 0xe0)
		low = 0xa0;
	else if (first == 0xed)
		high = 0x9f;
	else if (first == 0xf0)
		low = 0x90;
	else if (first == 0xf4)
		high = 0x8f;
	for (size_t at = 1; at < length; at++) {
		if (text[at] < low || text[at] > high)
			return 0;
		low = 0x80;
		high = 0xbf;
	}
	return length;
}

void sl_put_utf8(struct sl_put *put, const char *text,
		 void (*escape)(struct sl_put *put, char byte))
{
	while (*text) {
		size_t length = utf8_length((const unsigned char *)text);

		if (length == 0)
			sl_put_text(put, "\xef\xbf\xbd");
		else if (length == 1 && escape)
			escape(put, *text);
		else
			sl_put_bytes(put, text, length);
		text += length ? length : 1;
	}
}

const struct sl_instance_stats *sl_stats_instance(const struct sl_stats *stats,
						  size_t at)
{
	if (at == 0)
		return stats->source;
	if (at <= stats->stage_count)
		return stats->stages[at - 1];
	return at == stats->stage_count + 1 ? stats->sink : NULL;
}

const char *sl_stats_role(const struct sl_stats *stats, size_t at)
{
	return at == 0 ? "source" : at <= stats->stage_count ? "stage" : "sink";
}

const char *sl_outcome_word(enum sl_outcome outcome)
{
	static const char *const words[] = { [SL_DONE] = "done",
					     [SL_FAILED] = "failed",
					     [SL_STOPPED] = "stopped",
					     [SL_RUNNING] = "running" };

	return words[outcome];
}
