/* SPDX-License-Identifier: MIT */
/* rates: what another program does, a line a counter and period.
 *
 *     rates PROGRAM [SECONDS]
 *     rates encoder 5
 *
 * It waits for a program that publishes counters under that name, follows the
 * youngest, tells when it has ended or died, and waits for the next one. Ctrl-C
 * ends it.
 *
 * Build:
 *     cc -O2 -o rates rates.c $(pkg-config --cflags --libs sluice)
 */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sluice/counter.h"

struct follow {
	const char *program;
	struct sl_counter_reader *reader; /* NULL: none found yet */
	int64_t process;
	size_t count;
	struct sl_counter_value *values, *before; /* `count` each */
	double seconds; /* when `before` was read; negative: never */
};

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* ---- finding it ---- */

struct choice {
	const char *program;
	int64_t created_ns;
	char path[4096];
};

/* A file that cannot be read is some other program's trouble. */
static bool choose(void *context, const char *path,
		   struct sl_counter_reader *reader,
		   const struct sl_error *error)
{
	struct choice *choice = context;
	const struct sl_counter_program *program;
	enum sl_counter_state state;

	if (error)
		return true;
	program = sl_counter_reader_program(reader);
	if (strcmp(program->program, choice->program) == 0 &&
	    program->created_ns >= choice->created_ns &&
	    sl_counter_reader_read(reader, NULL, 0, &state, NULL) == SL_OK &&
	    state == SL_COUNTERS_LIVE) {
		choice->created_ns = program->created_ns;
		(void)snprintf(choice->path, sizeof(choice->path), "%s", path);
	}
	return true;
}

static void leave(struct follow *follow, const char *why)
{
	fprintf(stdout, "%s %" PRId64 ": %s\n", follow->program,
		follow->process, why);
	sl_counter_reader_close(follow->reader);
	free(follow->values);
	free(follow->before);
	follow->reader = NULL;
	follow->values = follow->before = NULL;
}

/* @return whether there is a program to follow. An open file can be read even
 * when it has lost its name: so the last values of one that ends are seen. */
static bool find(struct follow *follow)
{
	struct choice choice = { .program = follow->program };
	const struct sl_counter_program *found;
	struct sl_error error;

	if (follow->reader)
		return true;
	if (sl_counters_walk(NULL, choose, &choice, &error) != SL_OK)
		fprintf(stderr, "rates: %s\n", error.message);
	if (!choice.path[0] ||
	    sl_counter_reader_open(&follow->reader, choice.path, NULL) != SL_OK)
		return false;
	found = sl_counter_reader_program(follow->reader);
	follow->process = found->process;
	follow->count = found->count;
	follow->values = calloc(found->count, sizeof(*follow->values));
	follow->before = calloc(found->count, sizeof(*follow->before));
	follow->seconds = -1;
	fprintf(stdout, "%s %" PRId64 ": found\n", follow->program,
		follow->process);
	if (!follow->values || !follow->before)
		leave(follow, "too little memory for its counters");
	return follow->reader;
}

/* ---- what it does ---- */

/* Counters wrap at 2^64, and a difference taken modulo that is right. But a
 * program may also set one back: a rise by more than half of that is a fall. */
static void print_value(const struct sl_counter_value *now,
			const struct sl_counter_value *before, double elapsed)
{
	uint64_t grown = now->count - before->count;

	if (now->is_double) {
		fprintf(stdout, "  %-31s %17.6g %s\n", now->name, now->number,
			now->unit);
		return;
	}
	fprintf(stdout, "  %-31s %17.15g %s", now->name, now->number,
		now->unit);
	if (elapsed <= 0)
		fputs("\n", stdout);
	else if (grown > UINT64_MAX / 2)
		fputs("  set back\n", stdout);
	else
		fprintf(stdout, "  %.6g %s/s\n",
			(double)grown * now->scale / elapsed, now->unit);
}

static void sample(struct follow *follow)
{
	enum sl_counter_state state;
	struct sl_error error;
	double now, elapsed;

	if (sl_counter_reader_read(follow->reader, follow->values,
				   follow->count, &state, &error) != SL_OK) {
		leave(follow, error.message);
		return;
	}
	now = now_s();
	elapsed = follow->seconds < 0 ? 0 : now - follow->seconds;
	fprintf(stdout, "after %.6f s\n", elapsed);
	for (size_t at = 0; at < follow->count; at++)
		print_value(&follow->values[at], &follow->before[at], elapsed);
	memcpy(follow->before, follow->values,
	       follow->count * sizeof(*follow->values));
	follow->seconds = now;
	if (state == SL_COUNTERS_ENDED)
		leave(follow, "ended");
	else if (state == SL_COUNTERS_DEAD)
		leave(follow, "died");
}

int main(int argc, char **argv)
{
	struct follow follow = { .program = argv[1] };
	double period = argc > 2 ? strtod(argv[2], NULL) : 1;
	struct timespec pause;
	sigset_t ending;

	if (argc < 2 || argc > 3 || !(period >= 0.01 && period <= 86400)) {
		fputs("usage: rates PROGRAM [SECONDS]\n"
		      "a period is 0.01 s to a day\n",
		      stderr);
		return 2;
	}
	pause.tv_sec = (time_t)period;
	pause.tv_nsec = (long)((period - (double)pause.tv_sec) * 1e9);
	/* A signal that is blocked waits for sigtimedwait, which is the pause,
	 * too: no handler, and none comes too early. */
	sigemptyset(&ending);
	sigaddset(&ending, SIGINT);
	sigaddset(&ending, SIGTERM);
	sigprocmask(SIG_BLOCK, &ending, NULL);
	do {
		if (find(&follow))
			sample(&follow);
		if (fflush(stdout) == EOF)
			break;
	} while (sigtimedwait(&ending, NULL, &pause) < 0);
	if (follow.reader)
		leave(&follow, "left");
	return ferror(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
