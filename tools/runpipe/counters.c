/* SPDX-License-Identifier: MIT */
/* runpipe counters: what running programs have done so far, by the counters
 * that they publish; once, or again and again with rates. */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "counters_form.h"
#include "runpipe.h"
#include "sluice/counter.h"

static const char help[] =
	"usage: runpipe counters [--watch[=SECONDS]] [--json | --csv | "
	"--prometheus]\n"
	"                        [--folder DIR] [PROGRAM]\n"
	"\n"
	"Show the counters that this user's programs publish "
	"(sluice/counter.h),"
	"\nrunpipe's own among them; with PROGRAM, those of programs so "
	"named.\n"
	"\n"
	"  --watch[=SECONDS]  again every second, or so many, until a signal\n"
	"  --json             an object a line and counter\n"
	"  --csv              a row a counter, with the time: a series with "
	"--watch\n"
	"  --prometheus       in Prometheus' text format\n"
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
	"  runpipe counters --csv --watch=10 encoder > encoder.csv\n"
	"  runpipe counters --prometheus\n"
	"  runpipe counters --json | jq 'select(.unit == \"packet\")'\n";

enum form { FORM_TEXT, FORM_JSON, FORM_CSV, FORM_PROMETHEUS };

struct view {
	const char *program; /* NULL: all */
	const char *folder; /* NULL: the user's */
	enum form form;
	bool failed, none, headed;
	struct counters_metrics metrics;
	int64_t now_ns;
};

static volatile sig_atomic_t caught;

static void on_signal(int number)
{
	caught = number;
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

static void put_program(struct view *view, const struct counters_shown *shown)
{
	view->none = false;
	switch (view->form) {
	case FORM_TEXT:
		counters_put_text(shown);
		break;
	case FORM_JSON:
		counters_put_json(shown);
		break;
	case FORM_CSV:
		counters_put_csv(shown);
		break;
	case FORM_PROMETHEUS:
		counters_metrics_add(&view->metrics, shown);
		break;
	}
}

static bool show_file(void *context, const char *path,
		      struct sl_counter_reader *reader,
		      const struct sl_error *error)
{
	struct view *view = context;
	struct counters_shown shown = { .path = path, .now_ns = view->now_ns };
	struct sl_counter_value *values;
	struct sl_error why = { .code = SL_OK };

	if (error) {
		complain(path, error->message);
		view->failed = true;
		return true;
	}
	shown.program = sl_counter_reader_program(reader);
	if (view->program && strcmp(view->program, shown.program->program) != 0)
		return true;
	values = calloc(shown.program->count, sizeof(*values));
	if (!values ||
	    sl_counter_reader_read(reader, values, shown.program->count,
				   &shown.state, &why) != SL_OK) {
		complain(path, values ? why.message : "out of memory");
		view->failed = true;
		free(values);
		return true;
	}
	shown.values = values;
	put_program(view, &shown);
	free(values);
	return true;
}

/* A table's head stands once, over all its rows; people's on each page. */
static void put_head(struct view *view)
{
	if (view->form == FORM_TEXT)
		counters_head_text();
	else if (view->form == FORM_CSV && !view->headed)
		counters_head_csv();
	view->headed = true;
}

static int show_once(struct view *view)
{
	struct sl_error error = { .code = SL_OK };
	bool metrics = view->form == FORM_PROMETHEUS, whole = true;
	enum sl_code code = SL_OK;

	view->none = true;
	view->now_ns = sl_clock_read_ns(CLOCK_REALTIME);
	put_head(view);
	if (metrics)
		whole = counters_metrics_begin(&view->metrics);
	if (whole)
		code = sl_counters_walk(view->folder, show_file, view, &error);
	if (metrics && !counters_metrics_end(&view->metrics, code == SL_OK))
		whole = false;
	if (code == SL_OK && !whole)
		code = SL_FAIL(&error, SL_ENOMEM, "out of memory");
	if (code != SL_OK) {
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

/* Each time is one interval after the last, however long showing takes. */
static int watch(struct view *view, double seconds)
{
	int64_t next_ns = sl_clock_ns(), period_ns = (int64_t)(seconds * 1e9);

	catch_signal(SIGINT);
	catch_signal(SIGTERM);
	while (!caught) {
		struct timespec next;
		int code;

		if (view->form == FORM_TEXT && isatty(STDOUT_FILENO))
			fputs("\033[H\033[J", stdout);
		code = show_once(view);
		if (code != EXIT_DONE)
			return code;
		next_ns += period_ns;
		if (next_ns < sl_clock_ns())
			next_ns = sl_clock_ns() + period_ns;
		next.tv_sec = (time_t)(next_ns / 1000000000);
		next.tv_nsec = (long)(next_ns % 1000000000);
		if (!caught)
			clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next,
					NULL);
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
		{ "json", no_argument, NULL, FORM_JSON },
		{ "csv", no_argument, NULL, FORM_CSV },
		{ "prometheus", no_argument, NULL, FORM_PROMETHEUS },
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
		case FORM_JSON:
		case FORM_CSV:
		case FORM_PROMETHEUS:
			if (view.form != FORM_TEXT &&
			    view.form != (enum form)option)
				return misused("one of --json, --csv and "
					       "--prometheus");
			view.form = (enum form)option;
			break;
		case 'f':
			view.folder = optarg;
			break;
		case 'h':
			return say(help);
		default:
			fputs("try runpipe counters --help\n", stderr);
			return EXIT_USAGE;
		}
	}
	if (argc - optind > 1)
		return misused("one program's name at most");
	if (seconds > 0 && view.form == FORM_PROMETHEUS)
		return misused("--prometheus is of one moment");
	if (optind < argc)
		view.program = argv[optind];
	if (seconds > 0)
		return watch(&view, seconds);
	/* The user's own may not be there yet; one that is named is. */
	if (view.folder && access(view.folder, F_OK)) {
		fprintf(stderr, "runpipe counters: cannot read %s: %s\n",
			view.folder, strerror(errno));
		return EXIT_FAILED;
	}
	option = show_once(&view);
	if (option == EXIT_DONE && view.none && view.program)
		fprintf(stderr, "no counters of a program \"%s\"\n",
			view.program);
	else if (option == EXIT_DONE && view.none)
		fputs("no counters: no program that publishes any runs\n",
		      stderr);
	return option;
}
