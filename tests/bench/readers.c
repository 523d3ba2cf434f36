/* SPDX-License-Identifier: MIT */
/* How fast a report is read, without a word of it being written:
 *     bench_readers FORMAT REPORT
 * prints findings, events, bytes, seconds by the clock and seconds of CPU. The
 * report goes the way that all do, through read/document.h. */
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>

#include "read/document.h"

struct counts {
	uint64_t findings, events;
};

static enum sl_code count(void *context, const struct sg_finding *finding,
			  struct sl_error *error)
{
	struct counts *counts = context;

	(void)error;
	counts->findings++;
	counts->events += finding->event_count;
	return SL_OK;
}

static double seconds(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	const struct sg_format *format =
		argc == 3 ? sg_format_named(argv[1]) : NULL;
	struct counts counts = { 0 };
	struct sg_document document;
	struct sl_error error = { .code = SL_OK };
	double wall, cpu;
	struct stat file;

	if (!format) {
		fprintf(stderr, "usage: bench_readers FORMAT REPORT\n");
		return 2;
	}
	wall = seconds(CLOCK_MONOTONIC);
	cpu = seconds(CLOCK_THREAD_CPUTIME_ID);
	if (sg_document_read(argv[2], format, count, &counts, &document,
			     &error) != SL_OK ||
	    stat(argv[2], &file)) {
		fprintf(stderr, "bench_readers: %s\n", error.message);
		return 1;
	}
	wall = seconds(CLOCK_MONOTONIC) - wall;
	cpu = seconds(CLOCK_THREAD_CPUTIME_ID) - cpu;
	if (document.ending.kind != SG_COMPLETE &&
	    document.ending.kind != SG_UNVERIFIED) {
		fprintf(stderr, "bench_readers: not read to the end: %s\n",
			document.ending.message);
		return 1;
	}
	printf("%" PRIu64 " %" PRIu64 " %" PRIdMAX " %.6f %.6f\n",
	       counts.findings, counts.events, (intmax_t)file.st_size, wall,
	       cpu);
	return 0;
}
