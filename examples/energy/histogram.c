/* SPDX-License-Identifier: MIT */
/* histogram: how busy the CPUs are while a command runs.
 *
 *     histogram [-r ROOT] [-p SECONDS] [-j] [-v] COMMAND [ARGUMENT...]
 *     histogram -p 0.5 make -j4
 *
 * The share of its time that each CPU, and the machine, was in use by 0-10 %,
 * 10-20 %, ... 90-100 %, told apart every SECONDS (1). A mean of 50 % may be
 * one half of the time busy, which lets a CPU sleep in the other, or half busy
 * all the time, which does not. -j: as JSON. -v: tell of each period.
 * ROOT/proc/stat is read (/). COMMAND's standard output goes to standard error.
 *
 * Build:
 *     cc -O2 -o histogram histogram.c $(pkg-config --cflags --libs sluice)
 */
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sluice/tree.h"

enum { CPUS_MAX = 1024, BINS = 10, FIELDS = 8, FILE_LIMIT = 16 << 20 };
/* Of a line's fields, those in which a CPU does nothing for us; guest time,
 * behind them, is inside user time. */
enum { IDLE = 3, IOWAIT = 4, STEAL = 7 };

extern char **environ;

struct cpu {
	bool seen;
	uint64_t
		fields[FIELDS]; /* the highest so far: they may fall a little */
	double ticks[BINS]; /* time by use */
	double busy, total; /* ticks */
};

struct histogram {
	const char *root;
	bool json, verbose;
	struct cpu cpus[CPUS_MAX];
	struct cpu machine;
	unsigned periods;
};

/* ---- measuring ---- */

static void count(struct cpu *cpu, double busy, double total)
{
	int bin = (int)(busy / total * BINS);

	cpu->ticks[bin < BINS ? bin : BINS - 1] += total;
	cpu->busy += busy;
	cpu->total += total;
}

/* Take a CPU's line, and what it adds to the machine's period. */
static void take_line(struct cpu *cpu, const char *text, double *busy,
		      double *total)
{
	double own_busy = 0, own_total = 0;

	for (int at = 0; at < FIELDS; at++) {
		char *end;
		uint64_t now = strtoull(text, &end, 10), *last;

		if (end == text)
			break; /* an old kernel has fewer */
		text = end;
		last = &cpu->fields[at];
		if (now <= *last)
			continue;
		own_total += (double)(now - *last);
		if (at != IDLE && at != IOWAIT && at != STEAL)
			own_busy += (double)(now - *last);
		*last = now;
	}
	if (cpu->seen && own_total > 0) {
		count(cpu, own_busy, own_total);
		*busy += own_busy;
		*total += own_total;
	}
	cpu->seen = true;
}

/* The kernel's clock ticks in it, and no other, say how long a period was: so
 * nothing depends on when we are woken. */
static enum sl_code sample(struct histogram *histogram, struct sl_error *error)
{
	struct sl_buffer text = { 0 };
	double busy = 0, total = 0;
	enum sl_code code = sl_tree_load(histogram->root, "proc/stat",
					 FILE_LIMIT, &text, error);
	const char *line = code == SL_OK ? text.data : NULL;

	while (line) {
		unsigned number;
		int length;

		if (sscanf(line, "cpu%u%n", &number, &length) == 1 &&
		    line[3] != ' ' && number < CPUS_MAX)
			take_line(&histogram->cpus[number], line + length,
				  &busy, &total);
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	free(text.data);
	if (total > 0) {
		count(&histogram->machine, busy, total);
		histogram->periods++;
		if (histogram->verbose)
			fprintf(stderr, "period %u: %.1f %% busy\n",
				histogram->periods, 100 * busy / total);
	}
	return code;
}

/* ---- the command ---- */

/* It must not inherit that we wait for SIGCHLD; its output is no report. */
static bool start(char **command, const sigset_t *signals, pid_t *child)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	int reason;

	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setsigmask(&attributes, signals);
	reason = posix_spawnp(child, command[0], &files, &attributes, command,
			      environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&files);
	if (reason)
		fprintf(stderr, "histogram: %s: %s\n", command[0],
			strerror(reason));
	return reason == 0;
}

