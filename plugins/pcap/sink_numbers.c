/* SPDX-License-Identifier: MIT */
/* A hash table whose slots are single words, each a key and its number: so a
 * reader sees all of an entry or none. A full table is replaced by one of twice
 * the size, and kept, since somebody may be reading it. */
#include "sink_numbers.h"

#include <stdlib.h>

#define SLOTS_FIRST 256

struct number_table {
	struct number_table *smaller; /* owned: what it replaced */
	uint32_t slots; /* a power of 2 */
	_Atomic uint64_t at[]; /* key << 32 | number + 1; 0: free */
};

static struct number_table *table_create(uint32_t slots)
{
	struct number_table *table =
		calloc(1, sizeof(*table) + slots * sizeof(table->at[0]));

	if (table)
		table->slots = slots;
	return table;
}

/* Walk to the slot that holds @p key, or to the free one where it belongs. */
static uint32_t probe(const struct number_table *table, uint32_t key,
		      uint64_t *entry)
{
	uint32_t at = (key * UINT32_C(2654435769)) >> 8;

	for (;; at++) {
		*entry = atomic_load_explicit(
			&table->at[at & (table->slots - 1)],
			memory_order_relaxed);
		if (!*entry || *entry >> 32 == key)
			return at & (table->slots - 1);
	}
}

static void put(struct number_table *table, uint32_t key, uint32_t number)
{
	uint64_t entry;
	uint32_t slot = probe(table, key, &entry);

	atomic_store_explicit(&table->at[slot],
			      (uint64_t)key << 32 | (number + 1),
			      memory_order_relaxed);
}

enum sl_code numbers_init(struct numbers *numbers, struct sl_error *error)
{
	struct number_table *table = table_create(SLOTS_FIRST);

	if (!table)
		return SL_FAIL(error, SL_ENOMEM, "no memory for interfaces");
	numbers->count = 0;
	atomic_init(&numbers->table, table);
	return SL_OK;
}

void numbers_finish(struct numbers *numbers)
{
	struct number_table *table =
		atomic_load_explicit(&numbers->table, memory_order_relaxed);

	while (table) {
		struct number_table *smaller = table->smaller;

		free(table);
		table = smaller;
	}
	atomic_init(&numbers->table, NULL);
	numbers->count = 0;
}

uint32_t numbers_find(const struct numbers *numbers, uint32_t key)
{
	uint64_t entry;

	(void)probe(atomic_load_explicit(&numbers->table, memory_order_acquire),
		    key, &entry);
	return (uint32_t)entry - 1; /* 0 - 1 is NUMBER_UNKNOWN */
}

/* @return the table, or a new one with room; NULL: no memory. */
static struct number_table *with_room(struct numbers *numbers)
{
	struct number_table *table =
		atomic_load_explicit(&numbers->table, memory_order_relaxed);
	struct number_table *larger;

	if (numbers->count < table->slots / 2)
		return table;
	larger = table_create(table->slots * 2);
	if (!larger)
		return NULL;
	for (uint32_t at = 0; at < table->slots; at++) {
		uint64_t entry = atomic_load_explicit(&table->at[at],
						      memory_order_relaxed);

		if (entry)
			put(larger, (uint32_t)(entry >> 32),
			    (uint32_t)entry - 1);
	}
	larger->smaller = table;
	atomic_store_explicit(&numbers->table, larger, memory_order_release);
	return larger;
}

enum sl_code numbers_add(struct numbers *numbers, uint32_t key,
			 struct sl_error *error)
{
	struct number_table *table = with_room(numbers);

	if (!table)
		return SL_FAIL(error, SL_ENOMEM, "no memory for interfaces");
	put(table, key, numbers->count++);
	return SL_OK;
}
