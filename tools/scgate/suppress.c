/* SPDX-License-Identifier: MIT */
/* scgate suppress: accept a finding, with a reason, in a tracked file. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "database.h"
#include "gate/replace.h"
#include "gate/suppress.h"
#include "names.h"
#include "output.h"
#include "scgate.h"
#include "sources.h"
#include "suppress.h"
#include "suppress_place.h"
#include "talk.h"

static const char help[] =
	"usage: scgate suppress FINDING --reason TEXT [OPTION]...\n"
	"       scgate suppress --remove FINDING [OPTION]...\n"
	"       scgate suppress --list [OPTION]...\n"
	"\n"
	"Accept a finding: write an entry into a file that is committed with "
	"the code.\n"
	"FINDING is its number, as queries show it, or PATH:LINE or "
	"PATH:LINE:RULE, as\n"
	"scgate check shows it. The entry follows the finding through edits, "
	"as a run\n"
	"follows its base, and excuses this one finding only.\n"
	"\n"
	"  --reason TEXT   why it is kept\n"
	"  --until DATE    the last day (UTC) that the entry holds, "
	"YYYY-MM-DD;\n"
	"                  by default it holds for ever\n"
	"  --remove        take the finding's entry out of the file\n"
	"  --all           all that is at PATH:LINE\n"
	"  --list          show the entries of the file\n"
	"  --run R         the run that has the finding: last, its number, its "
	"name, or\n"
	"                  its commit (seven digits, HEAD, a branch, a tag); "
	"by "
	"default\n"
	"                  the last one that tells of it\n"
	"  --file F        the file; by default " SG_SUPPRESSIONS_NAME
	" in the root of\n"
	"                  the git work tree\n"
	"  --db DB         the database; by default scgate/findings.db in the "
	"git folder\n"
	"                  that worktrees share\n"
	"  --output O      of --list: table (the default), csv or json\n"
	"\n"
	"A finding that has an entry gets another reason or day by being "
	"suppressed\n"
	"again. The next check or import counts what is in the file.\n"
	"\n"
	"exit: 0 written or listed; 2 usage, not to be opened, no such finding "
	"or run, or\n"
	"refused; 3 not to be read or written\n"
	"\n"
	"examples:\n"
	"  scgate suppress 157 --reason 'kept for the debugger' --until "
	"2027-03-31\n"
	"  scgate suppress src/pool.c:157:nullPointer --reason 'cannot be NULL "
	"here'\n";

/* ---- the file ---------------------------------------------------------- */

/* *path: owned. */
static enum sl_code find_file(const char *given, char **path,
			      struct sl_error *error)
{
	char *root = NULL;
	size_t size;
	enum sl_code code;

	*path = given ? strdup(given) : NULL;
	if (given)
		return *path ? SL_OK
			     : SL_FAIL(error, SL_ENOMEM,
				       "no memory for a path");
	code = sg_tree_find_root(&root, error);
	if (code == SL_END)
		return SL_FAIL(error, SL_EINVAL,
			       "this is no git work tree, so name a file with "
			       "--file");
	if (code != SL_OK)
		return code;
	size = strlen(root) + sizeof("/" SG_SUPPRESSIONS_NAME);
	*path = malloc(size);
	if (*path)
		snprintf(*path, size, "%s/" SG_SUPPRESSIONS_NAME, root);
	free(root);
	return *path ? SL_OK
		     : SL_FAIL(error, SL_ENOMEM, "no memory for a path");
}

/* ---- the finding ------------------------------------------------------- */

static enum sl_code find_finding(const struct suppress_settings *settings,
				 struct sg_store *store,
				 struct sg_shown **shown,
				 struct sg_equals *equals,
				 struct sl_error *error)
{
	int64_t run = 0;
	enum sl_code code = SL_OK;

	if (settings->run)
		code = scgate_find_run("suppress", store, settings->run, &run,
				       error);
	if (code == SL_OK)
		code = sg_store_show(store, settings->finding, run, shown,
				     error);
	return code == SL_OK ? sg_store_equals(store, *shown, equals, error)
			     : code;
}

/* Only what is there can be accepted. */
static enum sl_code check_open(const struct sg_shown *shown,
			       struct sl_error *error)
{
	int64_t last = 0;

	if (strcmp(shown->verdict, "fixed") != 0)
		return SL_OK;
	for (size_t at = 0; at < shown->history_count; at++)
		if (strcmp(shown->history[at].verdict, "fixed") != 0)
			last = shown->history[at].run;
	if (!last)
		return SL_FAIL(error, SL_EINVAL,
			       "finding %lld is fixed in run %lld, and no run "
			       "is left that has it",
			       (long long)shown->finding,
			       (long long)shown->run);
	return SL_FAIL(error, SL_EINVAL,
		       "finding %lld is fixed in run %lld; the last run that "
		       "has it is --run %lld",
		       (long long)shown->finding, (long long)shown->run,
		       (long long)last);
}

/* ---- writing ----------------------------------------------------------- */

/* Find the entry, change the list, write the file. */
static enum sl_code change(const struct suppress_settings *settings,
			   const struct sg_shown *shown,
			   const struct sg_equals *equals, const char *path,
			   struct sg_suppressions *list, struct sl_error *error)
{
	struct sg_suppression entry = sg_suppression_of(shown);
	size_t at, count = sg_suppressions_count(list);
	enum sl_code code =
		sg_suppressions_find(list, shown, equals, &at, error);

