/* SPDX-License-Identifier: MIT */
/** @file
 * A NAT's memory: which external endpoint stands for which inside endpoint.
 *
 * There is a *port space* for each external address of the pool and each
 * protocol, made when it is first used:
 *
 *     slots     a hash table, endpoint -> port, by linear probing, at most half
 *               full, with the last use from inside. A look-up mostly reads one
 *               cache line, of four slots, and that is all that a packet from
 *               inside touches.
 *     mappings  an array, port -> endpoint, with the last use from outside: all
 *               that a packet from there touches.
 *     states    an array, port -> enum tcp_state, of TCP alone: 64 of them in a
 *               line, so that it hardly costs a miss.
 *     free      what ports are.
 *     waiting   a radix heap of the mappings by their end (Ahuja, Mehlhorn,
 *               Orlin, Tarjan: Faster Algorithms for the Shortest Path Problem,
 *               1990). A use at most writes its moment; the heap learns of it
 *               when the mapping would else be gone. So a use touches one line,
 *               where a list of the least recently used touches four.
 *
 * A mapping's end is a timeout after its last use from either side; which
 * timeout, its state says. Of a use not the moment is written but the end of
 * the *span* in which it lies, of 2^k ns: the greatest that is no more than a
 * 1024th of the space's shortest timeout, at most 2^28 ns. So a flow's line is
 * written once a span, not for each packet, and stays in the caches of all
 * cores, whose commits alternate. A mapping never ends too soon, and less than
 * a span late; one that was used once, when it was made, ends exactly.
 *
 * An inside endpoint has a *home*: the external address of its own address
 * modulo the pool's size, so that a host keeps one external address while it
 * can (RFC 4787, REQ-2, as a preference). Where the home has no free port the
 * next addresses are asked, round about, and the home's slot then says
 * *elsewhere* (port 0), so that the common look-up stays one. So does the slot
 * of an endpoint with a static forward on another address.
 *
 * The heap: a mapping is filed under its end, or under the shortest timeout of
 * its space from now, whichever comes first. An end never becomes earlier than
 * that, though a timeout be lowered (a connection that closes), so it is found
 * in time; when it is found and not over, it is filed again.
 *
 * Time moves by mapping_table_advance() alone, and only forward. A mapping is
 * gone, exactly, as soon as its end is reached. It is collected when its space
 * is next asked; nobody can tell the difference.
 *
 * What ports are handed out depends on the calls alone, not on the seed of
 * the hash. Locking must be done by the caller.
 */
#ifndef NAT_MAPPING_H
#define NAT_MAPPING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ports.h"
#include "sluice/defs.h"
#include "sluice/error.h"
#include "sluice/packet.h"
#include "sluice/random.h"
#include "tcp_state.h"

/** An IPv4 address (host order) and a port: address << 16 | port. For ICMP the
 * port is the identifier; for a transport without ports it is 0. */
typedef uint64_t mapping_endpoint;

static inline mapping_endpoint mapping_endpoint_of(uint32_t address,
						   uint16_t port)
{
	return (uint64_t)address << 16 | port;
}

/** What has ports of its own. */
enum mapping_protocol {
	MAPPING_OTHER = 0, /**< all that are not below together */
	MAPPING_ICMP,
	MAPPING_UDP,
	MAPPING_TCP,
	MAPPING_PROTOCOLS,
};

static inline unsigned mapping_protocol_of(uint8_t transport)
{
	switch (transport) {
	case SL_TRANSPORT_UDP:
		return MAPPING_UDP;
	case SL_TRANSPORT_TCP:
		return MAPPING_TCP;
	case SL_TRANSPORT_ICMP:
		return MAPPING_ICMP;
	default:
		return MAPPING_OTHER;
	}
}

#define MAPPING_ADDRESSES 256 /* at most in a pool */

struct mapping_rules {
	uint16_t first_port, last_port; /**< inclusive; not 0 */
	uint16_t addresses; /**< the pool's size, 1 ... MAPPING_ADDRESSES */
	bool parity; /**< UDP: an odd port for an odd one, while there is one */
	/** At least 1; [1] is that of an established TCP connection. */
	int64_t timeouts_ns[MAPPING_PROTOCOLS][2];
	uint64_t seed; /**< of the hash: what an attacker must not know */
};

/** The number of a port space. */
static inline unsigned mapping_space_of(unsigned address, unsigned protocol)
{
	return address * MAPPING_PROTOCOLS + protocol;
}

/** An external endpoint: the space says address and protocol. */
struct mapping_place {
	uint16_t space;
	uint16_t port;
};

static inline unsigned mapping_place_address(struct mapping_place place)
{
	return place.space / (unsigned)MAPPING_PROTOCOLS;
}

