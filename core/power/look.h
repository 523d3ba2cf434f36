/* SPDX-License-Identifier: MIT */
/** @file
 * How restless a machine is: a look at its counters now, another later, and
 * what happened between the two. Everything is below a root, "/" or a tree that
 * stands in for it.
 *
 * - busy share of the CPUs: proc/stat, where guests are inside user, and iowait
 *   and stolen time are not busy; each field of each CPU is clamped, since some
 *   of them can fall;
 * - low-power residency and wakeups: cpuidle's `time` and `usage`. Low power
 *   are the states named C3 and deeper, or where none is, the deepest one;
 * - timer period: CPUs x time / timer interrupts (row LOC of proc/interrupts).
 *
 * What cannot be read is unknown, with the reason; never 0.
 */
#ifndef SL_POWER_LOOK_H
#define SL_POWER_LOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sluice/error.h"

enum { SL_LOOK_TICKS = 8, SL_WHY = 160 };

/** A CPU's row of proc/stat. */
struct sl_look_cpu {
	unsigned number;
	uint64_t ticks[SL_LOOK_TICKS];
};

/** What the CPUs did. A zeroed one is empty. */
struct sl_cpus {
	struct sl_look_cpu *cpus; /**< owned */
	size_t count, capacity;
};

/** Read proc/stat below @p root. */
enum sl_code sl_cpus_read(struct sl_cpus *cpus, const char *root,
			  struct sl_error *error) SL_MUST_CHECK;
void sl_cpus_finish(struct sl_cpus *cpus);

/** Share of busy time of CPU @p at of @p to, 0 to 1; negative: it cannot be
 * told, too little time passed or the CPU is new. */
double sl_cpus_busy(const struct sl_cpus *from, const struct sl_cpus *to,
		    size_t at);
/** The same of all CPUs together. */
double sl_cpus_busy_all(const struct sl_cpus *from, const struct sl_cpus *to);

/** One look. A zeroed one is empty. */
struct sl_look {
	int64_t at_ns; /**< CLOCK_MONOTONIC */
	struct sl_cpus cpus;
	bool has_idle, has_timer;
	uint64_t timer; /**< interrupts of all CPUs */
	uint64_t low_us, usage; /**< over all CPUs */
	size_t idle_cpus; /**< that have cpuidle */
	char states[64]; /**< which count as low power, "C3 C6" */
	char why_cpu[SL_WHY], why_idle[SL_WHY], why_timer[SL_WHY];
};

/** Look. What cannot be read is in the look; fails for want of memory. */
enum sl_code sl_look_take(struct sl_look *look, const char *root,
			  struct sl_error *error) SL_MUST_CHECK;
void sl_look_finish(struct sl_look *look);

/** What happened between two looks. NAN: unknown, the reason beside it. */
struct sl_idle {
	double busy; /**< share of all CPUs' time, 0 to 1 */
	double low_power; /**< percent */
	double timer_ms; /**< infinity: no timer rang */
	double wakeups_s; /**< of all CPUs, a second */
	char states[64];
	char why_cpu[SL_WHY], why_idle[SL_WHY], why_timer[SL_WHY];
};

void sl_look_between(const struct sl_look *from, const struct sl_look *to,
		     struct sl_idle *idle);

#endif
