/* SPDX-License-Identifier: MIT */
/* scgate import: parse reports into the store, as one run. */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "database.h"
#include "read/document.h"
#include "read/normal.h"
#include "scgate.h"
#include "talk.h"

static const char help[] =
	"usage: scgate import [OPTION]... REPORT...\n"
	"\n"
	"Store the findings of REPORTs (\"-\": standard input) as one run, and "
	"print how\n"
	"many were found, and how many of them are new or known against the "
	"run before.\n"
	"All is stored, or nothing.\n"
	"\n"
	"  --db DB         the database; by default scgate/findings.db in the "
	"git folder\n"
	"                  that worktrees share\n"
	"  --run NAME      what to call the run\n"
	"  --commit REV    the revision that was analysed\n"
	"  --root DIR      store paths relative to DIR\n"
	"  --format F      do not guess the format; scgate read --format help "
	"lists them\n"
	"  --status N      what the tool exited with: 0 proves that a log is "
	"whole, any\n"
	"                  other that the run is incomplete\n"
	"\n"
	"exit: 0 imported; 2 usage, not to be opened, or no report: nothing is "
	"imported;\n"
	"3 imported as incomplete (broken off, malformed, a tool failed), or "
	"not imported\n"
	"because the database could not be written\n"
	"\n"
	"example:\n"
	"  cppcheck --xml src 2>report.xml; scgate import --status $? "
	"report.xml\n";

enum { MAX_FORMATS = 32 };

/* What came with the command line, and what the reports add up to. */
struct importing {
	struct sg_store *store;
	struct sg_normal *normal; /* hands findings on to take() */
	struct sg_run_start start;
	const struct sg_format *format; /* NULL: guess */
	bool has_status;
	int status;
	bool store_failed; /* as against a report */
	enum sg_run_state state;
	char note[320]; /* why the state is what it is */
	uint32_t formats_read; /* a bit for each of sg_formats */
};

/* ---- the run's state --------------------------------------------------- */

static void worsen(struct importing *importing, enum sg_run_state state,
		   const char *why)
{
	if (state <= importing->state)
		return;
	importing->state = state;
	snprintf(importing->note, sizeof(importing->note), "%s", why);
}

static void weigh_ending(struct importing *importing,
			 const struct sg_ending *ending)
{
	char why[320];

	snprintf(why, sizeof(why), "%s%s%s", sg_ending_text(ending->kind),
		 ending->message[0] ? ": " : "", ending->message);
	switch (ending->kind) {
	case SG_COMPLETE:
		return;
	case SG_UNVERIFIED:
		if (!importing->has_status)
			worsen(importing, SG_RUN_UNVERIFIED,
			       "nothing proves that the log is whole");
		return;
	case SG_TOOL_FAILED:
	case SG_BROKEN_OFF:
	case SG_MALFORMED:
	case SG_NO_REPORT:
		break;
	}
	worsen(importing, SG_RUN_INCOMPLETE, why);
}

/* Rules by which a tool says that it gave up on a part. */
static const char *const limits[] = {
	"toomanyconfigs",
	"-Wanalyzer-too-complex",
	"analyzer-too-complex",
};

static void weigh_rule(struct importing *importing, const char *rule)
{
	if (!rule)
		return;
	for (size_t at = 0; at < sizeof(limits) / sizeof(limits[0]); at++)
		if (strcmp(rule, limits[at]) == 0)
			worsen(importing, SG_RUN_LIMITED, rule);
}

/* Whether a format of that name is among those that were read. */
static bool was_read(const struct importing *importing, size_t format)
{
	return importing->formats_read & (uint32_t)1 << format;
}

static void note_format(struct importing *importing,
			const struct sg_format *format)
{
	for (size_t at = 0; sg_formats[at] && at < MAX_FORMATS; at++)
		if (sg_formats[at] == format)
			importing->formats_read |= (uint32_t)1 << at;
}

/* @return the name behind @p last in the order of the alphabet; NULL: none. */
static const char *next_format(const struct importing *importing,
			       const char *last)
{
	const char *next = NULL;

	for (size_t at = 0; sg_formats[at] && at < MAX_FORMATS; at++) {
		const char *name = sg_formats[at]->name;

		if (was_read(importing, at) && strcmp(name, last) > 0 &&
		    (!next || strcmp(name, next) < 0))
			next = name;
	}
	return next;
}

static void list_formats(const struct importing *importing, char *text,
			 size_t size)
{
	const char *name = next_format(importing, "");
	size_t used = 0;

	for (text[0] = '\0'; name; name = next_format(importing, name)) {
		size_t length = strlen(name);

		if (used + length + 2 > size)
			return;
		if (used)
			text[used++] = ' ';
		memcpy(text + used, name, length + 1);
		used += length;
	}
}

/* ---- reading ----------------------------------------------------------- */

static enum sl_code take(void *context, const struct sg_finding *finding,
			 struct sl_error *error)
{
	struct importing *importing = context;
	enum sl_code code = sg_store_add(importing->store, finding, error);

	importing->store_failed = code != SL_OK;
	weigh_rule(importing, finding->rule);
	return code;
}

static int misused(const char *message, const char *what)
{
	fprintf(stderr, "scgate import: %s%s%s\ntry scgate import --help\n",
		message, what ? ": " : "", what ? what : "");
	return EXIT_USAGE;
}

static enum sl_code read_document(struct importing *importing, const char *path,
				  struct sg_document *document,
				  struct sl_error *error)
{
	enum sl_code code =
		sg_document_read(path, importing->format, sg_normal_take,
				 importing->normal, document, error);

	return code == SL_OK ? sg_normal_flush(importing->normal, error) : code;
}

