/* SPDX-License-Identifier: MIT */
/* scgate sql: questions to the store in SQL. */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "database.h"
#include "output.h"
#include "scgate.h"
#include "store/query.h"
#include "talk.h"

static const char help[] =
	"usage: scgate sql [OPTION]... STATEMENT\n"
	"\n"
	"Ask the store in SQL. STATEMENT is one SELECT (or WITH, VALUES, "
	"EXPLAIN) of\n"
	"SQLite's; \"-\" reads it from standard input. It can change nothing. "
	"The views\n"
	"v_runs, v_counts, v_findings, v_events, v_results and v_suppressions "
	"are made\n"
	"for such questions.\n"
	"\n"
	"  --db DB         the database; by default scgate/findings.db in the "
	"git folder\n"
	"                  that worktrees share\n"
	"  --steps N       of SQLite's machine that it may take; 0: any "
	"number. By\n"
	"                  default 1000000000, some 10 s\n"
	"  --seconds N     that it may take, for one step can be long; 0: any "
	"number. By\n"
	"                  default 60\n"
	"  --output table  for people (the default)\n"
	"  --output csv    RFC 4180, with a line of names\n"
	"  --output json   one array of objects\n"
	"\n"
	"exit: 0 answered, 2 usage, not to be opened, or refused; 3 not to be "
	"read or\n"
	"written\n"
	"\n"
	"examples:\n"
	"  scgate sql \"SELECT run, found, new FROM v_runs\"\n"
	"  scgate sql --output csv - <question.sql\n";

enum { STATEMENT_MAX = 1 << 20 };

struct settings {
	const struct sg_rows_writer *writer;
	const char *db; /* NULL: the repository's */
	int64_t steps, seconds;
};

/* ---- the statement ----------------------------------------------------- */

/* One byte more than is allowed tells that there are too many. */
static enum sl_code read_input(struct sl_buffer *text, struct sl_error *error)
{
	enum sl_code code = sl_buffer_reserve(text, STATEMENT_MAX + 1, error);
	ssize_t got = 1;

	while (code == SL_OK && got && text->used <= STATEMENT_MAX) {
		got = read(STDIN_FILENO, text->data + text->used,
			   STATEMENT_MAX + 1 - text->used);
		if (got > 0)
			text->used += (size_t)got;
		else if (got < 0 && errno != EINTR)
			code = SL_FAIL(error, SL_EIO,
				       "cannot read the statement: %s",
				       strerror(errno));
	}
	if (code != SL_OK)
		return code;
	if (text->used > STATEMENT_MAX)
		return SL_FAIL(error, SL_EINVAL,
			       "the statement is longer than %d bytes",
			       STATEMENT_MAX);
	if (memchr(text->data, '\0', text->used))
		return SL_FAIL(error, SL_EINVAL,
			       "there is a NUL in the statement");
	return sg_report_put(text, "", 1, error);
}

/* ---- the answer -------------------------------------------------------- */

/* The store does not know what the option is called that bounds it. */
static void name_steps(const struct settings *settings, struct sl_error *error)
{
	char said[64];

	snprintf(said, sizeof(said), "it takes more than %lld steps",
		 (long long)settings->steps);
	if (strcmp(error->message, said) == 0)
		sl_error_set(error, SL_EINVAL, __FILE__, __LINE__,
			     "%s; --steps N allows more", said);
}

static enum sl_code ask(const char *statement, const struct settings *settings,
			struct sg_store *store, struct sl_error *error)
{
	struct scgate_rows rows;
	enum sl_code code = scgate_rows_begin(&rows, settings->writer, error);

	if (code != SL_OK)
		return code;
	code = sg_store_select(store, statement, (uint64_t)settings->steps,
			       scgate_rows_take, &rows, error);
	code = scgate_rows_end(&rows, code, error);
	if (code == SL_EINVAL)
		name_steps(settings, error);
	if (code == SL_OK && scgate_rows_show_none(&rows))
		fputs("rows: none\n", stderr);
	return code;
}

static int answer(const char *statement, const struct settings *settings)
{
	struct sl_error error = { .code = SL_OK };
	struct sg_store *store;
	enum sl_code code;

	if (scgate_open_to_read(settings->db, &store, &error) != SL_OK) {
		scgate_complain("sql", &error);
		return EXIT_USAGE;
	}
	code = ask(statement, settings, store, &error);
	sg_store_close(store);
	return scgate_exit("sql", code, &error);
}

static int answer_input(const struct settings *settings)
{
	struct sl_buffer text = { .data = NULL };
	struct sl_error error = { .code = SL_OK };
	enum sl_code code = read_input(&text, &error);
	int exit_code = code == SL_OK ? answer(text.data, settings)
				      : scgate_exit("sql", code, &error);

	free(text.data);
	return exit_code;
}

/* ---- the command ------------------------------------------------------- */

/* SQLite looks at the clock between steps only, and one may take for ever. What
 * is open is only read, so there is nothing to put in order. */
static void on_alarm(int signal)
{
	static const char text[] = "scgate sql: the statement takes too long; "
				   "--seconds N allows more\n";

	(void)signal;
	(void)!write(STDERR_FILENO, text, sizeof(text) - 1);
	_exit(EXIT_USAGE);
}

static void limit_time(int64_t seconds)
{
	struct sigaction action = { .sa_handler = on_alarm };

	if (!seconds)
		return;
	sigaction(SIGALRM, &action, NULL);
	alarm(seconds < UINT_MAX ? (unsigned)seconds : UINT_MAX);
}

int scgate_sql(int argc, char **argv)
{
	struct settings settings = { .writer = &sg_rows_table,
				     .steps = 1000000000,
				     .seconds = 60 };
	const struct scgate_option options[] = {
		{ "db", SCGATE_TEXT, &settings.db },
		{ "output", SCGATE_ROWS, &settings.writer },
		{ "steps", SCGATE_COUNT, &settings.steps },
		{ "seconds", SCGATE_COUNT, &settings.seconds },
		{ NULL, SCGATE_FLAG, NULL },
	};
	int code = scgate_parse("sql", help, options, argc, argv);

	if (code >= 0)
		return code;
	if (optind == argc)
		return scgate_misused("sql", "a statement is wanted", NULL);
	if (optind + 1 < argc)
		return scgate_misused("sql",
				      "one statement is wanted, not also",
				      argv[optind + 1]);
	limit_time(settings.seconds);
	return strcmp(argv[optind], "-") == 0 ? answer_input(&settings)
					      : answer(argv[optind], &settings);
}
