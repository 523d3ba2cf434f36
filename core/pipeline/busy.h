/* SPDX-License-Identifier: MIT */
/** @file
 * How long an instance was at work: wall time of every step, and CPU time of
 * some.
 *
 * A thread's CPU time costs a system call, so it is taken where it is wanted,
 * and only of a chunk each 10 ms: the cost is then the same small part of a run
 * with chunks of 10 us as of one with chunks of 1 s, all of which are sampled.
 * What it is of all steps follows from the ratio of the sampled ones: a ratio
 * estimator, whose uncertainty comes from how far single samples lie off it
 * (Cochran, Sampling Techniques, 6.4).
 *
 * Each worker writes its own, anybody may read: relaxed atomics, which are
 * plain loads and stores.
 */
#ifndef SL_PIPELINE_BUSY_H
#define SL_PIPELINE_BUSY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "base/clock.h"

/** From one sampled chunk to the next, on average. */
#define SL_CPU_SAMPLE_NS 10000000

/** Chooses chunks to sample. A zeroed one takes the first. One thread at a
 * time. */
struct sl_cpu_sampler {
	int64_t next_ns; /**< before, none is taken */
	uint32_t random;
};

/** Whether the chunk that begins now is one. The times between are drawn from
 * 0.5 to 1.5 times the average, so as not to beat with a timer. */
static inline bool sl_cpu_sampler_takes(struct sl_cpu_sampler *sampler,
					int64_t now_ns)
{
	if (now_ns < sampler->next_ns)
		return false;
	sampler->random = sampler->random * 1664525 + 1013904223;
	sampler->next_ns =
		now_ns + SL_CPU_SAMPLE_NS / 2 +
		(int64_t)((uint64_t)sampler->random * SL_CPU_SAMPLE_NS >> 32);
	return true;
}

/** One instance on one worker. A zeroed one is empty. */
struct sl_busy {
	_Atomic int64_t busy_ns;
	_Atomic uint64_t samples;
	/* Of the samples: sums, and sums of squares and products, in s. */
	_Atomic double wall, cpu, wall2, cpu2, both;
};

/** The same of all workers, as read once. */
struct sl_busy_sum {
	int64_t busy_ns;
	uint64_t samples;
	double wall, cpu, wall2, cpu2, both;
};

/** A step that is under way. */
struct sl_stopwatch {
	bool sampled;
	int64_t cpu_ns; /**< of this thread, when it began */
	int64_t wall_ns;
};

#define SL_BUSY_ADD(field, amount) \
	atomic_store_explicit( \
		&(field), \
		atomic_load_explicit(&(field), memory_order_relaxed) + \
			(amount), \
		memory_order_relaxed)

static inline struct sl_stopwatch sl_stopwatch_start(bool sampled)
{
	struct sl_stopwatch watch = { .sampled = sampled };

	if (sampled)
		watch.cpu_ns = sl_clock_read_ns(CLOCK_THREAD_CPUTIME_ID);
	watch.wall_ns = sl_clock_ns();
	return watch;
}

/** @p waited_ns: of the time since the start, what was no work.
 * @return the time at work, in ns. */
int64_t sl_stopwatch_stop(const struct sl_stopwatch *watch, int64_t waited_ns,
			  struct sl_busy *busy);

/** Add a worker's to the sum. */
void sl_busy_sum_add(struct sl_busy_sum *sum, const struct sl_busy *busy);

/** The CPU time of all its steps, in s, and the standard uncertainty of that;
 * infinity for fewer than two samples, and 0 for what never worked. */
double sl_busy_sum_cpu(const struct sl_busy_sum *sum, double *u_s);

#endif
