/* SPDX-License-Identifier: MIT */
/* runpipe top: a running pipeline, live in a terminal. What it knows and shows
 * is in core/watch; here are the arguments, the signals and the wait. */
#define _GNU_SOURCE /* ppoll() */
#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "runpipe.h"
#include "top_terminal.h"
#include "watch/layout.h"

static const char help[] =
	"usage: runpipe top [--interval SECONDS] [--ascii] [--folder DIR] "
	"[PID|NAME]\n"
	"\n"
	"Show live what a running pipeline does: packets, drops, the load of "
	"its\nstages, watts and packets per joule, and how they went of late. "
	"The newest\nrunpipe, or the program with this number or name; any "
	"program's counters\n(sluice/counter.h) are shown as a table.\n"
	"\n"
	"  --interval SECONDS  between readings, 0.1 to 60; by default 1\n"
	"  --ascii             charts of ASCII, as where the locale is not "
	"UTF-8\n"
	"  --folder DIR        of counter files, instead of the user's: see\n"
	"                      runpipe counters --help\n"
	"  --help\n"
	"\n"
	"keys: q quit, ? help, p pause, + - interval, tab and arrows another "
	"program,\nt a pipeline's counters as a table. NO_COLOR in the "
	"environment: no colours.\n"
	"\n"
	"exit: 0 left with q, 1 failed or no such program, 2 usage or no "
	"terminal,\n129/130/143 by signal\n"
	"\n"
	"examples:\n"
	"  runpipe top\n"
	"  runpipe top --interval 0.2 encoder\n"
	"  runpipe top 31113\n";

struct top {
	struct sl_watch_list list;
	struct sl_look look;
	struct sl_screen screen;
	bool ascii;
	sigset_t waiting; /* what is let through while it waits */
	struct sl_error error;
};

static const double intervals_s[] = { 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60 };
#define INTERVALS (sizeof(intervals_s) / sizeof(intervals_s[0]))

static volatile sig_atomic_t ending;

static void on_signal(int number)
{
	/* A new size is seen when the wait is over. */
	if (number != SIGWINCH)
		ending = number;
}

/* Before ncurses, which takes only what nobody has. One that the caller
 * ignores, as nohup does, stays ignored. */
static void catch_signals(struct top *top)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGWINCH };
	struct sigaction action = { .sa_handler = on_signal }, before;
	sigset_t caught;

	sigemptyset(&action.sa_mask);
	sigemptyset(&caught);
	for (size_t at = 0; at < sizeof(numbers) / sizeof(numbers[0]); at++) {
		if (sigaction(numbers[at], NULL, &before) ||
		    before.sa_handler == SIG_IGN)
			continue;
		sigaction(numbers[at], &action, NULL);
		sigaddset(&caught, numbers[at]);
	}
	/* They come in while it waits, so none is missed before. */
	sigprocmask(SIG_BLOCK, &caught, &top->waiting);
	for (size_t at = 0; at < sizeof(numbers) / sizeof(numbers[0]); at++)
		sigdelset(&top->waiting, numbers[at]);
}

static enum sl_code draw(struct top *top)
{
	enum sl_code code;
	int rows, columns;

	terminal_size(&rows, &columns);
	code = sl_screen_resize(&top->screen, rows, columns, &top->error);
	if (code == SL_OK)
		code = sl_layout(&top->screen, &top->list, &top->look,
				 &top->error);
	if (code == SL_OK)
		terminal_show(&top->screen);
	return code;
}

static void change_interval(struct sl_look *look, bool longer)
{
	if (longer) {
		for (size_t at = 0; at < INTERVALS; at++) {
			if (intervals_s[at] > look->interval_s * 1.001) {
				look->interval_s = intervals_s[at];
				return;
			}
		}
		return;
	}
	for (size_t at = INTERVALS; at-- > 0;) {
		if (intervals_s[at] < look->interval_s * 0.999) {
			look->interval_s = intervals_s[at];
			return;
		}
	}
}

/* @return false: leave. */
static bool obey(struct top *top, enum key key)
{
	struct sl_look *look = &top->look;

	switch (key) {
	case KEY_LEAVE:
		return false;
	case KEY_PAGE_HELP:
		look->help = !look->help;
		break;
	case KEY_PAUSE:
		look->paused = !look->paused;
		break;
	case KEY_SLOWER:
	case KEY_FASTER:
		change_interval(look, key == KEY_SLOWER);
		break;
	case KEY_FOLLOWING:
	case KEY_BEFORE:
		sl_watch_choose(&top->list, key == KEY_FOLLOWING ? 1 : -1);
		look->scroll = 0;
		break;
	case KEY_TABLE:
		look->table = !look->table;
		look->scroll = 0;
		break;
	case KEY_SCROLL_UP:
		look->scroll -= look->scroll > 0;
		break;
	case KEY_SCROLL_DOWN:
		look->scroll++;
		break;
	case KEY_OTHER:
	case KEY_NO_MORE:
		break;
	}
	return true;
}

enum event { EVENT_TIME, EVENT_KEYS, EVENT_SIGNAL, EVENT_HANGUP };

/* Sleep until there is a key, a signal, or @p until_ns; while paused for as
 * long as it takes. */
