/* SPDX-License-Identifier: MIT */
/* runpipe counters: what running programs have done so far, by the counters
 * that they publish; once, or again and again with rates. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runpipe.h"
#include "sluice/counter.h"

static const char help[] =
	"usage: runpipe counters [--watch[=SECONDS]] [--json] [--folder DIR] "
	"[PROGRAM]\n"
	"\n"
	"Show the counters that this user's programs publish "
	"(sluice/counter.h),"
	"\nrunpipe's own among them; with PROGRAM, those of programs so "
	"named.\n"
	"\n"
	"  --watch[=SECONDS]  again every second, or so many, until a signal\n"
	"  --json             an object a line and counter\n"
	"  --folder DIR       instead of $XDG_RUNTIME_DIR/sluice or, where\n"
	"                     that is not set, /tmp/sluice-UID\n"
	"  --help\n"
	"\n"
	"A program that died leaves its last values, which say \"dead\" until "
	"its\nfile there is removed.\n"
	"\n"
	"exit: 0 done, 1 a file could not be read, 2 usage, 130/143 by signal\n"
	"\n"
	"examples:\n"
	"  runpipe counters\n"
	"  runpipe counters --watch=5 runpipe\n"
	"  runpipe counters --json | jq 'select(.unit == \"packet\")'\n";

struct view {
	const char *program; /* NULL: all */
	const char *folder; /* NULL: the user's */
	bool json, failed, none;
};

static volatile sig_atomic_t caught;

static void on_signal(int number)
{
	caught = number;
}

static const char *const state_words[] = {
	[SL_COUNTERS_LIVE] = "live",
	[SL_COUNTERS_ENDED] = "ended",
	[SL_COUNTERS_DEAD] = "dead",
};

/* JSON has no word for what is no number. */
static void print_number(double number, const char *otherwise)
{
	if (isfinite(number))
		printf("%.17g", number);
	else
		fputs(otherwise, stdout);
}

static void print_json(const struct sl_counter_program *program,
		       const struct sl_counter_value *value,
		       enum sl_counter_state state)
{
	printf("{\"program\":\"%s\",\"process\":%" PRId64
	       ",\"state\":\"%s\",\"name\":\"%s\",\"unit\":\"%s\","
	       "\"value\":",
	       program->program, program->process, state_words[state],
	       value->name, value->unit);
	print_number(value->number, "null");
	if (!value->is_double)
		printf(",\"count\":%" PRIu64, value->count);
	fputs("}\n", stdout);
}

static void print_text(const struct sl_counter_program *program,
		       const struct sl_counter_value *value,
		       enum sl_counter_state state)
{
	printf("%-16s %8" PRId64 " %-5s %-31s ", program->program,
	       program->process, state_words[state], value->name);
	if (value->is_double || value->scale < 1 || value->scale > 1)
		printf("%20.6g", value->number);
	else
		printf("%20" PRIu64, value->count);
	printf(" %s\n", value->unit);
}

/* Names and units were checked when they were read: they hold nothing that a
 * terminal or JSON would take amiss. Paths may. */
static void complain(const char *path, const char *message)
{
	fputs("runpipe counters: ", stderr);
	for (; *path; path++)
		fputc((unsigned char)*path < 0x20 || *path == 0x7f ? '?'
								   : *path,
		      stderr);
	fprintf(stderr, ": %s\n", message);
}

static bool show_file(void *context, const char *path,
		      struct sl_counter_reader *reader,
		      const struct sl_error *error)
{
	struct view *view = context;
	const struct sl_counter_program *program;
	struct sl_counter_value *values;
	struct sl_error why = { .code = SL_OK };
	enum sl_counter_state state;

	if (error) {
		complain(path, error->message);
		view->failed = true;
		return true;
	}
	program = sl_counter_reader_program(reader);
	if (view->program && strcmp(view->program, program->program) != 0)
		return true;
	values = calloc(program->count, sizeof(*values));
	if (!values || sl_counter_reader_read(reader, values, program->count,
					      &state, &why) != SL_OK) {
		complain(path, values ? why.message : "out of memory");
		view->failed = true;
		free(values);
		return true;
	}
	view->none = false;
	for (size_t at = 0; at < program->count; at++)
		(view->json ? print_json : print_text)(program, &values[at],
						       state);
	free(values);
	return true;
}

