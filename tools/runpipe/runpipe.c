/* SPDX-License-Identifier: MIT */
/* runpipe: run the pipeline that a configuration file describes. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "export.h"
#include "runpipe.h"
#include "sluice/pipeline.h"

enum { PROGRESS_MS = 500, MAX_WORKERS = 1024 };
#define EXPORT_NS INT64_C(10000000000)

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

struct arguments {
	struct sl_pipeline_settings settings;
	const char **overrides; /* owned */
	const char *stats;
	struct exports exports;
	bool check, quiet, list;
	enum sl_list_format format;
	const char *plugin;
};

/* The figures' file, opened before the run so that it fails early. */
struct report_file {
	const char *path; /* NULL: none */
	int fd;
	bool created;
};

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

static int misused(const char *message, const char *what)
{
	fprintf(stderr, "runpipe: %s%s%s\ntry runpipe --help\n", message,
		what ? ": " : "", what ? what : "");
	return EXIT_USAGE;
}

/* ---- arguments -------------------------------------------------------- */

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

int say(const char *text)
{
	if (fputs(text, stdout) == EOF || fflush(stdout) == EOF) {
		fprintf(stderr, "runpipe: cannot write: %s\n", strerror(errno));
		return EXIT_FAILED;
	}
	return EXIT_DONE;
}

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

static int parse_arguments(struct arguments *arguments, int argc, char **argv)
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

/* ---- the report ------------------------------------------------------- */

static enum sl_code open_report(struct report_file *report,
				struct sl_error *error)
{
	if (!report->path)
		return SL_OK;
	if (strcmp(report->path, "-") == 0) {
		report->fd = STDOUT_FILENO;
		return SL_OK;
	}
	report->fd = open(report->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
			  0666);
	report->created = report->fd >= 0;
	if (report->fd < 0 && errno == EEXIST)
		report->fd = open(report->path, O_WRONLY | O_CLOEXEC);
	if (report->fd < 0)
		return SL_FAIL(error, SL_EIO, "cannot write %s: %s",
			       report->path, strerror(errno));
	return SL_OK;
}

/* Nothing ran: leave no empty file behind. */
static void withdraw_report(const struct report_file *report)
{
	if (report->created)
		unlink(report->path);
}

static enum sl_code write_all(int fd, const char *data, size_t size)
{
	while (size) {
		ssize_t written = write(fd, data, size);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return SL_EIO;
		data += written;
		size -= (size_t)written;
	}
	return SL_OK;
}

static bool is_file(int fd)
{
	struct stat file;

	return fstat(fd, &file) == 0 && S_ISREG(file.st_mode);
}

static enum sl_code write_report(const struct report_file *report,
				 const struct sl_stats *stats,
				 struct sl_error *error)
{
	struct sl_buffer json = { NULL, 0, 0 };
	bool whole = report->fd != STDOUT_FILENO && is_file(report->fd);
	enum sl_code code;
	int reason;

	code = sl_stats_json(stats, &json, error);
	if (code == SL_OK && whole && ftruncate(report->fd, 0))
		code = SL_EIO;
	if (code == SL_OK)
		code = write_all(report->fd, json.data, json.used);
	reason = errno;
	if (code == SL_EIO) {
		/* Half a report is worse than none. */
		if (whole && ftruncate(report->fd, 0))
			reason = errno;
		code = SL_FAIL(error, SL_EIO, "cannot write %s: %s",
			       report->path, strerror(reason));
	}
	if (code == SL_OK && report->fd != STDOUT_FILENO && close(report->fd))
		code = SL_FAIL(error, SL_EIO, "cannot write %s: %s",
			       report->path, strerror(errno));
	free(json.data);
	return code;
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
		written = write_report(report, stats, &error);
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
	code = open_report(&report, &error);
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
		withdraw_report(&report);
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
	code = parse_arguments(&arguments, argc, argv);
	if (code < 0)
		code = arguments.list ? list(&arguments)
				      : run_configuration(&arguments);
	free(arguments.overrides);
	return code;
}
