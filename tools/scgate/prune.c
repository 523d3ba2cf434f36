/* SPDX-License-Identifier: MIT */
/* scgate prune: forget old runs. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "command.h"
#include "database.h"
#include "scgate.h"
#include "talk.h"

static const char help[] =
	"usage: scgate prune --keep N [--db DB]\n"
	"\n"
	"Delete all but the last N runs from the store. The last whole run of "
	"each kind\n"
	"of reports stays, for the next import to be compared with.\n"
	"\n"
	"  --keep N   how many runs to keep, at least 1\n"
	"  --db DB    the database; by default scgate/findings.db in the git "
	"folder that\n"
	"             worktrees share\n"
	"\n"
	"exit: 0 done, 2 usage, or not to be opened; 3 not to be written\n";

static int prune(const char *db, int64_t keep)
{
	struct sl_error error = { .code = SL_OK };
	struct sg_store *store;
	int64_t removed = 0;
	int code = EXIT_PASS;

	if (scgate_open_old(db, &store, &error) != SL_OK) {
		scgate_complain("prune", &error);
		return EXIT_USAGE;
	}
	if (sg_store_prune(store, keep, &removed, &error) != SL_OK) {
		scgate_complain("prune", &error);
		code = EXIT_INCOMPLETE;
	} else {
		fprintf(stderr, "%" PRId64 " run%s removed\n", removed,
			removed == 1 ? "" : "s");
	}
	sg_store_close(store);
	return code;
}

int scgate_prune(int argc, char **argv)
{
	const char *db = NULL;
	int64_t keep = -1;
	const struct scgate_option options[] = {
		{ "db", SCGATE_TEXT, &db },
		{ "keep", SCGATE_COUNT, &keep },
		{ NULL, SCGATE_FLAG, NULL },
	};
	int code = scgate_parse("prune", help, options, argc, argv);

	if (code >= 0)
		return code;
	if (optind < argc)
		return scgate_misused("prune", "not wanted", argv[optind]);
	if (keep < 0)
		return scgate_misused("prune", "--keep N is wanted", NULL);
	if (!keep)
		return scgate_misused("prune", "--keep takes a number from 1",
				      NULL);
	return prune(db, keep);
}
