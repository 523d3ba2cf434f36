/* SPDX-License-Identifier: MIT */
/* A check, around which all is there that it needs. */
#include "gate.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/problems.h"
#include "command.h"
#include "database.h"
#include "run/tree.h"
#include "scgate.h"
#include "talk.h"

enum { SIGNALLED = 128, PATH_BYTES = 4096 };

/* ---- the database ------------------------------------------------------ */

/* A store that is thrown away. */
struct thrown {
	char folder[PATH_BYTES]; /* "": none */
	char path[PATH_BYTES + 16];
};

static enum sl_code make_thrown(struct thrown *thrown, struct sl_error *error)
{
	const char *temp = getenv("TMPDIR");
	int length =
		snprintf(thrown->folder, sizeof(thrown->folder),
			 "%s/scgate-db-XXXXXX", temp && *temp ? temp : "/tmp");

	if (length < 0 || (size_t)length >= sizeof(thrown->folder) ||
	    !mkdtemp(thrown->folder)) {
		thrown->folder[0] = '\0';
		return SL_FAIL(error, SL_EIO, "cannot make a folder in %s: %s",
			       sl_path_tail(temp && *temp ? temp : "/tmp"),
			       strerror(errno));
	}
	snprintf(thrown->path, sizeof(thrown->path), "%s/findings.db",
		 thrown->folder);
	return SL_OK;
}

static void throw_away(struct thrown *thrown)
{
	static const char *const endings[] = { "", "-wal", "-shm", "-journal" };
	char path[PATH_BYTES + 32];

	if (!thrown->folder[0])
		return;
	for (size_t at = 0; at < sizeof(endings) / sizeof(endings[0]); at++) {
		snprintf(path, sizeof(path), "%s%s", thrown->path, endings[at]);
		(void)unlink(path);
	}
	(void)rmdir(thrown->folder);
}

/* ---- progress ---------------------------------------------------------- */

static void show_progress(void *context, size_t done, size_t all,
			  const struct sg_job *job)
{
	const char *name =
		job && job->words ? strrchr(job->words[0], '/') : NULL;

	(void)context;
	fprintf(stderr, "\r%zu of %zu analyses done, %s\033[K", done, all,
		name                ? name + 1
		: job && job->words ? job->words[0]
				    : "");
}

static void end_progress(bool shown)
{
	if (shown)
		fputs("\r\033[K", stderr);
}

/* ---- the check --------------------------------------------------------- */

static void say_problems(const char *command, struct sl_problems *problems)
{
	for (size_t at = 0; at < problems->count; at++) {
		char *text = sl_problems_text(problems, at);

		fprintf(stderr, "scgate %s: ", command);
		scgate_print(text ? text : "no memory");
		fputc('\n', stderr);
		free(text);
	}
	sl_problems_finish(problems);
}

static int say_failure(const struct scgate_gate *gate, enum sl_code code,
		       const struct sl_error *error,
		       struct sl_problems *problems, int signal_number)
{
	if (code == SL_ESTOPPED) {
		fprintf(stderr, "scgate %s: stopped; nothing was judged\n",
			gate->command);
		return SIGNALLED + signal_number;
	}
	if (code == SL_EINVAL && problems->count) {
		say_problems(gate->command, problems);
		return EXIT_USAGE;
	}
	return scgate_exit(gate->command, code, error);
}

static int run(const struct scgate_gate *gate, const char *root,
	       struct sg_check **check)
{
	struct thrown thrown = { .folder = "" };
	struct sl_error error = { .code = SL_OK };
	struct sl_problems problems = { .rows = NULL };
	struct sg_check_settings settings = gate->settings;
	struct sg_store *store = NULL;
	bool shows = isatty(STDERR_FILENO);
	int signal_number = SIGINT;
	enum sl_code code = SL_OK;

	if (gate->no_cache)
		code = make_thrown(&thrown, &error);
	if (code == SL_OK)
		code = scgate_open(gate->no_cache ? thrown.path : gate->db,
				   &store, &error);
	settings.root = root;
	settings.problems = &problems;
	settings.signal_number = &signal_number;
	settings.progress = shows ? show_progress : NULL;
	if (code == SL_OK)
		code = sg_check_run(&settings, store, check, &error);
	end_progress(shows && code != SL_EINVAL);
	sg_store_close(store);
	throw_away(&thrown);
	if (code != SL_OK)
		return say_failure(gate, code, &error, &problems,
				   signal_number);
	sl_problems_finish(&problems);
	return -1;
}

int scgate_gate_run(const struct scgate_gate *gate, char **root,
		    struct sg_check **check)
{
	struct sl_error error = { .code = SL_OK };
	enum sl_code code = sg_tree_find_root(root, &error);

	*check = NULL;
	if (code == SL_END)
		code = SL_FAIL(&error, SL_EINVAL,
			       "this is no work tree of a git repository");
	if (code != SL_OK)
		return scgate_exit(gate->command, code, &error);
	/* A file that may not grow is a full disk, not a reason to die. */
	signal(SIGXFSZ, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	return run(gate, *root, check);
}
