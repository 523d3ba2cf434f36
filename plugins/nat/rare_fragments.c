/* SPDX-License-Identifier: MIT */
/* Fragments in commit: what waits, what follows its first, what is given up.
 * fragments.h says what is remembered and why. */
#include <string.h>

#include "nat.h"
#include "sluice/checksum.h"

enum { IP_LENGTH = 2, IP_ID = 4, IP_FRAGMENT = 6, TCP_CHECKSUM = 16 };

/* Eight bytes are enough for a first fragment of TCP. Then its checksum
 * is in a later one, which must learn what the ports have become. */
static void note_tcp_change(const struct sl_packet *packet,
			    const struct sl_packet_info *info,
			    struct outcome *outcome)
{
	uint32_t end =
		info->l3 + sl_load_be16(info->frame + info->l3 + IP_LENGTH);
	uint32_t change = 0;

	if (packet->transport != SL_TRANSPORT_TCP ||
	    end >= info->l4 + TCP_CHECKSUM + 2u)
		return;
	if (outcome->new_source)
		change += sl_checksum_change32(packet->src.v4, outcome->src) +
			  sl_checksum_change16(packet->sport, outcome->sport);
	if (outcome->new_destination)
		change += sl_checksum_change32(packet->dst.v4, outcome->dst) +
			  sl_checksum_change16(packet->dport, outcome->dport);
	outcome->tcp_change = change;
}

static void apply_tcp_change(uint32_t change, const struct sl_packet_info *info)
{
	uint8_t *ip = info->frame + info->l3;
	uint32_t start = 8 * (sl_load_be16(ip + IP_FRAGMENT) & 0x1fffu);
	uint32_t at = 4 * (ip[0] & 15u) + TCP_CHECKSUM - start;

	if (start > TCP_CHECKSUM || at + 2 > sl_load_be16(ip + IP_LENGTH) ||
	    info->l3 + at + 2 > info->captured)
		return;
	sl_store_be16(ip + at,
		      sl_checksum_changed(sl_load_be16(ip + at), change));
}

static void settle_later(const struct outcome *outcome, struct sl_chunk *chunk,
			 uint32_t at)
{
	if (outcome->tcp_change && !outcome->dropped)
		apply_tcp_change(outcome->tcp_change, sl_chunk_info(chunk, at));
	nat_settle(outcome, chunk, at);
}

static void give_up(struct nat *nat, struct sl_chunk *chunk,
		    struct datagram *datagram, enum nat_drop reason)
{
	for (const struct held *held = datagram->held; held; held = held->next)
		sl_drop_held(chunk, reason);
	fragments_forget(nat->memory.fragments, datagram);
}

static void give_up_over(struct nat *nat, struct sl_chunk *chunk, uint64_t now)
{
	struct datagram *datagram;

	while ((datagram = fragments_over(nat->memory.fragments, now)))
		give_up(nat, chunk, datagram, NAT_NO_FIRST_FRAGMENT);
}

static void give_up_excess(struct nat *nat, struct sl_chunk *chunk)
{
	struct datagram *datagram;

	while ((datagram = fragments_excess(nat->memory.fragments)))
		give_up(nat, chunk, datagram, NAT_FRAGMENT_OVERFLOW);
}

enum sl_code nat_emit_ready(struct nat *nat, struct sl_chunk *chunk, bool *more,
			    struct sl_error *error)
{
	while (nat->memory.ready) {
		struct held *held = nat->memory.ready;
		struct sl_error full;
		enum sl_code code =
			sl_emit(chunk, 0, &held->packet, &held->info, &full);

		if (code == SL_ENOSPC) {
			*more = true;
			return SL_OK;
		}
		if (code != SL_OK) {
			*error = full;
			return code;
		}
		nat->memory.ready = held->next;
		held_destroy(held);
	}
	nat->memory.ready_last = &nat->memory.ready;
	return SL_OK;
}

void nat_destroy_ready(struct nat *nat)
{
	while (nat->memory.ready) {
		struct held *held = nat->memory.ready;

		nat->memory.ready = held->next;
		held_destroy(held);
	}
}

/* Put a fragment behind its first, or, if the chunk is full, with those that
 * wait for the next one. */
static enum sl_code emit(struct nat *nat, struct sl_chunk *chunk, uint32_t at,
			 struct held *held, struct sl_error *error)
{
	struct sl_error full;
	enum sl_code code = SL_ENOSPC;

	if (!nat->memory.ready)
		code = sl_emit(chunk, at, &held->packet, &held->info, &full);
	if (code == SL_ENOSPC) {
		held->next = NULL;
		*nat->memory.ready_last = held;
		nat->memory.ready_last = &held->next;
		return SL_OK;
	}
	held_destroy(held);
	if (code != SL_OK)
		*error = full;
	return code;
}

