/* SPDX-License-Identifier: MIT */
/* Parsing: records to packets. Whatever could be wrong with a record, cut has
 * found; a frame may hold anything and is a packet all the same. */
#include <string.h>

#include "bytes.h"
#include "frame.h"
#include "source.h"

/* A chunk on its way from records to packets. */
struct parse {
	const struct source *source;
	struct cut *cut;
	uint8_t *bytes; /* the next record */
	struct sl_packet *packet; /* the next packet */
	struct sl_packet_info *info;
	uint64_t index;
};

/* What a record says, whatever the format. */
struct record {
	uint8_t *bytes;
	int64_t time_ns;
	uint32_t captured, original;
	struct lane {
		enum link link;
		uint16_t link_type;
		uint16_t nic; /* SL_NO_NAME: still to be interned */
	} lane;
};

/* What packets of one interface have in common, unless their source tells
 * another nic. */
static SL_ALWAYS_INLINE struct lane lane_of(const struct source *source,
					    struct interface *interface)
{
	return (struct lane){
		.link = interface->link,
		.link_type = (uint16_t)interface->link_type,
		.nic = source->nic ? source->nic : interface_nic(interface),
	};
}

static SL_ALWAYS_INLINE uint16_t nic_of(const struct parse *parse,
					const struct lane *lane,
					const struct sl_packet *packet)
{
	uint16_t nic = SL_NO_NAME;

	if (parse->source->by_source.v4)
		nic = by_source_find(&parse->source->by_source, packet);
	if (!nic)
		nic = lane->nic;
	if (SL_UNLIKELY(!nic))
		parse->cut->new_names = true;
	return nic;
}

static void put_slowly(const struct frame *frame, enum link link,
		       struct sl_packet *packet, struct sl_packet_info *info)
{
	memset(packet, 0, sizeof(*packet));
	info->l3 = 0;
	info->l4 = 0;
	frame_parse(frame, link, packet, info);
}

/* The common frame, each of its lines written once. */
static SL_ALWAYS_INLINE void put_common(const uint8_t *frame,
					struct sl_packet *packet,
					struct sl_packet_info *info)
{
	const uint8_t *ip = frame + FRAME_L3;

	*packet = (struct sl_packet){
		.src = sl_address_from_v4(sl_load_be32(ip + 12)),
		.dst = sl_address_from_v4(sl_load_be32(ip + 16)),
		.sport = sl_load_be16(ip + 20),
		.dport = sl_load_be16(ip + 22),
		.transport = ip[9],
		.ip_version = 4,
		.dscp = ip[1] >> 2,
	};
	info->l3 = FRAME_L3;
	info->l4 = FRAME_L4;
}

static SL_ALWAYS_INLINE void put(struct parse *parse,
				 const struct record *record)
{
	struct sl_packet *packet = parse->packet++;
	struct sl_packet_info *info = parse->info++;
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
	info->link_type = record->lane.link_type;
	info->reserved = 0;
	if (SL_LIKELY(record->lane.link == LINK_ETHERNET &&
		      frame_is_common(&frame)))
		put_common(record->bytes, packet, info);
	else
		put_slowly(&frame, record->lane.link, packet, info);
	packet->nic_in = nic_of(parse, &record->lane, packet);
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
	const enum lengths lengths = source->lengths;
	const unsigned unit = source->nanoseconds ? 1 : 1000;
	const uint32_t snaplen = source->snaplen;
	uint8_t *at = parse->bytes;
	struct record record = {
		.lane = lane_of(source, &parse->cut->interfaces->of[0]),
	};

	for (uint32_t left = parse->cut->packets; left; left--) {
		record.time_ns =
			(int64_t)(get32(at + RECORD_SECONDS, big) *
					  UINT64_C(1000000000) +
				  (uint64_t)get32(at + RECORD_FRACTION, big) *
					  unit);
		record.captured = get32(at + RECORD_CAPTURED, big);
		record.original = get32(at + RECORD_ORIGINAL, big);
		record.bytes = at + RECORD_BYTES;
		if (SL_UNLIKELY(lengths != LENGTHS_USUAL))
			swap_lengths(lengths, &record);
		at += RECORD_BYTES + record.captured;
		/* libpcap hands out no more, though the file has it */
		if (SL_UNLIKELY(record.captured > snaplen))
			record.captured = snaplen;
		put(parse, &record);
	}
}

