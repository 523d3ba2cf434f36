/* SPDX-License-Identifier: MIT */
/* threads: many threads count, in two ways.
 *
 *     threads THREADS COUNTS [COMMAND ARGUMENT...]
 *     threads 4 1000000 runpipe counters threads
 *
 * A counter that all threads add to is exact, and nobody has to think; but its
 * cache line goes from CPU to CPU with every count. A counter a thread stays
 * where it is, since each one in the file has a cache line of its own; whoever
 * reads adds them up. COMMAND runs while the counters are still there.
 *
 * Build:
 *     cc -O2 -o threads threads.c $(pkg-config --cflags --libs sluice)
 */
#include <inttypes.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "sluice/counter.h"

#define THREADS_MAX 64
#define COUNTS_MAX 1000000000

extern char **environ;

struct worker {
	pthread_t thread;
	struct sl_counters *counters; /* borrowed */
	size_t counter; /* the one to count in */
	uint64_t counts; /* still to be done */
};

/* The work. A loop of your own does something between two counts. */
static void *count(void *argument)
{
	struct worker *worker = argument;

	for (uint64_t done = 0; done < worker->counts; done++)
		sl_counter_add(worker->counters, worker->counter, 1);
	return NULL;
}

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* Let the threads count, each in the counter first + step * its number.
 * @return the ns that passed; negative: a thread could not be started. */
static double run(struct sl_counters *counters, size_t threads, uint64_t counts,
		  size_t first, size_t step)
{
	struct worker workers[THREADS_MAX];
	double begin = now_ns();
	size_t started = 0;

	for (; started < threads; started++) {
		struct worker *worker = &workers[started];

		worker->counters = counters;
		worker->counter = first + step * started;
		worker->counts = counts;
		if (pthread_create(&worker->thread, NULL, count, worker))
			break;
	}
	for (size_t at = 0; at < started; at++)
		pthread_join(workers[at].thread, NULL);
	return started == threads ? now_ns() - begin : -1;
}

static bool report(const char *how, uint64_t sum, size_t threads,
		   uint64_t counts, double ns)
{
	uint64_t expected = threads * counts;

	if (ns < 0) {
		fprintf(stderr, "threads: cannot start %zu threads\n", threads);
		return false;
	}
	fprintf(stdout,
		"%s: %" PRIu64 " of %" PRIu64 " counted, %.1f ns each\n", how,
		sum, expected, ns / (double)counts);
	return sum == expected;
}

static bool count_both_ways(struct sl_counters *counters, size_t threads,
			    uint64_t counts)
{
	double ns = run(counters, threads, counts, 0, 0);
	bool exact = report("one counter for all", sl_counter_get(counters, 0),
			    threads, counts, ns);
	uint64_t sum = 0;

	ns = run(counters, threads, counts, 1, 1);
	for (size_t at = 1; at <= threads; at++)
		sum += sl_counter_get(counters, at);
	return report("a counter a thread", sum, threads, counts, ns) && exact;
}

static enum sl_code publish(struct sl_counters **counters, size_t threads,
			    struct sl_error *error)
{
	struct sl_counter_def defs[1 + THREADS_MAX] = {
		{ .name = "all", .unit = "count" },
	};
	char names[1 + THREADS_MAX][SL_COUNTER_NAME];

	for (size_t at = 1; at <= threads; at++) {
		(void)snprintf(names[at], sizeof(names[at]), "thread.%zu",
			       at - 1);
		defs[at].name = names[at];
		defs[at].unit = "count";
	}
	return sl_counters_create(counters, "threads", defs, 1 + threads,
				  error);
}

static bool run_command(char **command)
{
	int status = 0, reason;
	pid_t child;

	if (!command[0])
		return true;
	fflush(stdout);
	reason = posix_spawnp(&child, command[0], NULL, NULL, command, environ);
	if (reason) {
		fprintf(stderr, "threads: %s: %s\n", command[0],
			strerror(reason));
		return false;
	}
	return waitpid(child, &status, 0) == child && status == 0;
}

int main(int argc, char **argv)
{
	size_t threads = argc > 2 ? strtoul(argv[1], NULL, 10) : 0;
	uint64_t counts = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
	struct sl_counters *counters;
	struct sl_error error;
	bool good;

	if (!threads || threads > THREADS_MAX || !counts ||
	    counts > COUNTS_MAX) {
		fprintf(stderr,
			"usage: threads THREADS COUNTS [COMMAND ARGUMENT...]\n"
			"1 to %d threads, each with 1 to %d counts\n",
			THREADS_MAX, COUNTS_MAX);
		return 2;
	}
	if (publish(&counters, threads, &error) != SL_OK) {
		fprintf(stderr, "threads: %s\n", error.message);
		return EXIT_FAILURE;
	}
	good = count_both_ways(counters, threads, counts);
	good = run_command(argv + 3) && good;
	sl_counters_destroy(counters);
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