static enum event wait_for_event(const struct top *top, int64_t until_ns)
{
	struct pollfd keys = { .fd = STDIN_FILENO, .events = POLLIN };
	int64_t left_ns = until_ns - sl_clock_ns();
	struct timespec left;

	left_ns = left_ns < 0 ? 0 : left_ns;
	left.tv_sec = (time_t)(left_ns / 1000000000);
	left.tv_nsec = (long)(left_ns % 1000000000);
	if (ppoll(&keys, 1, top->look.paused ? NULL : &left, &top->waiting) < 0)
		return errno == EINTR ? EVENT_SIGNAL : EVENT_HANGUP;
	if (keys.revents & (POLLHUP | POLLERR | POLLNVAL))
		return EVENT_HANGUP;
	return keys.revents ? EVENT_KEYS : EVENT_TIME;
}

static bool take_keys(struct top *top)
{
	enum key key = terminal_key();

	for (; key != KEY_NO_MORE; key = terminal_key())
		if (!obey(top, key))
			return false;
	return true;
}

/* @return an exit code. */
static int show_until_left(struct top *top)
{
	/* All was read just now; what another reading would tell of the time
	 * since would be no rate. */
	int64_t next_ns = sl_clock_ns() + (int64_t)(top->look.interval_s * 1e9);
	enum event event = EVENT_KEYS;

	for (;;) {
		bool was_paused = top->look.paused;
		double was_s = top->look.interval_s;
		int64_t now_ns = sl_clock_ns();

		if (event == EVENT_KEYS && !take_keys(top))
			return EXIT_DONE;
		if (event == EVENT_HANGUP)
			return EXIT_SIGNAL + SIGHUP;
		if (ending)
			return EXIT_SIGNAL + (int)ending;
		if (event == EVENT_TIME &&
		    sl_watch_refresh(&top->list, &top->error) != SL_OK)
			return EXIT_FAILED;
		/* Times that were missed are not made up for. */
		if (event == EVENT_TIME)
			next_ns += (int64_t)(top->look.interval_s * 1e9);
		if (next_ns < now_ns || was_paused != top->look.paused ||
		    was_s > top->look.interval_s ||
		    was_s < top->look.interval_s)
			next_ns =
				now_ns + (int64_t)(top->look.interval_s * 1e9);
		if (draw(top) != SL_OK)
			return EXIT_FAILED;
		event = wait_for_event(top, next_ns);
	}
}

static int misused(const char *message)
{
	fprintf(stderr, "runpipe top: %s\ntry runpipe top --help\n", message);
	return EXIT_USAGE;
}

static bool parse_interval(const char *text, double *seconds)
{
	char *end;

	errno = 0;
	*seconds = strtod(text, &end);
	return !errno && end != text && !*end && *seconds >= 0.1 &&
	       *seconds <= 60;
}

/* A program's name never starts with a digit. */
static bool parse_program(struct top *top, const char *text)
{
	char *end;

	if (*text < '0' || *text > '9') {
		top->list.name = text;
		return true;
	}
	errno = 0;
	top->list.process = strtoll(text, &end, 10);
	return !errno && !*end && top->list.process > 0;
}

/* @return an exit code, or -1: go on. */
static int parse_arguments(struct top *top, int argc, char **argv)
{
	static const struct option options[] = {
		{ "interval", required_argument, NULL, 'i' },
		{ "ascii", no_argument, NULL, 'a' },
		{ "folder", required_argument, NULL, 'f' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (option) {
		case 'i':
			if (!parse_interval(optarg, &top->look.interval_s))
				return misused("--interval takes seconds, from "
					       "0.1 to 60");
			break;
		case 'a':
			top->ascii = true;
			break;
		case 'f':
			top->list.folder = optarg;
			break;
		case 'h':
			return say(help);
		default:
			fputs("try runpipe top --help\n", stderr);
			return EXIT_USAGE;
		}
	}
	if (argc - optind > 1)
		return misused("one program's number or name at most");
	if (optind < argc && !parse_program(top, argv[optind]))
		return misused("a process is a number");
	return -1;
}

static int run(struct top *top, const char *wanted)
{
	int code;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return misused("this is no terminal; without one: runpipe "
			       "counters --watch");
	if (sl_watch_refresh(&top->list, &top->error) != SL_OK) {
		fprintf(stderr, "runpipe top: %s\n", top->error.message);
		return EXIT_FAILED;
	}
	if (wanted && !sl_watch_chosen(&top->list)) {
		fprintf(stderr, "runpipe top: no counters of a program %s\n",
			wanted);
		return EXIT_FAILED;
	}
	catch_signals(top);
	if (!terminal_open())
		return misused("this kind of terminal is not known (TERM); "
			       "without one: runpipe counters --watch");
	top->screen.ascii = top->ascii || terminal_is_ascii();
	code = show_until_left(top);
	terminal_close();
	if (code == EXIT_FAILED)
		fprintf(stderr, "runpipe top: %s\n", top->error.message);
	return code;
}

int show_top(int argc, char **argv)
{
	static char own_name[] = "runpipe top";
	struct top top = { .look = { .interval_s = 1 } };
	int code;

	argv[0] = own_name; /* for getopt's messages */
	code = parse_arguments(&top, argc, argv);
	if (code < 0)
		code = run(&top, argv[optind]);
	sl_watch_list_finish(&top.list);
	sl_screen_finish(&top.screen);
	return code;
}
