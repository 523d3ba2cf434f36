/* SPDX-License-Identifier: MIT */
/* nat's steps. What depends on history, the mappings, is touched by commit
 * alone; what is slow per packet, classifying, hashing and rewriting, stands
 * around it. */
#include "nat.h"
#include "sluice/checksum.h"
#include "verify.h"

/* Packets whose look-ups overlap. */
#define BATCH 32

enum { TCP_OFFSET = 12, TCP_FLAGS = 13 };

static bool is_inside(const struct nat *nat, uint32_t address)
{
	for (size_t at = 0; at < nat->inside.count; at++) {
		if ((address & nat->ranges[at].mask) == nat->ranges[at].network)
			return true;
	}
	return false;
}

int nat_obstacle(const struct sl_packet *packet,
		 const struct sl_packet_info *info)
{
	if (!info->l4)
		return NAT_NO_PORTS;
	if (packet->transport == SL_TRANSPORT_ICMP &&
	    !(packet->flags & SL_PACKET_ICMP_ERROR) &&
	    !sl_icmp_has_id(info->frame[info->l4]))
		return NAT_OTHER_PROTOCOL;
	return -1;
}

/* What a TCP segment says. Data is what IP's length leaves behind the header;
 * what the capture cut off is taken for a bare ACK. */
static uint8_t event_of(const struct sl_packet_info *info)
{
	const uint8_t *tcp = info->frame + info->l4;
	uint32_t end = info->l3 + sl_load_be16(info->frame + info->l3 + 2);

	if (info->l4 + TCP_FLAGS + 1u > info->captured)
		return TCP_BARE;
	return tcp_event_of(tcp[TCP_FLAGS],
			    end > info->l4 + 4u * (tcp[TCP_OFFSET] >> 4));
}

/* A packet that was to be translated, and cannot be. */
static int leave(const struct nat *nat, struct nat_note *note, int reason)
{
	note->action = NAT_PASS;
	if (reason == NAT_OTHER_PROTOCOL && nat->other == NAT_OTHER_PASS)
		return -1;
	return reason;
}

/* What a frame says beyond addresses and ports. */
static int classify_frame(const struct nat *nat, const struct sl_packet *packet,
			  const struct sl_packet_info *info, unsigned protocol,
			  struct nat_note *note)
{
	int obstacle;

	if (SL_UNLIKELY(protocol == MAPPING_OTHER))
		return leave(nat, note, NAT_OTHER_PROTOCOL);
	if (SL_UNLIKELY(packet->flags &
			(SL_PACKET_FRAGMENT | SL_PACKET_ICMP_ERROR))) {
		if (packet->flags & SL_PACKET_FRAGMENT)
			note->action |= NAT_FRAGMENT;
		if (packet->flags & SL_PACKET_ICMP_ERROR)
			note->action |= NAT_ERROR;
	} else {
		obstacle = nat_obstacle(packet, info);
		if (SL_UNLIKELY(obstacle >= 0))
			return leave(nat, note, obstacle);
	}
	if (protocol == MAPPING_TCP && info->l4)
		note->event = event_of(info);
	return -1;
}

static int classify_no_ipv4(const struct nat *nat,
			    const struct sl_packet *packet)
{
	if (packet->ip_version)
		return -1;
	if (packet->flags & SL_PACKET_MALFORMED)
		return NAT_MALFORMED;
	return nat->other == NAT_OTHER_PASS ? -1 : NAT_NON_IP;
}

/* Which way a packet goes, and what commit must know about it.
 * @return why it must be dropped, or -1. */
static int classify(const struct nat *nat, const struct sl_packet *packet,
		    const struct sl_packet_info *info, bool frames,
		    struct nat_note *note)
{
	unsigned protocol = mapping_protocol_of(packet->transport);
	int ours;

	if (SL_UNLIKELY(packet->ip_version != 4))
		return frames ? classify_no_ipv4(nat, packet) : -1;
	if (SL_UNLIKELY(nat->verify_checksums && frames &&
			!checksums_are_right(packet, info)))
		return NAT_BAD_CHECKSUM;
	ours = pool_find(&nat->pool, packet->dst.v4);
	if (packet->nic_in == nat->external_nic) {
		if (ours < 0)
			return -1;
		note->action = NAT_IN;
		note->place.space =
			(uint16_t)mapping_space_of((unsigned)ours, protocol);
		note->place.port = packet->dport;
	} else {
		if (ours < 0 && is_inside(nat, packet->dst.v4))
			return -1;
		note->action = ours < 0 ? NAT_OUT : NAT_HAIRPIN;
		note->address = packet->src.v4;
		note->port = packet->sport;
		note->place.space = (uint16_t)mapping_home(
			&nat->rules, note->address, protocol);
		note->hash = mapping_hash(
			&nat->rules,
			mapping_endpoint_of(note->address, note->port));
	}
	return frames ? classify_frame(nat, packet, info, protocol, note) : -1;
}

static struct nat_note *note_at(const struct sl_chunk *chunk, uint32_t at)
{
	return sl_chunk_scratch(chunk, at, sizeof(struct nat_note));
}

enum sl_code nat_prepare(void *state, struct sl_chunk *chunk,
			 struct sl_error *error)
{
	const struct nat *nat = state;
	bool frames = chunk->fields & SL_FIELD_FRAME;

