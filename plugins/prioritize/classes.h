/* SPDX-License-Identifier: MIT */
/** @file
 * Classes of packets: the words that describe them, the tables that answer
 * which class a packet is in, and the sort by class.
 */
#ifndef PRIORITIZE_CLASSES_H
#define PRIORITIZE_CLASSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sluice/defs.h"
#include "sluice/error.h"
#include "sluice/packet.h"

/** Classes are numbered from 0; the rest comes behind the last, in 8 bits. */
#define CLASSES_MAX 255

enum match_kind { MATCH_NAME, MATCH_UDP, MATCH_TCP, MATCH_DSCP };

/** One word: "sip", "udp/5060", "tcp/80" or "dscp/46". */
struct match {
	enum match_kind kind;
	uint16_t number; /**< a port, or a DSCP; 0 for a name */
	const char *name; /**< MATCH_NAME: borrowed from the word */
};

/** @return NULL, or what is wrong with @p text, in words to print. */
const char *match_parse(const char *text, struct match *match) SL_MUST_CHECK;

bool match_equal(const struct match *a, const struct match *b);

/** The class of every name, port and DSCP; a table that no word needs is
 * NULL. */
struct classes {
	uint8_t rest; /**< the number of classes */
	bool has_dscp;
	uint8_t *by_name; /**< owned; by application id */
	uint8_t *by_udp_port, *by_tcp_port; /**< owned */
	uint8_t by_dscp[64];
};

/** @p classes in place: all packets belong to the rest. */
void classes_init(struct classes *classes, uint8_t class_count);
void classes_finish(struct classes *classes);

/** What @p match fits is in @p class_index, unless an earlier class has it.
 * @p name: the application's id for MATCH_NAME. */
enum sl_code classes_add(struct classes *classes, const struct match *match,
			 uint16_t name, uint8_t class_index,
			 struct sl_error *error) SL_MUST_CHECK;

static inline uint8_t classes_first(uint8_t a, uint8_t b)
{
	return a < b ? a : b;
}

/** The class of the packet's ports. A part of a datagram counts as if it had
 * none, the first too, which has: else it would overtake the others. */
static inline uint8_t classes_of_ports(const struct classes *classes,
				       const struct sl_packet *packet)
{
	const uint8_t *by_port = NULL;

	if (packet->transport == SL_TRANSPORT_UDP)
		by_port = classes->by_udp_port;
	else if (packet->transport == SL_TRANSPORT_TCP)
		by_port = classes->by_tcp_port;
	if (!by_port || SL_UNLIKELY(packet->flags & SL_PACKET_FRAGMENT))
		return classes->rest;
	return classes_first(by_port[packet->sport], by_port[packet->dport]);
}

/** @return the first class that fits, or classes->rest. What no word asks for
 * is not looked at: a transport is chance, and branches on it are dear. */
static inline uint8_t classes_of(const struct classes *classes,
				 const struct sl_packet *packet)
{
	uint8_t first = classes->rest;

	if (classes->by_name)
		first = classes->by_name[packet->application];
	if (classes->by_udp_port || classes->by_tcp_port)
		first = classes_first(first, classes_of_ports(classes, packet));
	if (classes->has_dscp)
		first = classes_first(first,
				      classes->by_dscp[packet->dscp & 63]);
	return first;
}

/** Sort @p order by class, stably, in linear time. @p class_at [at] is the
 * class of the packet at position @p at and at most @p last_class; @p sorted
 * is room for @p count indices. */
void classes_sort(uint16_t *order, const uint8_t *class_at, uint32_t count,
		  uint8_t last_class, uint16_t *sorted);

#endif
