/* SPDX-License-Identifier: MIT */
/* dump_text FORMAT FILE [BYTES]: read a text log, fed in pieces of BYTES, and
 * print an array a finding as JSON: tool, rule, severity, word, path, line,
 * column, message, function, cwe, events; then an array of the ending's kind,
 * line and message. FORMAT `?` asks the text formats' sniffers. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/formats.h"

static const struct sg_format *const formats[] = {
	&sg_format_sanitizer, &sg_format_flawfinder, &sg_format_flawfinder_csv,
	&sg_format_msvc,      &sg_format_clang_tidy, &sg_format_clang,
	&sg_format_gcc,
};

#define FORMATS (sizeof(formats) / sizeof(formats[0]))

static void text(const char *from)
{
	if (!from) {
		printf("null");
		return;
	}
	putchar('"');
	for (; *from; from++) {
		unsigned char byte = (unsigned char)*from;

		if (byte == '"' || byte == '\\')
			printf("\\%c", byte);
		else if (byte < 0x20)
			printf("\\u%04x", byte);
		else
			putchar(byte);
	}
	putchar('"');
}

static enum sl_code print(void *context, const struct sg_finding *finding,
			  struct sl_error *error)
{
	(void)context;
	(void)error;
	putchar('[');
	text(finding->tool);
	putchar(',');
	text(finding->rule);
	printf(",%d,", (int)finding->severity);
	text(finding->severity_word);
	putchar(',');
	text(finding->path);
	printf(",%" PRId64 ",%" PRId64 ",", finding->line, finding->column);
	text(finding->message);
	putchar(',');
	text(finding->function);
	printf(",%" PRId64 ",[", finding->cwe);
	for (size_t at = 0; at < finding->event_count; at++) {
		const struct sg_event *event = &finding->events[at];

		printf(at ? ",[" : "[");
		text(event->path);
		printf(",%" PRId64 ",%" PRId64 ",", event->line, event->column);
		text(event->message);
		putchar(',');
		text(event->function);
		putchar(']');
	}
	printf("]]\n");
	return SL_OK;
}

static char *read_all(const char *path, size_t *length)
{
	FILE *file = fopen(path, "rb");
	char *bytes = NULL;
	size_t room = 0, got = 1;

	*length = 0;
	while (file && got) {
		if (*length == room) {
			char *grown = realloc(bytes, room = 2 * room + 65536);

			if (!grown)
				break;
			bytes = grown;
		}
		got = fread(bytes + *length, 1, room - *length, file);
		*length += got;
	}
	if (file)
		(void)fclose(file);
	return bytes;
}

static const struct sg_format *choose(const char *name, const char *bytes,
				      size_t length)
{
	const struct sg_format *best = NULL;
	int surest = 0;

	if (length > SG_SNIFF_BYTES)
		length = SG_SNIFF_BYTES;
	for (size_t at = 0; at < FORMATS; at++) {
		int sure;

		if (strcmp(formats[at]->name, name) == 0)
			return formats[at];
		sure = strcmp(name, "?") == 0
			       ? formats[at]->sniff(bytes, length)
			       : 0;
		if (sure > surest) {
			surest = sure;
			best = formats[at];
		}
	}
	return best;
}

int main(int argc, char **argv)
{
	const struct sg_format *format;
	struct sg_ending ending;
	enum sl_code code = SL_OK;
	size_t length, piece;
	char *bytes;
	void *state;

	if (argc < 3)
		return 2;
	bytes = read_all(argv[2], &length);
	format = bytes ? choose(argv[1], bytes, length) : NULL;
	if (!format) {
		printf("[\"no format\"]\n");
		free(bytes);
		return 1;
	}
	piece = argc > 3 ? (size_t)strtoul(argv[3], NULL, 10) : length;
	state = format->create(print, NULL);
	for (size_t at = 0; state && code == SL_OK && at < length; at += piece)
		code = format->feed(state, bytes + at,
				    length - at < piece ? length - at : piece,
				    NULL);
	if (state && code == SL_OK)
		code = format->finish(state, &ending, NULL);
	format->destroy(state);
	free(bytes);
	if (!state || code != SL_OK)
		return 1;
	printf("[\"%s\",%d,%" PRId64 ",", format->name, (int)ending.kind,
	       ending.line);
	text(ending.message);
	printf("]\n");
	return 0;
}
