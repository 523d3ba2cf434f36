/* SPDX-License-Identifier: MIT */
/* scgate read: parse reports and print their findings. */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "output.h"
#include "read/document.h"
#include "read/normal.h"
#include "report/report.h"
#include "scgate.h"
#include "sources.h"
#include "talk.h"

static const char help[] =
	"usage: scgate read [OPTION]... REPORT...\n"
	"\n"
	"Print the findings of REPORTs, files of any known format, a folder "
	"rNsc/, or\n"
	"\"-\" (standard input). How each ended goes to standard error.\n"
	"\n"
	"  --format F          do not guess the format; --format help lists "
	"them\n"
	"  --root DIR          paths relative to DIR; classic keeps the "
	"report's own\n"
	"  --output classic    file:line:message, a line a finding (the "
	"default)\n"
	"  --output table      columns that fit the terminal\n"
	"  --output jsonl      one JSON object a line\n"
	"  --output sarif      one SARIF 2.1.0 log\n"
	"\n"
	"exit: 0 all read, 2 usage, not to be opened, or no report; 3 "
	"incomplete: broken\n"
	"off, malformed, or the tool itself says that it failed\n"
	"\n"
	"examples:\n"
	"  cppcheck --xml src 2>report.xml; scgate read report.xml\n"
	"  gcc -Wall -c a.c 2>&1 | scgate read --output jsonl -\n";

/* What the findings go through. */
struct printing {
	struct sg_normal *normal; /* owned; NULL: the report's own words */
	struct sg_report *report; /* owned */
	struct sl_buffer text; /* owned */
	bool is_masked; /* what would steer the terminal becomes '?' */
};

struct settings {
	const struct sg_format *format; /* NULL: to be found out */
	const struct sg_writer *writer;
	const char *root; /* NULL: paths stay */
};

enum { FLUSH_BYTES = 1 << 16 };

/* Only a table cleans its own texts, and has colours. */
static enum sl_code flush(struct printing *printing, struct sl_error *error)
{
	if (printing->is_masked)
		scgate_mask(&printing->text);
	return scgate_flush(&printing->text, error);
}

static enum sl_code print_finding(void *context,
				  const struct sg_finding *finding,
				  struct sl_error *error)
{
	struct printing *printing = context;
	enum sl_code code = sg_report_finding(printing->report, finding,
					      &printing->text, error);

	if (code == SL_OK && printing->text.used >= FLUSH_BYTES)
		code = flush(printing, error);
	return code;
}

static int list_formats(void)
{
	char text[4096] = "";
	size_t used = 0;

	for (size_t at = 0; sg_formats[at] && used < sizeof(text); at++)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "%-13s %s\n", sg_formats[at]->name,
					 sg_formats[at]->summary);
	return scgate_help(text);
}

static int unknown_writer(const char *given)
{
	enum { MAX = 16 };
	const char *known[MAX + 1] = { NULL };

	for (size_t at = 0; at < MAX && sg_writers[at]; at++)
		known[at] = sg_writers[at]->name;
	return scgate_unknown("read", "output", given, known);
}

/* Of several documents the highest code counts. */
static int exit_of(const struct sg_ending *ending)
{
	switch (ending->kind) {
	case SG_COMPLETE:
	case SG_UNVERIFIED:
		return EXIT_PASS;
	case SG_TOOL_FAILED:
	case SG_BROKEN_OFF:
	case SG_MALFORMED:
		return EXIT_INCOMPLETE;
	case SG_NO_REPORT:
		break;
	}
	return EXIT_USAGE;
}

/* All findings of a document that are still on their way. */
static enum sl_code drain(struct printing *printing, struct sl_error *error)
{
	enum sl_code code = SL_OK;

	if (printing->normal)
		code = sg_normal_flush(printing->normal, error);
	return code == SL_OK ? flush(printing, error) : code;
}

