/* SPDX-License-Identifier: MIT */
/* Parsing: records to packets. Whatever could be wrong with a record, cut has
 * found; a frame may hold anything and is a packet all the same. */
#include <string.h>

#include "bytes.h"
#include "frame.h"
#include "source.h"

/* What a chunk's packets have in common. */
struct parse {
	const struct source *source;
	struct sl_chunk *chunk;
	struct cut *cut;
	uint64_t index; /* of the next packet */
};

/* A record, whatever the format. */
struct record {
	uint8_t *bytes;
	int64_t time_ns;
	uint32_t captured, original;
	struct interface *interface;
};

static uint16_t nic_of(const struct parse *parse, const struct record *record,
		       const struct sl_packet *packet)
{
	const struct source *source = parse->source;
	uint16_t nic = SL_NO_NAME;

	if (source->by_source.v4)
		nic = by_source_find(&source->by_source, packet);
	if (!nic)
		nic = source->nic;
	if (!nic)
		nic = interface_nic(record->interface);
	if (!nic)
		parse->cut->new_names = true;
	return nic;
}

static void put_slowly(const struct parse *parse, const struct record *record,
		       const struct frame *frame, struct sl_packet *packet,
		       struct sl_packet_info *info)
{
	memset(packet, 0, sizeof(*packet));
	info->l3 = 0;
	info->l4 = 0;
	frame_parse(frame, record->interface->link, packet, info);
	packet->nic_in = nic_of(parse, record, packet);
}

/* The common frame, each of its lines written once. */
static SL_ALWAYS_INLINE void put_common(const struct parse *parse,
					const struct record *record,
					struct sl_packet *packet,
					struct sl_packet_info *info)
{
	const uint8_t *ip = record->bytes + FRAME_L3;

	*packet = (struct sl_packet){
		.src = sl_address_from_v4(big32(ip + 12)),
		.dst = sl_address_from_v4(big32(ip + 16)),
		.sport = big16(ip + 20),
		.dport = big16(ip + 22),
		.transport = ip[9],
		.ip_version = 4,
		.dscp = ip[1] >> 2,
	};
	packet->nic_in = nic_of(parse, record, packet);
	info->l3 = FRAME_L3;
	info->l4 = FRAME_L4;
}

static SL_ALWAYS_INLINE void put(struct parse *parse,
				 const struct record *record)
{
	struct sl_chunk *chunk = parse->chunk;
	uint32_t at = sl_chunk_extend(chunk);
	struct sl_packet *packet = &chunk->packets[at];
	struct sl_packet_info *info = &chunk->infos[at];
	const struct frame frame = {
		.bytes = record->bytes,
		.captured = record->captured,
		.wire = record->original > record->captured ? record->original
							    : record->captured,
	};

	info->index = parse->index++;
	info->time_ns = record->time_ns;
	info->frame = record->bytes;
	info->captured = record->captured;
	info->original = record->original;
	info->link_type = (uint16_t)record->interface->link_type;
	info->reserved = 0;
	if (SL_LIKELY(record->interface->link == LINK_ETHERNET &&
		      frame_is_common(&frame)))
		put_common(parse, record, packet, info);
	else
		put_slowly(parse, record, &frame, packet, info);
}

/* ---- pcap ------------------------------------------------------------- */

static void swap_lengths(enum lengths lengths, struct record *record)
{
	uint32_t first = record->captured;

	if (lengths == LENGTHS_SMALLER_FIRST && first <= record->original)
		return;
	record->captured = record->original;
	record->original = first;
}

static SL_ALWAYS_INLINE void parse_records(struct parse *parse, bool big)
{
	const struct source *source = parse->source;
	uint8_t *at = parse->chunk->bytes;
	struct record record = { .interface = &parse->cut->interfaces->of[0] };
	const unsigned unit = source->nanoseconds ? 1 : 1000;

	for (uint32_t left = parse->cut->packets; left; left--) {
		record.time_ns =
			(int64_t)(get32(at + RECORD_SECONDS, big) *
					  UINT64_C(1000000000) +
				  (uint64_t)get32(at + RECORD_FRACTION, big) *
					  unit);
		record.captured = get32(at + RECORD_CAPTURED, big);
		record.original = get32(at + RECORD_ORIGINAL, big);
		record.bytes = at + RECORD_BYTES;
		if (SL_UNLIKELY(source->lengths != LENGTHS_USUAL))
			swap_lengths(source->lengths, &record);
		at += RECORD_BYTES + record.captured;
		/* libpcap hands out no more, though the file has it */
		if (SL_UNLIKELY(record.captured > source->snaplen))
			record.captured = source->snaplen;
		put(parse, &record);
	}
}

