/* SPDX-License-Identifier: MIT */
/** @file
 * Forming: from packets to what is written of them, copied or borrowed.
 */
#ifndef PCAP_SINK_FORM_H
#define PCAP_SINK_FORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "sink_format.h"
#include "sink_numbers.h"
#include "sluice/chunk.h"
#include "sluice/defs.h"
#include "sluice/name.h"

/** What forming leaves in chunk->out, before the bytes that it made. */
struct formed {
	bool doubtful; /**< write has to look at each packet */
	uint16_t link_type; /**< of all packets, for pcap; 0: no packets */
	size_t count;
	struct iovec pieces[]; /**< what to write */
};

/** Packets of a chunk: positions, and of these the ones whose index is below
 * the limit. */
struct range {
	uint32_t from, to;
	uint64_t limit;
};

/** A packet that no stage has routed stays on its interface. */
static inline uint32_t form_key_of(const struct sl_packet *packet,
				   const struct sl_packet_info *info)
{
	return number_key(packet->nic_out ? packet->nic_out : packet->nic_in,
			  info->link_type);
}

/** Whether the format can say a packet's time. */
static inline bool form_time_fits(enum format format,
				  const struct sl_packet_info *info)
{
	uint64_t last =
		format == FORMAT_PCAP ? FORMAT_PCAP_TIME_MAX : INT64_MAX;

	return (uint64_t)info->time_ns <= last;
}

/** Form the records of a range. In doubt is one with a packet whose interface
 * has no number, or which the file may have to refuse. SL_ENOMEM. */
enum sl_code form_range(enum format format, const struct numbers *numbers,
			struct sl_chunk *chunk, const struct range *range,
			struct sl_error *error) SL_MUST_CHECK;

#endif
