/* SPDX-License-Identifier: MIT */
/* Memory on large pages: see sluice/memory.h. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* madvise(), MAP_ANONYMOUS */
#endif
#include "sluice/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define LARGE_PAGE ((size_t)2 << 20)

/* Whole large pages; 0: none, or it does not fit. */
static size_t rounded(size_t bytes)
{
	if (bytes > SIZE_MAX - 2 * LARGE_PAGE)
		return 0;
	return (bytes + LARGE_PAGE - 1) & ~(LARGE_PAGE - 1);
}

/* Map one page too many, so that a part of it starts where a page does, and
 * give the ends back. */
static void *map_aligned(size_t size)
{
	char *whole = mmap(NULL, size + LARGE_PAGE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t before;

	if (whole == MAP_FAILED)
		return NULL;
	before = -(uintptr_t)whole & (LARGE_PAGE - 1);
	if (before)
		munmap(whole, before);
	munmap(whole + before + size, LARGE_PAGE - before);
	return whole + before;
}

void *sl_table_alloc(size_t bytes)
{
	size_t size = rounded(bytes);
	void *table;

	if (!size)
		return NULL;
	if (bytes < LARGE_PAGE) {
		size = (bytes + SL_CACHE_LINE - 1) &
		       ~(size_t)(SL_CACHE_LINE - 1);
		table = aligned_alloc(SL_CACHE_LINE, size);
		if (table)
			memset(table, 0, size);
		return table;
	}
	table = map_aligned(size);
#ifdef MADV_HUGEPAGE
	/* A system without them is slower, not wrong. */
	if (table)
		(void)madvise(table, size, MADV_HUGEPAGE);
#endif
	return table;
}

void sl_table_free(void *table, size_t bytes)
{
	if (!table)
		return;
	if (bytes < LARGE_PAGE)
		free(table);
	else
		munmap(table, rounded(bytes));
}