	if (code != SL_OK)
		return code;
	if (settings->is_removal && at == count)
		return SL_FAIL(error, SL_EINVAL,
			       "no entry of %s is about finding %lld",
			       sl_path_tail(path), (long long)shown->finding);
	entry.reason = settings->reason;
	entry.until = settings->until;
	if (settings->is_removal)
		sg_suppressions_remove(list, at);
	else
		code = sg_suppressions_put(list, at, &entry, error);
	if (code == SL_OK)
		code = sg_suppressions_write(list, path, error);
	if (code != SL_OK)
		return code;
	return suppress_tell(settings, &shown->said, at < count, path, error);
}

static enum sl_code read_and_change(const struct suppress_settings *settings,
				    const struct sg_shown *shown,
				    const struct sg_equals *equals,
				    const char *path, struct sl_error *error)
{
	struct sg_suppressions *list = NULL;
	int lock = sg_lock_file(path);
	enum sl_code code = sg_suppressions_read(path, &list, error);

	if (code == SL_OK)
		code = change(settings, shown, equals, path, list, error);
	if (lock >= 0)
		close(lock);
	sg_suppressions_destroy(list);
	return code;
}

static enum sl_code suppress(const struct suppress_settings *settings,
			     struct sg_store *store, const char *path,
			     struct sl_error *error)
{
	struct sg_shown *shown = NULL;
	struct sg_equals equals;
	enum sl_code code =
		find_finding(settings, store, &shown, &equals, error);

	if (code == SL_OK && !settings->is_removal)
		code = check_open(shown, error);
	if (code == SL_OK)
		code = read_and_change(settings, shown, &equals, path, error);
	sg_shown_destroy(shown);
	return code;
}

/* ---- the command ------------------------------------------------------- */

static int end(enum sl_code code, const struct sl_error *error)
{
	if (code == SL_OK)
		return EXIT_PASS;
	scgate_complain("suppress", error);
	return code == SL_EINVAL ? EXIT_USAGE : EXIT_INCOMPLETE;
}

static int act(const struct suppress_settings *settings)
{
	struct sl_error error = { .code = SL_OK };
	struct sg_store *store;
	char *path = NULL;
	enum sl_code code = find_file(settings->file, &path, &error);

	if (code == SL_OK && settings->is_list)
		code = suppress_list(settings, path, &error);
	if (code != SL_OK || settings->is_list) {
		free(path);
		return end(code, &error);
	}
	if (scgate_open_to_read(settings->db, &store, &error) != SL_OK) {
		scgate_complain("suppress", &error);
		free(path);
		return EXIT_USAGE;
	}
	code = settings->place ? suppress_place(settings, settings->place,
						store, path, &error)
			       : suppress(settings, store, path, &error);
	sg_store_close(store);
	free(path);
	return end(code, &error);
}

/* @return -1: go on; else the exit code. */
static int check(struct suppress_settings *settings, int count, char **names)
{
	char today[SG_DAY_TEXT];

	if (settings->is_list && count)
		return scgate_misused("suppress", "not wanted beside --list",
				      names[0]);
	if (settings->is_list && (settings->reason || settings->until ||
				  settings->run || settings->is_removal))
		return scgate_misused("suppress",
				      "--list takes neither --reason, --until, "
				      "--run nor --remove",
				      NULL);
	if (settings->is_list)
		return -1;
	if (!count)
		return scgate_misused(
			"suppress", "the number of a finding is wanted", NULL);
	if (count > 1)
		return scgate_misused("suppress", "not wanted", names[1]);
	if (suppress_is_place(names[0]))
		settings->place = names[0];
	else if (!scgate_parse_finding(names[0], &settings->finding))
		return scgate_misused("suppress", "no number of a finding",
				      names[0]);
	if (settings->is_removal)
		return settings->reason || settings->until
			       ? scgate_misused(
					 "suppress",
					 "--remove takes neither --reason nor "
					 "--until",
					 NULL)
			       : -1;
	if (!settings->reason)
		return scgate_misused("suppress", "--reason TEXT is wanted",
				      NULL);
	if (!settings->reason[strspn(settings->reason, " \t\r\n\v\f")])
		return scgate_misused("suppress",
				      "the reason is empty; say why it is kept",
				      NULL);
	if (!settings->until)
		return -1;
	if (!sg_is_day(settings->until))
		return scgate_misused("suppress",
				      "no day, which is written as 2027-03-31",
				      settings->until);
	if (strcmp(settings->until, sg_today(today)) < 0)
		return scgate_misused("suppress", "that day is over",
				      settings->until);
	return -1;
}

int scgate_suppress(int argc, char **argv)
{
	struct suppress_settings settings = { .writer = &sg_rows_table };
	const struct scgate_option options[] = {
		{ "reason", SCGATE_TEXT, &settings.reason },
		{ "until", SCGATE_TEXT, &settings.until },
		{ "run", SCGATE_TEXT, &settings.run },
		{ "file", SCGATE_TEXT, &settings.file },
		{ "db", SCGATE_TEXT, &settings.db },
		{ "output", SCGATE_ROWS, &settings.writer },
		{ "list", SCGATE_FLAG, &settings.is_list },
		{ "remove", SCGATE_FLAG, &settings.is_removal },
		{ "all", SCGATE_FLAG, &settings.is_all },
		{ NULL, SCGATE_FLAG, NULL },
	};
	int code = scgate_parse("suppress", help, options, argc, argv);

	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	if (code < 0)
		code = check(&settings, argc - optind, argv + optind);
	return code >= 0 ? code : act(&settings);
}
