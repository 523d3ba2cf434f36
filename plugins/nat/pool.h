/* SPDX-License-Identifier: MIT */
/** @file
 * The external addresses: a list, and the way back from an address to its
 * place in it.
 */
#ifndef NAT_POOL_H
#define NAT_POOL_H

#include <stdbool.h>
#include <stdint.h>

#include "mapping.h"
#include "sluice/defs.h"

/** Addresses that follow one another. */
struct pool_run {
	uint32_t first, last; /**< addresses, host order, inclusive */
	unsigned at; /**< of `first` in the list */
};

/** All zero it is empty. */
struct pool {
	unsigned count, run_count;
	uint32_t lowest, span; /**< all are in lowest ... lowest + span */
	uint32_t addresses[MAPPING_ADDRESSES]; /**< in the user's order */
	struct pool_run runs[MAPPING_ADDRESSES]; /**< by address */
};

/** Add the addresses first ... last behind the others; those that are there
 * already stay where they are.
 * @return false: these are more than MAPPING_ADDRESSES. */
bool pool_add(struct pool *pool, uint32_t first, uint32_t last) SL_MUST_CHECK;

/** The place of an address among several runs; pool_find() asks it. */
int pool_search(const struct pool *pool, uint32_t address);

/** @return the place of @p address in the list, which is not empty; -1: it is
 * not ours. */
static inline int pool_find(const struct pool *pool, uint32_t address)
{
	uint32_t offset = address - pool->lowest;

	if (offset > pool->span)
		return -1;
	return pool->run_count == 1 ? (int)offset : pool_search(pool, address);
}

#endif
