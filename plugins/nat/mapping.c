/* SPDX-License-Identifier: MIT */
/* The table of mappings; mapping.h says how it is built and why. */
#include "mapping.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS_AT_FIRST 256

/* The bits of @p word from bit @p from on; 64 is beyond all of them. */
static uint64_t bits_from(uint64_t word, unsigned from)
{
	return from < 64 ? word & ~UINT64_C(0) << from : 0;
}

static bool is_free(const struct port_space *space, uint16_t port)
{
	return space->free[port / 64] >> port % 64 & 1;
}

static void set_free(struct port_space *space, uint16_t port)
{
	unsigned word = port / 64u, group = word / 64;

	space->free[word] |= UINT64_C(1) << port % 64;
	space->groups[group] |= UINT64_C(1) << word % 64;
	space->top = (uint16_t)(space->top | 1u << group);
}

static void set_taken(struct port_space *space, uint16_t port)
{
	unsigned word = port / 64u, group = word / 64;

	space->free[word] &= ~(UINT64_C(1) << port % 64);
	if (!space->free[word])
		space->groups[group] &= ~(UINT64_C(1) << word % 64);
	if (!space->groups[group])
		space->top = (uint16_t)(space->top & ~(1u << group));
}

/* The first free port at or above @p from; 0 if there is none. */
static uint16_t first_free(const struct port_space *space, uint16_t from)
{
	unsigned word = from / 64u, group = word / 64;
	uint64_t bits = bits_from(space->free[word], from % 64);

	if (!bits) {
		uint64_t words = bits_from(space->groups[group], word % 64 + 1);

		if (!words) {
			uint64_t groups = bits_from(space->top, group + 1);

			if (!groups)
				return 0;
			group = SL_LOWEST_BIT(groups);
			words = space->groups[group];
		}
		word = group * 64 + SL_LOWEST_BIT(words);
		bits = space->free[word];
	}
	return (uint16_t)(word * 64 + SL_LOWEST_BIT(bits));
}

static struct port_space *space_create(const struct mapping_rules *rules)
{
	struct port_space *space = calloc(1, sizeof(*space));

	if (!space)
		return NULL;
	space->slots = calloc(SLOTS_AT_FIRST, sizeof(*space->slots));
	space->mappings = calloc(MAPPING_PORTS, sizeof(*space->mappings));
	if (!space->slots || !space->mappings) {
		free(space->slots);
		free(space->mappings);
		free(space);
		return NULL;
	}
	space->slot_mask = SLOTS_AT_FIRST - 1;
	space->shift = 32 - SL_LOWEST_BIT(SLOTS_AT_FIRST);
	space->cursor = rules->first_port;
	space->due = UINT64_MAX;
	for (uint32_t port = rules->first_port; port <= rules->last_port;
	     port++)
		set_free(space, (uint16_t)port);
	return space;
}

static void space_destroy(struct port_space *space)
{
	if (!space)
		return;
	free(space->slots);
	free(space->mappings);
	free(space);
}

struct mapping_table *mapping_table_create(const struct mapping_rules *rules)
{
	struct mapping_table *table =
		aligned_alloc(SL_CACHE_LINE, sizeof(*table));

	if (!table)
		return NULL;
	memset(table, 0, sizeof(*table));
	table->rules = *rules;
	table->now = 1;
	return table;
}

void mapping_table_destroy(struct mapping_table *table)
{
	if (!table)
		return;
	for (unsigned transport = 0; transport < 256; transport++)
		space_destroy(table->spaces[transport]);
	free(table);
}

/* The space of a transport, made if it is not there; NULL: no memory. */
static struct port_space *space_of(struct mapping_table *table,
				   uint8_t transport)
{
	struct port_space *space = table->spaces[transport];

	if (SL_UNLIKELY(!space)) {
		space = space_create(&table->rules);
		table->spaces[transport] = space;
	}
	return space;
}

static bool slots_grow(struct mapping_table *table, struct port_space *space)
{
	uint32_t old_count = space->slot_mask + 1;
	uint64_t *old = space->slots;
	uint64_t *slots = calloc(old_count * (size_t)2, sizeof(*slots));

	if (!slots)
		return false;
	space->slots = slots;
	space->slot_mask = old_count * 2 - 1;
	space->shift--;
	for (uint32_t at = 0; at < old_count; at++) {
		mapping_endpoint inside = old[at] >> 16;

		if (old[at])
			slots[mapping_slot(
				space, inside,
				mapping_hash(&table->rules, inside))] = old[at];
	}
	free(old);
	return true;
}

/* Empty the slot of @p inside. Those behind it in its run of full slots move
 * up where that brings them no further than home: no tombstones remain. */
