/* SPDX-License-Identifier: MIT */
/* scgate diff: two runs held against each other. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "database.h"
#include "names.h"
#include "output.h"
#include "scgate.h"
#include "sources.h"
#include "store/diff.h"
#include "talk.h"

static const char help[] = "usage: scgate diff RUN RUN [OPTION]...\n"
			   "\n"
			   "What the second run has against the first: "
			   "findings that are new, fixed, or\n"
			   "unknown (no longer seen, but not surely fixed). A "
			   "run is meant by \"last\", its\n"
			   "number, its name, or its commit: seven digits, or "
			   "what git knows it by, such as\n"
			   "HEAD~3, a branch or a tag.\n"
			   "\n"
			   "  --db DB         the database; by default "
			   "scgate/findings.db in the git folder\n"
			   "                  that worktrees share\n"
			   "  --root DIR      the repository of both commits; "
			   "by default where the second\n"
			   "                  run had its sources, or the one "
			   "that this is given in\n"
			   "  --output table  for people (the default)\n"
			   "  --output csv    RFC 4180, with a line of names\n"
			   "  --output json   one array of objects\n"
			   "\n"
			   "Runs that were not matched when they were imported "
			   "are matched now, with git's\n"
			   "diff of their commits where it is at hand.\n"
			   "\n"
			   "exit: 0 whatever they differ in; 2 usage, not to "
			   "be opened, or no such run; 3\n"
			   "not to be read or written\n";

struct settings {
	const char *base, *run; /* in the order of the command line */
	const char *db, *root; /* NULL: not given */
	const struct sg_rows_writer *writer;
};

struct sides {
	int64_t base, run; /* ids */
};

static enum sl_code find_runs(const struct settings *settings,
			      struct sg_store *store, struct sides *sides,
			      struct sl_error *error)
{
	enum sl_code code = scgate_find_run("diff", store, settings->base,
					    &sides->base, error);

	if (code == SL_OK)
		code = scgate_find_run("diff", store, settings->run,
				       &sides->run, error);
	if (code == SL_OK)
		code = scgate_warn_of("diff", store, sides->base, error);
	if (code == SL_OK && sides->run != sides->base)
		code = scgate_warn_of("diff", store, sides->run, error);
	return code;
}

/* ---- the difference ---------------------------------------------------- */

static enum sl_code say(struct sg_store *store, const struct sides *sides,
			const struct sg_diff *diff, struct sl_error *error)
{
	enum sl_code code =
		scgate_say_runs(store, sides->run, sides->base, ": ", error);

	if (code == SL_OK)
		fprintf(stderr,
			"%lld new, %lld fixed, %lld unknown, %lld same\n",
			(long long)diff->added, (long long)diff->fixed,
			(long long)diff->unknown, (long long)diff->same);
	return code;
}

static enum sl_code put_rows(const struct settings *settings,
			     struct sg_store *store, const struct sides *sides,
			     struct sg_tree *tree, struct sl_error *error)
{
	struct scgate_rows rows;
	struct sg_diff diff;
	enum sl_code code = scgate_rows_begin(&rows, settings->writer, error);

	if (code != SL_OK)
		return code;
	code = sg_store_diff(store, sides->run, sides->base,
			     tree ? sg_tree_map : NULL, tree, scgate_rows_take,
			     &rows, &diff, error);
	code = scgate_rows_end(&rows, code, error);
	return code == SL_OK ? say(store, sides, &diff, error) : code;
}

/* Where the trees are not at hand, findings are matched without a map. */
static enum sl_code compare(const struct settings *settings,
			    struct sg_store *store, const struct sides *sides,
			    struct sl_error *error)
{
	struct sg_tree *tree;
	enum sl_code code = scgate_open_map(store, sides->run, sides->base,
					    settings->root, &tree, error);

	if (code == SL_OK)
		code = put_rows(settings, store, sides, tree, error);
	sg_tree_close(tree);
	return code;
}

static int act(const struct settings *settings)
{
	struct sides sides = { 0, 0 };
	struct sl_error error = { .code = SL_OK };
	struct sg_store *store;
	enum sl_code code;

	if (scgate_open_to_read(settings->db, &store, &error) != SL_OK) {
		scgate_complain("diff", &error);
		return EXIT_USAGE;
	}
	code = find_runs(settings, store, &sides, &error);
	if (code == SL_OK)
		code = compare(settings, store, &sides, &error);
	sg_store_close(store);
	return scgate_exit("diff", code, &error);
}

/* ---- the command ------------------------------------------------------- */

int scgate_diff(int argc, char **argv)
{
	struct settings settings = { .writer = &sg_rows_table };
	const struct scgate_option options[] = {
		{ "db", SCGATE_TEXT, &settings.db },
		{ "root", SCGATE_TEXT, &settings.root },
		{ "output", SCGATE_ROWS, &settings.writer },
		{ NULL, SCGATE_FLAG, NULL },
	};
	int code = scgate_parse("diff", help, options, argc, argv);

	if (code >= 0)
		return code;
	if (argc - optind < 2)
		return scgate_misused("diff", "two runs are wanted", NULL);
	if (argc - optind > 2)
		return scgate_misused("diff", "not wanted", argv[optind + 2]);
	settings.base = argv[optind];
	settings.run = argv[optind + 1];
	return act(&settings);
}