/* The first fragment has come: those that waited follow it. */
static enum sl_code release(struct nat *nat, struct sl_chunk *chunk,
			    uint32_t at, struct datagram *datagram,
			    struct sl_error *error)
{
	struct held *held = fragments_release(nat->memory.fragments, datagram);
	const struct outcome *outcome = &datagram->outcome;
	enum sl_code code = SL_OK;

	while (held) {
		struct held *next = held->next;

		if (outcome->dropped) {
			sl_drop_held(chunk, outcome->reason);
			held_destroy(held);
		} else if (code == SL_OK) {
			if (outcome->tcp_change)
				apply_tcp_change(outcome->tcp_change,
						 &held->info);
			nat_apply(outcome, &held->packet, &held->info);
			code = emit(nat, chunk, at, held, error);
		} else {
			held_destroy(held);
		}
		held = next;
	}
	return code;
}

static void drop(struct outcome *outcome, int reason)
{
	outcome->dropped = true;
	outcome->reason = (uint8_t)reason;
}

static enum sl_code decide_first(struct nat *nat, struct sl_packet *packet,
				 const struct sl_packet_info *info,
				 const struct nat_note *note,
				 struct outcome *outcome)
{
	int obstacle = nat_obstacle(packet, info);
	enum sl_code code = SL_OK;

	if (obstacle < 0)
		code = nat_decide(nat, packet, info, note, outcome);
	else if (obstacle != NAT_OTHER_PROTOCOL || nat->other != NAT_OTHER_PASS)
		drop(outcome, obstacle);
	if (code == SL_OK && obstacle < 0 && !outcome->dropped)
		note_tcp_change(packet, info, outcome);
	return code;
}

static enum sl_code commit_first(struct nat *nat, struct sl_chunk *chunk,
				 uint32_t at, const struct nat_note *note,
				 struct datagram *datagram,
				 struct sl_error *error)
{
	enum sl_code code;

	memset(&datagram->outcome, 0, sizeof(datagram->outcome));
	code = decide_first(nat, sl_chunk_packet(chunk, at),
			    sl_chunk_info(chunk, at), note, &datagram->outcome);
	if (code != SL_OK)
		return SL_FAIL(error, code, "no memory for mappings");
	datagram->decided = true;
	fragments_renew(nat->memory.fragments, datagram,
			nat->memory.mappings->now);
	nat_settle(&datagram->outcome, chunk, at);
	return release(nat, chunk, at, datagram, error);
}

static enum sl_code commit_later(struct nat *nat, struct sl_chunk *chunk,
				 uint32_t at, struct datagram *datagram,
				 struct sl_error *error)
{
	if (datagram->decided) {
		settle_later(&datagram->outcome, chunk, at);
		return SL_OK;
	}
	if (!fragments_hold(nat->memory.fragments, datagram,
			    sl_chunk_packet(chunk, at),
			    sl_chunk_info(chunk, at)))
		return SL_FAIL(error, SL_ENOMEM, "no memory for a fragment");
	sl_hold(chunk, at);
	return SL_OK;
}

enum sl_code nat_commit_fragment(struct nat *nat, struct sl_chunk *chunk,
				 uint32_t at, const struct nat_note *note,
				 struct sl_error *error)
{
	const struct sl_packet *packet = sl_chunk_packet(chunk, at);
	const struct sl_packet_info *info = sl_chunk_info(chunk, at);
	bool later = packet->flags & SL_PACKET_LATER_FRAGMENT;
	struct datagram_key key = {
		.src = packet->src.v4,
		.dst = packet->dst.v4,
		.id = sl_load_be16(info->frame + info->l3 + IP_ID),
		.protocol = packet->transport,
		.outside = (note->action & NAT_WAY) == NAT_IN,
	};
	struct datagram *datagram;
	enum sl_code code;

	give_up_over(nat, chunk, nat->memory.mappings->now);
	datagram = fragments_find(nat->memory.fragments, &key);
	if (!datagram)
		datagram = fragments_add(nat->memory.fragments, &key,
					 nat->memory.mappings->now);
	if (!datagram)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a datagram");
	code = later ? commit_later(nat, chunk, at, datagram, error)
		     : commit_first(nat, chunk, at, note, datagram, error);
	if (code == SL_OK)
		give_up_excess(nat, chunk);
	return code;
}

enum sl_code nat_flush(void *state, struct sl_chunk *chunk, bool *more,
		       struct sl_error *error)
{
	struct nat *nat = state;
	enum sl_code code = nat_emit_ready(nat, chunk, more, error);

	if (code == SL_OK && !*more && nat->memory.fragments)
		give_up_over(nat, chunk, UINT64_MAX);
	return code;
}
