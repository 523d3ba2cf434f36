/* SPDX-License-Identifier: MIT */
/* scgate show: all that is known of one finding. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "database.h"
#include "names.h"
#include "output.h"
#include "report/detail.h"
#include "scgate.h"
#include "sources.h"
#include "talk.h"

static const char help[] =
	"usage: scgate show FINDING [OPTION]...\n"
	"\n"
	"Tell all of one finding: what the tool says, its lines of source, the "
	"way there,\n"
	"what became of it in each run, and whether it is suppressed. FINDING "
	"is its\n"
	"number, as queries show it.\n"
	"\n"
	"  --run R         as that run has it: last, its number, its name, or "
	"its commit\n"
	"                  (seven digits, HEAD, a branch, a tag); by default "
	"the last run\n"
	"                  that tells of it\n"
	"  --db DB         the database; by default scgate/findings.db in the "
	"git folder\n"
	"                  that worktrees share\n"
	"  --root DIR      where the sources are; by default where the run had "
	"them, or\n"
	"                  the git work tree that this is given in\n"
	"  --output text   for people (the default)\n"
	"  --output json   one object\n"
	"\n"
	"The source is that of the run's commit, or, if it names none, the "
	"files as they\n"
	"are now.\n"
	"\n"
	"exit: 0 shown, 2 usage, not to be opened, or no such finding or run; "
	"3 not to be\n"
	"read or written\n";

struct settings {
	const char *finding, *run, *db, *root; /* NULL: not given */
	bool is_json;
};

/* ---- showing ----------------------------------------------------------- */

static enum sl_code write_detail(const struct settings *settings,
				 const struct sg_shown *shown,
				 const struct sg_detail_sources *sources,
				 struct sl_error *error)
{
	struct sg_look look = scgate_look();
	struct sl_buffer text = { .data = NULL };
	enum sl_code code;

	/* Who reads a pipe has room for a line of source. */
	if (!isatty(STDOUT_FILENO))
		look.width = 0;
	code = settings->is_json
		       ? sg_detail_json(shown, sources, &text, error)
		       : sg_detail_text(shown, sources, &look, &text, error);
	if (code == SL_OK)
		code = scgate_flush(&text, error);
	free(text.data);
	return code;
}

/* A finding is shown without its source too, and why it is not there. */
static enum sl_code show(const struct settings *settings,
			 const struct sg_shown *shown, struct sl_error *error)
{
	struct sl_error why = { .code = SL_OK };
	struct sg_detail_sources sources = { .commit = shown->seen_commit };
	struct sg_tree *tree = NULL;
	enum sl_code code;

	/* the files as they are now are those of no run before */
	if (!shown->seen_commit && (strcmp(shown->verdict, "fixed") == 0 ||
				    strcmp(shown->verdict, "unknown") == 0))
		code = SL_FAIL(&why, SL_EINVAL,
			       "the run that saw it names no commit");
	else
		code = scgate_open_sources(settings->root, shown->seen_root,
					   shown->seen_commit, &tree, &why);
	if (code == SL_OK)
		sources.source = sg_tree_text;
	else
		sources.missing = why.message;
	sources.context = tree;
	code = write_detail(settings, shown, &sources, error);
	sg_tree_close(tree);
	return code;
}

static enum sl_code find_and_show(const struct settings *settings,
				  struct sg_store *store, int64_t finding,
				  struct sl_error *error)
{
	struct sg_shown *shown = NULL;
	int64_t run = 0;
	enum sl_code code = SL_OK;

	if (settings->run)
		code = scgate_find_run("show", store, settings->run, &run,
				       error);
	if (code == SL_OK)
		code = sg_store_show(store, finding, run, &shown, error);
	if (code == SL_OK)
		code = show(settings, shown, error);
	sg_shown_destroy(shown);
	return code;
}

static int act(const struct settings *settings)
{
	struct sl_error error = { .code = SL_OK };
	struct sg_store *store;
	int64_t finding;
	enum sl_code code;

	if (!scgate_parse_finding(settings->finding, &finding))
		return scgate_misused("show", "no number of a finding",
				      settings->finding);
	if (scgate_open_to_read(settings->db, &store, &error) != SL_OK) {
		scgate_complain("show", &error);
		return EXIT_USAGE;
	}
	code = find_and_show(settings, store, finding, &error);
	sg_store_close(store);
	return scgate_exit("show", code, &error);
}

/* ---- the command ------------------------------------------------------- */

int scgate_show(int argc, char **argv)
{
	struct settings settings = { .finding = NULL };
	static const char *const outputs[] = { "text", "json", NULL };
	const char *output = outputs[0];
	const struct scgate_option options[] = {
		{ "run", SCGATE_TEXT, &settings.run },
		{ "db", SCGATE_TEXT, &settings.db },
		{ "root", SCGATE_TEXT, &settings.root },
		{ "output", SCGATE_TEXT, &output },
		{ NULL, SCGATE_FLAG, NULL },
	};
	int code = scgate_parse("show", help, options, argc, argv);

	if (code >= 0)
		return code;
	signal(SIGPIPE, SIG_IGN);
	settings.is_json = strcmp(output, "json") == 0;
	if (!settings.is_json && strcmp(output, "text") != 0)
		return scgate_unknown("show", "output", output, outputs);
	if (optind == argc)
		return scgate_misused(
			"show", "the number of a finding is wanted", NULL);
	if (optind + 1 < argc)
		return scgate_misused("show", "not wanted", argv[optind + 1]);
	settings.finding = argv[optind];
	return act(&settings);
}
