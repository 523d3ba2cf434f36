/* SPDX-License-Identifier: MIT */
/** @file
 * A NAT's memory: which external port stands for which inside endpoint.
 *
 * Every transport has a *port space* of its own, made when it is first used:
 *
 *     slots     a hash table, endpoint -> port, by linear probing. A slot is
 *               one word, endpoint << 16 | port, and 0 is an empty one, so a
 *               cache line holds eight and a look-up mostly reads one line.
 *     mappings  an array, port -> endpoint and time of last use.
 *     free      a bitmap of three levels, so that the first free port at or
 *               above any other is found in constant time, or that there is
 *               none.
 *     waiting   a radix heap of the mappings by last use (Ahuja, Mehlhorn,
 *               Orlin, Tarjan: Faster Algorithms for the Shortest Path
 *               Problem, 1990). A use only writes the time; the heap learns of
 *               it when the mapping would else be gone. So a use touches one
 *               line, where a list of the least recently used touches four.
 *
 * Time moves by mapping_table_advance() alone, and only forward. A mapping is
 * gone, exactly, as soon as now - last use >= timeout. It is collected when
 * its space is next asked; nobody can tell the difference.
 *
 * What ports are handed out depends on the calls alone, not on the seed of
 * the hash. Locking must be done by the caller. A pool of external addresses
 * would be a table each, and other timeouts a heap each.
 */
#ifndef NAT_MAPPING_H
#define NAT_MAPPING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sluice/defs.h"
#include "sluice/error.h"
#include "sluice/random.h"

/** An IPv4 address (host order) and a port: address << 16 | port. For a
 * transport without ports the port is 0. */
typedef uint64_t mapping_endpoint;

static inline mapping_endpoint mapping_endpoint_of(uint32_t address,
						   uint16_t port)
{
	return (uint64_t)address << 16 | port;
}

struct mapping_rules {
	uint16_t first_port, last_port; /**< inclusive; not 0 */
	int64_t timeout_ns; /**< at least 1 */
	uint64_t seed; /**< of the hash: what an attacker must not know */
};

/** Moments are in ns and 1 at time 0, so that 0 can say "never". */
#define MAPPING_NEVER UINT64_C(0)
/** A static forward's last use: it is not gone before the end of time. */
#define MAPPING_ALWAYS UINT64_MAX

/** A port's record. */
struct mapping {
	uint64_t used; /**< moment of last use; MAPPING_NEVER: no mapping */
	uint32_t address; /**< the inside endpoint's */
	uint16_t port; /**< the inside endpoint's */
	uint16_t next; /**< a port: the next in a list of the heap; 0: none */
};

#define MAPPING_PORTS 65536

struct port_space {
	uint64_t *slots; /**< owned; a power of two of them */
	struct mapping *mappings; /**< owned; MAPPING_PORTS of them */
	unsigned shift; /**< from a 32-bit hash to a slot */
	uint32_t slot_mask;
	uint32_t slots_used; /**< at most half */
	uint16_t cursor; /**< where the next search for a port starts */
	uint16_t top; /**< a bit a word of `groups` */
	uint64_t groups[MAPPING_PORTS / 64 / 64]; /**< a bit a word of `free` */
	uint64_t free[MAPPING_PORTS / 64]; /**< a bit a port */

	/* List b has the mappings whose last use, when they were put there,
	 * differed from `horizon` in bit b, but in none above. */
	uint64_t due; /**< nothing is gone before the horizon is this */
	uint64_t horizon; /**< all mappings were used after it */
	uint64_t filled; /**< a bit a list */
	uint16_t waiting[64]; /**< a port: the first of the list */
};

/** On lines of its own: commit writes it for every packet, and what other
 * threads read must not share a line with that. */
struct mapping_table {
	struct mapping_rules rules;
	uint64_t now; /**< a moment */
	uint64_t horizon; /**< what was last used then or before is gone */
	struct port_space *spaces[256]; /**< owned; by transport; may be NULL */
} SL_ALIGNED(SL_CACHE_LINE);

/** @return an empty table; NULL: no memory. */
struct mapping_table *
mapping_table_create(const struct mapping_rules *rules) SL_MUST_CHECK;
void mapping_table_destroy(struct mapping_table *table);

/** Add a static forward. A port outside of the range is fine. Of several
 * forwards to one endpoint the first is the one that mapping_outbound() uses.
 * @return SL_OK; SL_EINVAL: @p port is 0 or forwarded already; SL_ENOMEM. */
