/* SPDX-License-Identifier: MIT */
/** @file
 * The interfaces that a capture has told of, by their number in its section.
 *
 * cut adds to them while others parse chunks that were cut before. So what a
 * chunk was cut with stays as it was: a table never moves, and one that became
 * too small or whose section ended is freed when the chunks cut with it are
 * through.
 */
#ifndef PCAP_INTERFACES_H
#define PCAP_INTERFACES_H

#include <stdatomic.h>
#include <stdint.h>

#include "link.h"
#include "sluice/error.h"
#include "sluice/name.h"
#include "ticks.h"

/** More are refused. */
#define INTERFACES_MAX 65536

struct interface {
	struct ticks clock;
	uint32_t snaplen; /**< 0: none */
	uint32_t link_type; /**< LINKTYPE_... */
	enum link link;
	char name[SL_NAME_LENGTH + 1];
	/** The name's id, which commit fills in when a packet first has it. */
	_Atomic uint16_t nic;
};

struct interface_table {
	struct interface_table *next; /**< the one that came after it */
	uint64_t last_chunk; /**< that was cut with it, once there is a next */
	uint32_t count, capacity;
	struct interface of[];
};

/** Zeroed: none. */
struct interfaces {
	struct interface_table *oldest; /**< owned, with all that follow */
	struct interface_table *current; /**< NULL: no section yet */
};

/** A new section begins in chunk @p chunk: it has no interfaces. */
enum sl_code interfaces_begin(struct interfaces *interfaces, uint64_t chunk,
			      struct sl_error *error) SL_MUST_CHECK;

/** Add @p interface, nameless or with a name of its own: then "ifN" is it. */
enum sl_code interfaces_add(struct interfaces *interfaces, uint64_t chunk,
			    const struct interface *interface,
			    struct sl_error *error) SL_MUST_CHECK;

/** Free what only chunks below @p chunk were cut with. */
void interfaces_forget(struct interfaces *interfaces, uint64_t chunk);
void interfaces_finish(struct interfaces *interfaces);

#endif
