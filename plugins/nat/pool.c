/* SPDX-License-Identifier: MIT */
#include "pool.h"

#include <string.h>

/* How many runs lie below @p address, wholly or in part. */
static unsigned runs_below(const struct pool *pool, uint32_t address)
{
	unsigned low = 0, high = pool->run_count;

	while (low < high) {
		unsigned middle = (low + high) / 2;

		if (pool->runs[middle].first < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Addresses that follow one another in the list, too, make one run. */
static void add_one(struct pool *pool, uint32_t address)
{
	unsigned at = runs_below(pool, address);
	struct pool_run *before = at ? &pool->runs[at - 1] : NULL;

	if (before && before->last + 1 == address &&
	    before->at + (address - before->first) == pool->count) {
		before->last = address;
	} else {
		memmove(&pool->runs[at + 1], &pool->runs[at],
			(pool->run_count - at) * sizeof(pool->runs[0]));
		pool->runs[at] =
			(struct pool_run){ address, address, pool->count };
		pool->run_count++;
	}
	pool->addresses[pool->count++] = address;
	pool->lowest = pool->runs[0].first;
	pool->span = pool->runs[pool->run_count - 1].last - pool->lowest;
}

bool pool_add(struct pool *pool, uint32_t first, uint32_t last)
{
	uint32_t more = last - first;

	if (more >= MAPPING_ADDRESSES)
		return false;
	for (uint32_t step = 0; step <= more; step++) {
		if (pool->count && pool_find(pool, first + step) >= 0)
			continue;
		if (pool->count == MAPPING_ADDRESSES)
			return false;
		add_one(pool, first + step);
	}
	return true;
}

int pool_search(const struct pool *pool, uint32_t address)
{
	unsigned at = runs_below(pool, address);

	if (at < pool->run_count && pool->runs[at].first == address)
		return (int)pool->runs[at].at;
	if (!at || pool->runs[at - 1].last < address)
		return -1;
	at--;
	return (int)(pool->runs[at].at + (address - pool->runs[at].first));
}
