/* SPDX-License-Identifier: MIT */
/** @file
 * A set of ports: those that are free.
 *
 * Odd and even ports stand apart, each in a bitmap of three levels, so that the
 * first member at or above any port, of one parity or of both, is found in
 * constant time, however few there are.
 */
#ifndef NAT_PORTS_H
#define NAT_PORTS_H

#include <stdbool.h>
#include <stdint.h>

#include "sluice/defs.h"

#define PORTS_HALF 32768 /* ports of one parity */

struct port_half {
	uint64_t top; /**< a bit a group that has a member */
	uint64_t groups[PORTS_HALF / 64 / 64]; /**< a bit a word of `members` */
	uint64_t members[PORTS_HALF / 64]; /**< a bit a port, by port / 2 */
};

/** All zero it is empty. Port 0 is never a member. */
struct port_set {
	struct port_half halves[2]; /**< even, odd */
};

static inline bool port_set_has(const struct port_set *set, uint16_t port)
{
	unsigned at = port / 2u;

	return set->halves[port & 1].members[at / 64] >> at % 64 & 1;
}

void port_set_add(struct port_set *set, uint16_t port);
/** Add @p first to @p last, both included. */
void port_set_add_range(struct port_set *set, uint16_t first, uint16_t last);
void port_set_remove(struct port_set *set, uint16_t port);

/** The first member at or above @p from; 0: there is none. */
uint16_t port_set_first(const struct port_set *set,
			uint16_t from) SL_MUST_CHECK;

/** The first member at or above @p from that is odd or even as @p like is; 0:
 * there is none. */
uint16_t port_set_first_like(const struct port_set *set, uint16_t from,
			     uint16_t like) SL_MUST_CHECK;

#endif
