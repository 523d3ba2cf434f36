/* SPDX-License-Identifier: MIT */
/** @file
 * What the source's files share: its state, what a cut leaves to parse, and
 * the walk along records that a cut is.
 *
 * All that a capture can have wrong is found by the cut, which looks at the
 * records' headers: parse has nothing to complain of.
 */
#ifndef PCAP_SOURCE_H
#define PCAP_SOURCE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "by_source.h"
#include "interfaces.h"
#include "sluice/input.h"
#include "sluice/source.h"

/** The longest packet, as libpcap has it. */
#define PACKET_BYTES_MAX 262144u
/** The longest block of pcapng; what is longer is damage. */
#define BLOCK_BYTES_MAX (16u << 20)

enum format { FORMAT_UNKNOWN, FORMAT_PCAP, FORMAT_PCAPNG };

/** Which of a record's two lengths says what was captured: before pcap 2.3 the
 * second did, and writers of 2.3 were not of one mind. */
enum lengths { LENGTHS_USUAL, LENGTHS_SWAPPED, LENGTHS_SMALLER_FIRST };

enum pcap_record {
	RECORD_SECONDS = 0,
	RECORD_FRACTION = 4,
	RECORD_CAPTURED = 8,
	RECORD_ORIGINAL = 12,
	RECORD_BYTES = 16, /**< where the packet starts */
};

enum block_type {
	BLOCK_SECTION = 0x0a0d0d0a,
	BLOCK_INTERFACE = 1,
	BLOCK_OBSOLETE = 2, /**< a packet, as it was before the enhanced one */
	BLOCK_SIMPLE = 3,
	BLOCK_ENHANCED = 6,
};

enum block_layout {
	BLOCK_TYPE = 0,
	BLOCK_LENGTH = 4,
	BLOCK_BODY = 8,
	BLOCK_LEAST = 12, /**< a block without a body */
	/* an enhanced packet, and with a shorter interface the obsolete one */
	PACKET_INTERFACE = 8,
	PACKET_TIME = 12,
	PACKET_CAPTURED = 20,
	PACKET_ORIGINAL = 24,
	PACKET_BYTES = 28,
	/* a simple packet */
	SIMPLE_ORIGINAL = 8,
	SIMPLE_BYTES = 12,
};

struct source {
	/* options */
	const char *path;
	uint16_t nic;
	struct sl_list nic_by_source;

	/* for parse; constant once the first chunk was cut */
	struct sl_host *host;
	struct by_source by_source;
	enum format format;
	enum lengths lengths;
	bool nanoseconds; /* of pcap, as is the next */
	uint32_t snaplen;

	/* the cut's own, on lines that nobody else reads */
	struct sl_input input SL_ALIGNED(SL_CACHE_LINE);
	bool big; /* the byte order of the file or the section */
	uint8_t *carry; /* owned: read, but not yet cut */
	size_t carry_at, carried; /* where they start, and how many */
	size_t seen_bytes; /* of the records of the last chunk */
	uint32_t seen_packets;
	uint64_t offset; /* in the file, of the next chunk */
	uint64_t next_index; /* of the next packet */
	uint32_t skip; /* of a block that is too long for a chunk */
	uint32_t skip_trailer; /* what its last four bytes must say */
	struct interfaces interfaces;

	/* commit's own */
	_Atomic uint64_t through SL_ALIGNED(SL_CACHE_LINE); /* chunks */
};

/* What parse must know of a chunk. */
struct cut {
	struct interface_table *interfaces;
	uint64_t first_index;
	uint32_t packets;
	bool big;
	bool new_names; /* parse met some */
};

/** A cut in progress. */
struct walk {
	struct source *source;
	struct sl_chunk *chunk;
	size_t at; /**< records end here, in the chunk's bytes */
	uint32_t packets, wanted;
};

/** What a walk over the bytes that are there comes to. */
enum verdict {
	WALK_ON, /**< a step of it was fine */
	WALK_SKIP, /**< a block that is too long begins, of no interest */
	WALK_MORE, /**< the next record is not there as a whole */
	WALK_FULL, /**< the chunk ends here */
	WALK_BAD, /**< what is next is wrong */
};

enum verdict pcap_walk(struct walk *walk, struct sl_error *error);
enum verdict pcapng_walk(struct walk *walk, struct sl_error *error);

/** Read pcap's file header. */
enum sl_code pcap_begin(struct source *source, const uint8_t *header,
			uint64_t chunk, struct sl_error *error) SL_MUST_CHECK;
#define PCAP_HEADER_BYTES 24

/** Say that the record that @p walk stands at is wrong, and of which packet it
 * is; 0: of none. @return WALK_BAD. */
enum verdict walk_bad(const struct walk *walk, bool is_packet,
		      struct sl_error *error, const char *fmt, ...)
	SL_PRINTF(4, 5);

/** "type 105 (IEEE802_11)". @return @p text. */
const char *link_words(uint32_t type, char *text, size_t size);

/** Where packet @p index is: "PATH: packet N". @p text holds that much of it
 * that an error does. */
void place_words(const struct source *source, uint64_t index, char *text,
		 size_t size);

/** Fill the chunk with the next records: as many as a chunk has packets, or as
 * fit; see struct sl_source. */
sl_step cut_chunk;

sl_step parse_chunk;

/** Intern the interfaces' names. */
sl_step commit_chunk;

/** @return whether a block of that type is a packet. */
bool pcapng_is_packet(uint32_t type);

/** @return how much of a simple packet was captured, of @p original bytes. */
static inline uint32_t simple_captured(const struct interface *interface,
				       uint32_t original)
{
	return interface->snaplen && interface->snaplen < original
		       ? interface->snaplen
		       : original;
}

/** @return the names' id for a packet on @p interface. */
static inline uint16_t interface_nic(const struct interface *interface)
{
	return atomic_load_explicit(&interface->nic, memory_order_relaxed);
}

#endif