/* @return EXIT_PASS: it is in the run. */
static int import_one(struct importing *importing, const char *path)
{
	struct sg_document document;
	struct sl_error error = { .code = SL_OK };
	enum sl_code code = read_document(importing, path, &document, &error);

	if (code != SL_OK) {
		scgate_complain("import", &error);
		return importing->store_failed || code == SL_ENOMEM
			       ? EXIT_INCOMPLETE
			       : EXIT_USAGE;
	}
	scgate_say_ending(path, &document);
	if (document.ending.kind == SG_NO_REPORT)
		return EXIT_USAGE;
	weigh_ending(importing, &document.ending);
	if (document.format)
		note_format(importing, document.format);
	return EXIT_PASS;
}

/* ---- the result -------------------------------------------------------- */

static int say_run(const struct sg_run *run)
{
	printf("run %lld: %lld found, %lld new, %lld known", (long long)run->id,
	       (long long)run->found, (long long)run->added,
	       (long long)(run->found - run->added));
	if (run->base)
		printf(", %lld fixed, %lld unknown since run %lld",
		       (long long)run->fixed, (long long)run->unknown,
		       (long long)run->base);
	printf("; %s%s%s\n", run->state, run->note ? ": " : "",
	       run->note ? run->note : "");
	if (fflush(stdout) == EOF) {
		fprintf(stderr, "scgate import: cannot write: %s\n",
			strerror(errno));
		return EXIT_INCOMPLETE;
	}
	return EXIT_PASS;
}

static int finish(struct importing *importing)
{
	char formats[512];
	struct sg_run_end end = { .formats = formats };
	struct sl_error error = { .code = SL_OK };
	struct sg_run run;
	char why[64];
	int code;

	snprintf(why, sizeof(why), "the tool exited with %d",
		 importing->status);
	if (importing->status)
		worsen(importing, SG_RUN_INCOMPLETE, why);
	list_formats(importing, formats, sizeof(formats));
	end.state = importing->state;
	end.note = importing->note[0] ? importing->note : NULL;
	if (sg_store_finish(importing->store, &end, &run, &error) != SL_OK) {
		scgate_complain("import", &error);
		return EXIT_INCOMPLETE;
	}
	code = say_run(&run);
	return importing->state == SG_RUN_INCOMPLETE ? EXIT_INCOMPLETE : code;
}

static int import_all(struct importing *importing, char **paths)
{
	struct sl_error error = { .code = SL_OK };
	int code = EXIT_PASS;

	if (sg_store_begin(importing->store, &importing->start, &error) !=
	    SL_OK) {
		scgate_complain("import", &error);
		return EXIT_INCOMPLETE;
	}
	for (; *paths && code == EXIT_PASS; paths++)
		code = import_one(importing, *paths);
	if (code == EXIT_PASS)
		return finish(importing);
	fputs("scgate import: nothing was imported\n", stderr);
	return code;
}

/* ---- the command line -------------------------------------------------- */

static const struct option options[] = {
	{ "db", required_argument, NULL, 'd' },
	{ "run", required_argument, NULL, 'r' },
	{ "commit", required_argument, NULL, 'c' },
	{ "root", required_argument, NULL, 'o' },
	{ "format", required_argument, NULL, 'f' },
	{ "status", required_argument, NULL, 's' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

static bool parse_status(struct importing *importing, const char *text)
{
	char *end;
	long number;

	errno = 0;
	number = strtol(text, &end, 10);
	if (errno || end == text || *end || number < 0 || number > 255)
		return false;
	importing->has_status = true;
	importing->status = (int)number;
	return true;
}

/* @return -1: go on; else the exit code. */
static int parse(int argc, char **argv, struct importing *importing,
		 const char **db)
{
	int option;

	while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		switch (option) {
		case 'd':
			*db = optarg;
			break;
		case 'r':
			importing->start.name = optarg;
			break;
		case 'c':
			importing->start.commit = optarg;
			break;
		case 'o':
			importing->start.root = optarg;
			break;
		case 'f':
			importing->format = sg_format_named(optarg);
			if (!importing->format)
				return misused("unknown format", optarg);
			break;
		case 's':
			if (!parse_status(importing, optarg))
				return misused("no exit status", optarg);
			break;
		case 'h':
			fputs(help, stdout);
			return EXIT_PASS;
		default:
			return EXIT_USAGE;
		}
	}
	return optind == argc ? misused("a report is wanted", NULL) : -1;
}

/* A path is tried from the root, and from where the command was given. */
static enum sl_code open_both(struct importing *importing, const char *db,
			      struct sl_error *error)
{
	const char *const bases[] = { importing->start.root, "." };
	const struct sg_normal_settings settings = {
		.root = importing->start.root,
		.bases = bases,
		.base_count = 2,
	};
	enum sl_code code = sg_normal_create(&importing->normal, &settings,
					     take, importing, error);

	return code == SL_OK ? scgate_open(db, &importing->store, error) : code;
}

int scgate_import(int argc, char **argv)
{
	static char own_name[] = "scgate import";
	struct importing importing = { .format = NULL };
	struct sl_error error = { .code = SL_OK };
	const char *db = NULL;
	int code;

	argv[0] = own_name;
	signal(SIGPIPE, SIG_IGN);
	/* A file that may not grow is a full disk, not a reason to die. */
	signal(SIGXFSZ, SIG_IGN);
	code = parse(argc, argv, &importing, &db);
	if (code >= 0)
		return code;
	if (open_both(&importing, db, &error) == SL_OK) {
		code = import_all(&importing, argv + optind);
	} else {
		scgate_complain("import", &error);
		code = EXIT_USAGE;
	}
	sg_store_close(importing.store);
	sg_normal_destroy(importing.normal);
	return code;
}
