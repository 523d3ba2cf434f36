/* SPDX-License-Identifier: MIT */
/* dump_xml FILE [BYTES]: read a report in XML, fed in pieces of BYTES, and
 * print an array a finding as JSON: path, line, column, rule, message, events;
 * then an array of the format's name, the ending, its line and message. What no
 * reader of XML knows: "none". */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "read/formats.h"

static const struct sg_format *const formats[] = {
	&sg_format_cppcheck_xml, &sg_format_valgrind_xml, &sg_format_plist,
	&sg_format_pdr,          &sg_format_checkstyle,
};

static void text(const char *from)
{
	putchar('"');
	for (; from && *from; from++) {
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
	text(finding->path);
	printf(",%" PRId64 ",%" PRId64 ",", finding->line, finding->column);
	text(finding->rule);
	putchar(',');
	text(finding->message);
	printf(",%zu]\n", finding->event_count);
	return SL_OK;
}

static const struct sg_format *sniffed(FILE *file)
{
	static char start[SG_SNIFF_BYTES];
	size_t length = fread(start, 1, sizeof(start), file);
	const struct sg_format *surest = NULL;
	int best = 0;

	rewind(file);
	for (size_t at = 0; at < sizeof(formats) / sizeof(formats[0]); at++) {
		int score = formats[at]->sniff(start, length);

		if (score > best) {
			best = score;
			surest = formats[at];
		}
	}
	return surest;
}

static int read_as(const struct sg_format *format, FILE *file, size_t piece)
{
	struct sg_ending ending = { .kind = SG_COMPLETE };
	enum sl_code code = SL_OK;
	char *bytes = malloc(piece);
	void *state = format->create(print, NULL);
	size_t length;

	if (!bytes || !state) {
		free(bytes);
		if (state)
			format->destroy(state);
		return 2;
	}
	while (code == SL_OK && (length = fread(bytes, 1, piece, file)))
		code = format->feed(state, bytes, length, NULL);
	if (code == SL_OK)
		code = format->finish(state, &ending, NULL);
	format->destroy(state);
	free(bytes);
	putchar('[');
	text(format->name);
	putchar(',');
	text(sg_ending_text(ending.kind));
	printf(",%" PRId64 ",", ending.line);
	text(ending.message);
	printf("]\n");
	return code != SL_OK;
}

int main(int argc, char **argv)
{
	FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
	size_t piece = argc > 2 ? (size_t)strtoul(argv[2], NULL, 10) : 65536;
	const struct sg_format *format;
	int result = 0;

	if (!file || !piece) {
		fprintf(stderr, "usage: dump_xml FILE [BYTES]\n");
		return 2;
	}
	format = sniffed(file);
	if (format)
		result = read_as(format, file, piece);
	else
		printf("[\"none\",\"\",0,\"\"]\n");
	fclose(file);
	return result;
}
