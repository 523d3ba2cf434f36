/* SPDX-License-Identifier: MIT */
/** @file
 * A chunk: the packets that travel together. The fast path.
 *
 * A stage sees a chunk as `count` live packets in an order; position 0 is the
 * first. Dropping, holding and sorting touch `order` alone, never the packets:
 *
 *     for (uint32_t at = 0; at < chunk->count; at++) {
 *             struct sl_packet *packet = sl_chunk_packet(chunk, at);
 *
 *             if (!packet->transport)
 *                     sl_drop(chunk, at, DROP_NO_TRANSPORT);
 *     }
 *
 * Inside one step positions are stable: what is dropped or held leaves the
 * order when the step returns. Packets that a commit emits join it after the
 * stage's finish step.
 *
 * A chunk belongs to one thread at a time. A stage without SL_WHOLE_CHUNK may
 * be handed a *part*: a chunk of its own to look at, with other packets of the
 * same chunk in the hands of other threads.
 */
#ifndef SLUICE_CHUNK_H
#define SLUICE_CHUNK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "sluice/buffer.h"
#include "sluice/checksum.h"
#include "sluice/defs.h"
#include "sluice/error.h"
#include "sluice/packet.h"

/** A chunk holds at most this many packets: an index is 16 bits. */
#define SL_CHUNK_PACKETS_MAX 65535
/** What stands in `order` for a packet that has left. */
#define SL_GONE 0xffff
/** A source ends a chunk before its bytes exceed this. */
#define SL_CHUNK_BYTES (1u << 20)
/** Bytes before and behind `bytes` that may be read, so that parsers can load
 * whole vectors. Their content is arbitrary. */
#define SL_CHUNK_SLACK 128

struct sl_chunk_private;

struct sl_chunk {
	struct sl_packet *packets;
	struct sl_packet_info *infos; /**< same index as packets */
	uint16_t *order; /**< indices of the live packets */
	uint32_t count; /**< live packets */
	uint32_t gone; /**< of these, how many left during this step */
	uint32_t used; /**< packets[] and infos[] filled so far */
	uint32_t capacity; /**< room in packets[], infos[] and order[] */
	uint32_t fields; /**< enum sl_field: what the source gave them */
	uint32_t part; /**< 0: the whole; else this is a part of it */
	uint64_t sequence; /**< of the chunk in the run, from 0 */

	/* Bound by the host to the stage that is running. */
	void *worker; /**< the stage's state of this thread, or NULL */
	void *scratch; /**< scratch_size bytes a packet, by packet index */
	uint64_t *drops; /**< counters, one a drop reason */
	uint32_t drop_count; /**< of them; they are the stage's declared ones */

	/* Between a source's cut and parse. */
	uint8_t *bytes; /**< raw input; frames point into it */
	size_t bytes_used, bytes_capacity;
	void *cut; /**< the source's cut_size bytes: what parse must know */

	/* Between a sink's prepare and write. */
	struct sl_buffer out; /**< owned by the chunk and used again */

	struct sl_chunk_private *host; /**< not for plugins */
};

static inline struct sl_packet *sl_chunk_packet(const struct sl_chunk *chunk,
						uint32_t at)
{
	return &chunk->packets[chunk->order[at]];
}

static inline struct sl_packet_info *sl_chunk_info(const struct sl_chunk *chunk,
						   uint32_t at)
{
	return &chunk->infos[chunk->order[at]];
}

/** This stage's scratch of one packet, @p size being its scratch_size. It is
 * zero when prepare starts and lives until finish has returned. */
static inline void *sl_chunk_scratch(const struct sl_chunk *chunk, uint32_t at,
				     size_t size)
{
	return (char *)chunk->scratch + size * chunk->order[at];
}

SL_BEGIN_DECLS

/** The run fails: a drop for a @p reason that the stage does not declare. */
void sl_bad_drop(struct sl_chunk *chunk, unsigned reason);

SL_END_DECLS