/** The space where an inside endpoint is at home. */
static inline unsigned mapping_home(const struct mapping_rules *rules,
				    uint32_t address, unsigned protocol)
{
	unsigned count = rules->addresses;

	return mapping_space_of(count > 1 ? address % count : 0, protocol);
}

/** Moments are in ns and 1 at time 0, so that 0 can say "never". */
#define MAPPING_NEVER UINT64_C(0)
/** A static forward's last use: it is not gone before the end of time. */
#define MAPPING_ALWAYS UINT64_MAX

struct mapping_slot {
	uint64_t key; /**< endpoint << 16 | port; 0: empty */
	uint64_t used; /**< from inside: the end of the last use's span */
};

/** A port's record. */
struct mapping {
	uint64_t used; /**< from outside: the end of the last use's span, or
			  the moment of its making; MAPPING_NEVER: no mapping */
	uint32_t address; /**< the inside endpoint's */
	uint16_t port; /**< the inside endpoint's */
	uint16_t next; /**< a port: the next in a list of the heap; 0: none */
};

#define MAPPING_PORTS 65536

struct port_space {
	struct mapping_slot *slots; /**< owned; a power of two of them */
	struct mapping *mappings; /**< owned; MAPPING_PORTS of them */
	uint8_t *states; /**< owned; state_mask + 1 enum tcp_state */
	unsigned shift; /**< from a 32-bit hash to a slot */
	uint32_t slot_mask;
	uint32_t state_mask; /**< from a port to its state; 0: they have none,
				  and one for all never changes */
	uint64_t due; /**< nothing is gone before this moment */
	uint64_t timeouts[2]; /**< ns; [1] of the states with TCP_LASTING */
	uint64_t span; /**< of use; 2^k - 1 ns */

	uint64_t shortest; /**< of the timeouts */
	uint64_t horizon; /**< all mappings end after it */
	uint64_t filled; /**< a bit a list of the heap */
	uint32_t slots_used; /**< at most half of them */
	uint16_t number; /**< of the space */
	uint16_t cursor; /**< where the next search for a port starts */
	/* List b has the mappings whose moment, when they were put there,
	 * differed from `horizon` in bit b, but in none above. */
	uint16_t waiting[64]; /**< a port: the first of the list */
	struct port_set free;
} SL_ALIGNED(SL_CACHE_LINE);

/** On lines of its own: commit writes it for every packet, and what other
 * threads read must not share a line with that. */
struct mapping_table {
	struct mapping_rules rules;
	uint64_t now; /**< a moment */
	uint64_t made; /**< mappings so far: while it grows, more are to come */
	/** Owned; by number; may be NULL. */
	struct port_space *spaces[MAPPING_ADDRESSES * MAPPING_PROTOCOLS];
} SL_ALIGNED(SL_CACHE_LINE);

/** @return an empty table; NULL: no memory. */
struct mapping_table *
mapping_table_create(const struct mapping_rules *rules) SL_MUST_CHECK;
void mapping_table_destroy(struct mapping_table *table);

/** Add a static forward. A port outside of the range is fine. Of several
 * forwards to one endpoint the first is the one that mapping_outbound() uses.
 * @return SL_OK; SL_EINVAL: the port is 0 or forwarded already; SL_ENOMEM. */
enum sl_code mapping_fix(struct mapping_table *table,
			 struct mapping_place place,
			 mapping_endpoint inside) SL_MUST_CHECK;

/** Let it be @p time_ns, or later if it is later already. */
static inline void mapping_table_advance(struct mapping_table *table,
					 int64_t time_ns)
{
	uint64_t moment = (uint64_t)time_ns + 1;

	if (time_ns >= 0 && moment > table->now)
		table->now = moment;
}

/** The hash of an endpoint, which mapping_outbound() wants. Thread-safe. */
static inline uint32_t mapping_hash(const struct mapping_rules *rules,
				    mapping_endpoint inside)
{
	return (uint32_t)(sl_random_at(rules->seed, inside) >> 32);
}

/** The parts of the functions below that few packets need: an endpoint that is
 * not in its home, or new; and the collection of mappings that are gone. */
enum sl_code mapping_allot(struct mapping_table *table, unsigned home,
			   mapping_endpoint inside, uint32_t hash,
			   uint8_t event,
			   struct mapping_place *place) SL_MUST_CHECK;
void mapping_collect(struct mapping_table *table, struct port_space *space);

/** Find the place of an endpoint without using or making it.
 * @return whether there is one. */
bool mapping_find_place(struct mapping_table *table, unsigned home,
			mapping_endpoint inside,
			struct mapping_place *place) SL_MUST_CHECK;

/** Find whom a place stands for without using it.
 * @return whether there is anybody. */
