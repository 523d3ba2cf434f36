/* SPDX-License-Identifier: MIT */
/** @file
 * A gate: lets chunks through one at a time, in the order of their sequence
 * numbers, without a lock and without making anybody wait.
 *
 * A gate is a ring of slots, one a sequence number in flight. A slot is empty
 * (NULL), holds a parked chunk, or the mark OPEN: "all before you are through".
 * Whoever arrives swaps the chunk into its slot; if OPEN was there, it may
 * enter. Whoever leaves swaps OPEN into the next slot; if a chunk was there,
 * that chunk may enter now, and the leaver sees to it. Each of the two happens
 * once for a number, and the second finds what the first has left.
 */
#ifndef SL_PIPELINE_GATE_H
#define SL_PIPELINE_GATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct sl_gate {
	_Atomic(void *) *slots; /**< owned */
	uint64_t mask; /**< slots - 1 */
	char open; /**< its address is the mark OPEN */
};

/** @p in_flight: the most numbers that can be under way at once.
 * @return whether there was memory. */
static inline bool sl_gate_init(struct sl_gate *gate, size_t in_flight)
{
	size_t slots = 2;

	while (slots < in_flight + 1)
		slots *= 2;
	gate->slots = calloc(slots, sizeof(*gate->slots));
	gate->mask = slots - 1;
	if (!gate->slots)
		return false;
	atomic_store(&gate->slots[0], &gate->open);
	return true;
}

static inline void sl_gate_finish(struct sl_gate *gate)
{
	free(gate->slots);
	gate->slots = NULL;
}

/** @return whether @p parcel, number @p sequence, may enter. If not it is
 * parked, and no longer the caller's. */
static inline bool sl_gate_enter(struct sl_gate *gate, uint64_t sequence,
				 void *parcel)
{
	_Atomic(void *) *slot = &gate->slots[sequence & gate->mask];
	void *found =
		atomic_exchange_explicit(slot, parcel, memory_order_acq_rel);

	if (found != &gate->open)
		return false;
	/* Nobody looks at the slot until the number comes round again. */
	atomic_store_explicit(slot, NULL, memory_order_relaxed);
	return true;
}

/** Number @p sequence is through.
 * @return the next one, if it was parked: it may enter, and is the caller's;
 * else NULL. */
static inline void *sl_gate_leave(struct sl_gate *gate, uint64_t sequence)
{
	_Atomic(void *) *slot = &gate->slots[(sequence + 1) & gate->mask];
	void *found = atomic_exchange_explicit(slot, &gate->open,
					       memory_order_acq_rel);

	if (found)
		atomic_store_explicit(slot, NULL, memory_order_relaxed);
	return found;
}

#endif