/** Take the packet at @p at out of the pipeline and count it under
 * @p reason, an index into the stage's `drops`. Once a packet. */
static inline void sl_drop(struct sl_chunk *chunk, uint32_t at, unsigned reason)
{
	if (SL_UNLIKELY(reason >= chunk->drop_count)) {
		sl_bad_drop(chunk, reason);
		return;
	}
	sl_chunk_packet(chunk, at)->drop = (uint16_t)(reason + 1);
	chunk->order[at] = SL_GONE;
	chunk->gone++;
	chunk->drops[reason]++;
}

/** Whether the packet at @p at was dropped or held earlier in this step. */
static inline bool sl_is_gone(const struct sl_chunk *chunk, uint32_t at)
{
	return chunk->order[at] == SL_GONE;
}

/** Add a packet at the end; for a source's parse.
 * @return its index, the packet zeroed and its info with it; SL_GONE if the
 * chunk is full, which a source prevents by its cut. */
static inline uint16_t sl_chunk_append(struct sl_chunk *chunk)
{
	uint32_t index = chunk->used;

	if (SL_UNLIKELY(index >= chunk->capacity))
		return SL_GONE;
	memset(&chunk->packets[index], 0, sizeof(chunk->packets[index]));
	memset(&chunk->infos[index], 0, sizeof(chunk->infos[index]));
	chunk->order[chunk->count++] = (uint16_t)index;
	chunk->used = index + 1;
	return (uint16_t)index;
}

/** Add @p count packets at once; for a source's parse. They stand already, all
 * of each line and each info, from packets[used] and infos[used] on, as far as
 * capacity allows. */
static inline void sl_chunk_append_filled(struct sl_chunk *chunk,
					  uint32_t count)
{
	for (uint32_t at = 0; at < count; at++)
		chunk->order[chunk->count + at] = (uint16_t)(chunk->used + at);
	chunk->count += count;
	chunk->used += count;
}

SL_BEGIN_DECLS

/** In commit: take the packet at @p at out of the pipeline to keep it. It is
 * not a drop; the stage copies what it needs and emits it later, or gives it up
 * by sl_drop_held(). In any other step the run fails. */
void sl_hold(struct sl_chunk *chunk, uint32_t at);

/** In commit: put a new packet, or one held before, behind the packet at
 * position @p at; in flush, where @p at is not looked at, at the end. Several
 * for one position keep their order. The next stages see it; this stage's
 * finish does not. The packet, @p info, and the info->captured bytes at
 * info->frame are copied, and pointers into the chunk stay good. info->index
 * says where in the input it belongs: a packet that was held keeps its own, a
 * new one has that of the packet that caused it.
 * @return SL_ENOSPC when the chunk has SL_CHUNK_PACKETS_MAX packets: keep it
 * and try with the next chunk, or in flush set `*more`. SL_ENOMEM. SL_EINVAL
 * in any other step. */
enum sl_code sl_emit(struct sl_chunk *chunk, uint32_t at,
		     const struct sl_packet *packet,
		     const struct sl_packet_info *info,
		     struct sl_error *error) SL_MUST_CHECK;

/** In commit and flush: give up a packet that was held. */
void sl_drop_held(struct sl_chunk *chunk, unsigned reason);

/** Count a drop that never was a packet: a line that was skipped. */
static inline void sl_count_drop(struct sl_chunk *chunk, unsigned reason)
{
	if (SL_UNLIKELY(reason >= chunk->drop_count))
		sl_bad_drop(chunk, reason);
	else
		chunk->drops[reason]++;
}

/** The packet at @p at failed: the run ends there, with SL_EINVAL. Everything
 * before it *in input order* still comes out, nothing from it on, so go on
 * with the others; they leave the order when the step returns. Only the
 * failure that is first in input order is reported. A sink must not use it in
 * prepare: what it formatted is written. */
void sl_packet_failed(struct sl_chunk *chunk, uint32_t at, const char *file,
		      int line, const char *fmt, ...) SL_PRINTF(5, 6);

