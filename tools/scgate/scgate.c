/* SPDX-License-Identifier: MIT */
/* scgate: what analyzers find, read, compared and judged. */
#include "scgate.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/problems.h"
#include "talk.h"

static const char help[] =
	"usage: scgate COMMAND [ARGUMENT]...\n"
	"\n"
	"  init      write a first .scgate.conf\n"
	"  check     reject a change that makes the code worse\n"
	"  baseline  write down what is there, for where no database is "
	"shared\n"
	"  hook      let git run the gate before commits, merges and pushes\n"
	"  read      parse reports and print their findings\n"
	"  import    store the findings of reports, and compare them\n"
	"  runs      list the runs that are stored\n"
	"  query     ask about a run: what is new, fixed, unknown, and more\n"
	"  sql       ask in SQL\n"
	"  show      tell all of one finding, with its lines of source\n"
	"  diff      hold two runs against each other\n"
	"  export    write a run for other programs: SARIF, GitLab, GitHub\n"
	"  suppress  accept a finding, with a reason, in a tracked file\n"
	"  prune     forget old runs, or a wrong one\n"
	"\n"
	"scgate COMMAND --help, or scgate help COMMAND, says more.\n"
	"\n"
	"exit: 0 pass, 1 rejected, 2 usage or not a report, 3 incomplete\n";

static const struct {
	const char *name;
	scgate_command *run;
} commands[] = {
	{ "read", scgate_read },   { "import", scgate_import },
	{ "runs", scgate_runs },   { "query", scgate_query },
	{ "sql", scgate_sql },     { "show", scgate_show },
	{ "diff", scgate_diff },   { "suppress", scgate_suppress },
	{ "prune", scgate_prune }, { "hook", scgate_hook },
	{ "check", scgate_check }, { "baseline", scgate_baseline },
	{ "init", scgate_init },   { "export", scgate_export },
};

static int say(const char *text)
{
	if (fputs(text, stdout) == EOF || fflush(stdout) == EOF) {
		fprintf(stderr, "scgate: cannot write: %s\n", strerror(errno));
		return EXIT_INCOMPLETE;
	}
	return EXIT_PASS;
}

enum { COMMANDS = sizeof(commands) / sizeof(commands[0]) };

static scgate_command *find(const char *name)
{
	for (size_t at = 0; at < COMMANDS; at++)
		if (strcmp(name, commands[at].name) == 0)
			return commands[at].run;
	return NULL;
}

static int no_command(const char *given)
{
	const char *names[COMMANDS], *meant;

	for (size_t at = 0; at < COMMANDS; at++)
		names[at] = commands[at].name;
	meant = sl_did_you_mean(given, names, COMMANDS);
	fputs("scgate: no command \"", stderr);
	scgate_print(given);
	if (meant)
		fprintf(stderr, "\", did you mean \"%s\"?\n", meant);
	else
		fputs("\"\n", stderr);
	fputs("try scgate --help\n", stderr);
	return EXIT_USAGE;
}

/* What stands behind "scgate help". */
static int help_with(const char *name)
{
	char option[] = "--help";
	char *arguments[] = { option, option, NULL };
	scgate_command *command = name ? find(name) : NULL;

	if (!name)
		return say(help);
	return command ? command(2, arguments) : no_command(name);
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	scgate_command *command = find(name);

	if (command)
		return command(argc - 1, argv + 1);
	if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
		return say(help);
	if (strcmp(name, "help") == 0)
		return help_with(argv[2]);
	if (strcmp(name, "--version") == 0)
		return say("scgate " SCGATE_VERSION "\n");
	if (*name)
		return no_command(name);
	fputs(help, stderr);
	return EXIT_USAGE;
}