enum sl_code mapping_fix(struct mapping_table *table, uint8_t transport,
			 uint16_t port, mapping_endpoint inside) SL_MUST_CHECK;

/** Let it be @p time_ns, or later if it is later already. */
static inline void mapping_table_advance(struct mapping_table *table,
					 int64_t time_ns)
{
	uint64_t moment = (uint64_t)time_ns + 1;
	uint64_t timeout = (uint64_t)table->rules.timeout_ns;

	if (time_ns < 0 || moment <= table->now)
		return;
	table->now = moment;
	table->horizon = moment > timeout ? moment - timeout : 0;
}

/** The hash of an endpoint, which mapping_outbound() wants. Thread-safe. */
static inline uint32_t mapping_hash(const struct mapping_rules *rules,
				    mapping_endpoint inside)
{
	return (uint32_t)(sl_random_at(rules->seed, inside) >> 32);
}

/** The parts of the next two functions that few packets need: a new mapping,
 * and the collection of those that are gone. */
enum sl_code mapping_allot(struct mapping_table *table, uint8_t transport,
			   mapping_endpoint inside,
			   uint16_t *port) SL_MUST_CHECK;
void mapping_collect(struct mapping_table *table, struct port_space *space);

/** The slot that holds @p inside, or the empty one where it belongs. */
static inline uint32_t mapping_slot(const struct port_space *space,
				    mapping_endpoint inside, uint32_t hash)
{
	uint32_t at = hash >> space->shift;

	while (space->slots[at] && space->slots[at] >> 16 != inside)
		at = (at + 1) & space->slot_mask;
	return at;
}

/* Writing what is there already would only drag the cache line from core to
 * core, where commits alternate. MAPPING_ALWAYS is later than any time. */
static inline void mapping_note_use(const struct mapping_table *table,
				    struct mapping *mapping)
{
	if (mapping->used < table->now)
		mapping->used = table->now;
}

/** Find the external port of an endpoint, or allot one, and note the use.
 * @return SL_OK; SL_ENOSPC: no port is free; SL_ENOMEM. */
SL_MUST_CHECK
static inline enum sl_code mapping_outbound(struct mapping_table *table,
					    uint8_t transport,
					    mapping_endpoint inside,
					    uint32_t hash, uint16_t *port)
{
	struct port_space *space = table->spaces[transport];
	uint64_t slot;

	if (SL_UNLIKELY(!space))
		return mapping_allot(table, transport, inside, port);
	if (SL_UNLIKELY(table->horizon >= space->due))
		mapping_collect(table, space);
	slot = space->slots[mapping_slot(space, inside, hash)];
	if (SL_UNLIKELY(!slot))
		return mapping_allot(table, transport, inside, port);
	*port = (uint16_t)slot;
	mapping_note_use(table, &space->mappings[*port]);
	return SL_OK;
}

/** Find whom an external port stands for, and note the use.
 * @return whether there is one. */
SL_MUST_CHECK
static inline bool mapping_inbound(struct mapping_table *table,
				   uint8_t transport, uint16_t port,
				   mapping_endpoint *inside)
{
	struct port_space *space = table->spaces[transport];
	struct mapping *mapping;

	if (SL_UNLIKELY(!space))
		return false;
	if (SL_UNLIKELY(table->horizon >= space->due))
		mapping_collect(table, space);
	mapping = &space->mappings[port];
	if (mapping->used == MAPPING_NEVER)
		return false;
	*inside = mapping_endpoint_of(mapping->address, mapping->port);
	mapping_note_use(table, mapping);
	return true;
}

/** Fetch what mapping_outbound() with @p hash, or mapping_inbound() with
 * @p port, reads first. One function for both: which of them it will be is
 * chance, and a branch on it would be mispredicted. */
static inline void mapping_prefetch(const struct mapping_table *table,
				    uint8_t transport, uint32_t hash,
				    uint16_t port)
{
	const struct port_space *space = table->spaces[transport];

	if (SL_LIKELY(space)) {
		SL_PREFETCH(&space->slots[hash >> space->shift]);
		SL_PREFETCH(&space->mappings[port]);
	}
}

/** Fetch what mapping_outbound() most likely reads then; cheap once the slot
 * is here. */
static inline void mapping_prefetch_found(const struct mapping_table *table,
					  uint8_t transport, uint32_t hash)
{
	const struct port_space *space = table->spaces[transport];

	if (SL_LIKELY(space)) {
		uint64_t slot = space->slots[hash >> space->shift];

		SL_PREFETCH(&space->mappings[(uint16_t)slot]);
	}
}

#endif