static int show_once(struct view *view)
{
	struct sl_error error = { .code = SL_OK };

	view->none = true;
	if (!view->json)
		printf("%-16s %8s %-5s %-31s %20s %s\n", "program", "process",
		       "state", "counter", "value", "unit");
	if (sl_counters_walk(view->folder, show_file, view, &error) != SL_OK) {
		fprintf(stderr, "runpipe counters: %s\n", error.message);
		return EXIT_FAILED;
	}
	if (fflush(stdout) == EOF || ferror(stdout)) {
		fprintf(stderr, "runpipe counters: cannot write: %s\n",
			strerror(errno));
		return EXIT_FAILED;
	}
	return view->failed ? EXIT_FAILED : EXIT_DONE;
}

static void catch_signal(int number)
{
	struct sigaction action = { .sa_handler = on_signal };

	sigemptyset(&action.sa_mask);
	sigaction(number, &action, NULL);
}

static int watch(struct view *view, double seconds)
{
	time_t whole = (time_t)seconds;
	struct timespec pause = {
		.tv_sec = whole,
		.tv_nsec = (long)((seconds - (double)whole) * 1e9),
	};

	catch_signal(SIGINT);
	catch_signal(SIGTERM);
	while (!caught) {
		int code;

		if (!view->json && isatty(STDOUT_FILENO))
			fputs("\033[H\033[J", stdout);
		code = show_once(view);
		if (code != EXIT_DONE)
			return code;
		if (!caught)
			clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
	}
	return EXIT_SIGNAL + (int)caught;
}

static bool parse_seconds(const char *text, double *seconds)
{
	char *end;

	errno = 0;
	*seconds = strtod(text, &end);
	return !errno && end != text && !*end && *seconds >= 0.1 &&
	       *seconds <= 86400;
}

static int misused(const char *message)
{
	fprintf(stderr, "runpipe counters: %s\ntry runpipe counters --help\n",
		message);
	return EXIT_USAGE;
}

int show_counters(int argc, char **argv)
{
	static const struct option options[] = {
		{ "watch", optional_argument, NULL, 'w' },
		{ "json", no_argument, NULL, 'j' },
		{ "folder", required_argument, NULL, 'f' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	static char own_name[] = "runpipe counters";
	struct view view = { .none = true };
	double seconds = 0;
	int option;

	argv[0] = own_name; /* for getopt's messages */
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (option) {
		case 'w':
			seconds = 1;
			if (optarg && !parse_seconds(optarg, &seconds))
				return misused("--watch takes seconds, from "
					       "0.1 to 86400");
			break;
		case 'j':
			view.json = true;
			break;
		case 'f':
			view.folder = optarg;
			break;
		case 'h':
			return fputs(help, stdout) == EOF ||
					       fflush(stdout) == EOF
				       ? EXIT_FAILED
				       : EXIT_DONE;
		default:
			fputs("try runpipe counters --help\n", stderr);
			return EXIT_USAGE;
		}
	}
	if (argc - optind > 1)
		return misused("one program's name at most");
	if (optind < argc)
		view.program = argv[optind];
	if (seconds > 0)
		return watch(&view, seconds);
	option = show_once(&view);
	if (option == EXIT_DONE && view.none && view.program)
		fprintf(stderr, "no counters of a program \"%s\"\n",
			view.program);
	else if (option == EXIT_DONE && view.none)
		fputs("no counters: no program that publishes any runs\n",
		      stderr);
	return option;
}
