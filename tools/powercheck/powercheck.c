/* SPDX-License-Identifier: MIT */
/* powercheck: what a program's work costs in energy. */
#define _GNU_SOURCE /* signalfd() */
#include "powercheck.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/problems.h"
#include "base/text.h"
#include "power/app.h"

static const struct {
	const char *name;
	powercheck_command *run;
} commands[] = {
	{ "check", powercheck_check },
	{ "meters", powercheck_meters },
	{ "processes", powercheck_processes },
	{ "compare", powercheck_compare },
	{ "sweep", powercheck_sweep },
	{ "calibrate", powercheck_calibrate },
};

enum { COMMANDS = sizeof(commands) / sizeof(commands[0]) };

static void SL_PRINTF(1, 0) say(const char *fmt, va_list args)
{
	char line[1024];

	vsnprintf(line, sizeof(line), fmt, args);
	sl_text_flatten(line);
	fflush(stdout);
	fprintf(stderr, "powercheck: %s\n", line);
}

void powercheck_say(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	say(fmt, args);
	va_end(args);
}

int powercheck_misused(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	say(fmt, args);
	va_end(args);
	fputs("try powercheck --help\n", stderr);
	return EXIT_USAGE;
}

int powercheck_end(int code)
{
	if (fflush(stdout) != EOF && !ferror(stdout))
		return code;
	powercheck_say("cannot write: %s", strerror(errno));
	return code == EXIT_FIGURE ? EXIT_NONE : code;
}

bool powercheck_number(const char *text, double min, double max, double *number)
{
	char *end;

	errno = 0;
	*number = strtod(text, &end);
	return end != text && !*end && !errno && isfinite(*number) &&
	       *number >= min && *number <= max;
}

int powercheck_catch(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	signal(SIGPIPE, SIG_IGN); /* whoever reads us may have seen enough */
	if (sigprocmask(SIG_BLOCK, &set, NULL) != 0)
		return -1;
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int powercheck_caught(int cancel_fd)
{
	struct signalfd_siginfo signal_info;

	if (read(cancel_fd, &signal_info, sizeof(signal_info)) !=
	    (ssize_t)sizeof(signal_info))
		return EXIT_SIGNAL + SIGINT;
	return EXIT_SIGNAL + (int)signal_info.ssi_signo;
}

/* "metres": no program of that name is there, and a command nearly is. */
static const char *meant(const char *name)
{
	const char *names[COMMANDS];

	for (size_t at = 0; at < COMMANDS; at++)
		names[at] = commands[at].name;
	if (!*name || *name == '-' || sl_app_check(name, NULL) == SL_OK)
		return NULL;
	return sl_did_you_mean(name, names, COMMANDS);
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";

	for (size_t at = 0; at < COMMANDS; at++)
		if (strcmp(name, commands[at].name) == 0)
			return commands[at].run(argc - 1, argv + 1);
	if (strcmp(name, "--version") == 0) {
		puts("powercheck " POWERCHECK_VERSION);
		return powercheck_end(EXIT_FIGURE);
	}
	if (meant(name))
		return powercheck_misused("no command \"%s\", did you mean "
					  "\"%s\"?",
					  name, meant(name));
	return powercheck_check(argc, argv);
}
