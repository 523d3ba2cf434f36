/* SPDX-License-Identifier: MIT */
/** @file
 * What nat's parts share: its state, and the note of a packet.
 *
 *     nat.c    options, check, open, close
 *     steps.c  the three steps, and in them the common packet
 *     rare.c   in commit: hairpins, ICMP errors
 *     rare_fragments.c  in commit and flush: fragments
 *
 * The steps speak through a note of 24 bytes a packet, so that commit, on
 * whatever core it runs, need not look at the common packet.
 */
#ifndef NAT_NAT_H
#define NAT_NAT_H

#include <stdbool.h>
#include <stdint.h>

#include "fragments.h"
#include "mapping.h"
#include "pool.h"
#include "sluice/stage.h"

enum nat_drop {
	NAT_NO_MAPPING,
	NAT_OUT_OF_PORTS,
	NAT_NON_IP,
	NAT_OTHER_PROTOCOL,
	NAT_NO_PORTS,
	NAT_MALFORMED,
	NAT_BAD_CHECKSUM,
	NAT_NO_FIRST_FRAGMENT,
	NAT_FRAGMENT_OVERFLOW,
};

/** Which way a packet goes; a hairpin comes from inside and returns there. */
enum nat_way { NAT_PASS = 0, NAT_OUT, NAT_IN, NAT_HAIRPIN };

/** Added to it, what makes a packet a case for rare.c. */
#define NAT_FRAGMENT 4u
#define NAT_ERROR 8u
#define NAT_WAY 3u

/** From prepare to commit: the inside endpoint and its home (out, hairpin), or
 * the place of the destination (in). From commit to finish: what to write into
 * the packet. */
struct nat_note {
	int64_t time_ns;
	uint32_t address;
	uint32_t hash;
	struct mapping_place place;
	uint16_t port;
	uint8_t action; /**< enum nat_way, NAT_FRAGMENT, NAT_ERROR */
	uint8_t event; /**< enum tcp_event */
};

struct inside_range {
	uint32_t network, mask;
};

enum nat_other { NAT_OTHER_DROP, NAT_OTHER_PASS };

struct nat {
	/* options */
	uint16_t external_nic;
	struct sl_ip external_address;
	struct sl_list external_addresses;
	const char *ports;
	struct sl_list inside;
	int64_t timeout; /* ns, like the next three */
	int64_t tcp_timeout, tcp_transitory_timeout, icmp_timeout;
	int64_t fragment_timeout; /* ns */
	uint64_t fragment_memory; /* bytes */
	struct sl_list forwards;
	int other; /* enum nat_other */
	bool verify_checksums;

	/* derived; stays as open left it */
	struct mapping_rules rules;
	struct pool pool;
	struct inside_range *ranges; /* owned; inside.count of them */

	/* what commit writes */
	struct {
		struct mapping_table *mappings; /* owned; NULL until the first
						 * packet: they depend on
						 * whether it has a frame */
		struct fragments *fragments; /* owned; NULL: there were none */
		struct held
			*ready; /* owned; to be emitted when there is room */
		struct held **ready_last;
	} memory SL_ALIGNED(SL_CACHE_LINE);
};

/** Make the mappings, with the forwards. Without frames nobody knows what a TCP
 * packet says: all mappings have the one timeout, and parity is not asked. */
enum sl_code nat_begin(struct nat *nat, bool frames,
		       struct sl_error *error) SL_MUST_CHECK;

/* steps.c; as struct sl_stage has them */
enum sl_code nat_prepare(void *state, struct sl_chunk *chunk,
			 struct sl_error *error);
enum sl_code nat_commit(void *state, struct sl_chunk *chunk,
			struct sl_error *error);
enum sl_code nat_finish(void *state, struct sl_chunk *chunk,
			struct sl_error *error);

/** Whether a packet with a frame, and no later fragment, cannot be translated
 * by its ports.
 * @return the enum nat_drop that says why; -1: it can. */
int nat_obstacle(const struct sl_packet *packet,
		 const struct sl_packet_info *info);

/* rare.c */

/** Commit a packet with NAT_HAIRPIN, NAT_FRAGMENT or NAT_ERROR. */
enum sl_code nat_commit_rare(struct nat *nat, struct sl_chunk *chunk,
			     uint32_t at, struct nat_note *note,
			     struct sl_error *error) SL_MUST_CHECK;

/** Decide on a packet that has ports or quotes one that has, and do it. */
enum sl_code nat_decide(struct nat *nat, const struct sl_packet *packet,
			const struct sl_packet_info *info,
			const struct nat_note *note,
			struct outcome *outcome) SL_MUST_CHECK;
void nat_apply(const struct outcome *outcome, struct sl_packet *packet,
	       const struct sl_packet_info *info);
/** The same for the packet at @p at, which may be dropped, too. */
void nat_settle(const struct outcome *outcome, struct sl_chunk *chunk,
		uint32_t at);

/* rare_fragments.c */

/** Commit a packet with NAT_FRAGMENT. */
enum sl_code nat_commit_fragment(struct nat *nat, struct sl_chunk *chunk,
				 uint32_t at, const struct nat_note *note,
				 struct sl_error *error) SL_MUST_CHECK;

/** Emit fragments for which there was no room before, behind the first packet.
 * Sets @p more if there still is none. */
enum sl_code nat_emit_ready(struct nat *nat, struct sl_chunk *chunk, bool *more,
			    struct sl_error *error) SL_MUST_CHECK;

/** As struct sl_stage has it. */
enum sl_code nat_flush(void *state, struct sl_chunk *chunk, bool *more,
		       struct sl_error *error);

void nat_destroy_ready(struct nat *nat);

#endif
