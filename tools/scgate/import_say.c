/* SPDX-License-Identifier: MIT */
/* What scgate import says of the run that it made. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "import.h"
#include "scgate.h"
#include "talk.h"

static void put_run(const struct sg_run *run)
{
	printf("run %lld: %lld found, %lld new, %lld known", (long long)run->id,
	       (long long)run->found, (long long)run->added,
	       (long long)(run->found - run->added));
	if (run->suppressed)
		printf(", %lld suppressed", (long long)run->suppressed);
	if (run->base)
		printf(", %lld fixed, %lld unknown since run %lld",
		       (long long)run->fixed, (long long)run->unknown,
		       (long long)run->base);
	printf("; %s%s%s\n", run->state, run->note ? ": " : "",
	       run->note ? run->note : "");
}

/* @p context: the id of a run; 0 as soon as an earlier one is seen. */
static enum sl_code see_earlier(void *context, const struct sg_run *run,
				struct sl_error *error)
{
	int64_t *id = context;

	(void)error;
	if (run->id < *id)
		*id = 0;
	return SL_OK;
}

/* All of a run that is held against none is new, which looks like a mistake. */
static enum sl_code say_why_alone(struct sg_store *store, int64_t id,
				  struct sl_error *error)
{
	int64_t left = id;
	enum sl_code code = sg_store_runs(store, see_earlier, &left, error);

	if (code == SL_OK && !left)
		fprintf(stderr,
			"scgate import: run %lld is held against no run: none "
			"before it of the same formats, tools and "
			"configuration can be compared with; incomplete ones "
			"never are\n",
			(long long)id);
	return code;
}

int import_say(struct sg_store *store, const struct sg_run *run)
{
	struct sl_error error = { .code = SL_OK };
	int64_t id = run->id; /* the texts of a run go with the next question */
	bool is_alone = !run->base;

	put_run(run);
	if (fflush(stdout) == EOF) {
		if (errno != EPIPE)
			fprintf(stderr, "scgate import: cannot write: %s\n",
				strerror(errno));
		return EXIT_INCOMPLETE;
	}
	if (!is_alone || say_why_alone(store, id, &error) == SL_OK)
		return EXIT_PASS;
	scgate_complain("import", &error);
	return EXIT_INCOMPLETE;
}
