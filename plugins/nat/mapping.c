/* SPDX-License-Identifier: MIT */
/* The table of mappings; mapping.h says how it is built and why. */
#include "mapping.h"

#include <stdlib.h>
#include <string.h>

#include "sluice/memory.h"

#define SLOTS_AT_FIRST 256
#define SPACES (MAPPING_ADDRESSES * MAPPING_PROTOCOLS)
#define ELSEWHERE 0 /* the port in a slot of an endpoint that is not here */

static void free_slots(struct mapping_slot *slots, uint32_t mask)
{
	sl_table_free(slots, sizeof(*slots) * ((size_t)mask + 1));
}

static void space_destroy(struct port_space *space)
{
	if (!space)
		return;
	free_slots(space->slots, space->slot_mask);
	free(space->mappings);
	free(space->states);
	free(space);
}

/* mapping.h says how long a span is. */
static uint64_t span_of(uint64_t timeout)
{
	uint64_t most = timeout / 1024;

	if (most > UINT64_C(1) << 28)
		most = UINT64_C(1) << 28;
	return most ? (UINT64_C(1) << SL_HIGHEST_BIT(most)) - 1 : 0;
}

static struct port_space *space_create(const struct mapping_rules *rules,
				       unsigned number)
{
	const int64_t *timeouts =
		rules->timeouts_ns[number % MAPPING_PROTOCOLS];
	struct port_space *space = aligned_alloc(SL_CACHE_LINE, sizeof(*space));

	if (!space)
		return NULL;
	memset(space, 0, sizeof(*space));
	space->slot_mask = SLOTS_AT_FIRST - 1;
	space->slots = sl_table_alloc(SLOTS_AT_FIRST * sizeof(*space->slots));
	space->mappings = calloc(MAPPING_PORTS, sizeof(*space->mappings));
	if (number % MAPPING_PROTOCOLS == MAPPING_TCP)
		space->state_mask = MAPPING_PORTS - 1;
	space->states =
		calloc(space->state_mask + (size_t)1, sizeof(*space->states));
	if (!space->slots || !space->mappings || !space->states) {
		space_destroy(space);
		return NULL;
	}
	space->number = (uint16_t)number;
	space->shift = 32 - SL_LOWEST_BIT(SLOTS_AT_FIRST);
	space->cursor = rules->first_port;
	space->due = UINT64_MAX;
	space->timeouts[0] = (uint64_t)timeouts[0];
	space->timeouts[1] = (uint64_t)timeouts[1];
	space->shortest = space->timeouts[timeouts[1] < timeouts[0]];
	space->span = span_of(space->shortest);
	port_set_add_range(&space->free, rules->first_port, rules->last_port);
	return space;
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
	for (unsigned at = 0; at < SPACES; at++)
		space_destroy(table->spaces[at]);
	free(table);
}

/* A space, made if it is not there; NULL: no memory. */
static struct port_space *space_at(struct mapping_table *table, unsigned number)
{
	struct port_space *space = table->spaces[number];

	if (SL_UNLIKELY(!space)) {
		space = space_create(&table->rules, number);
		table->spaces[number] = space;
	}
	return space;
}

/* What is there of a space is collected, so that its slots tell the truth. */
static struct port_space *fresh_space(struct mapping_table *table,
				      unsigned number)
{
	struct port_space *space = table->spaces[number];

	if (space && table->now >= space->due)
		mapping_collect(table, space);
	return space;
}

static bool slots_grow(struct mapping_table *table, struct port_space *space)
{
	uint32_t old_count = space->slot_mask + 1;
	struct mapping_slot *old = space->slots;
	struct mapping_slot *slots =
		sl_table_alloc(old_count * (size_t)2 * sizeof(*slots));

	if (!slots)
		return false;
	space->slots = slots;
	space->slot_mask = old_count * 2 - 1;
	space->shift--;
	for (uint32_t at = 0; at < old_count; at++) {
		mapping_endpoint inside = old[at].key >> 16;

		if (old[at].key)
			slots[mapping_slot(
				space, inside,
				mapping_hash(&table->rules, inside))] = old[at];
	}
	free_slots(old, old_count - 1);
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

	for (uint32_t at = (hole + 1) & mask; space->slots[at].key;
	     at = (at + 1) & mask) {
		uint32_t hash =
			mapping_hash(&table->rules, space->slots[at].key >> 16);
		uint32_t home = hash >> space->shift;

		if (((at - home) & mask) < ((at - hole) & mask))
			continue;
		space->slots[hole] = space->slots[at];
		hole = at;
	}
	space->slots[hole].key = 0;
	space->slots_used--;
}

