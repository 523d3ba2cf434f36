/* SPDX-License-Identifier: MIT */
/* sysinfo: what the system does, as counters beside those of programs.
 *
 *     sysinfo [-r ROOT] [-p SECONDS]
 *     runpipe counters sysinfo
 *
 * CPU time by state, context switches, interrupts, memory, and the bytes of
 * each network interface, read every SECONDS (1) from ROOT/proc (/). What
 * cannot be read when it starts is named and not published; what vanishes later
 * is named, its counter stands still and its gauge is no number. SIGINT and
 * SIGTERM end it.
 *
 * Build:
 *     cc -O2 -o sysinfo sysinfo.c $(pkg-config --cflags --libs sluice)
 */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "sluice/counter.h"
#include "sluice/tree.h"

enum { FIGURES_MAX = 256, FILE_LIMIT = 16 << 20 };

/* One number of /proc. */
struct figure {
	char name[SL_COUNTER_NAME];
	const char *unit;
	double scale;
	bool is_gauge; /* it has a level, and no sum */
	uint64_t raw;
	bool gone; /* it was there, and is no more */
};

struct figures {
	struct figure all[FIGURES_MAX];
	size_t count;
};

/* ---- reading /proc ---- */

/* Take a figure; an interface's name may hold what a counter's cannot. */
static struct figure *take(struct figures *figures, const char *name,
			   const char *unit, double scale, uint64_t raw)
{
	struct figure *figure = &figures->all[figures->count];

	if (figures->count == FIGURES_MAX)
		return NULL;
	*figure = (struct figure){ .unit = unit, .scale = scale, .raw = raw };
	(void)snprintf(figure->name, sizeof(figure->name), "%s", name);
	for (char *at = figure->name; *at; at++) {
		if (!isgraph((unsigned char)*at) || strchr("/\",:", *at))
			*at = '_';
	}
	figures->count++;
	return figure;
}

/* @return what stands behind the first @p key that begins a line; NULL. */
static const char *behind(const char *text, const char *key)
{
	size_t length = strlen(key);

	while (text && strncmp(text, key, length) != 0) {
		text = strchr(text, '\n');
		text = text ? text + 1 : NULL;
	}
	return text ? text + length : NULL;
}

/* Read the numbers that stand at @p text. @return how many there were. */
static size_t numbers(const char *text, uint64_t *values, size_t count)
{
	size_t at = 0;
	char *end;

	for (; text && at < count; at++, text = end) {
		text += strspn(text, " \t");
		if (!isdigit((unsigned char)*text))
			break;
		values[at] = strtoull(text, &end, 10);
	}
	return at;
}

static void read_stat(const char *text, struct figures *figures)
{
	/* In the order of the line; guest time is inside user time. */
	static const char *const states[] = {
		"cpu.user",   "cpu.nice", "cpu.system",  "cpu.idle",
		"cpu.iowait", "cpu.irq",  "cpu.softirq", "cpu.steal",
	};
	double tick = 1.0 / (double)sysconf(_SC_CLK_TCK);
	uint64_t values[sizeof(states) / sizeof(states[0])];
	size_t count = numbers(behind(text, "cpu "), values,
			       sizeof(values) / sizeof(values[0]));

	for (size_t at = 0; at < count; at++)
		take(figures, states[at], "s", tick, values[at]);
	if (numbers(behind(text, "ctxt "), values, 1))
		take(figures, "context_switches", "", 1, values[0]);
	if (numbers(behind(text, "intr "), values, 1))
		take(figures, "interrupts", "", 1, values[0]);
}

static void read_memory(const char *text, struct figures *figures)
{
	static const struct {
		const char *key, *name;
	} rows[] = {
		{ "MemTotal:", "memory.total" },
		{ "MemFree:", "memory.free" },
		{ "MemAvailable:", "memory.available" },
	};

	for (size_t at = 0; at < sizeof(rows) / sizeof(rows[0]); at++) {
		struct figure *figure;
		uint64_t value;

		if (!numbers(behind(text, rows[at].key), &value, 1))
			continue;
		figure = take(figures, rows[at].name, "B", 1024, value);
		if (figure)
			figure->is_gauge = true;
	}
}

/* "  eth0: 100 ...": bytes received first, bytes sent ninth. */
static void read_network(const char *text, struct figures *figures)
{
	while (text) {
		const char *colon = text + strcspn(text, ":\n");
		uint64_t values[9];
		char name[64];

		text += strspn(text, " ");
		if (*colon == ':' && numbers(colon + 1, values, 9) == 9) {
			int length = (int)(colon - text);

			(void)snprintf(name, sizeof(name), "net.%.*s.received",
				       length, text);
			take(figures, name, "B", 1, values[0]);
			(void)snprintf(name, sizeof(name), "net.%.*s.sent",
				       length, text);
			take(figures, name, "B", 1, values[8]);
		}
		text = strchr(text, '\n');
		text = text ? text + 1 : NULL;
	}
}

