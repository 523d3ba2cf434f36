/* SPDX-License-Identifier: MIT */
/* runpipe: run the pipeline that a configuration file describes. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "arguments.h"
#include "report_file.h"
#include "runpipe.h"
#include "sluice/pipeline.h"
#include "write_all.h"

enum { PROGRESS_MS = 500 };
#define EXPORT_NS INT64_C(10000000000)

static struct sl_pipeline *running;
static volatile sig_atomic_t caught;

/* The next one kills, whichever of the two it is. */
static void on_signal(int number)
{
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	if (!caught)
		caught = number;
	sl_pipeline_stop(running);
}

/* Names and paths may hold anything; a terminal must not obey it. */
static void print_line(const char *before, const char *text)
{
	fputs(before, stderr);
	for (; *text; text++)
		fputc((unsigned char)*text < 0x20 || *text == 0x7f ? '?'
								   : *text,
		      stderr);
	fputc('\n', stderr);
}

static int complain(const struct sl_error *error)
{
	char *text = sl_error_text(error);

	print_line(error->input[0] ? "" : "runpipe: ",
		   text ? text : error->message);
	free(text);
	return error->code == SL_EINVAL ? EXIT_USAGE : EXIT_FAILED;
}

int say(const char *text)
{
	if (fputs(text, stdout) == EOF || fflush(stdout) == EOF) {
		fprintf(stderr, "runpipe: cannot write: %s\n", strerror(errno));
		return EXIT_FAILED;
	}
	return EXIT_DONE;
}

static void print_summary(const struct sl_stats *stats)
{
	struct sl_buffer text = { NULL, 0, 0 };
	struct sl_error error;

	if (sl_stats_text(stats, &text, &error) == SL_OK)
		fwrite(text.data, 1, text.used, stderr);
	else
		fprintf(stderr, "runpipe: %s\n", error.message);
	free(text.data);
}

/* ---- running ---------------------------------------------------------- */

static void print_problem(void *context, const char *line)
{
	(void)context;
	print_line("", line);
}

static void print_notice(void *context, const char *line)
{
	(void)context;
	print_line("runpipe: ", line);
}

static void complain_of_export(const struct sl_error *error)
{
	(void)complain(error);
}

static void print_progress(struct sl_pipeline *pipeline)
{
	struct sl_progress progress = { .size = sizeof(progress) };
	double seconds;

	sl_pipeline_progress(pipeline, &progress);
	seconds = (double)progress.elapsed_ns / 1e9;
	fprintf(stderr,
		"\r%" PRIu64 " packets, %" PRIu64
		" dropped, %.1f s, %.3g packets/s\033[K",
		progress.packets_in, progress.packets_dropped, seconds,
		seconds > 0 ? (double)progress.packets_in / seconds : 0.0);
	fflush(stderr);
}

static void wait_for_end(struct sl_pipeline *pipeline, struct exports *exports,
			 bool progress)
{
	for (;;) {
		int timeout_ms = export_timeout_ms(exports);

		if (progress && (timeout_ms < 0 || timeout_ms > PROGRESS_MS))
			timeout_ms = PROGRESS_MS;
		if (sl_pipeline_wait(pipeline, timeout_ms))
			break;
		if (progress)
			print_progress(pipeline);
		export_when_due(exports, pipeline, complain_of_export);
	}
	if (progress)
		fputs("\r\033[K", stderr);
}

/* One that the caller ignores, as nohup does, stays ignored. */
static void catch_signal(int number)
{
	struct sigaction action = { .sa_handler = on_signal };
	struct sigaction before;

	sigemptyset(&action.sa_mask);
	if (sigaction(number, NULL, &before) == 0 &&
	    before.sa_handler != SIG_IGN)
		sigaction(number, &action, NULL);
}

static void catch_signals(void)
{
	catch_signal(SIGINT);
	catch_signal(SIGTERM);
}

/* What cannot be written is an error of the write. */
static void ignore_signals_of_writes(void)
{
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
}

