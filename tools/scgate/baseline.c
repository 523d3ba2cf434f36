/* SPDX-License-Identifier: MIT */
/* scgate baseline: what is there when a gate is set up, as a tracked file. */
#include "gate/baseline.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "gate.h"
#include "output.h"
#include "report/verdict.h"
#include "scgate.h"
#include "talk.h"

static const char help[] =
	"usage: scgate baseline write [OPTION]...\n"
	"\n"
	"Analyse the files as they are and write all findings to the file that "
	"\"baseline\"\n"
	"in .scgate.conf names: what was there is then known without a shared "
	"database.\n"
	"Commit it by itself: a change is judged by its parent's.\n"
	"\n"
	"  --db DB       the database; by default scgate/findings.db in the "
	"git "
	"folder\n"
	"  --no-cache    use nothing that was kept, and keep nothing\n"
	"  --jobs N      analyses at once; by default one a core\n"
	"\n"
	"exit: 0 written; 2 usage or configuration; 3 something could not be "
	"analysed:\n"
	"nothing is written\n"
	"\n"
	"example:\n"
	"  scgate baseline write && git add .scgate-baseline && git commit\n";

/* What stands in the way of a baseline is what a verdict says. */
static int say_incomplete(struct sg_check *check)
{
	const struct sg_verdict_view view = {
		.judgement = sg_check_judgement(check),
		.look = scgate_look(),
	};
	struct sl_buffer text = { .data = NULL };
	struct sl_error error = { .code = SL_OK };

	if (sg_verdict_writer_text.write(&view, &text, &error) == SL_OK)
		fwrite(text.data, 1, text.used, stderr);
	free(text.data);
	fputs("scgate baseline: nothing was written\n", stderr);
	return EXIT_INCOMPLETE;
}

/* Two branches each take lines out, or add some; what both sides keep too long
 * excuses nothing, so a merge may keep everything. */
static bool is_merged_by_lines(const char *root, const char *name)
{
	char path[PATH_MAX], line[1024];
	bool found = false;
	FILE *file;

	if ((size_t)snprintf(path, sizeof(path), "%s/.gitattributes", root) >=
	    sizeof(path))
		return false;
	file = fopen(path, "re");
	while (file && !found && fgets(line, sizeof(line), file))
		found = strstr(line, name) && strstr(line, "merge=union");
	if (file)
		fclose(file);
	return found;
}

static int write_baseline(struct sg_check *check, const char *root)
{
	const char *name = sg_baseline_path(check);
	struct sl_error error = { .code = SL_OK };
	char path[PATH_MAX];
	size_t count;
	enum sl_code code;

	if (sg_check_judgement(check)->outcome == SG_INCOMPLETE)
		return say_incomplete(check);
	if (!name)
		return scgate_misused("baseline",
				      ".scgate.conf names no file for it: add "
				      "baseline = \".scgate-baseline\";",
				      NULL);
	if ((size_t)snprintf(path, sizeof(path), "%s/%s", root, name) >=
	    sizeof(path))
		return scgate_misused("baseline", "its path is too long", name);
	code = sg_baseline_write(check, path, &count, &error);
	if (code != SL_OK) {
		scgate_complain("baseline", &error);
		return EXIT_INCOMPLETE;
	}
	printf("%s: %zu findings\n", name, count);
	if (!is_merged_by_lines(root, name))
		fprintf(stderr,
			"scgate baseline: put \"%s merge=union\" into "
			".gitattributes, so that branches merge\n",
			name);
	return fflush(stdout) ? EXIT_INCOMPLETE : EXIT_PASS;
}

int scgate_baseline(int argc, char **argv)
{
	struct scgate_gate gate = {
		.command = "baseline",
		.settings = { .mode = SG_CHECK_WORKTREE,
			      .alone = true,
			      .whole = true,
			      .no_budget = true },
	};
	int64_t jobs = 0;
	const struct scgate_option options[] = {
		{ "db", SCGATE_TEXT, &gate.db },
		{ "no-cache", SCGATE_FLAG, &gate.no_cache },
		{ "jobs", SCGATE_COUNT, &jobs },
		{ NULL, SCGATE_FLAG, NULL },
	};
	struct sg_check *check = NULL;
	char *root = NULL;
	int code = scgate_parse("baseline", help, options, argc, argv);

	if (code >= 0)
		return code;
	if (optind + 1 != argc || strcmp(argv[optind], "write") != 0)
		return scgate_misused("baseline", "\"write\" is wanted", NULL);
	if (jobs > 4096)
		return scgate_misused("baseline",
				      "--jobs takes a number to 4096", NULL);
	gate.settings.jobs = (unsigned)jobs;
	code = scgate_gate_run(&gate, &root, &check);
	if (code < 0)
		code = write_baseline(check, root);
	sg_check_destroy(check);
	free(root);
	return code;
}