/* ---- pcapng ----------------------------------------------------------- */

/* @return false: the block is no packet. */
static SL_ALWAYS_INLINE bool read_block(const struct cut *cut, uint8_t *block,
					uint32_t type, struct record *record)
{
	bool big = cut->big;
	uint32_t id;
	uint64_t ticks;

	if (type == BLOCK_SIMPLE) {
		record->interface = &cut->interfaces->of[0];
		record->original = get32(block + SIMPLE_ORIGINAL, big);
		record->captured =
			simple_captured(record->interface, record->original);
		record->bytes = block + SIMPLE_BYTES;
		record->time_ns = 0;
		return true;
	}
	if (type == BLOCK_ENHANCED)
		id = get32(block + PACKET_INTERFACE, big);
	else if (type == BLOCK_OBSOLETE)
		id = get16(block + PACKET_INTERFACE, big);
	else
		return false;
	ticks = (uint64_t)get32(block + PACKET_TIME, big) << 32 |
		get32(block + PACKET_TIME + 4, big);
	record->interface = &cut->interfaces->of[id];
	record->time_ns = ticks_ns(&record->interface->clock, ticks);
	record->captured = get32(block + PACKET_CAPTURED, big);
	record->original = get32(block + PACKET_ORIGINAL, big);
	record->bytes = block + PACKET_BYTES;
	return true;
}

static void parse_blocks(struct parse *parse)
{
	const struct cut *cut = parse->cut;
	uint8_t *at = parse->chunk->bytes;
	const uint8_t *end = at + parse->chunk->bytes_used;

	while (at < end) {
		uint32_t type = get32(at + BLOCK_TYPE, cut->big);
		struct record record;

		if (read_block(cut, at, type, &record))
			put(parse, &record);
		at += get32(at + BLOCK_LENGTH, cut->big);
	}
}

enum sl_code parse_chunk(void *state, struct sl_chunk *chunk,
			 struct sl_error *error)
{
	const struct source *source = state;
	struct cut *cut = chunk->cut;
	struct parse parse = {
		.source = source,
		.chunk = chunk,
		.cut = cut,
		.index = cut->first_index,
	};

	(void)error;
	if (!cut->packets) /* nor, perhaps, an interface */
		return SL_OK;
	if (source->format == FORMAT_PCAPNG)
		parse_blocks(&parse);
	else if (cut->big)
		parse_records(&parse, true);
	else
		parse_records(&parse, false);
	return SL_OK;
}

/* ---- commit ----------------------------------------------------------- */

/* Give an interface's name its id, and the packet with it. */
static enum sl_code intern_nic(const struct source *source,
			       struct interface *interface,
			       struct sl_packet *packet, struct sl_error *error)
{
	uint16_t id = interface_nic(interface);
	enum sl_code code = SL_OK;

	if (!id)
		code = sl_names_intern(sl_host_nics(source->host),
				       interface->name, strlen(interface->name),
				       &id, error);
	if (code != SL_OK)
		return code;
	atomic_store_explicit(&interface->nic, id, memory_order_relaxed);
	packet->nic_in = id;
	return SL_OK;
}

/* The interface of each packet is told by its record, so both are walked
 * together; that happens where a name is new. */
static void intern_new_nics(const struct source *source, struct sl_chunk *chunk)
{
	const struct cut *cut = chunk->cut;
	uint8_t *block = chunk->bytes;

	for (uint32_t at = 0; at < chunk->count; at++) {
		struct sl_packet *packet = sl_chunk_packet(chunk, at);
		struct record record = { .interface = cut->interfaces->of };
		struct sl_error why;

		if (source->format == FORMAT_PCAPNG) {
			while (!read_block(cut, block,
					   get32(block + BLOCK_TYPE, cut->big),
					   &record))
				block += get32(block + BLOCK_LENGTH, cut->big);
			block += get32(block + BLOCK_LENGTH, cut->big);
		}
		if (!packet->nic_in && intern_nic(source, record.interface,
						  packet, &why) != SL_OK) {
			SL_FAIL_PACKET(chunk, at, "%s", why.message);
			return;
		}
	}
}

enum sl_code commit_chunk(void *state, struct sl_chunk *chunk,
			  struct sl_error *error)
{
	struct source *source = state;
	const struct cut *cut = chunk->cut;

	(void)error;
	if (cut->new_names)
		intern_new_nics(source, chunk);
	atomic_store_explicit(&source->through, chunk->sequence + 1,
			      memory_order_release);
	return SL_OK;
}
