/* SPDX-License-Identifier: MIT */
#include "power/processes.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "sluice/tree.h"

enum { FILE_LIMIT = 64 << 10, PATH_ROOM = 128, FIELDS = 22 };
enum { STATE = 3, PARENT = 4, GROUP = 5, USER = 14, SYSTEM = 15, STARTED = 22 };

/* proc/PID/stat: "PID (NAME) STATE PPID ...", and NAME may hold anything, ")"
 * and blanks too. */
static bool parse_stat(char *text, struct sl_process *process)
{
	char *open = strchr(text, '('), *close = strrchr(text, ')');
	unsigned long long fields[FIELDS + 1] = { 0 };
	char *at, *end;

	if (!open || !close || close < open)
		return false;
	*close = '\0';
	snprintf(process->name, sizeof(process->name), "%s", open + 1);
	sl_text_flatten(process->name);
	at = close + 1;
	for (int field = STATE; field <= FIELDS; field++) {
		at += strspn(at, " ");
		if (!*at)
			return false;
		if (field == STATE) {
			process->state = *at++;
			continue;
		}
		fields[field] = strtoull(at, &end, 10);
		if (end == at)
			return false;
		at = end;
	}
	process->parent = (pid_t)fields[PARENT];
	process->group = (pid_t)fields[GROUP];
	process->ticks = fields[USER] + fields[SYSTEM];
	process->started = fields[STARTED];
	return true;
}

/* Add those of one thread, if they can be read. */
static void add_switches(const char *root, const char *path,
			 struct sl_buffer *text, struct sl_process *process)
{
	static const char key[] = "\nvoluntary_ctxt_switches:";
	const char *row;
	char *end;

	if (sl_tree_load(root, path, FILE_LIMIT, text, NULL) != SL_OK)
		return;
	row = strstr(text->data, key);
	if (!row)
		return;
	row += sizeof(key) - 1;
	process->wakeups += strtoull(row, &end, 10);
	process->has_wakeups |= end != row;
}

/* Of all threads; a tree that was recorded may have the first one alone. */
static void count_wakeups(const char *root, const char *pid,
			  struct sl_buffer *text, struct sl_process *process)
{
	struct sl_tree_names tasks = { NULL, 0 };
	char path[PATH_ROOM];

	snprintf(path, sizeof(path), "proc/%.20s/task", pid);
	if (sl_tree_list(root, path, "", &tasks, NULL) == SL_OK)
		for (size_t at = 0; at < tasks.count; at++) {
			snprintf(path, sizeof(path),
				 "proc/%.20s/task/%.20s/status", pid,
				 tasks.names[at]);
			add_switches(root, path, text, process);
		}
	if (!tasks.count) {
		snprintf(path, sizeof(path), "proc/%.20s/status", pid);
		add_switches(root, path, text, process);
	}
	sl_tree_names_finish(&tasks);
}

static enum sl_code append(struct sl_processes *processes,
			   const struct sl_process *process,
			   struct sl_error *error)
{
	if (processes->count == processes->capacity) {
		size_t capacity =
			processes->capacity ? 2 * processes->capacity : 64;
		struct sl_process *grown =
			realloc(processes->list, capacity * sizeof(*grown));

		if (!grown)
			return SL_FAIL(error, SL_ENOMEM, "no memory");
		processes->list = grown;
		processes->capacity = capacity;
	}
	processes->list[processes->count++] = *process;
	return SL_OK;
}

/* @return 0: the folder is no process's. */
static pid_t pid_of(const char *name)
{
	char *end;
	long number;

	errno = 0;
	number = isdigit((unsigned char)*name) ? strtol(name, &end, 10) : 0;
	if (number <= 0 || number > INT32_MAX || *end || errno)
		return 0;
	return (pid_t)number;
}

static enum sl_code read_process(const char *root, const char *pid,
				 struct sl_processes *processes,
				 struct sl_buffer *text, struct sl_error *error)
{
	struct sl_process process = { .pid = pid_of(pid) };
	char path[PATH_ROOM];
	enum sl_code code;

	if (!process.pid)
		return SL_OK;
	snprintf(path, sizeof(path), "proc/%.20s/stat", pid);
	code = sl_tree_load(root, path, FILE_LIMIT, text, error);
	if (code == SL_ENOMEM)
		return code;
	if (code != SL_OK || !parse_stat(text->data, &process))
		return SL_OK; /* it has ended, or is none */
	count_wakeups(root, pid, text, &process);
	return append(processes, &process, error);
}

