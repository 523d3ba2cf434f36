/* SPDX-License-Identifier: MIT */
/* scgate prune: forget old runs, or a wrong one. */
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "command.h"
#include "database.h"
#include "names.h"
#include "scgate.h"
#include "store/kept.h"
#include "talk.h"

static const char help[] = "usage: scgate prune --keep N [--db DB]\n"
			   "       scgate prune --run R [--db DB]\n"
			   "       scgate prune --kept DAYS [--db DB]\n"
			   "\n"
			   "Delete all but the last N runs from the store, or "
			   "one run that was a mistake.\n"
			   "The last whole run of each kind of reports stays, "
			   "for the next import to be\n"
			   "compared with, unless it is the one that is named. "
			   "Or forget what scgate check\n"
			   "kept and had no use for.\n"
			   "\n"
			   "  --keep N   how many runs to keep, at least 1\n"
			   "  --run R    the run to delete: last, its number, "
			   "its name, or its commit (seven\n"
			   "             digits, HEAD, a branch, a tag)\n"
			   "  --kept D   of what checks kept, forget what was "
			   "not used for D days\n"
			   "  --db DB    the database; by default "
			   "scgate/findings.db in the git folder that\n"
			   "             worktrees share\n"
			   "\n"
			   "exit: 0 done, 2 usage, not to be opened, or no "
			   "such run; 3 not to be written\n";

struct settings {
	const char *db, *run; /* NULL: not given */
	int64_t keep; /* -1: not given */
	int64_t kept; /* days; -1: not given */
};

static enum sl_code keep(struct sg_store *store, int64_t count,
			 struct sl_error *error)
{
	int64_t removed = 0;
	enum sl_code code = sg_store_prune(store, count, &removed, error);

	if (code == SL_OK)
		fprintf(stderr, "%" PRId64 " run%s removed\n", removed,
			removed == 1 ? "" : "s");
	return code;
}

static enum sl_code forget(struct sg_store *store, const char *name,
			   struct sl_error *error)
{
	int64_t run;
	enum sl_code code = scgate_find_run("prune", store, name, &run, error);

	if (code == SL_OK)
		code = sg_store_forget(store, run, error);
	if (code == SL_OK)
		fprintf(stderr, "run %" PRId64 " removed\n", run);
	return code;
}

static enum sl_code forget_kept(struct sg_store *store, int64_t days,
				struct sl_error *error)
{
	int64_t removed;
	enum sl_code code = sg_kept_prune(store, days, &removed, error);

	if (code == SL_OK)
		fprintf(stderr, "%" PRId64 " kept result%s removed\n", removed,
			removed == 1 ? "" : "s");
	return code;
}

static int prune(const struct settings *settings)
{
	struct sl_error error = { .code = SL_OK };
	struct sg_store *store;
	enum sl_code code;

	if (scgate_open_old(settings->db, &store, &error) != SL_OK) {
		scgate_complain("prune", &error);
		return EXIT_USAGE;
	}
	if (settings->run)
		code = forget(store, settings->run, &error);
	else if (settings->kept >= 0)
		code = forget_kept(store, settings->kept, &error);
	else
		code = keep(store, settings->keep, &error);
	sg_store_close(store);
	return scgate_exit("prune", code, &error);
}

int scgate_prune(int argc, char **argv)
{
	struct settings settings = { .keep = -1, .kept = -1 };
	const struct scgate_option options[] = {
		{ "db", SCGATE_TEXT, &settings.db },
		{ "keep", SCGATE_COUNT, &settings.keep },
		{ "kept", SCGATE_COUNT, &settings.kept },
		{ "run", SCGATE_TEXT, &settings.run },
		{ NULL, SCGATE_FLAG, NULL },
	};
	int code = scgate_parse("prune", help, options, argc, argv);

	if (code >= 0)
		return code;
	if (optind < argc)
		return scgate_misused("prune", "not wanted", argv[optind]);
	if ((settings.keep >= 0) + (settings.kept >= 0) +
		    (settings.run != NULL) !=
	    1)
		return scgate_misused(
			"prune",
			"one of --keep N, --run R and --kept DAYS is wanted",
			NULL);
	if (!settings.keep)
		return scgate_misused("prune", "--keep takes a number from 1",
				      NULL);
	return prune(&settings);
}
