/* SPDX-License-Identifier: MIT */
/* Reads a report in SARIF or gcc's JSON and writes what it found, a finding a
 * line, fields separated by tabs; for corpus_json.py and for measuring.
 *     dump_json sarif|gcc-json FILE [PIECE [quiet]]  */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/formats.h"
#include "read/reader.h"

struct dump {
	bool quiet;
};

static void put(const char *text)
{
	for (; text && *text; text++) {
		if (*text == '\n')
			fputs("\\n", stdout);
		else if (*text == '\t')
			fputs("\\t", stdout);
		else if (*text == '\r')
			fputs("\\r", stdout);
		else
			putchar(*text);
	}
	putchar('\t');
}

static void put_event(const struct sg_event *event)
{
	put("  ");
	put(event->path);
	printf("%lld\t%lld\t", (long long)event->line,
	       (long long)event->column);
	put(event->function);
	put(event->message);
	putchar('\n');
}

static enum sl_code take(void *context, const struct sg_finding *finding,
			 struct sl_error *error)
{
	const struct dump *dump = context;

	(void)error;
	if (dump->quiet)
		return SL_OK;
	put(finding->path);
	printf("%lld\t%lld\t%lld\t%lld\t", (long long)finding->line,
	       (long long)finding->column, (long long)finding->end_line,
	       (long long)finding->end_column);
	put(finding->rule);
	put(finding->severity_word);
	printf("%lld\t%d\t", (long long)finding->cwe, finding->suppressed);
	put(finding->tool);
	put(finding->function);
	put(finding->message);
	printf("%zu\n", finding->event_count);
	for (size_t at = 0; at < finding->event_count; at++)
		put_event(&finding->events[at]);
	return SL_OK;
}

int main(int argc, char **argv)
{
	const struct sg_format *format = NULL;
	size_t piece = argc > 3 ? strtoul(argv[3], NULL, 10) : 65536, length;
	struct dump dump = { .quiet = argc > 4 };
	struct sg_ending ending = { 0 };
	struct sl_error error = { 0 };
	FILE *file = argc > 2 ? fopen(argv[2], "rb") : NULL;
	char *bytes = malloc(piece + 1);
	void *reader;
	bool sniffed = false;

	if (argc > 1)
		format = strcmp(argv[1], "sarif") == 0 ? &sg_format_sarif
						       : &sg_format_gcc_json;
	reader = format ? format->create(take, &dump) : NULL;
	if (!file || !bytes || !reader || !piece)
		return 2;
	while ((length = fread(bytes, 1, piece, file)) > 0) {
		if (!sniffed)
			fprintf(stderr, "sniff %d\n",
				format->sniff(bytes, length));
		sniffed = true;
		if (format->feed(reader, bytes, length, &error) != SL_OK)
			return 2;
	}
	if (format->finish(reader, &ending, &error) != SL_OK)
		return 2;
	fprintf(stderr, "ending %d %lld:%lld %llu %s\n", (int)ending.kind,
		(long long)ending.line, (long long)ending.column,
		(unsigned long long)ending.findings, ending.message);
	format->destroy(reader);
	free(bytes);
	fclose(file);
	return 0;
}
