/* SPDX-License-Identifier: MIT */
/* The options of a check, alone or in a sweep. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "powercheck.h"

/* What has no letter. */
enum {
	METER = 256,
	SETTLE,
	WINDOW,
	BASELINE,
	REPEAT,
	PID,
	NAME,
	START_AFTER,
	START_LINE,
	START_COUNTER,
	IDLE_COMMAND,
	WORK,
	XML,
	JSON,
	ANYWAY,
	ROOT,
	SAMPLE,
	QUIET_CPU,
	QUIET_TIMER,
	QUIET_LOOK,
	THREADS,
	HELP,
};

static const struct option table[] = {
	{ "meter", required_argument, NULL, METER },
	{ "settle", required_argument, NULL, SETTLE },
	{ "window", required_argument, NULL, WINDOW },
	{ "baseline", required_argument, NULL, BASELINE },
	{ "repeat", required_argument, NULL, REPEAT },
	{ "pid", required_argument, NULL, PID },
	{ "name", required_argument, NULL, NAME },
	{ "start-after", required_argument, NULL, START_AFTER },
	{ "start-line", required_argument, NULL, START_LINE },
	{ "start-counter", required_argument, NULL, START_COUNTER },
	{ "idle-command", required_argument, NULL, IDLE_COMMAND },
	{ "work", required_argument, NULL, WORK },
	{ "xml", required_argument, NULL, XML },
	{ "json", required_argument, NULL, JSON },
	{ "anyway", no_argument, NULL, ANYWAY },
	{ "root", required_argument, NULL, ROOT },
	{ "sample", required_argument, NULL, SAMPLE },
	{ "quiet-cpu", required_argument, NULL, QUIET_CPU },
	{ "quiet-timer", required_argument, NULL, QUIET_TIMER },
	{ "quiet-look", required_argument, NULL, QUIET_LOOK },
	{ "threads", required_argument, NULL, THREADS },
	{ "help", no_argument, NULL, HELP },
	{ NULL, 0, NULL, 0 },
};

/** What the options need beside the result. */
struct parsing {
	struct check_options *options;
	bool is_sweep, has_repeat;
	unsigned starts;
};

static const char *name_of(int chosen)
{
	for (size_t at = 0; table[at].name; at++)
		if (table[at].val == chosen)
			return table[at].name;
	return "";
}

/* @return -1: fine. */
static int take_number(int chosen, const char *text, double min, double max,
		       double *number)
{
	if (powercheck_number(text, min, max, number))
		return -1;
	return powercheck_misused("--%s takes a number from %g to %g, not "
				  "\"%s\"",
				  name_of(chosen), min, max, text);
}

static int take_whole(int chosen, const char *text, double max, double *number)
{
	int code = take_number(chosen, text, 1, max, number);

	if (code < 0 && *number != (double)(long)*number)
		return powercheck_misused("--%s takes a whole number, not "
					  "\"%s\"",
					  name_of(chosen), text);
	return code;
}

static int take_start(struct parsing *parsing, int chosen, const char *text)
{
	struct sl_session_settings *settings = &parsing->options->settings;

	parsing->starts++;
	switch (chosen) {
	case START_AFTER:
		settings->trigger = SL_TRIGGER_AFTER;
		return take_number(chosen, text, 0, 86400, &settings->after_s);
	case START_LINE:
		settings->trigger = SL_TRIGGER_LINE;
		settings->line = text;
		return -1;
	default:
		settings->trigger = SL_TRIGGER_COUNTER;
		settings->counter = text;
		return -1;
	}
}

static int take_window(struct sl_session_settings *settings, const char *text)
{
	settings->window_s = 0;
	if (strcmp(text, "run") == 0)
		return -1;
	return take_number(WINDOW, text, 0.1, 86400, &settings->window_s);
}

static int take_meter(struct meter_choice *meters, const char *text)
{
	if (meters->count == METERS_MAX)
		return powercheck_misused("more than %d meters", METERS_MAX);
	meters->texts[meters->count++] = text;
	return -1;
}

static int take_pid(struct sl_session_settings *settings, const char *text)
{
	double number = 0;
	int code = take_whole(PID, text, 4194304, &number);

	settings->pid = (pid_t)number;
	return code;
}

static int take_repeat(struct parsing *parsing, const char *text)
{
	double number = 0;
	int code = take_whole(REPEAT, text, 1000, &number);

	parsing->has_repeat = true;
	parsing->options->settings.repeats = (unsigned)number;
	return code;
}

static int take_percent(const char *text, double *share)
{
	int code = take_number(QUIET_CPU, text, 0, 100, share);

	*share /= 100;
	return code;
}

/* A command for the shell. */
static int take_idle_command(struct sl_session_settings *settings, char *text)
{
	static char shell[] = "/bin/sh", flag[] = "-c";
	static char *words[] = { shell, flag, NULL, NULL };

	words[2] = text;
	settings->idle_command = words;
	return -1;
}

