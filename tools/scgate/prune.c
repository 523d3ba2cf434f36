/* SPDX-License-Identifier: MIT */
/* scgate prune: forget old runs. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

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

static const struct option options[] = {
	{ "db", required_argument, NULL, 'd' },
	{ "keep", required_argument, NULL, 'k' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

static int misused(const char *message)
{
	fprintf(stderr, "scgate prune: %s\ntry scgate prune --help\n", message);
	return EXIT_USAGE;
}

static int prune(const char *db, int64_t keep)
{
	struct sl_error error = { .code = SL_OK };
	struct sg_store *store;
	int64_t removed = 0;
	int code = EXIT_PASS;

	if (scgate_open(db, &store, &error) != SL_OK) {
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
	static char own_name[] = "scgate prune";
	const char *db = NULL;
	long long keep = 0;
	char *end;
	int option;

	argv[0] = own_name;
	while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		switch (option) {
		case 'd':
			db = optarg;
			break;
		case 'k':
			errno = 0;
			keep = strtoll(optarg, &end, 10);
			if (errno || *end || keep < 1)
				return misused("--keep takes a number from 1");
			break;
		case 'h':
			return fputs(help, stdout) == EOF ||
					       fflush(stdout) == EOF
				       ? EXIT_INCOMPLETE
				       : EXIT_PASS;
		default:
			return EXIT_USAGE;
		}
	}
	if (!keep || optind < argc)
		return misused(keep ? "nothing but options is wanted"
				    : "--keep N is wanted");
	return prune(db, keep);
}
