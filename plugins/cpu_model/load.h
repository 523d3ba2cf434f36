/* SPDX-License-Identifier: MIT */
/** @file
 * How busy the CPUs were between two looks at /proc/stat.
 *
 * A CPU's fields are user, nice, system, idle, iowait, irq, softirq, steal,
 * guest and guest_nice, in ticks. Busy is user + nice + system + irq + softirq:
 * guests are in user and nice already, and what was stolen ran elsewhere.
 * iowait and idle can fall (proc(5)), so each field's difference is clamped at
 * 0, CPU by CPU.
 */
#ifndef CPU_MODEL_LOAD_H
#define CPU_MODEL_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sluice/error.h"

enum { LOAD_FIELDS = 8 };

struct load_cpu {
	unsigned number;
	uint64_t ticks[LOAD_FIELDS];
};

/** One look. A zeroed one is empty. */
struct load {
	struct load_cpu *cpus; /**< owned */
	size_t count, capacity;
};

/** Take the text of /proc/stat: the CPUs' lines, or where there are none the
 * line of all together. SL_EINVAL: it is no such text. */
enum sl_code load_parse(struct load *load, const char *text,
			struct sl_error *error) SL_MUST_CHECK;
void load_finish(struct load *load);

/** The share of busy time of the CPUs that are in both looks, 0 to 1.
 * @return false: fewer than ten ticks a CPU passed, too few to tell. */
bool load_between(const struct load *from, const struct load *to,
		  double *share);

#endif
