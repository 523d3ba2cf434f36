/* SPDX-License-Identifier: MIT */
/* powercheck: assess what a command's work costs. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "powercheck.h"

static const char help[] =
	"usage: powercheck [OPTION]... -- COMMAND [ARGUMENT]...\n"
	"       powercheck [OPTION]... --pid P | --name N\n"
	"       powercheck meters | processes | compare | sweep | calibrate\n"
	"\n"
	"Measure the energy that COMMAND's work takes beyond what the machine "
	"takes\nanyway: settle, baseline, application active, settle, "
	"application idle, and again.\n"
	"\n"
	"  --meter METER         NAME or NAME:OPTION=VALUE,...; may be "
	"repeated. Without it\n"
	"                        what the machine has: powercheck meters\n"
	"  --settle 15           seconds between phases\n"
	"  --window 30|run       seconds of a phase; run: active is the whole "
	"command\n"
	"  --baseline S          seconds of baseline and idle, if not the "
	"window "
	"(30 with run)\n"
	"  --repeat 5            runs\n"
	"  --pid P, --name N     a process that runs, or will, instead of a "
	"command\n"
	"  --start-after S       active begins S seconds after the start\n"
	"  --start-line REGEX    ... when the command has printed such a line\n"
	"  --start-counter NAME  ... when its counter rises\n"
	"  --idle-command CMD    makes the application idle; without it idle "
	"is measured\n"
	"                        after its end\n"
	"  --work FILE|COUNTER   what it has done: a number in a file, or its "
	"counter NAME\n"
	"                        or PROGRAM/NAME\n"
	"  --xml F, --json F     write the report, raw samples with it; \"-\": "
	"to standard output,\n"
	"                        and this text to standard error\n"
	"  --anyway              measure on a machine that is not quiet\n"
	"  --quiet-cpu 5         percent of the CPUs that may be busy before\n"
	"  --quiet-timer 1.5     shortest timer period in ms that is normal "
	"before\n"
	"  --quiet-look 2        seconds to look for that\n"
	"  --sample S            seconds between samples\n"
	"  --root DIR            look for /sys and /proc there\n"
	"  --help, --version\n"
	"\n"
	"COMMAND's standard output goes to standard error. A run that ends "
	"before its\nwindow is measured whole.\n"
	"\n"
	"exit: 0 a figure, 1 failed, or refused to give one, 2 usage, "
	"129/130/143 by signal\n"
	"\n"
	"examples:\n"
	"  powercheck --window run --work packets_out -- runpipe router.conf\n"
	"  powercheck --meter rapl --xml a.xml -- ./encode film.y4m\n"
	"  powercheck sweep --threads 1,2,4 -- ./encode -t {threads} "
	"film.y4m\n";

/** What the hooks need. */
struct watching {
	const struct sl_report *report;
	FILE *text;
};

static void show_step(void *context, const struct sl_step *step)
{
	(void)context;
	fprintf(stderr, "\r\033[K%s", step->what);
	if (step->repeat && step->repeats > 1 && step->repeat <= step->repeats)
		fprintf(stderr, " %u of %u", step->repeat, step->repeats);
	if (step->left_s >= 0)
		fprintf(stderr, ": %.0f s left", ceil(step->left_s));
}