static int by_pid(const void *a, const void *b)
{
	const struct sl_process *first = a, *second = b;

	return (first->pid > second->pid) - (first->pid < second->pid);
}

enum sl_code sl_processes_read(const char *root, struct sl_processes *processes,
			       struct sl_error *error)
{
	struct sl_tree_names names = { NULL, 0 };
	struct sl_buffer text = { NULL, 0, 0 };
	enum sl_code code = sl_tree_list(root, "proc", "", &names, error);

	processes->count = 0;
	processes->at_ns = sl_clock_ns();
	for (size_t at = 0; code == SL_OK && at < names.count; at++)
		code = read_process(root, names.names[at], processes, &text,
				    error);
	sl_tree_names_finish(&names);
	free(text.data);
	if (code == SL_OK && processes->count)
		qsort(processes->list, processes->count,
		      sizeof(*processes->list), by_pid);
	return code == SL_END ? SL_EIO : code;
}

void sl_processes_finish(struct sl_processes *processes)
{
	free(processes->list);
	*processes = (struct sl_processes){ 0 };
}

const struct sl_process *sl_processes_find(const struct sl_processes *processes,
					   pid_t pid)
{
	const struct sl_process key = { .pid = pid };

	if (!processes->count)
		return NULL;
	return bsearch(&key, processes->list, processes->count,
		       sizeof(*processes->list), by_pid);
}

/* @return it as it was then; NULL: it is younger. */
static const struct sl_process *earlier(const struct sl_processes *from,
					const struct sl_process *process)
{
	const struct sl_process *then = sl_processes_find(from, process->pid);

	return then && then->started == process->started ? then : NULL;
}

static uint64_t risen(uint64_t now, uint64_t then)
{
	return now > then ? now - then : 0;
}

static double wakeups_s(const struct sl_process *now,
			const struct sl_process *then, double seconds)
{
	if (!now->has_wakeups || (then && !then->has_wakeups))
		return NAN;
	return (double)risen(now->wakeups, then ? then->wakeups : 0) / seconds;
}

static double measure(const struct sl_activity *activity,
		      enum sl_activity_order order)
{
	return order == SL_BY_CPU ? activity->cpu : activity->wakeups_s;
}

/* Keep the list sorted, the most active first. @return the new count. */
static size_t insert(struct sl_activity *active, size_t count, size_t room,
		     const struct sl_activity *one,
		     enum sl_activity_order order)
{
	size_t at = count;

	while (at > 0 && measure(&active[at - 1], order) < measure(one, order))
		at--;
	if (at == room)
		return count;
	if (count == room)
		count--;
	memmove(active + at + 1, active + at, (count - at) * sizeof(*active));
	active[at] = *one;
	return count + 1;
}

size_t sl_processes_active(const struct sl_processes *from,
			   const struct sl_processes *to,
			   enum sl_activity_order order, pid_t without,
			   struct sl_activity *active, size_t room)
{
	double seconds = (double)(to->at_ns - from->at_ns) * 1e-9;
	double tick_s = 1 / (double)sysconf(_SC_CLK_TCK);
	size_t count = 0;

	for (size_t at = 0; seconds > 0 && at < to->count; at++) {
		const struct sl_process *now = &to->list[at];
		const struct sl_process *then = earlier(from, now);
		struct sl_activity one = { .pid = now->pid };

		if (now->pid == without)
			continue;
		one.cpu = (double)risen(now->ticks, then ? then->ticks : 0) *
			  tick_s / seconds;
		one.wakeups_s = wakeups_s(now, then, seconds);
		if (!(measure(&one, order) > 0))
			continue; /* or it is NAN */
		memcpy(one.name, now->name, sizeof(one.name));
		count = insert(active, count, room, &one, order);
	}
	return count;
}

double sl_processes_wakeups(const struct sl_processes *from,
			    const struct sl_processes *to, pid_t group,
			    bool alone)
{
	double seconds = (double)(to->at_ns - from->at_ns) * 1e-9;
	double wakeups = NAN;

	if (!from->at_ns || seconds <= 0)
		return NAN;
	for (size_t at = 0; at < to->count; at++) {
		const struct sl_process *now = &to->list[at];
		const struct sl_process *then = earlier(from, now);

		if ((alone ? now->pid : now->group) != group)
			continue;
		wakeups = (isnan(wakeups) ? 0 : wakeups) +
			  wakeups_s(now, then, seconds);
		if (isnan(wakeups))
			break; /* of one it is not known */
	}
	return wakeups;
}