/* @return the exit code that this document asks for. */
static int read_one(const char *path, const struct sg_format *format,
		    struct printing *printing, bool *failed)
{
	struct sg_document document;
	struct sl_error error = { .code = SL_OK };
	struct sl_error undrained = { .code = SL_OK };
	sg_finding_fn *take = printing->normal ? sg_normal_take : print_finding;
	void *context = printing->normal ? (void *)printing->normal : printing;
	enum sl_code code = sg_document_read(path, format, take, context,
					     &document, &error);

	*failed = code == SL_ENOMEM || drain(printing, &undrained) != SL_OK;
	if (code == SL_OK && !*failed) {
		scgate_say_ending(path, &document);
		return exit_of(&document.ending);
	}
	if (code == SL_EIO)
		scgate_explain_folder(path, &error);
	scgate_complain("read", code == SL_OK ? &undrained : &error);
	return EXIT_USAGE;
}

/* What can only be written when all has been read. */
static int finish(struct printing *printing, int worst)
{
	struct sl_error error = { .code = SL_OK };
	enum sl_code code = sg_report_end(printing->report, worst == EXIT_PASS,
					  &printing->text, &error);

	if (code == SL_OK)
		code = flush(printing, &error);
	if (code == SL_OK)
		return worst;
	scgate_complain("read", &error);
	return EXIT_INCOMPLETE;
}

static int read_all(char **paths, const struct sg_format *format,
		    struct printing *printing)
{
	int worst = EXIT_PASS;
	bool failed = false;

	for (; *paths && !failed; paths++) {
		int code = read_one(*paths, format, printing, &failed);

		if (code > worst)
			worst = code;
	}
	return failed ? EXIT_INCOMPLETE : finish(printing, worst);
}

/* A path is tried from the root, and from where the command was given. */
static enum sl_code begin(struct printing *printing,
			  const struct settings *settings,
			  struct sl_error *error)
{
	const char *const bases[] = { settings->root, "." };
	const struct sg_normal_settings normal = { .root = settings->root,
						   .bases = bases,
						   .base_count = 2 };
	const struct sg_look look = scgate_look();
	enum sl_code code = sg_report_begin(&printing->report, settings->writer,
					    &look, error);

	if (code == SL_OK && !settings->writer->own_paths)
		code = sg_normal_create(&printing->normal, &normal,
					print_finding, printing, error);
	return code;
}

static int run(char **paths, const struct settings *settings)
{
	/* a table does it itself, and has colours */
	struct printing printing = {
		.is_masked = settings->writer != &sg_writer_table,
	};
	struct sl_error error = { .code = SL_OK };
	int exit_code = EXIT_USAGE;

	if (begin(&printing, settings, &error) == SL_OK)
		exit_code = read_all(paths, settings->format, &printing);
	else
		scgate_complain("read", &error);
	sg_normal_destroy(printing.normal);
	sg_report_destroy(printing.report);
	free(printing.text.data);
	return exit_code;
}

int scgate_read(int argc, char **argv)
{
	struct settings settings = { .writer = &sg_writer_classic };
	const char *format = NULL, *output = NULL;
	const struct scgate_option options[] = {
		{ "format", SCGATE_TEXT, &format },
		{ "output", SCGATE_TEXT, &output },
		{ "root", SCGATE_TEXT, &settings.root },
		{ NULL, SCGATE_FLAG, NULL },
	};
	int code = scgate_parse("read", help, options, argc, argv);

	if (code >= 0)
		return code;
	signal(SIGPIPE, SIG_IGN);
	if (format && strcmp(format, "help") == 0)
		return list_formats();
	settings.format = format ? sg_format_named(format) : NULL;
	if (format && !settings.format)
		return scgate_unknown_format("read", format);
	if (output)
		settings.writer = sg_writer_named(output);
	if (!settings.writer)
		return unknown_writer(output);
	if (optind == argc)
		return scgate_misused("read", "a report is wanted", NULL);
	return run(argv + optind, &settings);
}