	(void)error;
	for (uint32_t at = 0; at < chunk->count; at++) {
		struct nat_note *note = note_at(chunk, at);
		const struct sl_packet_info *info = sl_chunk_info(chunk, at);
		int reason;

		note->time_ns = info->time_ns;
		reason = classify(nat, sl_chunk_packet(chunk, at), info,
				  frames && info->frame, note);
		if (SL_UNLIKELY(reason >= 0))
			sl_drop(chunk, at, (unsigned)reason);
	}
	return SL_OK;
}

/* Where the batch that starts at @p start ends. */
static uint32_t batch_end(const struct sl_chunk *chunk, uint32_t start)
{
	return chunk->count - start < BATCH ? chunk->count : start + BATCH;
}

/* Ask for what the look-ups of a batch read. */
static void fetch_batch(const struct nat *nat, const struct sl_chunk *chunk,
			uint32_t start)
{
	if (start >= chunk->count)
		return;
	for (uint32_t at = start; at < batch_end(chunk, start); at++) {
		const struct nat_note *note = note_at(chunk, at);

		mapping_prefetch(nat->memory.mappings, note->hash, note->place);
	}
}

/* And, if many flows are new, for what those write. */
static void fetch_new(const struct nat *nat, const struct sl_chunk *chunk,
		      uint32_t start)
{
	for (uint32_t at = start; at < batch_end(chunk, start); at++) {
		const struct nat_note *note = note_at(chunk, at);

		if (note->action == NAT_OUT)
			mapping_prefetch_new(
				nat->memory.mappings, note->place.space,
				mapping_endpoint_of(note->address, note->port),
				note->hash);
	}
}

/* Return traffic to a port that nobody has opened is not for us. */
static void commit_in(struct nat *nat, struct sl_chunk *chunk, uint32_t at,
		      struct nat_note *note)
{
	mapping_endpoint inside;

	if (!mapping_inbound(nat->memory.mappings, note->place, note->event,
			     &inside)) {
		sl_drop(chunk, at, NAT_NO_MAPPING);
		return;
	}
	note->address = (uint32_t)(inside >> 16);
	note->port = (uint16_t)inside;
}

static enum sl_code commit_out(struct nat *nat, struct sl_chunk *chunk,
			       uint32_t at, struct nat_note *note,
			       struct sl_error *error)
{
	enum sl_code code =
		mapping_outbound(nat->memory.mappings, note->place.space,
				 mapping_endpoint_of(note->address, note->port),
				 note->hash, note->event, &note->place);

	if (SL_LIKELY(code == SL_OK))
		return SL_OK;
	if (code != SL_ENOSPC)
		return SL_FAIL(error, code, "no memory for mappings");
	sl_drop(chunk, at, NAT_OUT_OF_PORTS);
	return SL_OK;
}

static enum sl_code commit_packet(struct nat *nat, struct sl_chunk *chunk,
				  uint32_t at, struct sl_error *error)
{
	struct nat_note *note = note_at(chunk, at);

	mapping_table_advance(nat->memory.mappings, note->time_ns);
	if (note->action == NAT_OUT)
		return commit_out(nat, chunk, at, note, error);
	if (note->action == NAT_IN)
		commit_in(nat, chunk, at, note);
	else if (SL_UNLIKELY(note->action != NAT_PASS))
		return nat_commit_rare(nat, chunk, at, note, error);
	return SL_OK;
}

/* Before the first packet, and between chunks. */
static enum sl_code commit_begin(struct nat *nat, struct sl_chunk *chunk,
				 struct sl_error *error)
{
	bool more = false;

	if (SL_UNLIKELY(!nat->memory.mappings)) {
		enum sl_code code =
			nat_begin(nat, chunk->fields & SL_FIELD_FRAME, error);

		if (code != SL_OK)
			return code;
	}
	if (SL_UNLIKELY(nat->memory.ready))
		return nat_emit_ready(nat, chunk, &more, error);
	return SL_OK;
}

enum sl_code nat_commit(void *state, struct sl_chunk *chunk,
			struct sl_error *error)
{
	struct nat *nat = state;
	enum sl_code code = commit_begin(nat, chunk, error);
	uint64_t made;

	if (code != SL_OK)
		return code;
	made = nat->memory.mappings->made;
	fetch_batch(nat, chunk, 0);
	for (uint32_t at = 0; at < chunk->count; at++) {
		if (at % BATCH == 0) {
			fetch_batch(nat, chunk, at + BATCH);
			if (nat->memory.mappings->made - made > BATCH / 8)
				fetch_new(nat, chunk, at);
			made = nat->memory.mappings->made;
		}
		code = commit_packet(nat, chunk, at, error);
		if (SL_UNLIKELY(code != SL_OK))
			return code;
	}
	return SL_OK;
}

enum sl_code nat_finish(void *state, struct sl_chunk *chunk,
			struct sl_error *error)
{
	const struct nat *nat = state;

	(void)error;
	for (uint32_t at = 0; at < chunk->count; at++) {
		const struct nat_note *note = note_at(chunk, at);
		unsigned external = mapping_place_address(note->place);

		if (note->action == NAT_OUT)
			sl_set_source(chunk, at,
				      sl_address_from_v4(
					      nat->pool.addresses[external]),
				      note->place.port);
		else if (note->action == NAT_IN)
			sl_set_destination(chunk, at,
					   sl_address_from_v4(note->address),
					   note->port);
	}
	return SL_OK;
}
