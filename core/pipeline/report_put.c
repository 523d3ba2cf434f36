/* SPDX-License-Identifier: MIT */
#include "pipeline/report_put.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

#define LINE_WIDTH 80

void sl_put_bytes(struct sl_put *put, const char *bytes, size_t size)
{
	if (put->code != SL_OK)
		return;
	put->code = sl_buffer_reserve(put->text, size + 1, put->error);
	if (put->code != SL_OK)
		return;
	memcpy(put->text->data + put->text->used, bytes, size);
	put->text->used += size;
	put->text->data[put->text->used] = '\0';
}

void sl_put_text(struct sl_put *put, const char *text)
{
	sl_put_bytes(put, text, strlen(text));
}

void sl_put_format(struct sl_put *put, const char *fmt, ...)
{
	char line[512];
	va_list args;
	int length;

	va_start(args, fmt);
	length = vsnprintf(line, sizeof(line), fmt, args);
	va_end(args);
	if (length >= (int)sizeof(line))
		length = sizeof(line) - 1;
	if (length > 0)
		sl_put_bytes(put, line, (size_t)length);
}

void sl_put_wrapped(struct sl_put *put, const char *head, const char *text)
{
	int indent = (int)strspn(head, " ") + 2;
	int column = (int)strlen(head) + 1;

	sl_put_format(put, "%s:", head);
	while (*text) {
		int length = (int)strcspn(text, " ");

		if (column + 1 + length > LINE_WIDTH && column > indent) {
			sl_put_format(put, "\n%*s", indent - 1, "");
			column = indent - 1;
		}
		sl_put_format(put, " %.*s", length, text);
		column += 1 + length;
		text += length;
		text += strspn(text, " ");
	}
	sl_put_format(put, "\n");
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

void sl_put_utf8(struct sl_put *put, const char *text,
		 void (*escape)(struct sl_put *put, char byte))
{
	while (*text) {
		const unsigned char *at = (const unsigned char *)text;
		size_t length =
			*at < 0x80 ? 1 : sl_utf8_sequence(at, strlen(text));

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

const char *sl_stats_outcome(enum sl_outcome outcome)
{
	static const char *const words[] = { [SL_DONE] = "done",
					     [SL_FAILED] = "failed",
					     [SL_STOPPED] = "stopped",
					     [SL_RUNNING] = "running" };

	return words[outcome];
}

const char *sl_stats_quality(enum sl_quality quality)
{
	switch (quality) {
	case SL_QUALITY_MEASURED:
		return "measured";
	case SL_QUALITY_ON_DIE:
		return "on-die";
	case SL_QUALITY_INTEGRATED:
		return "integrated";
	case SL_QUALITY_MODEL:
		return "model";
	}
	return "unknown";
}
