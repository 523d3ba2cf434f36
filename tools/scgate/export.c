/* SPDX-License-Identifier: MIT */
/* scgate export: a run of the store for other programs. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "database.h"
#include "names.h"
#include "output.h"
#include "report/verdict.h"
#include "scgate.h"
#include "store/export.h"
#include "talk.h"

static const char help[] =
	"usage: scgate export [RUN] [OPTION]...\n"
	"\n"
	"Write a run for other programs, as it was held against its base. RUN "
	"is last\n"
	"(the default), its number, its name, or its commit (seven digits, "
	"HEAD, a\n"
	"branch, a tag).\n"
	"\n"
	"  --output sarif  SARIF 2.1.0, a run a tool: fingerprints, the state "
	"against the\n"
	"                  base, suppressions with their reasons (the "
	"default)\n"
	"  --output gitlab GitLab's code quality report: what is open\n"
	"  --output github annotations of GitHub Actions: what is new\n"
	"  --db DB         the database; by default scgate/findings.db in the "
	"git folder\n"
	"                  that worktrees share\n"
	"\n"
	"exit: 0 written, 2 usage, not to be opened, or no such run; 3 not to "
	"be read or\n"
	"written\n";

struct settings {
	const char *run, *db; /* NULL: not given */
	const struct sg_verdict_writer *writer;
};

/* ---- writing ----------------------------------------------------------- */

static enum sl_code write_run(const struct settings *settings,
			      const struct sg_judgement *judgement,
			      struct sl_error *error)
{
	const struct sg_verdict_view view = { .judgement = judgement };
	struct sl_buffer text = { .data = NULL };
	enum sl_code code = settings->writer->write(&view, &text, error);

	if (code == SL_OK) {
		scgate_mask(&text);
		code = scgate_flush(&text, error);
	}
	free(text.data);
	return code;
}

static enum sl_code export_run(const struct settings *settings,
			       struct sg_store *store, struct sl_error *error)
{
	struct sg_stored stored = { .trouble = { .why = NULL } };
	int64_t run = 0;
	enum sl_code code =
		scgate_find_run("export", store, settings->run, &run, error);

	if (code == SL_OK)
		code = scgate_warn_of("export", store, run, error);
	if (code == SL_OK)
		code = sg_store_export(store, run,
				       settings->writer ==
					       &sg_verdict_writer_sarif,
				       &stored, error);
	if (code == SL_OK)
		code = write_run(settings, &stored.judgement, error);
	sg_stored_finish(&stored);
	return code;
}

static int act(const struct settings *settings)
{
	struct sl_error error = { .code = SL_OK };
	struct sg_store *store;
	enum sl_code code;

	if (scgate_open_to_read(settings->db, &store, &error) != SL_OK) {
		scgate_complain("export", &error);
		return EXIT_USAGE;
	}
	code = export_run(settings, store, &error);
	sg_store_close(store);
	return scgate_exit("export", code, &error);
}

/* ---- the command ------------------------------------------------------- */

int scgate_export(int argc, char **argv)
{
	static const char *const outputs[] = { "sarif", "gitlab", "github",
					       NULL };
	struct settings settings = { .run = NULL };
	const char *output = outputs[0];
	size_t at = 0;
	const struct scgate_option options[] = {
		{ "output", SCGATE_TEXT, &output },
		{ "db", SCGATE_TEXT, &settings.db },
		{ NULL, SCGATE_FLAG, NULL },
	};
	int code = scgate_parse("export", help, options, argc, argv);

	if (code >= 0)
		return code;
	signal(SIGPIPE, SIG_IGN);
	while (outputs[at] && strcmp(outputs[at], output) != 0)
		at++;
	if (!outputs[at])
		return scgate_unknown("export", "output", output, outputs);
	settings.writer = sg_verdict_writer_named(output);
	if (optind + 1 < argc)
		return scgate_misused("export", "not wanted", argv[optind + 1]);
	settings.run = argv[optind]; /* NULL: the last */
	return act(&settings);
}
