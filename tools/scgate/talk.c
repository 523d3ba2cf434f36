/* SPDX-License-Identifier: MIT */
/* Lines on standard error. */
#include "talk.h"

#include <stdio.h>

void scgate_print(const char *text)
{
	for (; *text; text++)
		fputc((unsigned char)*text < 0x20 || *text == 0x7f ? '?'
								   : *text,
		      stderr);
}

void scgate_complain(const char *command, const struct sl_error *error)
{
	if (error->input[0])
		scgate_print(error->input);
	else
		fprintf(stderr, "scgate %s", command);
	if (error->input[0] && error->input_line)
		fprintf(stderr, ":%lld", (long long)error->input_line);
	fputs(": ", stderr);
	scgate_print(error->message);
	fputc('\n', stderr);
}

void scgate_say_ending(const char *path, const struct sg_document *document)
{
	const struct sg_ending *ending = &document->ending;

	scgate_print(path);
	if (ending->line)
		fprintf(stderr, ":%lld", (long long)ending->line);
	if (ending->line && ending->column)
		fprintf(stderr, ":%lld", (long long)ending->column);
	fprintf(stderr, ": %s, %llu finding%s", sg_ending_text(ending->kind),
		(unsigned long long)ending->findings,
		ending->findings == 1 ? "" : "s");
	if (document->format)
		fprintf(stderr, " (%s)", document->format->name);
	if (ending->message[0]) {
		fputs(": ", stderr);
		scgate_print(ending->message);
	}
	fputc('\n', stderr);
}
