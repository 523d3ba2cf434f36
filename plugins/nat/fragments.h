/* SPDX-License-Identifier: MIT */
/** @file
 * Fragments in any order (RFC 4787, REQ-14).
 *
 * Only the first fragment of a datagram has ports. What was decided for it is
 * kept here for the others, which are known by source, destination, protocol
 * and identification (RFC 791). Those that come before it are *held*: copied,
 * until it comes or is given up.
 *
 * All datagrams stand in one queue, the oldest first. A datagram is over when
 * the timeout has passed since it was begun, so they are over in the queue's
 * order. All of them together, with what they hold, take no more than so much
 * memory: when it is used up the oldest is given up. An honest datagram is
 * complete within milliseconds, and what has lain longest is a flood's
 * leavings; refusing the newest would shut out everybody until the flood timed
 * out. Each packet costs constant time, and what is given up was paid for when
 * it came.
 *
 * Locking must be done by the caller.
 */
#ifndef NAT_FRAGMENTS_H
#define NAT_FRAGMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sluice/defs.h"
#include "sluice/packet.h"

struct datagram_key {
	uint32_t src, dst; /**< as it arrived; host order */
	uint16_t id;
	uint8_t protocol;
	bool outside; /**< where it came from */
};

/** What becomes of a packet. */
struct outcome {
	bool dropped;
	bool new_source, new_destination;
	uint8_t reason; /**< of the drop */
	uint16_t sport, dport;
	uint32_t src, dst;
	/** Not 0: the change (sluice/checksum.h) that TCP's checksum needs,
	 * which is in a later fragment than the ports. */
	uint32_t tcp_change;
};

/** A packet that waits for its first fragment. */
struct held {
	struct sl_packet packet;
	struct sl_packet_info info; /**< info.frame points to `bytes` */
	struct held *next; /**< the one that came next */
	uint8_t bytes[];
};

struct datagram {
	struct datagram_key key;
	bool decided; /**< the first fragment has come */
	struct outcome outcome; /**< if it has */
	struct held *held; /**< owned; the one that came first */

	/* not for the caller */
	struct held **last; /**< where the next is hung up */
	struct datagram *next; /**< in a bucket */
	struct datagram *older, *newer; /**< in the queue */
	uint64_t end; /**< the moment when it is over */
	size_t size; /**< bytes of memory */
};

struct fragments;

/** @return an empty table; NULL: no memory. @p timeout is in the caller's
 * moments, and @p seed what an attacker must not know. */
struct fragments *fragments_create(size_t memory, uint64_t timeout,
				   uint64_t seed) SL_MUST_CHECK;
void fragments_destroy(struct fragments *fragments);

/** @return the datagram, borrowed; NULL: it is not known. */
struct datagram *fragments_find(const struct fragments *fragments,
				const struct datagram_key *key);

/** Begin a datagram that is not known.
 * @return it, borrowed; NULL: no memory. */
struct datagram *fragments_add(struct fragments *fragments,
			       const struct datagram_key *key,
			       uint64_t now) SL_MUST_CHECK;

/** The identification was used again: it is a new datagram from now on. */
void fragments_renew(struct fragments *fragments, struct datagram *datagram,
		     uint64_t now);

/** Copy a packet and hold it. @return false: no memory. */
bool fragments_hold(struct fragments *fragments, struct datagram *datagram,
		    const struct sl_packet *packet,
		    const struct sl_packet_info *info) SL_MUST_CHECK;

/** @return what a datagram holds; owned by the caller, to be given back one by
 * one to held_destroy(). */
struct held *fragments_release(struct fragments *fragments,
			       struct datagram *datagram) SL_MUST_CHECK;
void held_destroy(struct held *held);

/** @return the oldest datagram if it is over at @p now, or if there are too
 * many; else NULL. It stays in the table until fragments_forget(). */
struct datagram *fragments_over(const struct fragments *fragments,
				uint64_t now);
struct datagram *fragments_excess(const struct fragments *fragments);

/** Give a datagram up, and destroy what it holds. */
void fragments_forget(struct fragments *fragments, struct datagram *datagram);

#endif
