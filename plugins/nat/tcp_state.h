/* SPDX-License-Identifier: MIT */
/** @file
 * How far a TCP mapping's connection has come, as far as its timeout needs it
 * (RFC 5382, REQ-5; RFC 7857, section 2; the states are those of RFC 6146).
 *
 * A mapping stands for an inside endpoint, whatever it talks to, so one state
 * may have to speak for several connections. Where they differ the longer
 * timeout is right: a connection that lives must not lose its port, while a
 * dead one that keeps it for two hours costs only that. So a mapping that was
 * closed or reset is established again by what only a living connection sends:
 *
 *     opening  a packet of the inside alone was seen (answered: established)
 *     called   the same of the outside, after a close
 *     established
 *     fin_out, fin_in  a FIN of one side; the other may yet send
 *     closed   FINs of both sides; data is of another connection, a bare ACK
 *              is the end of this one
 *     reset    a RST; anything but another RST shows that it was not obeyed
 *
 * A SYN in the last two opens a new one.
 */
#ifndef NAT_TCP_STATE_H
#define NAT_TCP_STATE_H

#include <stdbool.h>
#include <stdint.h>

/** Those with TCP_LASTING have the timeout of the established. */
enum tcp_state {
	TCP_OPENING = 0, /* of a new mapping */
	TCP_CALLED = 1,
	TCP_CLOSED = 2,
	TCP_RESET = 3,
	TCP_ESTABLISHED = 4,
	TCP_FIN_OUT = 5,
	TCP_FIN_IN = 6,
	TCP_STATES,
};
#define TCP_LASTING 4u

/** What a packet says; with TCP_FROM_OUTSIDE it came from there. */
enum tcp_event {
	TCP_NOTHING = 0, /* not TCP, or nothing known: the state stays */
	TCP_SYN,
	TCP_FIN,
	TCP_RST,
	TCP_DATA,
	TCP_BARE, /* none of these: an ACK without data */
};
#define TCP_FROM_OUTSIDE 8u
#define TCP_EVENT 7u /* the rest of it */
#define TCP_EVENTS 16u

/** @return an enum tcp_event, of a TCP header's byte 13 and whether data
 * follows it. */
static inline uint8_t tcp_event_of(uint8_t flags, bool data)
{
	if (flags & 0x04)
		return TCP_RST;
	if (flags & 0x02)
		return TCP_SYN;
	if (flags & 0x01)
		return TCP_FIN;
	return data ? TCP_DATA : TCP_BARE;
}

#pragma GCC visibility push(hidden)
extern const uint8_t tcp_next_state[TCP_STATES][TCP_EVENTS];
#pragma GCC visibility pop

#endif
