/* SPDX-License-Identifier: MIT */
/* What few packets are: hairpins and ICMP errors (and fragments, which have a
 * file of their own). Commit translates them on the spot. */
#include "nat.h"
#include "quoted.h"

/* ---- what becomes of a packet ------------------------------------------ */

static void drop(struct outcome *outcome, enum nat_drop reason)
{
	outcome->dropped = true;
	outcome->reason = (uint8_t)reason;
}

static enum sl_code decide_source(struct nat *nat, const struct nat_note *note,
				  struct outcome *outcome)
{
	struct mapping_place place;
	enum sl_code code =
		mapping_outbound(nat->memory.mappings, note->place.space,
				 mapping_endpoint_of(note->address, note->port),
				 note->hash, note->event, &place);

	if (code == SL_ENOSPC) {
		drop(outcome, NAT_OUT_OF_PORTS);
		return SL_OK;
	}
	if (code != SL_OK)
		return code;
	outcome->new_source = true;
	outcome->src = nat->pool.addresses[mapping_place_address(place)];
	outcome->sport = place.port;
	return SL_OK;
}

static void set_destination(struct outcome *outcome, mapping_endpoint inside)
{
	outcome->new_destination = true;
	outcome->dst = (uint32_t)(inside >> 16);
	outcome->dport = (uint16_t)inside;
}

static void decide_destination(struct nat *nat, struct mapping_place place,
			       uint8_t event, struct outcome *outcome)
{
	mapping_endpoint inside;

	if (mapping_inbound(nat->memory.mappings, place, event, &inside))
		set_destination(outcome, inside);
	else
		drop(outcome, NAT_NO_MAPPING);
}

/* From inside to an external endpoint that leads inside (RFC 4787, REQ-9): who
 * gets it sees the sender's external endpoint. Nothing is allotted for a packet
 * that goes nowhere. */
static enum sl_code decide_hairpin(struct nat *nat,
				   const struct sl_packet *packet,
				   const struct nat_note *note,
				   struct outcome *outcome)
{
	unsigned protocol = mapping_protocol_of(packet->transport);
	int address = pool_find(&nat->pool, packet->dst.v4);
	struct mapping_place place = { (uint16_t)mapping_space_of(
					       (unsigned)address, protocol),
				       packet->dport };
	mapping_endpoint inside;
	enum sl_code code = SL_OK;

	if (mapping_find_inside(nat->memory.mappings, place, &inside))
		code = decide_source(nat, note, outcome);
	else
		drop(outcome, NAT_NO_MAPPING);
	if (code == SL_OK && !outcome->dropped)
		decide_destination(nat, place, note->event, outcome);
	return code;
}

/* ---- ICMP errors ------------------------------------------------------- */

/* The quoted packet went out: its source is the external endpoint to which the
 * error came. */
static bool find_sender(struct nat *nat, const struct sl_packet *packet,
			const struct quoted *quoted, mapping_endpoint *inside)
{
	int address = pool_find(&nat->pool, quoted->src);
	struct mapping_place place;

	if (address < 0 || quoted->src != packet->dst.v4)
		return false;
	place.space =
		(uint16_t)mapping_space_of((unsigned)address, quoted->protocol);
	place.port = quoted->sport;
	return mapping_find_inside(nat->memory.mappings, place, inside);
}

/* The quoted packet came in: its destination is an inside endpoint. */
static bool find_receiver(struct nat *nat, const struct quoted *quoted,
			  struct mapping_place *place)
{
	return mapping_find_place(
		nat->memory.mappings,
		mapping_home(&nat->rules, quoted->dst, quoted->protocol),
		mapping_endpoint_of(quoted->dst, quoted->dport), place);
}

/* An error passes if it is about a packet of a mapping, and neither makes nor
 * uses one (RFC 5508, REQ-4 to 6). The error of a packet that was turned round
 * goes both ways. An inside router's takes the address of the endpoint that it
 * speaks of: its own is not known outside. */
static void decide_error(struct nat *nat, const struct sl_packet *packet,
			 const struct sl_packet_info *info, unsigned way,
			 struct outcome *outcome)
{
	bool to_sender = way == NAT_IN || way == NAT_HAIRPIN;
	bool from_receiver = way == NAT_OUT || way == NAT_HAIRPIN;
	struct mapping_place place = { 0, 0 };
	mapping_endpoint inside = 0;
	struct quoted quoted;

	if (!quoted_parse(packet, info, &quoted) ||
	    (to_sender && !find_sender(nat, packet, &quoted, &inside)) ||
	    (from_receiver && !find_receiver(nat, &quoted, &place))) {
		drop(outcome, NAT_NO_MAPPING);
		return;
	}
	if (from_receiver) {
		outcome->new_source = true;
		outcome->src =
			nat->pool.addresses[mapping_place_address(place)];
		quoted_set_endpoint(&quoted, outcome->src, place.port, false);
	}
	if (to_sender) {
		set_destination(outcome, inside);
		quoted_set_endpoint(&quoted, outcome->dst, outcome->dport,
				    true);
	}
}

enum sl_code nat_decide(struct nat *nat, const struct sl_packet *packet,
			const struct sl_packet_info *info,
			const struct nat_note *note, struct outcome *outcome)
{
	unsigned way = note->action & NAT_WAY;

	if (note->action & NAT_ERROR) {
		decide_error(nat, packet, info, way, outcome);
		return SL_OK;
	}
	if (way == NAT_HAIRPIN)
		return decide_hairpin(nat, packet, note, outcome);
	if (way == NAT_OUT)
		return decide_source(nat, note, outcome);
	decide_destination(nat, note->place, note->event, outcome);
	return SL_OK;
}

/* ---- doing it ---------------------------------------------------------- */

void nat_apply(const struct outcome *outcome, struct sl_packet *packet,
	       const struct sl_packet_info *info)
{
	struct sl_address address;

	if (outcome->new_source) {
		address = sl_address_from_v4(outcome->src);
		sl_frame_set_source(packet, info, address, outcome->sport);
	}
	if (outcome->new_destination) {
		address = sl_address_from_v4(outcome->dst);
		sl_frame_set_destination(packet, info, address, outcome->dport);
	}
}

void nat_settle(const struct outcome *outcome, struct sl_chunk *chunk,
		uint32_t at)
{
	if (outcome->dropped)
		sl_drop(chunk, at, outcome->reason);
	else
		nat_apply(outcome, sl_chunk_packet(chunk, at),
			  sl_chunk_info(chunk, at));
}

enum sl_code nat_commit_rare(struct nat *nat, struct sl_chunk *chunk,
			     uint32_t at, struct nat_note *note,
			     struct sl_error *error)
{
	struct outcome outcome = { .dropped = false };
	enum sl_code code;

	if (note->action & NAT_FRAGMENT) {
		code = nat_commit_fragment(nat, chunk, at, note, error);
	} else {
		code = nat_decide(nat, sl_chunk_packet(chunk, at),
				  sl_chunk_info(chunk, at), note, &outcome);
		if (code != SL_OK)
			return SL_FAIL(error, code, "no memory for mappings");
		nat_settle(&outcome, chunk, at);
	}
	note->action = NAT_PASS; /* finish has nothing to do */
	return code;
}