static int take(struct parsing *parsing, int chosen, char *text)
{
	struct check_options *options = parsing->options;
	struct sl_session_settings *settings = &options->settings;

	switch (chosen) {
	case METER:
		return take_meter(&options->meters, text);
	case SETTLE:
		return take_number(chosen, text, 0, 86400, &settings->settle_s);
	case WINDOW:
		return take_window(settings, text);
	case BASELINE:
		return take_number(chosen, text, 0.1, 86400,
				   &settings->baseline_s);
	case REPEAT:
		return take_repeat(parsing, text);
	case PID:
		return take_pid(settings, text);
	case NAME:
		settings->name = text;
		return -1;
	case START_AFTER:
	case START_LINE:
	case START_COUNTER:
		return take_start(parsing, chosen, text);
	case IDLE_COMMAND:
		return take_idle_command(settings, text);
	case WORK:
		settings->work = text;
		return -1;
	case XML:
		options->xml = text;
		return -1;
	case JSON:
		options->json = text;
		return -1;
	case ANYWAY:
		options->anyway = true;
		return -1;
	case ROOT:
		options->meters.root = settings->root = text;
		return -1;
	case SAMPLE:
		return take_number(chosen, text, 0.01, 3600,
				   &settings->sample_s);
	case QUIET_CPU:
		return take_percent(text, &settings->quiet_busy);
	case QUIET_TIMER:
		return take_number(chosen, text, 0, 1000,
				   &settings->quiet_timer_ms);
	case QUIET_LOOK:
		return take_number(chosen, text, 0.1, 60, &settings->look_s);
	case THREADS:
		options->threads = text;
		return -1;
	default:
		fputs("try powercheck --help\n", stderr);
		return EXIT_USAGE;
	}
}

/* Of a process that runs already there is one run, and a baseline only while it
 * waits. */
static int check_process(struct parsing *parsing)
{
	struct sl_session_settings *settings = &parsing->options->settings;

	if (!settings->pid && !settings->name)
		return powercheck_misused("there is no command");
	if (settings->trigger == SL_TRIGGER_LINE)
		return powercheck_misused("--start-line needs a command: "
					  "another's output cannot be read");
	if (settings->window_s <= 0 && settings->pid)
		return powercheck_misused("--window run needs a command, or "
					  "--name");
	if (settings->pid && settings->trigger == SL_TRIGGER_NONE)
		return powercheck_misused(
			"--pid needs --start-after or --start-counter: the "
			"baseline is taken while the process has nothing to "
			"do yet");
	if (parsing->has_repeat && settings->repeats != 1)
		return powercheck_misused("a process that runs already can be "
					  "measured once: --repeat 1");
	settings->repeats = 1;
	return -1;
}

static bool is_stdout(const char *path)
{
	return path && strcmp(path, "-") == 0;
}

static int check_all(struct parsing *parsing, int rest, char **arguments)
{
	struct check_options *options = parsing->options;
	struct sl_session_settings *settings = &options->settings;

	if (parsing->starts > 1)
		return powercheck_misused("--start-after, --start-line and "
					  "--start-counter exclude each "
					  "other");
	if (options->xml && options->json &&
	    strcmp(options->xml, options->json) == 0)
		return powercheck_misused("--xml and --json name one file");
	if (parsing->is_sweep != (options->threads != NULL))
		return powercheck_misused(parsing->is_sweep
						  ? "sweep needs --threads"
						  : "--threads is sweep's");
	options->text = is_stdout(options->xml) || is_stdout(options->json)
				? stderr
				: stdout;
	if (rest) {
		options->command = arguments;
		settings->command = arguments;
	}
	if (parsing->is_sweep && !rest)
		return powercheck_misused("sweep needs a command");
	if ((rest > 0) + (settings->pid > 0) + (settings->name != NULL) > 1)
		return powercheck_misused("a command, --pid and --name exclude "
					  "each other");
	if (!rest)
		return check_process(parsing);
	return -1;
}

int powercheck_parse(const char *help, bool is_sweep, int argc, char **argv,
		     struct check_options *options)
{
	struct parsing parsing = { .options = options, .is_sweep = is_sweep };
	static char name[] = "powercheck"; /* argv has it from now on */
	int chosen, code = -1;

	*options = (struct check_options){
		.settings = { .root = "/",
			      .settle_s = 15,
			      .window_s = 30,
			      .repeats = 5,
			      .quiet_busy = 0.05,
			      .quiet_timer_ms = 1.5,
			      .look_s = 2 },
		.meters = { .root = "/" },
	};
	argv[0] = name;
	while (code < 0 &&
	       (chosen = getopt_long(argc, argv, "+h", table, NULL)) != -1) {
		if (chosen == HELP || chosen == 'h') {
			fputs(help, stdout);
			return powercheck_end(EXIT_FIGURE);
		}
		code = take(&parsing, chosen, optarg);
	}
	return code < 0 ? check_all(&parsing, argc - optind, argv + optind)
			: code;
}
