/* SPDX-License-Identifier: MIT */
/** @file
 * The processes of a machine, and what each did between two looks: CPU time and
 * wakeups, by proc/PID/stat and by the voluntary switches of its threads.
 * Everything is below a root, "/" or a tree that stands in for it.
 */
#ifndef SL_POWER_PROCESSES_H
#define SL_POWER_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "sluice/error.h"

struct sl_process {
	pid_t pid, parent, group;
	uint64_t started; /**< with the pid it tells processes apart */
	uint64_t ticks; /**< CPU time */
	uint64_t wakeups; /**< voluntary switches of its threads */
	bool has_wakeups; /**< they could be read */
	char state; /**< 'R', 'S', 'Z', ... */
	char name[64]; /**< flattened: it cannot steer a terminal */
};

/** Sorted by pid. A zeroed one is empty. */
struct sl_processes {
	int64_t at_ns; /**< CLOCK_MONOTONIC */
	struct sl_process *list; /**< owned */
	size_t count, capacity;
};

/** Read them all. Those that end meanwhile are left out. SL_EIO: there is no
 * proc; SL_ENOMEM. */
enum sl_code sl_processes_read(const char *root, struct sl_processes *processes,
			       struct sl_error *error) SL_MUST_CHECK;
void sl_processes_finish(struct sl_processes *processes);

/** @return the process, borrowed; NULL: there is none. */
const struct sl_process *sl_processes_find(const struct sl_processes *processes,
					   pid_t pid);

/** What one did between two looks. */
struct sl_activity {
	pid_t pid;
	char name[64];
	double cpu; /**< share of one CPU */
	double wakeups_s; /**< NAN: unknown */
};

enum sl_activity_order { SL_BY_CPU, SL_BY_WAKEUPS };

/** The @p room most active processes by @p order, but @p without; those that
 * did nothing, or of which that is not known, are left out. @return how many
 * were written. */
size_t sl_processes_active(const struct sl_processes *from,
			   const struct sl_processes *to,
			   enum sl_activity_order order, pid_t without,
			   struct sl_activity *active, size_t room);

/** Wakeups a second of the processes of group @p group, or of the process of
 * that id alone if @p alone; NAN: unknown, or there were none in the second
 * look. */
double sl_processes_wakeups(const struct sl_processes *from,
			    const struct sl_processes *to, pid_t group,
			    bool alone);

#endif
