/* SPDX-License-Identifier: MIT */
/* powercheck processes: what runs, and how restless it is; to choose from. */
#include <getopt.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "powercheck.h"

static const char help[] =
	"usage: powercheck processes [--look 1] [--root DIR] [FILTER]\n"
	"\n"
	"List processes by the CPU time they take, with their wakeups a "
	"second; those\nwhose name holds FILTER, or whose id it is.\n"
	"\n"
	"  --look 1    seconds to watch them\n"
	"  --root DIR  look for /proc there\n"
	"\n"
	"exit: 0 some, 1 none, 2 usage\n";

static bool fits(const struct sl_process *process, const char *filter)
{
	char id[24];

	snprintf(id, sizeof(id), "%ld", (long)process->pid);
	return !filter || strstr(process->name, filter) ||
	       strcmp(id, filter) == 0;
}

static const struct sl_activity *find(const struct sl_activity *active,
				      size_t count, pid_t pid)
{
	for (size_t at = 0; at < count; at++)
		if (active[at].pid == pid)
			return &active[at];
	return NULL;
}

static void print_one(const struct sl_process *process,
		      const struct sl_activity *by_cpu,
		      const struct sl_activity *by_wakeups)
{
	printf("%8ld %6.1f%% ", (long)process->pid,
	       by_cpu ? 100 * by_cpu->cpu : 0);
	if (process->has_wakeups)
		printf("%10.1f", by_wakeups ? by_wakeups->wakeups_s : 0);
	else
		printf("%10s", "unknown");
	printf(" %c %s\n", process->state, process->name);
}

/* The busy ones first, then those that did nothing. */
static size_t print_all(const struct sl_processes *then,
			const struct sl_processes *now, const char *filter)
{
	size_t room = now->count ? now->count : 1;
	struct sl_activity *by_cpu = calloc(room, sizeof(*by_cpu));
	struct sl_activity *by_wakeups = calloc(room, sizeof(*by_wakeups));
	size_t busy = 0, waking = 0, shown = 0;

	if (by_cpu && by_wakeups) {
		busy = sl_processes_active(then, now, SL_BY_CPU, getpid(),
					   by_cpu, room);
		waking = sl_processes_active(then, now, SL_BY_WAKEUPS, getpid(),
					     by_wakeups, room);
	}

	printf("%8s %7s %10s %s %s\n", "process", "CPU", "wakeups/s", "S",
	       "name");
	for (size_t at = 0; at < busy; at++) {
		const struct sl_process *process =
			sl_processes_find(now, by_cpu[at].pid);

		if (!process || !fits(process, filter))
			continue;
		print_one(process, &by_cpu[at],
			  find(by_wakeups, waking, process->pid));
		shown++;
	}
	for (size_t at = 0; at < now->count; at++) {
		const struct sl_process *process = &now->list[at];

		if (process->pid == getpid() || !fits(process, filter) ||
		    find(by_cpu, busy, process->pid))
			continue;
		print_one(process, NULL,
			  find(by_wakeups, waking, process->pid));
		shown++;
	}
	free(by_cpu);
	free(by_wakeups);
	return shown;
}

static int list(const char *root, double look_s, const char *filter)
{
	struct sl_processes then = { 0 }, now = { 0 };
	struct sl_error error = { .code = SL_OK };
	enum sl_code code = sl_processes_read(root, &then, &error);
	size_t shown = 0;

	if (code == SL_OK) {
		poll(NULL, 0, (int)(look_s * 1000));
		code = sl_processes_read(root, &now, &error);
	}
	if (code == SL_OK)
		shown = print_all(&then, &now, filter);
	else
		powercheck_say("%s", error.message);
	sl_processes_finish(&then);
	sl_processes_finish(&now);
	return shown ? EXIT_FIGURE : EXIT_NONE;
}

int powercheck_processes(int argc, char **argv)
{
	static const struct option table[] = {
		{ "root", required_argument, NULL, 'r' },
		{ "look", required_argument, NULL, 'l' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	const char *root = "/";
	double look_s = 1;
	int chosen;

	while ((chosen = getopt_long(argc, argv, "h", table, NULL)) != -1) {
		if (chosen == 'h') {
			fputs(help, stdout);
			return powercheck_end(EXIT_FIGURE);
		}
		if (chosen == 'r')
			root = optarg;
		else if (chosen != 'l')
			return powercheck_misused("processes: see its --help");
		else if (!powercheck_number(optarg, 0.01, 60, &look_s))
			return powercheck_misused("--look takes a number from "
						  "0.01 to 60, not \"%s\"",
						  optarg);
	}
	if (argc - optind > 1)
		return powercheck_misused("processes takes one filter");
	return powercheck_end(list(root, look_s, argv[optind]));
}
