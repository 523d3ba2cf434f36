/* SPDX-License-Identifier: MIT */
/* Lines on standard error. */
#include "talk.h"

#include <stdio.h>
#include <string.h>

size_t scgate_steers(const char *text, size_t left)
{
	const unsigned char *at = (const unsigned char *)text;

	if ((at[0] < 0x20 && at[0] != '\n' && at[0] != '\t') || at[0] == 0x7f)
		return 1;
	if (left > 1 && at[0] == 0xc2 && at[1] < 0xa0)
		return 2; /* U+0080 to U+009F */
	if (left < 3 || at[0] != 0xe2)
		return 0;
	/* U+200E, U+200F, U+2028 to U+202E, U+2066 to U+2069 */
	if (at[1] == 0x80 && (at[2] == 0x8e || at[2] == 0x8f ||
			      (at[2] >= 0xa8 && at[2] <= 0xae)))
		return 3;
	return at[1] == 0x81 && at[2] >= 0xa6 && at[2] <= 0xa9 ? 3 : 0;
}

void scgate_print(const char *text)
{
	for (size_t left = strlen(text); left;) {
		size_t length = scgate_steers(text, left);

		if (*text == '\n' || *text == '\t')
			length = 1;
		fputc(length ? '?' : *text, stderr);
		text += length ? length : 1;
		left -= length ? length : 1;
	}
}

void scgate_complain(const char *command, const struct sl_error *error)
{
	if (strcmp(error->message, SCGATE_SILENCE) == 0)
		return;
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