static int report_run(struct sl_pipeline *pipeline, struct arguments *arguments,
		      const struct report_file *report)
{
	const struct sl_stats *stats = sl_pipeline_stats(pipeline);
	struct sl_error error = { .code = SL_OK };
	enum sl_code written = SL_OK;
	int code = EXIT_DONE;

	if (!arguments->quiet)
		print_summary(stats);
	if (sl_pipeline_result(pipeline, &error) != SL_OK) {
		complain(&error);
		code = EXIT_FAILED;
	} else if (caught) {
		code = EXIT_SIGNAL + (int)caught;
	}
	if (report->path)
		written = report_write(report, stats, &error);
	if (written != SL_OK) {
		complain(&error);
		code = EXIT_FAILED;
	}
	if (!export_end(&arguments->exports, stats, complain_of_export))
		code = EXIT_FAILED;
	return code;
}

static int run(struct sl_pipeline *pipeline, struct arguments *arguments)
{
	struct report_file report = { .path = arguments->stats, .fd = -1 };
	struct sl_error error = { .code = SL_OK };
	enum sl_code code;

	running = pipeline;
	catch_signals();
	code = report_open(&report, &error);
	if (code == SL_OK && report.path)
		code = sl_pipeline_claim_output(pipeline, report.fd,
						report.path, &error);
	if (code == SL_OK)
		code = export_open(&arguments->exports, pipeline, &error);
	if (code == SL_OK)
		code = sl_pipeline_open(pipeline, &error);
	if (code == SL_OK)
		code = sl_pipeline_start(pipeline, &error);
	if (code != SL_OK) {
		report_withdraw(&report);
		export_withdraw(&arguments->exports);
		return caught ? EXIT_SIGNAL + (int)caught : complain(&error);
	}
	export_begin(&arguments->exports, pipeline, complain_of_export);
	wait_for_end(pipeline, &arguments->exports,
		     !arguments->quiet && isatty(STDERR_FILENO));
	return report_run(pipeline, arguments, &report);
}

static int list(const struct arguments *arguments)
{
	struct sl_buffer text = { NULL, 0, 0 };
	struct sl_error error = { .code = SL_OK };
	int code;

	if (sl_plugins_list(arguments->plugin, arguments->format, &text,
			    &error) != SL_OK) {
		free(text.data);
		complain(&error);
		return EXIT_USAGE;
	}
	code = EXIT_DONE;
	if (write_all(STDOUT_FILENO, text.data, text.used) != SL_OK) {
		fprintf(stderr, "runpipe: cannot write: %s\n", strerror(errno));
		code = EXIT_FAILED;
	}
	free(text.data);
	return code;
}

static int run_configuration(struct arguments *arguments)
{
	struct sl_pipeline *pipeline;
	struct sl_error error = { .code = SL_OK };
	enum sl_code code;
	int exit_code = EXIT_DONE;

	ignore_signals_of_writes();
	arguments->settings.publish = "runpipe";
	if (!arguments->quiet)
		arguments->settings.notice = print_notice;
	code = sl_pipeline_create(&pipeline, &arguments->settings, &error);
	if (code != SL_OK) {
		if (code == SL_EINVAL) /* print_problem has said it */
			return EXIT_USAGE;
		complain(&error);
		return code == SL_ENOMEM ? EXIT_FAILED : EXIT_USAGE;
	}
	if (!arguments->check)
		exit_code = run(pipeline, arguments);
	else if (!arguments->quiet)
		fprintf(stderr, "%s: nothing is wrong\n",
			arguments->settings.config);
	sl_pipeline_destroy(pipeline);
	return exit_code;
}

/* A standard stream that is closed must not become some file of the pipeline,
 * and using it must fail: so it is opened the wrong way round. */
static void reserve_standard_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null",
			 fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
			exit(EXIT_FAILED);
	}
}

int main(int argc, char **argv)
{
	struct timespec now;
	struct arguments arguments = {
		.settings = { .size = sizeof(struct sl_pipeline_settings),
			      .problem = print_problem },
		.exports = { .interval_ns = EXPORT_NS },
	};
	static char own_name[] = "runpipe";
	int code;

	clock_gettime(CLOCK_MONOTONIC, &now);
	arguments.settings.started_ns =
		(int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
	reserve_standard_streams();
	if (argc > 1 && strcmp(argv[1], "counters") == 0)
		return show_counters(argc - 1, argv + 1);
	if (argc > 1 && strcmp(argv[1], "top") == 0)
		return show_top(argc - 1, argv + 1);
	argv[0] = own_name; /* for getopt's messages */
	code = arguments_parse(&arguments, argc, argv);
	if (code < 0)
		code = arguments.list ? list(&arguments)
				      : run_configuration(&arguments);
	free(arguments.overrides);
	return code;
}
