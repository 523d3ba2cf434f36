/* SPDX-License-Identifier: MIT */
/* powercheck sweep: one command with different numbers of threads. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "powercheck.h"

static const char help[] =
	"usage: powercheck sweep --threads 1,2,4 [OPTION]... -- COMMAND "
	"[ARGUMENT]...\n"
	"\n"
	"Assess COMMAND once for each number of threads, which replaces "
	"{threads} in its\nwords and in the names of --xml and --json, and is "
	"OMP_NUM_THREADS. A table of all\nstands at the end. The other options "
	"are powercheck's: powercheck --help.\n"
	"\n"
	"exit: 0 every number has a figure, 1 one has none, 2 usage, "
	"129/130/143 by signal\n";

enum { POINTS_MAX = 64, THREADS_MOST = 65536 };

/** What is kept of each assessment. */
struct point {
	unsigned threads;
	bool has_figures, estimate;
	struct sl_figure seconds, power_w, energy_j, net_j, work_per_j;
};

static const char mark[] = "{threads}";

/* @return the text with the number in place of each mark; owned. */
static char *fill_in(const char *text, unsigned threads)
{
	char number[16];
	size_t marks = 0, room;
	char *filled;

	snprintf(number, sizeof(number), "%u", threads);
	for (const char *at = text; (at = strstr(at, mark)); at++)
		marks++;
	room = strlen(text) + marks * strlen(number) + 1;
	filled = calloc(1, room);
	for (size_t used = 0; filled && *text;) {
		if (strncmp(text, mark, sizeof(mark) - 1) == 0) {
			memcpy(filled + used, number, strlen(number));
			used += strlen(number);
			text += sizeof(mark) - 1;
		} else {
			filled[used++] = *text++;
		}
	}
	return filled;
}

static void free_words(char **words)
{
	for (size_t at = 0; words && words[at]; at++)
		free(words[at]);
	free(words);
}

static char **fill_words(char *const *words, unsigned threads)
{
	size_t count = 0;
	char **filled;

	while (words[count])
		count++;
	filled = calloc(count + 1, sizeof(*filled));
	for (size_t at = 0; filled && at < count; at++) {
		filled[at] = fill_in(words[at], threads);
		if (!filled[at]) {
			free_words(filled);
			return NULL;
		}
	}
	return filled;
}

static void keep(struct point *point, const struct sl_report *report)
{
	point->has_figures = report->judged;
	point->estimate = sl_report_estimate(report);
	point->seconds = report->seconds;
	point->power_w = report->gross_w;
	point->energy_j = report->assessment.gross_j;
	point->net_j = report->assessment.net_j;
	point->work_per_j = report->assessment.work_per_j;
}

/* @return the exit code. */
static int assess(const struct check_options *all, int cancel_fd,
		  struct point *point)
{
	struct check_options options = *all;
	struct sl_report report = { 0 };
	char **words = fill_words(all->command, point->threads);
	char *xml = all->xml ? fill_in(all->xml, point->threads) : NULL;
	char *json = all->json ? fill_in(all->json, point->threads) : NULL;
	char number[16];
	int code = EXIT_NONE;

	snprintf(number, sizeof(number), "%u", point->threads);
	if (!words || (all->xml && !xml) || (all->json && !json) ||
	    setenv("OMP_NUM_THREADS", number, 1) != 0) {
		powercheck_say("no memory");
	} else {
		options.command = words;
		options.settings.command = words;
		options.xml = xml;
		options.json = json;
		fprintf(options.text, "== %u thread%s\n", point->threads,
			point->threads == 1 ? "" : "s");
		code = powercheck_assess(&options, cancel_fd, &report);
		keep(point, &report);
	}
	sl_report_finish(&report);
	free_words(words);
	free(xml);
	free(json);
	return code;
}

static void print_cell(FILE *out, const struct sl_figure *figure)
{
	if (figure->valid)
		fprintf(out, " %12.5g", figure->value);
	else
		fprintf(out, " %12s", "-");
}

static void print_table(FILE *out, const struct point *points, size_t count)
{
	const struct point *best = NULL;

	fprintf(out, "%7s %12s %12s %12s %12s %12s\n", "threads", "time s",
		"power W", "energy J", "net J", "work/J");
	for (size_t at = 0; at < count; at++) {
		const struct point *point = &points[at];

		fprintf(out, "%7u", point->threads);
		print_cell(out, &point->seconds);
		print_cell(out, &point->power_w);
		print_cell(out, &point->energy_j);
		print_cell(out, &point->net_j);
		print_cell(out, &point->work_per_j);
		fputs(point->estimate ? " (estimate)\n" : "\n", out);
		if (point->energy_j.valid &&
		    (!best || point->energy_j.value < best->energy_j.value))
			best = point;
	}
	if (best)
		fprintf(out, "least energy: %u thread%s%s\n", best->threads,
			best->threads == 1 ? "" : "s",
			best->estimate ? " (estimate)" : "");
}

/* "1,2,4". @return how many; 0: it is no such list. */
static size_t parse_threads(const char *text, struct point points[POINTS_MAX])
{
	size_t count = 0;

	for (;;) {
		char *end;
		unsigned long number = strtoul(text, &end, 10);

		if (end == text || *text < '0' || *text > '9' || number < 1 ||
		    number > THREADS_MOST || count == POINTS_MAX)
			return 0;
		points[count++].threads = (unsigned)number;
		if (!*end)
			return count;
		if (*end != ',')
			return 0;
		text = end + 1;
	}
}

/* With several reports in one file the last would win. */
static bool needs_mark(const char *path, size_t count)
{
	return path && count > 1 && !strstr(path, mark);
}

static int sweep(const struct check_options *options, int cancel_fd,
		 struct point *points, size_t count)
{
	int result = EXIT_FIGURE;
	size_t done = 0;

	while (done < count) {
		int code = assess(options, cancel_fd, &points[done++]);

		if (code != EXIT_FIGURE)
			result = code;
		if (code == EXIT_USAGE || code > EXIT_SIGNAL)
			return code;
	}
	print_table(options->text, points, done);
	return powercheck_end(result);
}

int powercheck_sweep(int argc, char **argv)
{
	struct check_options options;
	struct point points[POINTS_MAX] = { 0 };
	int code = powercheck_parse(help, true, argc, argv, &options);
	int cancel_fd;
	size_t count;

	if (code >= 0)
		return code;
	count = parse_threads(options.threads, points);
	if (!count)
		return powercheck_misused("--threads takes numbers like 1,2,4, "
					  "not \"%s\"",
					  options.threads);
	if (needs_mark(options.xml, count) || needs_mark(options.json, count))
		return powercheck_misused("several reports: {threads} must be "
					  "in the file's name");
	cancel_fd = powercheck_catch();
	if (cancel_fd < 0) {
		powercheck_say("cannot wait for signals: %s", strerror(errno));
		return EXIT_NONE;
	}
	code = sweep(&options, cancel_fd, points, count);
	close(cancel_fd);
	return code;
}
