/* SPDX-License-Identifier: MIT */
/** @file
 * A log-linear histogram of durations: 32 equal buckets in each power of two,
 * so that a quantile is known to 1/32 of itself, in constant memory (G. Tene's
 * HDR histogram has the same shape).
 */
#ifndef SL_PIPELINE_HISTOGRAM_H
#define SL_PIPELINE_HISTOGRAM_H

#include <stdatomic.h>
#include <stdint.h>

enum {
	SL_HISTOGRAM_STEPS = 32,
	SL_HISTOGRAM_BUCKETS = (64 - 5 + 1) * SL_HISTOGRAM_STEPS,
};

/** A zeroed struct is empty. One thread at a time may add, and any may read
 * meanwhile: its fields are relaxed atomics. */
struct sl_histogram {
	_Atomic uint64_t max;
	_Atomic uint64_t buckets[SL_HISTOGRAM_BUCKETS];
};

void sl_histogram_add(struct sl_histogram *histogram, uint64_t value);

/** Copy what is there by now. */
void sl_histogram_read(const struct sl_histogram *from,
		       struct sl_histogram *to);

/** @return the largest value that the bucket of the @p quantile (0 to 1) can
 * hold, at most the maximum; 0 if empty. */
uint64_t sl_histogram_quantile(const struct sl_histogram *histogram,
			       double quantile);

#endif