/* The first moment that list @p list can hold. */
static uint64_t list_start(const struct port_space *space, unsigned list)
{
	return (space->horizon >> list | 1) << list;
}

/* The moment at which a mapping is gone, if nobody uses it any more. */
static uint64_t end_of(const struct mapping_table *table,
		       const struct port_space *space, uint16_t port)
{
	const struct mapping *mapping = &space->mappings[port];
	mapping_endpoint inside =
		mapping_endpoint_of(mapping->address, mapping->port);
	uint32_t at = mapping_slot(space, inside,
				   mapping_hash(&table->rules, inside));
	uint8_t state = space->states[port & space->state_mask];
	uint64_t used = space->slots[at].used;

	if (used < mapping->used)
		used = mapping->used;
	return used + space->timeouts[(state & TCP_LASTING) / TCP_LASTING];
}

/* Put a mapping that ends at @p end into the heap. */
static void wait_for_end(const struct mapping_table *table,
			 struct port_space *space, uint16_t port, uint64_t end)
{
	struct mapping *mapping = &space->mappings[port];
	uint64_t moment = table->now + space->shortest;
	unsigned list;
	uint64_t start;

	if (end < moment)
		moment = end;
	list = SL_HIGHEST_BIT(moment ^ space->horizon);
	start = list_start(space, list);
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
	mapping_endpoint inside =
		mapping_endpoint_of(mapping->address, mapping->port);
	unsigned home = mapping_home(&table->rules, mapping->address,
				     space->number % MAPPING_PROTOCOLS);

	slots_remove(table, space, inside);
	if (home != space->number)
		slots_remove(table, table->spaces[home], inside);
	mapping->used = MAPPING_NEVER;
	port_set_add(&space->free, port);
}

/* Move the horizon to now. The lists that start behind it stay as they are: it
 * agrees with the old one in their bit and all above. Those that start at or
 * before it are dealt out again, by when their mappings really end. A mapping
 * only moves to a higher list if it was used meanwhile, so it moves at most 64
 * times for a use, or for the shortest timeout. */
void mapping_collect(struct mapping_table *table, struct port_space *space)
{
	uint16_t taken[64];
	unsigned count = 0;

	space->due = UINT64_MAX;
	while (space->filled) {
		unsigned list = SL_LOWEST_BIT(space->filled);
		uint64_t start = list_start(space, list);

		if (start > table->now) {
			space->due = start;
			break;
		}
		taken[count++] = space->waiting[list];
		space->waiting[list] = 0;
		space->filled &= ~(UINT64_C(1) << list);
	}
	space->horizon = table->now;
	while (count > 0) {
		uint16_t port = taken[--count];

		while (port) {
			uint16_t next = space->mappings[port].next;
			uint64_t end = end_of(table, space, port);

			if (end <= table->now)
				forget(table, space, port);
			else
				wait_for_end(table, space, port, end);
			port = next;
		}
	}
}

/* The port for an endpoint that has none: its own if that is free, else the
 * first free one from the cursor on, of its parity if that is wished and there
 * is one. 0: there is none. */
static uint16_t choose_port(const struct mapping_rules *rules,
			    struct port_space *space, uint16_t own)
{
	uint16_t port = 0;

	if (port_set_has(&space->free, own))
		return own;
	if (rules->parity && space->number % MAPPING_PROTOCOLS == MAPPING_UDP) {
		port = port_set_first_like(&space->free, space->cursor, own);
		if (!port)
			port = port_set_first_like(&space->free,
						   rules->first_port, own);
	}
	if (!port)
		port = port_set_first(&space->free, space->cursor);
	if (!port)
		port = port_set_first(&space->free, rules->first_port);
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
	space->states[port & space->state_mask] = TCP_OPENING;
	port_set_remove(&space->free, port);
}

/* Make room for one more slot. */
static bool slots_reserve(struct mapping_table *table, struct port_space *space)
{
	return space->slots_used * 2 <= space->slot_mask ||
	       slots_grow(table, space);
}

/* Put an endpoint that is not there into the hash table, which has room. */
static void slots_add(struct port_space *space, mapping_endpoint inside,
		      uint32_t hash, uint16_t port)
{
	struct mapping_slot *slot =
		&space->slots[mapping_slot(space, inside, hash)];

	slot->key = inside << 16 | port;
	slot->used = MAPPING_NEVER; /* the record has the first use */
	space->slots_used++;
}

/* The space of the pool's address that is @p step behind that of @p home. */
static unsigned space_behind(const struct mapping_rules *rules, unsigned home,
			     unsigned step)
{
	return mapping_space_of((home / MAPPING_PROTOCOLS + step) %
					rules->addresses,
				home % MAPPING_PROTOCOLS);
}

