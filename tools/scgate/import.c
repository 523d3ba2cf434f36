/* SPDX-License-Identifier: MIT */
/* scgate import: parse reports into the store, as one run. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "database.h"
#include "import.h"
#include "import_around.h"
#include "names.h"
#include "read/document.h"
#include "read/normal.h"
#include "scgate.h"
#include "sources.h"
#include "spool.h"
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
	"  --run NAME      what to call the run; not \"last\", nor a number\n"
	"  --commit REV    the revision that was analysed; by default the "
	"files as they\n"
	"                  are, which are HEAD's if nothing was changed\n"
	"  --configuration NAME\n"
	"                  of the tool's flags, where one tool runs with "
	"several: runs\n"
	"                  are held against the last one of the same\n"
	"  --root DIR      store paths relative to DIR, and read the sources "
	"there; by\n"
	"                  default the root of the git work tree\n"
	"  --suppressions FILE\n"
	"                  what was accepted; by default .scgate-suppressions "
	"in the root\n"
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
	struct import_around around;
	const char *suppressions; /* file; NULL: the root's */
	const struct sg_format *format; /* NULL: guess */
	int64_t status; /* of the tool; -1: not given */
	bool store_failed; /* as against a report */
	bool is_bad; /* the run is incomplete */
	bool is_stored;
	uint32_t formats_read; /* a bit for each of sg_formats */
};

/* ---- the run's state --------------------------------------------------- */

/* How a report ended, and *why, of @p size bytes, in words. */
static enum sg_run_state state_of(const struct importing *importing,
				  const struct sg_ending *ending, char *why,
				  size_t size)
{
	bool is_whole =
		ending->kind == SG_COMPLETE || ending->kind == SG_UNVERIFIED;

	if (importing->status > 0 && is_whole) {
		snprintf(why, size, "the tool exited with %" PRId64,
			 importing->status);
		return SG_RUN_INCOMPLETE;
	}
	if (ending->kind == SG_UNVERIFIED && importing->status < 0) {
		snprintf(why, size, "nothing proves that the log is whole");
		return SG_RUN_UNVERIFIED;
	}
	if (is_whole) {
		why[0] = '\0';
		return SG_RUN_COMPLETE;
	}
	snprintf(why, size, "%s%s%s", sg_ending_text(ending->kind),
		 ending->message[0] ? ": " : "", ending->message);
	return SG_RUN_INCOMPLETE;
}

/* ---- the run's formats ------------------------------------------------- */

/* Whether a format of that name is among those that were read. */
static bool was_read(const struct importing *importing, size_t format)
{
	return importing->formats_read & (uint32_t)1 << format;
}

static void note_format(struct importing *importing,
			const struct sg_format *format)
{
	for (size_t at = 0; at < MAX_FORMATS && sg_formats[at]; at++)
		if (sg_formats[at] == format)
			importing->formats_read |= (uint32_t)1 << at;
}