/** Write sl_packet_failed() like SL_FAIL(). */
#define SL_FAIL_PACKET(chunk, at, ...) \
	sl_packet_failed((chunk), (at), __FILE__, __LINE__, __VA_ARGS__)

/** Rewrite the source, or the destination, of a packet with a frame: bytes,
 * checksums and metadata; for a packet that a stage keeps outside of a chunk,
 * and for the functions below. A port is written where the packet has ports: @p
 * port is without effect on a later fragment or an ICMP error, and of an ICMP
 * query, where it is the identifier, both ports become it. A frame that the
 * capture cut short is changed as far as it reaches. IPv4 alone; IPv6 stays as
 * it is.
 */
void sl_frame_set_source(struct sl_packet *packet,
			 const struct sl_packet_info *info,
			 struct sl_address address, uint16_t port);
void sl_frame_set_destination(struct sl_packet *packet,
			      const struct sl_packet_info *info,
			      struct sl_address address, uint16_t port);

SL_END_DECLS

/** Take one off the TTL or hop limit in the frame (RFC 1812, 5.3.1).
 * @return false, with nothing changed, if it is 0 or 1: the packet has expired.
 * True without a change where there is no frame or no IP. */
SL_MUST_CHECK
static inline bool
sl_frame_decrement_hop_limit(const struct sl_packet *packet,
			     const struct sl_packet_info *info)
{
	enum { IPV6_HOP_LIMIT = 7, IPV4_TTL = 8, IPV4_CHECKSUM = 10 };
	uint8_t *ip;

	if (SL_UNLIKELY(!info->frame || !packet->ip_version))
		return true;
	ip = info->frame + info->l3;
	if (packet->ip_version == 6) {
		if (ip[IPV6_HOP_LIMIT] <= 1)
			return false;
		ip[IPV6_HOP_LIMIT]--;
		return true;
	}
	if (SL_UNLIKELY(ip[IPV4_TTL] <= 1))
		return false;
	/* The TTL is the high byte of its word: one less is 0x100 less. */
	sl_store_be16(ip + IPV4_CHECKSUM,
		      sl_checksum_changed(sl_load_be16(ip + IPV4_CHECKSUM),
					  sl_checksum_change16(0x0100, 0)));
	ip[IPV4_TTL]--;
	return true;
}

/** Rewrite the source endpoint. Stages change addresses and ports through
 * these two alone: they keep the metadata and, where there is a frame, its
 * bytes and checksums true (RFC 1624). A packet that has left stays as it was;
 * everywhere else, after sl_drop() and sl_hold() there is no packet at that
 * position any more. */
static inline void sl_set_source(struct sl_chunk *chunk, uint32_t at,
				 struct sl_address address, uint16_t port)
{
	struct sl_packet *packet;

	if (SL_UNLIKELY(sl_is_gone(chunk, at)))
		return;
	packet = sl_chunk_packet(chunk, at);
	if (chunk->fields & SL_FIELD_FRAME) {
		sl_frame_set_source(packet, sl_chunk_info(chunk, at), address,
				    port);
		return;
	}
	packet->src.words[0] = address.words[0];
	packet->src.words[1] = address.words[1];
	packet->sport = port;
}

/** Rewrite the destination endpoint; see sl_set_source(). */
static inline void sl_set_destination(struct sl_chunk *chunk, uint32_t at,
				      struct sl_address address, uint16_t port)
{
	struct sl_packet *packet;

	if (SL_UNLIKELY(sl_is_gone(chunk, at)))
		return;
	packet = sl_chunk_packet(chunk, at);
	if (chunk->fields & SL_FIELD_FRAME) {
		sl_frame_set_destination(packet, sl_chunk_info(chunk, at),
					 address, port);
		return;
	}
	packet->dst.words[0] = address.words[0];
	packet->dst.words[1] = address.words[1];
	packet->dport = port;
}

#endif
