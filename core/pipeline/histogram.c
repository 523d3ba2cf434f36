/* SPDX-License-Identifier: MIT */
/* A log-linear histogram of durations. */
#include "pipeline/histogram.h"

#include "sluice/defs.h"

/* Values below 32 have a bucket each. Above, a value of 2^(5+e) <= v <
 * 2^(6+e) falls into bucket 32 (e + 1) + the five bits after its leading. */
static unsigned bucket_of(uint64_t value)
{
	unsigned exponent;

	if (value < SL_HISTOGRAM_STEPS)
		return (unsigned)value;
	exponent = SL_HIGHEST_BIT(value) - 5;
	return SL_HISTOGRAM_STEPS * exponent + (unsigned)(value >> exponent);
}

static uint64_t last_of(unsigned bucket)
{
	unsigned exponent;

	if (bucket < 2 * SL_HISTOGRAM_STEPS)
		return bucket;
	exponent = bucket / SL_HISTOGRAM_STEPS - 1;
	return ((uint64_t)(bucket - SL_HISTOGRAM_STEPS * exponent + 1)
		<< exponent) -
	       1;
}

static uint64_t get(const _Atomic uint64_t *field)
{
	return atomic_load_explicit(field, memory_order_relaxed);
}

static void set(_Atomic uint64_t *field, uint64_t value)
{
	atomic_store_explicit(field, value, memory_order_relaxed);
}

void sl_histogram_add(struct sl_histogram *histogram, uint64_t value)
{
	_Atomic uint64_t *bucket = &histogram->buckets[bucket_of(value)];

	if (value > get(&histogram->max))
		set(&histogram->max, value);
	set(bucket, get(bucket) + 1);
}

void sl_histogram_read(const struct sl_histogram *from, struct sl_histogram *to)
{
	for (unsigned at = 0; at < SL_HISTOGRAM_BUCKETS; at++)
		set(&to->buckets[at], get(&from->buckets[at]));
	set(&to->max, get(&from->max));
}

static uint64_t count(const struct sl_histogram *histogram)
{
	uint64_t sum = 0;

	for (unsigned at = 0; at < SL_HISTOGRAM_BUCKETS; at++)
		sum += get(&histogram->buckets[at]);
	return sum;
}

uint64_t sl_histogram_quantile(const struct sl_histogram *histogram,
			       double quantile)
{
	uint64_t values = count(histogram), max = get(&histogram->max);
	uint64_t rank = (uint64_t)(quantile * (double)values);
	uint64_t seen = 0;

	if (!values)
		return 0;
	if ((double)rank < quantile * (double)values || !rank)
		rank++;
	for (unsigned at = 0; at < SL_HISTOGRAM_BUCKETS; at++) {
		seen += get(&histogram->buckets[at]);
		if (seen >= rank)
			return last_of(at) < max ? last_of(at) : max;
	}
	return max;
}