bool mapping_find_inside(struct mapping_table *table,
			 struct mapping_place place,
			 mapping_endpoint *inside) SL_MUST_CHECK;

/** The slot that holds @p inside, or the empty one where it belongs. */
static inline uint32_t mapping_slot(const struct port_space *space,
				    mapping_endpoint inside, uint32_t hash)
{
	uint32_t at = hash >> space->shift;

	while (space->slots[at].key && space->slots[at].key >> 16 != inside)
		at = (at + 1) & space->slot_mask;
	return at;
}

/* What is there already is not written, here and below: that would only drag
 * cache lines from core to core. */
static inline void mapping_note_event(const struct port_space *space,
				      uint16_t port, uint8_t event)
{
	uint8_t *known = &space->states[port & space->state_mask];
	uint8_t state = tcp_next_state[*known][event];

	if (state != *known)
		*known = state;
}

/* The end of the span of a use that is now. */
static inline uint64_t mapping_span_end(const struct mapping_table *table,
					const struct port_space *space)
{
	return table->now | space->span;
}

static inline void mapping_note_use(const struct mapping_table *table,
				    const struct port_space *space,
				    uint16_t port, uint8_t event)
{
	struct mapping *mapping = &space->mappings[port];
	uint64_t used = mapping_span_end(table, space);

	if (event & TCP_EVENT)
		mapping_note_event(space, port, event);
	if (mapping->used < used)
		mapping->used = used;
}

/** Find the external endpoint of an inside one, or allot one, and note the
 * use. @p home is that of @p inside, and @p event what a TCP packet says,
 * enum tcp_event.
 * @return SL_OK; SL_ENOSPC: no port is free; SL_ENOMEM. */
SL_MUST_CHECK
static inline enum sl_code mapping_outbound(struct mapping_table *table,
					    unsigned home,
					    mapping_endpoint inside,
					    uint32_t hash, uint8_t event,
					    struct mapping_place *place)
{
	struct port_space *space = table->spaces[home];
	struct mapping_slot *slot;
	uint64_t used;
	uint16_t port;

	if (SL_UNLIKELY(!space))
		return mapping_allot(table, home, inside, hash, event, place);
	if (SL_UNLIKELY(table->now >= space->due))
		mapping_collect(table, space);
	slot = &space->slots[mapping_slot(space, inside, hash)];
	port = (uint16_t)slot->key;
	if (SL_UNLIKELY(!port))
		return mapping_allot(table, home, inside, hash, event, place);
	place->space = (uint16_t)home;
	place->port = port;
	if (event & TCP_EVENT)
		mapping_note_event(space, port, event);
	used = mapping_span_end(table, space);
	if (slot->used < used)
		slot->used = used;
	return SL_OK;
}

/** Find whom an external endpoint stands for, and note the use.
 * @return whether there is anybody. */
SL_MUST_CHECK
static inline bool mapping_inbound(struct mapping_table *table,
				   struct mapping_place place, uint8_t event,
				   mapping_endpoint *inside)
{
	struct port_space *space = table->spaces[place.space];
	const struct mapping *mapping;

	if (SL_UNLIKELY(!space))
		return false;
	if (SL_UNLIKELY(table->now >= space->due))
		mapping_collect(table, space);
	mapping = &space->mappings[place.port];
	if (mapping->used == MAPPING_NEVER)
		return false;
	*inside = mapping_endpoint_of(mapping->address, mapping->port);
	mapping_note_use(table, space, place.port, event | TCP_FROM_OUTSIDE);
	return true;
}

/** Fetch what mapping_outbound() with @p hash, or mapping_inbound() with
 * @p place, reads first. One function for both: which of them it will be is
 * chance, and a branch on it would be mispredicted. */
static inline void mapping_prefetch(const struct mapping_table *table,
				    uint32_t hash, struct mapping_place place)
{
	const struct port_space *space = table->spaces[place.space];

	if (SL_LIKELY(space)) {
		SL_PREFETCH(&space->slots[hash >> space->shift]);
		SL_PREFETCH(&space->mappings[place.port]);
		SL_PREFETCH(&space->states[place.port & space->state_mask]);
	}
}

/** Fetch what mapping_outbound() writes if it has to make a mapping, which
 * keeps the endpoint's port; cheap once the slot is here. */
static inline void mapping_prefetch_new(const struct mapping_table *table,
					unsigned home, mapping_endpoint inside,
					uint32_t hash)
{
	const struct port_space *space = table->spaces[home];

	if (SL_LIKELY(space) &&
	    space->slots[hash >> space->shift].key >> 16 != inside)
		SL_PREFETCH(&space->mappings[(uint16_t)inside]);
}

#endif