static bool find_place(struct mapping_table *table, unsigned home,
		       mapping_endpoint inside, uint32_t hash,
		       struct mapping_place *place)
{
	for (unsigned step = 0; step < table->rules.addresses; step++) {
		unsigned number = space_behind(&table->rules, home, step);
		const struct port_space *space = fresh_space(table, number);
		uint64_t slot = 0;

		if (space)
			slot = space->slots[mapping_slot(space, inside, hash)]
				       .key;
		if ((uint16_t)slot != ELSEWHERE) {
			place->space = (uint16_t)number;
			place->port = (uint16_t)slot;
			return true;
		}
		if (!slot && step == 0)
			return false;
	}
	return false;
}

bool mapping_find_place(struct mapping_table *table, unsigned home,
			mapping_endpoint inside, struct mapping_place *place)
{
	return find_place(table, home, inside,
			  mapping_hash(&table->rules, inside), place);
}

bool mapping_find_inside(struct mapping_table *table,
			 struct mapping_place place, mapping_endpoint *inside)
{
	const struct port_space *space = fresh_space(table, place.space);
	const struct mapping *mapping;

	if (!space)
		return false;
	mapping = &space->mappings[place.port];
	*inside = mapping_endpoint_of(mapping->address, mapping->port);
	return mapping->used != MAPPING_NEVER;
}

/* Point to a place of this endpoint from its slot there, and from home. */
static enum sl_code point_to(struct mapping_table *table, unsigned home,
			     mapping_endpoint inside, uint32_t hash,
			     struct mapping_place place)
{
	struct port_space *there = space_at(table, place.space);
	struct port_space *here = space_at(table, home);

	if (!there || !here || !slots_reserve(table, there) ||
	    !slots_reserve(table, here))
		return SL_ENOMEM;
	slots_add(there, inside, hash, place.port);
	if (here != there)
		slots_add(here, inside, hash, ELSEWHERE);
	return SL_OK;
}

enum sl_code mapping_fix(struct mapping_table *table,
			 struct mapping_place place, mapping_endpoint inside)
{
	struct port_space *space = space_at(table, place.space);
	unsigned home = mapping_home(&table->rules, (uint32_t)(inside >> 16),
				     place.space % MAPPING_PROTOCOLS);
	uint32_t hash = mapping_hash(&table->rules, inside);
	struct mapping_place earlier;
	enum sl_code code = SL_OK;

	if (!space)
		return SL_ENOMEM;
	if (!place.port || !inside ||
	    space->mappings[place.port].used != MAPPING_NEVER)
		return SL_EINVAL;
	if (!find_place(table, home, inside, hash, &earlier))
		code = point_to(table, home, inside, hash, place);
	if (code == SL_OK)
		record(space, place.port, inside, MAPPING_ALWAYS);
	return code;
}

/* Make a mapping at home, or at the next address that has a port. An endpoint
 * of 0.0.0.0:0 stays at home: a slot could not tell its "elsewhere" from an
 * empty one. */
static enum sl_code make(struct mapping_table *table, unsigned home,
			 mapping_endpoint inside, uint32_t hash,
			 struct mapping_place *place)
{
	unsigned count = inside ? table->rules.addresses : 1;

	for (unsigned step = 0; step < count; step++) {
		unsigned number = space_behind(&table->rules, home, step);
		struct port_space *space = space_at(table, number);
		enum sl_code code;

		if (!space)
			return SL_ENOMEM;
		(void)fresh_space(table, number);
		place->space = (uint16_t)number;
		place->port =
			choose_port(&table->rules, space, (uint16_t)inside);
		if (!place->port)
			continue;
		code = point_to(table, home, inside, hash, *place);
		if (code == SL_OK) {
			record(space, place->port, inside, table->now);
			table->made++;
		}
		return code;
	}
	return SL_ENOSPC;
}

enum sl_code mapping_allot(struct mapping_table *table, unsigned home,
			   mapping_endpoint inside, uint32_t hash,
			   uint8_t event, struct mapping_place *place)
{
	struct port_space *space;
	enum sl_code code;

	if (find_place(table, home, inside, hash, place)) {
		mapping_note_use(table, table->spaces[place->space],
				 place->port, event);
		return SL_OK;
	}
	code = make(table, home, inside, hash, place);
	if (code != SL_OK)
		return code;
	space = table->spaces[place->space];
	if (event & TCP_EVENT)
		mapping_note_event(space, place->port, event);
	wait_for_end(table, space, place->port,
		     table->now + space->timeouts[0]);
	return SL_OK;
}
