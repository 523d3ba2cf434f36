/* SPDX-License-Identifier: MIT */
/** @file
 * Memory for large tables that are read at random.
 *
 * A table of many megabytes on pages of 4 KiB costs a walk through the page
 * table for nearly every look-up; on large pages (2 MiB where the system allows
 * them by "madvise") it does not.
 */
#ifndef SLUICE_MEMORY_H
#define SLUICE_MEMORY_H

#include <stddef.h>

#include "sluice/defs.h"

SL_BEGIN_DECLS

/** @return @p bytes (not 0), zeroed, aligned to a cache line, on large pages if
 * they fill one and the system gives them; NULL: no memory. Free them with
 * sl_table_free(), not free(). Thread-safe. */
void *sl_table_alloc(size_t bytes) SL_MUST_CHECK;

/** @p bytes is what was asked for; NULL is fine. */
void sl_table_free(void *table, size_t bytes);

SL_END_DECLS

#endif