static void clear_step(void)
{
	if (isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
}

static void show_phase(void *context, const struct sl_phase *phase)
{
	const struct watching *watching = context;

	clear_step();
	powercheck_print_phase(watching->text, watching->report, phase);
}

/* ---- a check ---------------------------------------------------------- */

/* The words, those with blanks in quotes. */
static char *join(char *const *words)
{
	size_t room = 1;
	char *line, *at;

	for (size_t word = 0; words && words[word]; word++)
		room += strlen(words[word]) + 3;
	line = at = calloc(1, room);
	for (size_t word = 0; line && words && words[word]; word++) {
		bool quoted = !*words[word] || strpbrk(words[word], " \t\n'\"");
		int put = snprintf(at, room, quoted ? "%s'%s'" : "%s%s",
				   word ? " " : "", words[word]);

		at += put;
		room -= (size_t)put;
	}
	return line;
}

/* What was asked for, "; " between. */
static char *join_meters(const struct meter_choice *meters)
{
	size_t room = 1, used = 0;
	char *line;

	for (size_t at = 0; at < meters->count; at++)
		room += strlen(meters->texts[at]) + 2;
	line = calloc(1, room);
	for (size_t at = 0; line && at < meters->count; at++)
		used += (size_t)snprintf(line + used, room - used, "%s%s",
					 at ? "; " : "", meters->texts[at]);
	return line;
}

static void describe_start(const struct sl_session_settings *settings,
			   char *text, size_t size)
{
	switch (settings->trigger) {
	case SL_TRIGGER_NONE:
		snprintf(text, size, "at once");
		break;
	case SL_TRIGGER_AFTER:
		snprintf(text, size, "after %g s", settings->after_s);
		break;
	case SL_TRIGGER_LINE:
		snprintf(text, size, "line %s", settings->line);
		break;
	case SL_TRIGGER_COUNTER:
		snprintf(text, size, "counter %s", settings->counter);
		break;
	}
}

static enum sl_code describe(const struct check_options *options,
			     struct sl_report *report, struct sl_error *error)
{
	const struct sl_session_settings *settings = &options->settings;

	*report = (struct sl_report){
		.version = POWERCHECK_VERSION,
		.command = join(settings->command),
		.meters = join_meters(&options->meters),
		.settle_s = settings->settle_s,
		.baseline_s = sl_session_baseline_s(settings),
		.sample_s = sl_session_sample_s(settings),
		.window_s = settings->window_s,
		.repeats = settings->repeats,
	};
	if (!report->command || !report->meters)
		return SL_FAIL(error, SL_ENOMEM, "no memory");
	describe_start(settings, report->start, sizeof(report->start));
	if (settings->idle_command)
		snprintf(report->idle_command, sizeof(report->idle_command),
			 "%s", settings->idle_command[2]);
	if (settings->work)
		snprintf(report->work_of, sizeof(report->work_of), "%s",
			 settings->work);
	sl_conditions_read(settings->root, &report->conditions);
	return SL_OK;
}

static enum sl_code check_quiet(const struct check_options *options,
				int cancel_fd, struct sl_report *report,
				struct sl_error *error)
{
	enum sl_code code =
		sl_session_quiet(&options->settings, cancel_fd, report, error);

	if (code == SL_OK)
		powercheck_print_quiet(options->text, &report->quiet);
	if (code != SL_OK || report->quiet.quiet)
		return code;
	if (!options->anyway)
		return SL_FAIL(error, SL_EIO,
			       "the system is not quiet (--anyway measures "
			       "all the same): %s",
			       report->quiet.reason);
	powercheck_say("the system is not quiet: %s", report->quiet.reason);
	return SL_OK;
}

static enum sl_code measure(const struct check_options *options, int cancel_fd,
			    struct sl_energy *energy, struct sl_report *report,
			    struct sl_error *error)
{
	struct watching watching = { report, options->text };
	const struct sl_session_hooks hooks = {
		.step = isatty(STDERR_FILENO) ? show_step : NULL,
		.phase = show_phase,
		.context = &watching,
	};
	enum sl_code code = sl_report_domains(report, energy, error);

	if (code != SL_OK)
		return code;
	powercheck_print_conditions(options->text, report, &options->settings);
	fflush(options->text);
	code = check_quiet(options, cancel_fd, report, error);
	if (code == SL_OK)
		code = sl_session_run(&options->settings, energy, cancel_fd,
				      &hooks, report, error);
	clear_step();
	return code;
}

/* @return the exit code. */
static int conclude(const struct check_options *options, int cancel_fd,
		    enum sl_code code, const struct sl_error *error,
		    struct sl_report *report)
{
	if (code == SL_OK) {
		sl_report_judge(report);
		powercheck_print_result(options->text, report);
		return report->outcome == SL_OUTCOME_DONE ? EXIT_FIGURE
							  : EXIT_NONE;
	}
	report->outcome =
		code == SL_ESTOPPED ? SL_OUTCOME_CANCELLED : SL_OUTCOME_FAILED;
	snprintf(report->reason, sizeof(report->reason), "%s", error->message);
	powercheck_say("%s", error->message);
	if (code == SL_ESTOPPED)
		return powercheck_caught(cancel_fd);
	return EXIT_NONE;
}

int powercheck_assess(const struct check_options *options, int cancel_fd,
		      struct sl_report *report)
{
	struct sl_energy *energy = NULL;
	struct sl_error error = { .code = SL_OK };
	enum sl_code code = describe(options, report, &error);
	int result;

	if (code == SL_OK)
		code = powercheck_can_write(options->xml, &error);
	if (code == SL_OK)
		code = powercheck_can_write(options->json, &error);
	if (code == SL_OK)
		code = sl_session_check(&options->settings, &error);
	if (code == SL_OK)
		code = powercheck_open(&options->meters, &energy, &error);
	if (code != SL_OK) {
		powercheck_say("%s", error.message);
		sl_energy_destroy(energy);
		return code == SL_EINVAL || code == SL_EPLUGIN ? EXIT_USAGE
							       : EXIT_NONE;
	}
	code = measure(options, cancel_fd, energy, report, &error);
	result = conclude(options, cancel_fd, code, &error, report);
	sl_energy_destroy(energy);
	if (!powercheck_write(report, options->xml, sl_report_xml) &&
	    result == EXIT_FIGURE)
		result = EXIT_NONE;
	if (!powercheck_write(report, options->json, sl_report_json) &&
	    result == EXIT_FIGURE)
		result = EXIT_NONE;
	return powercheck_end(result);
}

int powercheck_check(int argc, char **argv)
{
	struct check_options options;
	struct sl_report report = { 0 };
	int code = powercheck_parse(help, false, argc, argv, &options);
	int cancel_fd;

	if (code >= 0)
		return code;
	cancel_fd = powercheck_catch();
	if (cancel_fd < 0) {
		powercheck_say("cannot wait for signals: %s", strerror(errno));
		return EXIT_NONE;
	}
	code = powercheck_assess(&options, cancel_fd, &report);
	sl_report_finish(&report);
	close(cancel_fd);
	return code;
}