/* @p talk: name what cannot be read. */
static void read_all(const char *root, struct figures *figures, bool talk)
{
	static const struct {
		const char *path;
		void (*read)(const char *text, struct figures *figures);
	} files[] = {
		{ "proc/stat", read_stat },
		{ "proc/meminfo", read_memory },
		{ "proc/net/dev", read_network },
	};

	figures->count = 0;
	for (size_t at = 0; at < sizeof(files) / sizeof(files[0]); at++) {
		struct sl_buffer text = { 0 };
		struct sl_error error;
		size_t before = figures->count;

		if (sl_tree_load(root, files[at].path, FILE_LIMIT, &text,
				 &error) == SL_OK)
			files[at].read(text.data, figures);
		else if (talk)
			fprintf(stderr, "sysinfo: not published: %s\n",
				error.message);
		if (text.data && talk && figures->count == before)
			fprintf(stderr,
				"sysinfo: not published: %s: nothing known in "
				"it\n",
				files[at].path);
		free(text.data);
	}
}

/* ---- publishing it ---- */

static const struct figure *look_up(const struct figures *figures,
				    const char *name)
{
	for (size_t at = 0; at < figures->count; at++) {
		if (strcmp(figures->all[at].name, name) == 0)
			return &figures->all[at];
	}
	return NULL;
}

/* What a count has grown by since @p last, which moves on. One that falls by
 * most of 2^32 has wrapped there, as a 32-bit kernel's do; one that falls below
 * half began again at 0, as an interface that was made anew; one that falls by
 * less trembles, as the time of iowait, and grows when it has passed its old
 * value. */
static uint64_t growth(uint64_t *last, uint64_t now)
{
	uint64_t before = *last;

	if (now < before && now >= before / 2)
		return 0;
	*last = now;
	if (now >= before)
		return now - before;
	if (before <= UINT32_MAX && before - now > UINT32_MAX / 2)
		return now + (UINT64_C(1) << 32) - before;
	return now;
}

static void update(struct sl_counters *counters, struct figures *known,
		   const struct figures *now)
{
	for (size_t at = 0; at < known->count; at++) {
		struct figure *figure = &known->all[at];
		const struct figure *found = look_up(now, figure->name);

		if (!found && !figure->gone)
			fprintf(stderr, "sysinfo: %s is gone\n", figure->name);
		figure->gone = !found;
		if (figure->is_gauge)
			sl_counter_set_double(counters, at,
					      found ? (double)found->raw *
							      figure->scale
						    : (double)NAN);
		else if (found)
			sl_counter_add(counters, at,
				       growth(&figure->raw, found->raw));
	}
}

/* The counts begin with what the system has counted since its start. */
static enum sl_code publish(struct sl_counters **counters,
			    const struct figures *figures,
			    struct sl_error *error)
{
	struct sl_counter_def defs[FIGURES_MAX];
	enum sl_code code;

	for (size_t at = 0; at < figures->count; at++) {
		const struct figure *figure = &figures->all[at];

		defs[at].name = figure->name;
		defs[at].unit = figure->unit;
		defs[at].scale = figure->is_gauge ? 1 : figure->scale;
	}
	code = sl_counters_create(counters, "sysinfo", defs, figures->count,
				  error);
	for (size_t at = 0; code == SL_OK && at < figures->count; at++)
		sl_counter_set(*counters, at, figures->all[at].raw);
	return code;
}

static enum sl_code run(const char *root, const struct timespec *period,
			struct sl_error *error)
{
	struct figures known, now;
	struct sl_counters *counters;
	sigset_t ending;
	enum sl_code code;

	sigemptyset(&ending);
	sigaddset(&ending, SIGINT);
	sigaddset(&ending, SIGTERM);
	sigprocmask(SIG_BLOCK, &ending, NULL);
	read_all(root, &known, true);
	code = publish(&counters, &known, error);
	if (code != SL_OK)
		return code;
	now = known;
	do {
		update(counters, &known, &now);
		read_all(root, &now, false);
	} while (sigtimedwait(&ending, NULL, period) < 0);
	sl_counters_destroy(counters);
	return SL_OK;
}

int main(int argc, char **argv)
{
	const char *root = "/";
	double seconds = 1;
	struct timespec period;
	struct sl_error error;
	int option;

	while ((option = getopt(argc, argv, "r:p:")) != -1) {
		if (option == 'r')
			root = optarg;
		else if (option == 'p')
			seconds = strtod(optarg, NULL);
		else
			optind = argc + 1;
	}
	if (optind != argc || !(seconds >= 0.01 && seconds <= 86400)) {
		fputs("usage: sysinfo [-r ROOT] [-p SECONDS]\n", stderr);
		return 2;
	}
	period.tv_sec = (time_t)seconds;
	period.tv_nsec = (long)((seconds - (double)period.tv_sec) * 1e9);
	if (run(root, &period, &error) != SL_OK) {
		fprintf(stderr, "sysinfo: %s\n", error.message);
		return EXIT_FAILURE;
	}
	return EXIT_SUCCESS;
}
