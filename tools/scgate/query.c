/* SPDX-License-Identifier: MIT */
/* scgate query: questions to the store that have names. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/problems.h"
#include "command.h"
#include "database.h"
#include "names.h"
#include "output.h"
#include "scgate.h"
#include "sources.h"
#include "store/query.h"
#include "talk.h"

static const char help[] =
	"usage: scgate query NAME [OPTION]...\n"
	"       scgate query NAME --explain\n"
	"       scgate query --list\n"
	"\n"
	"Ask the store about a run. --list tells what can be asked.\n"
	"\n"
	"  --run R         the run: last (the default), its number, its name, "
	"or its\n"
	"                  commit: seven digits, or what git knows it by, such "
	"as HEAD~3,\n"
	"                  a branch or a tag\n"
	"  --base R        the run to hold it against; by default the one that "
	"it was\n"
	"                  held against when it was imported\n"
	"  --db DB         the database; by default scgate/findings.db in the "
	"git folder\n"
	"                  that worktrees share\n"
	"  --output table  for people (the default)\n"
	"  --output csv    RFC 4180, with a line of names\n"
	"  --output json   one array of objects\n"
	"  --explain       print the SQL, with what its columns mean\n"
	"  --list          a line a question: its name, and what is asked\n"
	"\n"
	"exit: 0 answered, 2 usage, not to be opened, or no such run; 3 not to "
	"be read or\n"
	"written\n"
	"\n"
	"examples:\n"
	"  scgate query new\n"
	"  scgate query by-rule --run nightly --base v1.2 --output csv\n"
	"  scgate query health --output json | jq length\n";

struct settings {
	const struct sg_query *query; /* NULL: none is named */
	const struct sg_rows_writer *writer;
	const char *db, *run, *base; /* NULL: not given */
	bool is_list, is_explained;
};

enum { NAMES_MAX = 64, SUMMARY = 200 };

static int unknown_query(const char *given)
{
	const char *names[NAMES_MAX];
	const char *meant;
	size_t count = 0;

	while (count < NAMES_MAX && sg_queries[count].name) {
		names[count] = sg_queries[count].name;
		count++;
	}
	meant = sl_did_you_mean(given, names, count);
	fputs("scgate query: no query \"", stderr);
	scgate_print(given);
	if (meant)
		fprintf(stderr, "\", did you mean \"%s\"?\n", meant);
	else
		fputs("\"; scgate query --list tells all\n", stderr);
	return EXIT_USAGE;
}

/* ---- without a store --------------------------------------------------- */

static int list(void)
{
	char text[NAMES_MAX * (SUMMARY + 20)] = "";
	size_t used = 0;

	for (size_t at = 0; at < NAMES_MAX && sg_queries[at].name; at++) {
		char summary[SUMMARY];

		sg_query_summary(&sg_queries[at], summary, sizeof(summary));
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "%-10s  %s\n", sg_queries[at].name,
					 summary);
	}
	return scgate_help(text);
}

/* ---- with one ---------------------------------------------------------- */

static enum sl_code find_runs(struct sg_store *store,
			      const struct settings *settings, int64_t *run,
			      int64_t *base, struct sl_error *error)
{
	enum sl_code code =
		scgate_find_run("query", store, settings->run, run, error);

	*base = 0;
	if (code == SL_OK && settings->base)
		code = scgate_find_run("query", store, settings->base, base,
				       error);
	if (code == SL_OK)
		code = scgate_warn_of("query", store, *run, error);
	return code;
}

static enum sl_code put_rows(struct sg_store *store,
			     const struct settings *settings,
			     const struct sg_question *question,
			     struct sl_error *error)
{
	struct scgate_rows rows;
	enum sl_code code = SL_OK;

	if (settings->writer == &sg_rows_table)
		code = scgate_say_runs(store, question->run, question->base,
				       "\n", error);
	if (code == SL_OK)
		code = scgate_rows_begin(&rows, settings->writer, error);
	if (code != SL_OK)
		return code;
	code = sg_store_query(store, question, scgate_rows_take, &rows, error);
	code = scgate_rows_end(&rows, code, error);
	if (code == SL_OK && scgate_rows_show_none(&rows))
		fprintf(stderr, "%s: none\n", settings->query->name);
	return code;
}

static enum sl_code ask(struct sg_store *store, const struct settings *settings,
			struct sl_error *error)
{
	struct sg_question question = { .query = settings->query };
	struct sg_tree *tree = NULL;
	enum sl_code code = find_runs(store, settings, &question.run,
				      &question.base, error);

	if (code == SL_OK && question.base)
		code = scgate_open_map(store, question.run, question.base, NULL,
				       &tree, error);
	if (tree) {
		question.map = sg_tree_map;
		question.map_context = tree;
	}
	if (code == SL_OK)
		code = put_rows(store, settings, &question, error);
	sg_tree_close(tree);
	return code;
}

static int answer(const struct settings *settings)
{
	struct sl_error error = { .code = SL_OK };
	struct sg_store *store;
	enum sl_code code;

	if (scgate_open_to_read(settings->db, &store, &error) != SL_OK) {
		scgate_complain("query", &error);
		return EXIT_USAGE;
	}
	code = ask(store, settings, &error);
	sg_store_close(store);
	return scgate_exit("query", code, &error);
}

/* ---- the command ------------------------------------------------------- */

static int act(const struct settings *settings)
{
	if (settings->is_explained)
		return scgate_help(settings->query->text);
	return answer(settings);
}

/* What is not an option: the name of a query, unless they are to be listed. */
static int name_and_act(struct settings *settings, int count, char **names)
{
	if (settings->is_list && count)
		return scgate_misused("query", "not wanted beside --list",
				      names[0]);
	if (settings->is_list)
		return list();
	if (!count)
		return scgate_misused("query", "the name of a query is wanted",
				      NULL);
	if (count > 1)
		return scgate_misused("query", "not wanted", names[1]);
	settings->query = sg_query_named(names[0]);
	if (!settings->query)
		return unknown_query(names[0]);
	return act(settings);
}

int scgate_query(int argc, char **argv)
{
	struct settings settings = { .writer = &sg_rows_table };
	const struct scgate_option options[] = {
		{ "run", SCGATE_TEXT, &settings.run },
		{ "base", SCGATE_TEXT, &settings.base },
		{ "db", SCGATE_TEXT, &settings.db },
		{ "output", SCGATE_ROWS, &settings.writer },
		{ "explain", SCGATE_FLAG, &settings.is_explained },
		{ "list", SCGATE_FLAG, &settings.is_list },
		{ NULL, SCGATE_FLAG, NULL },
	};
	int code = scgate_parse("query", help, options, argc, argv);

	return code >= 0
		       ? code
		       : name_and_act(&settings, argc - optind, argv + optind);
}