static void slots_remove(struct mapping_table *table, struct port_space *space,
			 mapping_endpoint inside)
{
	uint32_t mask = space->slot_mask;
	uint32_t hole = mapping_slot(space, inside,
				     mapping_hash(&table->rules, inside));

	for (uint32_t at = (hole + 1) & mask; space->slots[at];
	     at = (at + 1) & mask) {
		uint32_t hash =
			mapping_hash(&table->rules, space->slots[at] >> 16);
		uint32_t home = hash >> space->shift;

		if (((at - home) & mask) < ((at - hole) & mask))
			continue;
		space->slots[hole] = space->slots[at];
		hole = at;
	}
	space->slots[hole] = 0;
	space->slots_used--;
}

/* The first moment that list @p list can hold. */
static uint64_t list_start(const struct port_space *space, unsigned list)
{
	return (space->horizon >> list | 1) << list;
}

/* Put a mapping into the heap. */
static void wait_for_end(struct port_space *space, uint16_t port)
{
	struct mapping *mapping = &space->mappings[port];
	unsigned list = SL_HIGHEST_BIT(mapping->used ^ space->horizon);
	uint64_t start = list_start(space, list);

	mapping->next = space->waiting[list];
	space->waiting[list] = port;
	space->filled |= UINT64_C(1) << list;
	if (start < space->due)
		space->due = start;
}

static void forget(struct mapping_table *table, struct port_space *space,
		   uint16_t port)
{
	struct mapping *mapping = &space->mappings[port];

	slots_remove(table, space,
		     mapping_endpoint_of(mapping->address, mapping->port));
	mapping->used = MAPPING_NEVER;
	set_free(space, port);
}

/* Move the horizon to the table's. The lists that start behind it stay as they
 * are: it agrees with the old one in their bit and all above. Those that start
 * at or before it are dealt out again, by when their mappings really were
 * used. A mapping only moves to a higher list if it was used meanwhile, so it
 * moves at most 64 times for a use. */
void mapping_collect(struct mapping_table *table, struct port_space *space)
{
	uint16_t taken[64];
	unsigned count = 0;

	space->due = UINT64_MAX;
	while (space->filled) {
		unsigned list = SL_LOWEST_BIT(space->filled);
		uint64_t start = list_start(space, list);

		if (start > table->horizon) {
			space->due = start;
			break;
		}
		taken[count++] = space->waiting[list];
		space->waiting[list] = 0;
		space->filled &= ~(UINT64_C(1) << list);
	}
	space->horizon = table->horizon;
	while (count > 0) {
		uint16_t port = taken[--count];

		while (port) {
			uint16_t next = space->mappings[port].next;

			if (space->mappings[port].used <= space->horizon)
				forget(table, space, port);
			else
				wait_for_end(space, port);
			port = next;
		}
	}
}

/* The port for an endpoint that has none: its own if that is free, else the
 * first free one from the cursor on. 0: there is none. */
static uint16_t choose_port(const struct mapping_rules *rules,
			    struct port_space *space, uint16_t own)
{
	uint16_t port;

	if (is_free(space, own))
		return own;
	port = first_free(space, space->cursor);
	if (!port)
		port = first_free(space, rules->first_port);
	if (port)
		space->cursor = port == rules->last_port ? rules->first_port
							 : (uint16_t)(port + 1);
	return port;
}

static void record(struct port_space *space, uint16_t port,
		   mapping_endpoint inside, uint64_t used)
{
	struct mapping *mapping = &space->mappings[port];

	mapping->used = used;
	mapping->address = (uint32_t)(inside >> 16);
	mapping->port = (uint16_t)inside;
	set_taken(space, port);
}

/* Put an endpoint that is not there into the hash table. */
static bool slots_add(struct mapping_table *table, struct port_space *space,
		      mapping_endpoint inside, uint16_t port)
{
	if (space->slots_used * 2 > space->slot_mask &&
	    !slots_grow(table, space))
		return false;
	space->slots[mapping_slot(space, inside,
				  mapping_hash(&table->rules, inside))] =
		inside << 16 | port;
	space->slots_used++;
	return true;
}

enum sl_code mapping_fix(struct mapping_table *table, uint8_t transport,
			 uint16_t port, mapping_endpoint inside)
{
	struct port_space *space = space_of(table, transport);
	uint32_t at;

	if (!space)
		return SL_ENOMEM;
	if (!port || space->mappings[port].used != MAPPING_NEVER)
		return SL_EINVAL;
	at = mapping_slot(space, inside, mapping_hash(&table->rules, inside));
	if (!space->slots[at] && !slots_add(table, space, inside, port))
		return SL_ENOMEM;
	record(space, port, inside, MAPPING_ALWAYS);
	return SL_OK;
}

enum sl_code mapping_allot(struct mapping_table *table, uint8_t transport,
			   mapping_endpoint inside, uint16_t *port)
{
	struct port_space *space = space_of(table, transport);
	uint16_t chosen;

	if (!space)
		return SL_ENOMEM;
	chosen = choose_port(&table->rules, space, (uint16_t)inside);
	if (!chosen)
		return SL_ENOSPC;
	if (!slots_add(table, space, inside, chosen))
		return SL_ENOMEM;
	record(space, chosen, inside, table->now);
	wait_for_end(space, chosen);
	*port = chosen;
	return SL_OK;
}