/* ---- pcapng ----------------------------------------------------------- */

/* @return a packet's interface; NULL: the block is no packet. */
static SL_ALWAYS_INLINE struct interface *
block_interface(const struct cut *cut, const uint8_t *block, bool big)
{
	switch (get32(block + BLOCK_TYPE, big)) {
	case BLOCK_ENHANCED:
		return &cut->interfaces
				->of[get32(block + PACKET_INTERFACE, big)];
	case BLOCK_OBSOLETE:
		return &cut->interfaces
				->of[get16(block + PACKET_INTERFACE, big)];
	case BLOCK_SIMPLE:
		return &cut->interfaces->of[0];
	default:
		return NULL;
	}
}

static void read_simple(struct record *record, uint8_t *block, bool big,
			const struct interface *interface)
{
	record->original = get32(block + SIMPLE_ORIGINAL, big);
	record->captured = simple_captured(interface, record->original);
	record->bytes = block + SIMPLE_BYTES;
	record->time_ns = 0;
}

static SL_ALWAYS_INLINE void read_packet(struct record *record, uint8_t *block,
					 bool big,
					 const struct interface *interface)
{
	uint64_t high = get32(block + PACKET_TIME, big);
	uint32_t low = get32(block + PACKET_TIME + 4, big);

	record->original = get32(block + PACKET_ORIGINAL, big);
	record->captured = get32(block + PACKET_CAPTURED, big);
	record->bytes = block + PACKET_BYTES;
	record->time_ns = ticks_ns(&interface->clock, high << 32 | low);
}

static SL_ALWAYS_INLINE void parse_blocks(struct parse *parse, bool big)
{
	const struct cut *cut = parse->cut;
	uint8_t *at = parse->bytes;

	for (uint32_t left = cut->packets; left;) {
		struct interface *interface = block_interface(cut, at, big);
		struct record record;

		if (SL_LIKELY(interface != NULL)) {
			record.lane = lane_of(parse->source, interface);
			if (get32(at + BLOCK_TYPE, big) == BLOCK_SIMPLE)
				read_simple(&record, at, big, interface);
			else
				read_packet(&record, at, big, interface);
			put(parse, &record);
			left--;
		}
		at += get32(at + BLOCK_LENGTH, big);
	}
}

enum sl_code parse_chunk(void *state, struct sl_chunk *chunk,
			 struct sl_error *error)
{
	const struct source *source = state;
	struct cut *cut = chunk->cut;
	struct parse parse = {
		.source = source,
		.cut = cut,
		.bytes = chunk->bytes,
		.packet = chunk->packets + chunk->used,
		.info = chunk->infos + chunk->used,
		.index = cut->first_index,
	};

	(void)error;
	if (!cut->packets) /* nor, perhaps, an interface */
		return SL_OK;
	if (source->format == FORMAT_PCAPNG && cut->big)
		parse_blocks(&parse, true);
	else if (source->format == FORMAT_PCAPNG)
		parse_blocks(&parse, false);
	else if (cut->big)
		parse_records(&parse, true);
	else
		parse_records(&parse, false);
	sl_chunk_append_filled(chunk, cut->packets);
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
	const uint8_t *block = chunk->bytes;

	for (uint32_t at = 0; at < chunk->count; at++) {
		struct sl_packet *packet = sl_chunk_packet(chunk, at);
		struct interface *interface = cut->interfaces->of;
		struct sl_error why;

		if (source->format == FORMAT_PCAPNG) {
			while (!(interface =
					 block_interface(cut, block, cut->big)))
				block += get32(block + BLOCK_LENGTH, cut->big);
			block += get32(block + BLOCK_LENGTH, cut->big);
		}
		if (!packet->nic_in &&
		    intern_nic(source, interface, packet, &why) != SL_OK) {
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
