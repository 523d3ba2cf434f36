/* SPDX-License-Identifier: MIT */
#include "arguments.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "runpipe.h"

enum { MAX_WORKERS = 1024 };

static const char help[] =
	"usage: runpipe [OPTION]... CONFIG\n"
	"       runpipe --list [PLUGIN] [--json | --markdown]\n"
	"       runpipe counters [--watch[=SECONDS]] [--json | --csv | "
	"--prometheus]\n"
	"                        [--folder DIR] [PROGRAM]\n"
	"       runpipe top [--interval SECONDS] [--ascii] [--folder DIR] "
	"[PID|NAME]\n"
	"\n"
	"Run the pipeline that CONFIG (\"-\": standard input) describes.\n"
	"\n"
	"  --serial            a plain loop on one thread\n"
	"  --workers N         threads; 0: one a core\n"
	"  --set INSTANCE.OPTION=VALUE\n"
	"                      instead of what CONFIG says; may be repeated\n"
	"  --stats FILE        write the figures as JSON (\"-\": standard "
	"output)\n"
	"  --metrics FILE      keep a file for Prometheus, replaced at each "
	"interval\n"
	"  --series FILE       write a table (CSV, \"-\": standard output), a "
	"row an\n"
	"                      interval\n"
	"  --metrics-interval DURATION\n"
	"                      of both, 100ms to 24h; by default 10s\n"
	"  --check             check CONFIG and its plugins, run nothing\n"
	"  --quiet             no summary, no progress\n"
	"  --list [PLUGIN]     the plugins that can be found, or one's "
	"options\n"
	"  --json, --markdown  the list in that form\n"
	"  --help, --version\n"
	"\n"
	"While it runs it publishes counters of its packets: see runpipe "
	"counters --help\nand, live in a terminal, runpipe top --help.\n"
	"The summary goes to standard error. SIGINT and SIGTERM end the input, "
	"drain\nand report; a second one kills.\n"
	"\n"
	"exit: 0 done, 1 failed, 2 usage or configuration, 130/143 by signal\n"
	"\n"
	"examples:\n"
	"  runpipe router.conf\n"
	"  runpipe --workers 8 --stats - router.conf | jq .packets_per_s\n"
	"  zcat trace.gz | runpipe --set source.path=- router.conf\n"
	"  runpipe --list nat\n";

static int misused(const char *message, const char *what)
{
	fprintf(stderr, "runpipe: %s%s%s\ntry runpipe --help\n", message,
		what ? ": " : "", what ? what : "");
	return EXIT_USAGE;
}

static int parse_workers(struct arguments *arguments, const char *text)
{
	char *end;
	long workers;

	errno = 0;
	workers = strtol(text, &end, 10);
	if (errno || end == text || *end || workers < 0 ||
	    workers > MAX_WORKERS)
		return misused("--workers takes a number from 0 to 1024", text);
	arguments->settings.set_workers = true;
	arguments->settings.workers = (unsigned)workers;
	return EXIT_DONE;
}

static int add_override(struct arguments *arguments, const char *text)
{
	size_t count = arguments->settings.override_count;
	const char **grown =
		realloc(arguments->overrides, (count + 1) * sizeof(*grown));

	if (!grown) {
		fputs("runpipe: no memory\n", stderr);
		return EXIT_FAILED;
	}
	grown[count] = text;
	arguments->overrides = grown;
	arguments->settings.overrides = grown;
	arguments->settings.override_count = count + 1;
	return EXIT_DONE;
}

static const struct option long_options[] = {
	{ "serial", no_argument, NULL, 's' },
	{ "workers", required_argument, NULL, 'w' },
	{ "set", required_argument, NULL, 'o' },
	{ "stats", required_argument, NULL, 'f' },
	{ "metrics", required_argument, NULL, 'p' },
	{ "series", required_argument, NULL, 't' },
	{ "metrics-interval", required_argument, NULL, 'i' },
	{ "check", no_argument, NULL, 'c' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "list", no_argument, NULL, 'l' },
	{ "json", no_argument, NULL, 'j' },
	{ "markdown", no_argument, NULL, 'm' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'v' },
	{ NULL, 0, NULL, 0 },
};

/* @return an exit code, or -1: go on. */
static int parse_option(struct arguments *arguments, int option)
{
	char version[64];
	int code = EXIT_DONE;

	switch (option) {
	case 's':
		arguments->settings.serial = true;
		break;
	case 'w':
		code = parse_workers(arguments, optarg);
		break;
	case 'o':
		code = add_override(arguments, optarg);
		break;
	case 'f':
		arguments->stats = optarg;
		break;
	case 'p':
		if (strcmp(optarg, "-") == 0)
			return misused("--metrics takes a file, which it "
				       "replaces, not standard output",
				       NULL);
		arguments->exports.metrics = optarg;
		break;
	case 't':
		arguments->exports.series = optarg;
		break;
	case 'i':
		if (!export_interval(optarg, &arguments->exports.interval_ns))
			code = misused("--metrics-interval takes a duration "
				       "from 100ms to 24h",
				       optarg);
		break;
	case 'c':
		arguments->check = true;
		break;
	case 'q':
		arguments->quiet = true;
		break;
	case 'l':
		arguments->list = true;
		break;
	case 'j':
		arguments->format = SL_LIST_JSON;
		break;
	case 'm':
		arguments->format = SL_LIST_MARKDOWN;
		break;
	case 'h':
		return say(help);
	case 'v':
		snprintf(version, sizeof(version), "runpipe %s\n",
			 sl_version());
		return say(version);
	default:
		fputs("try runpipe --help\n", stderr);
		return EXIT_USAGE;
	}
	return code == EXIT_DONE ? -1 : code;
}

int arguments_parse(struct arguments *arguments, int argc, char **argv)
{
	int option, code;

	while ((option = getopt_long(argc, argv, "h", long_options, NULL)) !=
	       -1) {
		code = parse_option(arguments, option);
		if (code >= 0)
			return code;
	}
	if (arguments->list) {
		if (argc - optind > 1)
			return misused("--list takes one plugin at most", NULL);
		arguments->plugin = argv[optind];
		return -1;
	}
	if (arguments->format != SL_LIST_TEXT)
		return misused("--json and --markdown go with --list", NULL);
	if (argc - optind != 1)
		return misused(
			argc == optind
				? "a configuration file is wanted"
				: "one configuration file is wanted, not "
				  "more",
			NULL);
	arguments->settings.config = argv[optind];
	return -1;
}
