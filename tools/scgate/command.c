/* SPDX-License-Identifier: MIT */
/* Options of commands, upon getopt_long(). */
#include "command.h"

#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "output.h"
#include "read/formats.h"
#include "scgate.h"
#include "talk.h"

enum { MAX_OPTIONS = 16, FIRST = 256 /* beyond letters */ };

/* @return EXIT_USAGE. */
static int try_help(const char *command)
{
	fprintf(stderr, "try scgate %s --help\n", command);
	return EXIT_USAGE;
}

int scgate_misused(const char *command, const char *message, const char *what)
{
	fprintf(stderr, "scgate %s: %s", command, message);
	if (what) {
		fputs(": ", stderr);
		scgate_print(what);
	}
	fputc('\n', stderr);
	return try_help(command);
}

int scgate_exit(const char *command, enum sl_code code,
		const struct sl_error *error)
{
	if (code == SL_OK)
		return EXIT_PASS;
	scgate_complain(command, error);
	return code == SL_EINVAL ? EXIT_USAGE : EXIT_INCOMPLETE;
}

int scgate_unknown(const char *command, const char *kind, const char *given,
		   const char *const *known)
{
	size_t count = 0;

	while (known[count])
		count++;
	fprintf(stderr, "scgate %s: unknown %s: ", command, kind);
	scgate_print(given);
	for (size_t at = 0; at < count; at++)
		fprintf(stderr, "%s%s",
			at == 0          ? "; known are "
			: at + 1 < count ? ", "
					 : " and ",
			known[at]);
	fputc('\n', stderr);
	return try_help(command);
}

int scgate_unknown_format(const char *command, const char *given)
{
	fprintf(stderr, "scgate %s: unknown format: ", command);
	scgate_print(given);
	fputs("; scgate read --format help lists them\n", stderr);
	return EXIT_USAGE;
}

static int unknown_rows(const char *command, const char *given)
{
	enum { MAX = 16 };
	const char *known[MAX + 1] = { NULL };

	for (size_t at = 0; at < MAX && sg_rows_writers[at]; at++)
		known[at] = sg_rows_writers[at]->name;
	return scgate_unknown(command, "output", given, known);
}

/* strtoll() takes blanks and signs, too. */
static bool read_count(const char *text, int64_t *count)
{
	char *end;

	errno = 0;
	*count = strtoll(text, &end, 10);
	return !errno && *text >= '0' && *text <= '9' && !*end;
}

/* @return -1: go on; else the exit code. */
static int take(const char *command, const struct scgate_option *option,
		const char *text)
{
	char message[64];

	switch (option->kind) {
	case SCGATE_FLAG:
		*(bool *)option->to = true;
		return -1;
	case SCGATE_TEXT:
		*(const char **)option->to = text;
		return -1;
	case SCGATE_ROWS: {
		const struct sg_rows_writer **writer = option->to;

		*writer = sg_rows_writer_named(text);
		return *writer ? -1 : unknown_rows(command, text);
	}
	case SCGATE_FORMAT: {
		const struct sg_format **format = option->to;

		*format = sg_format_named(text);
		return *format ? -1 : scgate_unknown_format(command, text);
	}
	case SCGATE_COUNT:
		if (read_count(text, option->to))
			return -1;
		snprintf(message, sizeof(message), "--%s takes a number",
			 option->name);
		return scgate_misused(command, message, NULL);
	}
	return -1;
}

int scgate_parse(const char *command, const char *help,
		 const struct scgate_option *options, int argc, char **argv)
{
	struct option table[MAX_OPTIONS + 2] = {
		{ "help", no_argument, NULL, 'h' },
	};
	static char name[32]; /* argv has it from now on */
	int chosen, code = -1;

	for (int at = 0; at < MAX_OPTIONS && options[at].name; at++)
		table[at + 1] = (struct option){ options[at].name,
						 options[at].kind == SCGATE_FLAG
							 ? no_argument
							 : required_argument,
						 NULL, FIRST + at };
	/* getopt_long() puts it before what it complains of */
	snprintf(name, sizeof(name), "scgate %s", command);
	argv[0] = name;
	while (code < 0 &&
	       (chosen = getopt_long(argc, argv, "h", table, NULL)) != -1) {
		if (chosen == 'h')
			code = scgate_help(help);
		else if (chosen < FIRST)
			code = try_help(command);
		else
			code = take(command, &options[chosen - FIRST], optarg);
	}
	return code;
}