/* @return the name behind @p last in the order of the alphabet; NULL: none. */
static const char *next_format(const struct importing *importing,
			       const char *last)
{
	const char *next = NULL;

	for (size_t at = 0; at < MAX_FORMATS && sg_formats[at]; at++) {
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
	return code;
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

static enum sl_code end_result(struct importing *importing,
			       const struct sg_ending *ending,
			       struct sl_error *error)
{
	char why[320];
	enum sg_run_state state = state_of(importing, ending, why, sizeof(why));
	const struct sg_result_end end = {
		.state = state,
		.note = why[0] ? why : NULL,
		.tool = ending->tool[0] ? ending->tool : NULL,
		.tool_version = ending->tool_version,
	};

	if (end.state == SG_RUN_INCOMPLETE)
		importing->is_bad = true;
	return sg_store_end_result(importing->store, &end, error);
}

/* @return EXIT_PASS: it is in the run. */
static int import_one(struct importing *importing, const char *path)
{
	struct sg_document document;
	struct sl_error error = { .code = SL_OK };
	enum sl_code code = read_document(importing, path, &document, &error);

	if (code != SL_OK) {
		if (code == SL_EIO && !importing->store_failed)
			scgate_explain_folder(path, &error);
		scgate_complain("import", &error);
		return importing->store_failed || code == SL_ENOMEM
			       ? EXIT_INCOMPLETE
			       : EXIT_USAGE;
	}
	scgate_say_ending(path, &document);
	if (document.ending.kind == SG_NO_REPORT)
		return EXIT_USAGE;
	if (document.format)
		note_format(importing, document.format);
	if (end_result(importing, &document.ending, &error) == SL_OK)
		return EXIT_PASS;
	scgate_complain("import", &error);
	return EXIT_INCOMPLETE;
}

/* ---- the result -------------------------------------------------------- */

static int finish(struct importing *importing)
{
	char formats[512];
	struct sl_error error = { .code = SL_OK };
	struct sg_run run;
	int code;

	list_formats(importing, formats, sizeof(formats));
	if (sg_store_finish(importing->store, formats, &run, &error) != SL_OK) {
		scgate_complain("import", &error);
		return EXIT_INCOMPLETE;
	}
	importing->is_stored = true;
	code = import_say(importing->store, &run);
	return importing->is_bad ? EXIT_INCOMPLETE : code;
}

static int import_reports(struct importing *importing, char **paths)
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
	return code == EXIT_PASS ? finish(importing) : code;
}

/* The store is locked while a run is written, so a tool that is still at work
 * at the other end of a pipe is waited for before that. */
static enum sl_code spool_input(char **paths, struct sl_error *error)
{
	for (; *paths; paths++)
		if (strcmp(*paths, "-") == 0)
			return scgate_spool(error);
	return SL_OK;
}

static int import_all(struct importing *importing, char **paths)
{
	struct sl_error error = { .code = SL_OK };
	int code = EXIT_INCOMPLETE;

	if (spool_input(paths, &error) == SL_OK)
		code = import_reports(importing, paths);
	else
		scgate_complain("import", &error);
	if (!importing->is_stored)
		fputs("scgate import: nothing was imported\n", stderr);
	return code;
}

/* ---- what is needed for it ---------------------------------------------- */

/* A path is tried from the root, and from where the command was given. */
static enum sl_code make_normal(struct importing *importing,
				struct sl_error *error)
{
	const char *const bases[] = { importing->start.root, "." };
	const struct sg_normal_settings settings = {
		.root = importing->start.root,
		.bases = bases,
		.base_count = 2,
	};

	return sg_normal_create(&importing->normal, &settings, take, importing,
				error);
}

static enum sl_code open_all(struct importing *importing, const char *db,
			     struct sl_error *error)
{
	enum sl_code code =
		import_around_open(&importing->around, &importing->start,
				   importing->suppressions, error);

	if (code == SL_OK)
		code = make_normal(importing, error);
	sg_store_import_only();
	return code == SL_OK ? scgate_open(db, &importing->store, error) : code;
}

static void close_all(struct importing *importing)
{
	sg_store_close(importing->store);
	sg_normal_destroy(importing->normal);
	import_around_close(&importing->around);
}

/* ---- the command ------------------------------------------------------- */

enum { STATUS_MAX = 255 };

/* One report may not stand for two. @return its path, or NULL. */
static const char *named_twice(char **paths)
{
	for (; *paths; paths++)
		for (char **other = paths + 1; *other; other++)
			if (strcmp(*paths, *other) == 0)
				return *paths;
	return NULL;
}

int scgate_import(int argc, char **argv)
{
	struct importing importing = { .status = -1 };
	struct sl_error error = { .code = SL_OK };
	const char *db = NULL;
	const struct scgate_option options[] = {
		{ "db", SCGATE_TEXT, &db },
		{ "run", SCGATE_TEXT, &importing.start.name },
		{ "commit", SCGATE_TEXT, &importing.start.commit },
		{ "configuration", SCGATE_TEXT,
		  &importing.start.configuration },
		{ "root", SCGATE_TEXT, &importing.start.root },
		{ "suppressions", SCGATE_TEXT, &importing.suppressions },
		{ "format", SCGATE_FORMAT, &importing.format },
		{ "status", SCGATE_COUNT, &importing.status },
		{ NULL, SCGATE_FLAG, NULL },
	};
	int code = scgate_parse("import", help, options, argc, argv);

	if (code >= 0)
		return code;
	code = scgate_check_name("import", importing.start.name);
	if (code >= 0)
		return code;
	if (importing.status > STATUS_MAX)
		return scgate_misused("import",
				      "--status takes a number to 255", NULL);
	if (optind == argc)
		return scgate_misused("import", "a report is wanted", NULL);
	if (named_twice(argv + optind))
		return scgate_misused("import", "named twice",
				      named_twice(argv + optind));
	signal(SIGPIPE, SIG_IGN);
	/* A file that may not grow is a full disk, not a reason to die. */
	signal(SIGXFSZ, SIG_IGN);
	if (open_all(&importing, db, &error) == SL_OK) {
		code = import_all(&importing, argv + optind);
	} else {
		scgate_complain("import", &error);
		code = EXIT_USAGE;
	}
	close_all(&importing);
	return code;
}