/* @return whether the command ran; its exit code is *result then. */
static bool measure(struct histogram *histogram, const struct timespec *period,
		    char **command, int *result)
{
	struct sl_error error;
	sigset_t ended, before;
	int status = 0;
	pid_t child;

	if (sample(histogram, &error) != SL_OK) {
		fprintf(stderr, "histogram: %s\n", error.message);
		*result = EXIT_FAILURE;
		return false;
	}
	/* A signal that is blocked waits for sigtimedwait, which is the pause,
	 * too. */
	sigemptyset(&ended);
	sigaddset(&ended, SIGCHLD);
	sigprocmask(SIG_BLOCK, &ended, &before);
	*result = 127;
	if (!start(command, &before, &child))
		return false;
	do {
		(void)sigtimedwait(&ended, NULL, period);
		if (sample(histogram, &error) != SL_OK)
			fprintf(stderr, "histogram: %s\n", error.message);
	} while (waitpid(child, &status, WNOHANG) == 0);
	*result = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
	return true;
}

/* ---- the report ---- */

static void print_text(const char *name, const struct cpu *cpu)
{
	fprintf(stdout, "%-8s", name);
	for (int bin = 0; bin < BINS; bin++) {
		if (cpu->total > 0)
			fprintf(stdout, "%6.1f",
				100 * cpu->ticks[bin] / cpu->total);
		else
			fprintf(stdout, "%6s", "-");
	}
	if (cpu->total > 0)
		fprintf(stdout, "%9.1f\n", 100 * cpu->busy / cpu->total);
	else
		fprintf(stdout, "%9s\n", "-");
}

static void print_json(const char *name, const struct cpu *cpu)
{
	double second = (double)sysconf(_SC_CLK_TCK);

	fprintf(stdout, "{\"name\":\"%s\",\"seconds\":%.3f,\"busy\":", name,
		cpu->total / second);
	if (cpu->total > 0)
		fprintf(stdout, "%.6f,\"share\":[", cpu->busy / cpu->total);
	else
		fputs("null,\"share\":[", stdout);
	for (int bin = 0; cpu->total > 0 && bin < BINS; bin++)
		fprintf(stdout, "%s%.6f", bin ? "," : "",
			cpu->ticks[bin] / cpu->total);
	fputs("]}\n", stdout);
}

static void print(const struct histogram *histogram)
{
	void (*print_row)(const char *name, const struct cpu *cpu) =
		histogram->json ? print_json : print_text;

	if (!histogram->json)
		fputs("from %       0    10    20    30    40    50    60    70"
		      "    80    90     mean\n",
		      stdout);
	for (unsigned at = 0; at < CPUS_MAX; at++) {
		char name[16];

		(void)snprintf(name, sizeof(name), "cpu%u", at);
		if (histogram->cpus[at].seen)
			print_row(name, &histogram->cpus[at]);
	}
	print_row("machine", &histogram->machine);
}

int main(int argc, char **argv)
{
	struct histogram histogram = { .root = "/" };
	double seconds = 1;
	struct timespec period;
	int option, result;

	while ((option = getopt(argc, argv, "+r:p:jv")) != -1) {
		if (option == 'r')
			histogram.root = optarg;
		else if (option == 'p')
			seconds = strtod(optarg, NULL);
		else if (option == 'j')
			histogram.json = true;
		else if (option == 'v')
			histogram.verbose = true;
		else
			optind = argc;
	}
	if (optind >= argc || !(seconds >= 0.05 && seconds <= 86400)) {
		fputs("usage: histogram [-r ROOT] [-p SECONDS] [-j] [-v] "
		      "COMMAND [ARGUMENT...]\n",
		      stderr);
		return 2;
	}
	period.tv_sec = (time_t)seconds;
	period.tv_nsec = (long)((seconds - (double)period.tv_sec) * 1e9);
	if (measure(&histogram, &period, argv + optind, &result))
		print(&histogram);
	return result;
}
