/* SPDX-License-Identifier: MIT */
/* scgate check: does a change make the code worse? */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "gate.h"
#include "gate/replace.h"
#include "output.h"
#include "report/verdict.h"
#include "scgate.h"
#include "talk.h"

static const char help[] =
	"usage: scgate check [OPTION]...\n"
	"\n"
	"Analyse what a change touches, hold it against what was there, and "
	"reject it if\n"
	"it makes the code worse, by the parent's .scgate.conf (scgate init).\n"
	"\n"
	"  --staged       what would be committed, against HEAD (the default)\n"
	"  --worktree     the files as they are, against HEAD\n"
	"  --base REV     HEAD against its merge base with REV, as in CI\n"
	"  --head REV     with --base: REV in the place of HEAD\n"
	"  --policy P     zero, no-raise, no-new or must-reduce, in the place "
	"of the\n"
	"                 configuration's\n"
	"  --all          look at all units, not at those alone that the "
	"change affects\n"
	"  --output O     text, json, github, gitlab or sarif\n"
	"  --report FILE  write the output to FILE, whole or not at all, and "
	"the text to\n"
	"                 standard output\n"
	"  --db DB        the database; by default scgate/findings.db in the "
	"git folder\n"
	"                 that worktrees share\n"
	"  --no-cache     use nothing that was kept, and keep nothing\n"
	"  --no-budget    take longer than hook_budget, if need be\n"
	"  --jobs N       analyses at once; by default one a core\n"
	"\n"
	"exit: 0 pass; 1 rejected; 2 usage, configuration, or it cannot be "
	"asked so;\n"
	"3 incomplete: something could not be analysed, so nothing is known; "
	"128 + N by\n"
	"signal N\n"
	"\n"
	"examples:\n"
	"  scgate check                                  before a commit\n"
	"  scgate check --worktree --policy zero         what is there now\n"
	"  scgate check --base origin/main               in CI\n"
	"  scgate check --base origin/main --output sarif --report "
	"scgate.sarif\n";

/* What the options ask for. */
struct asked {
	bool staged, worktree;
	const char *policy, *output, *report;
	int64_t jobs;
	enum sg_policy forced;
	const struct sg_verdict_writer *writer;
};

/* ---- options ----------------------------------------------------------- */

static int choose_policy(struct asked *asked, struct scgate_gate *gate)
{
	if (!asked->policy)
		return -1;
	for (int at = 0; sg_policy_names[at]; at++)
		if (strcmp(asked->policy, sg_policy_names[at]) == 0) {
			asked->forced = (enum sg_policy)at;
			gate->settings.policy = &asked->forced;
			return -1;
		}
	return scgate_unknown("check", "policy", asked->policy,
			      sg_policy_names);
}

static int choose_writer(struct asked *asked)
{
	enum { MAX = 16 };
	const char *known[MAX + 1] = { NULL };

	asked->writer = sg_verdict_writer_named(asked->output);
	if (asked->writer)
		return -1;
	for (size_t at = 0; at < MAX && sg_verdict_writers[at]; at++)
		known[at] = sg_verdict_writers[at]->name;
	return scgate_unknown("check", "output", asked->output, known);
}

static int choose_mode(const struct asked *asked, struct scgate_gate *gate)
{
	struct sg_check_settings *settings = &gate->settings;

	if (asked->staged + asked->worktree + (settings->base != NULL) > 1)
		return scgate_misused("check",
				      "--staged, --worktree and --base "
				      "exclude each other",
				      NULL);
	if (settings->head && !settings->base)
		return scgate_misused("check", "--head goes with --base", NULL);
	if (settings->base)
		settings->mode = SG_CHECK_BASE;
	else if (asked->worktree)
		settings->mode = SG_CHECK_WORKTREE;
	if (asked->jobs < 0 || asked->jobs > 4096)
		return scgate_misused("check", "--jobs takes a number to 4096",
				      NULL);
	settings->jobs = (unsigned)asked->jobs;
	return -1;
}

