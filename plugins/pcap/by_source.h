/* SPDX-License-Identifier: MIT */
/** @file
 * The `nic_by_source` option: "PREFIX NIC", and the longest prefix that holds a
 * packet's source address.
 *
 * Prefixes are laid out as intervals, each with what the longest prefix over it
 * says: a look-up is one binary search.
 */
#ifndef PCAP_BY_SOURCE_H
#define PCAP_BY_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include "sluice/host.h"
#include "sluice/packet.h"

/** From `start` on, up to the next one's start. */
struct interval4 {
	uint32_t start;
	uint16_t nic; /**< SL_NO_NAME: no prefix */
};
struct interval6 {
	uint64_t high, low;
	uint16_t nic;
};

/** Zeroed: no prefix. */
struct by_source {
	struct interval4 *v4; /**< owned; the first starts at 0 */
	struct interval6 *v6;
	size_t count4, count6;
};

/** Report what is wrong in the list to sl_problem(). */
void by_source_check(const struct sl_list *list, struct sl_host *host);

/** Build it from a list that was found good, and intern its names. */
enum sl_code by_source_init(struct by_source *by_source,
			    const struct sl_list *list, struct sl_names *nics,
			    struct sl_error *error) SL_MUST_CHECK;
void by_source_finish(struct by_source *by_source);

/** @return the interface of a packet, or SL_NO_NAME. */
uint16_t by_source_find(const struct by_source *by_source,
			const struct sl_packet *packet);

#endif