static int parse(struct asked *asked, struct scgate_gate *gate, int argc,
		 char **argv)
{
	struct sg_check_settings *settings = &gate->settings;
	const struct scgate_option options[] = {
		{ "staged", SCGATE_FLAG, &asked->staged },
		{ "worktree", SCGATE_FLAG, &asked->worktree },
		{ "base", SCGATE_TEXT, &settings->base },
		{ "head", SCGATE_TEXT, &settings->head },
		{ "policy", SCGATE_TEXT, &asked->policy },
		{ "all", SCGATE_FLAG, &settings->whole },
		{ "output", SCGATE_TEXT, &asked->output },
		{ "report", SCGATE_TEXT, &asked->report },
		{ "db", SCGATE_TEXT, &gate->db },
		{ "no-cache", SCGATE_FLAG, &gate->no_cache },
		{ "no-budget", SCGATE_FLAG, &settings->no_budget },
		{ "jobs", SCGATE_COUNT, &asked->jobs },
		{ NULL, SCGATE_FLAG, NULL },
	};
	int code = scgate_parse("check", help, options, argc, argv);

	if (code >= 0)
		return code;
	if (optind < argc)
		return scgate_misused("check", "takes no argument",
				      argv[optind]);
	code = choose_policy(asked, gate);
	if (code < 0)
		code = choose_writer(asked);
	return code < 0 ? choose_mode(asked, gate) : code;
}

/* ---- the verdict ------------------------------------------------------- */

static enum sl_code write_with(const struct sg_verdict_writer *writer,
			       struct sg_check *check, struct sl_buffer *text,
			       struct sl_error *error)
{
	const struct sg_verdict_view view = {
		.judgement = sg_check_judgement(check),
		.look = scgate_look(),
		.source = sg_check_source,
		.context = check,
	};

	return writer->write(&view, text, error);
}

static enum sl_code write_report(const struct asked *asked,
				 struct sg_check *check, struct sl_error *error)
{
	struct sl_buffer text = { .data = NULL };
	enum sl_code code = write_with(asked->writer, check, &text, error);

	if (code == SL_OK)
		code = sg_replace_file(asked->report, text.data, text.used,
				       error);
	free(text.data);
	return code;
}

static enum sl_code write_verdict(const struct asked *asked,
				  struct sg_check *check,
				  struct sl_error *error)
{
	const struct sg_verdict_writer *writer =
		asked->report ? &sg_verdict_writer_text : asked->writer;
	struct sl_buffer text = { .data = NULL };
	enum sl_code code = write_with(writer, check, &text, error);

	if (code == SL_OK)
		code = scgate_flush(&text, error);
	free(text.data);
	if (code == SL_OK && asked->report)
		code = write_report(asked, check, error);
	return code;
}

static int exit_of(const struct sg_check *check)
{
	switch (sg_check_judgement(check)->outcome) {
	case SG_PASS:
		return EXIT_PASS;
	case SG_REJECTED:
		return EXIT_REJECTED;
	case SG_INCOMPLETE:
		return EXIT_INCOMPLETE;
	}
	return EXIT_INCOMPLETE;
}

/* A verdict that nobody could read is none. */
static int tell(const struct asked *asked, struct sg_check *check)
{
	struct sl_error error = { .code = SL_OK };

	if (write_verdict(asked, check, &error) == SL_OK)
		return exit_of(check);
	scgate_complain("check", &error);
	return EXIT_INCOMPLETE;
}

int scgate_check(int argc, char **argv)
{
	struct asked asked = { .output = "text" };
	struct scgate_gate gate = { .command = "check" };
	struct sg_check *check = NULL;
	char *root = NULL;
	int code = parse(&asked, &gate, argc, argv);

	if (code >= 0)
		return code;
	code = scgate_gate_run(&gate, &root, &check);
	if (code < 0)
		code = tell(&asked, check);
	sg_check_destroy(check);
	free(root);
	return code;
}
