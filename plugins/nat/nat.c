/* SPDX-License-Identifier: MIT */
/* nat: many inside endpoints behind the ports of one external address
 * (RFC 3022's NAPT, mapping independent of the other end).
 *
 * What depends on history, the mappings, is touched by commit alone; what is
 * slow per packet, classifying, hashing and rewriting, stands around it. The
 * steps speak through a note of 24 bytes a packet, so that commit, on whatever
 * core it runs, need not look at packets. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "forward.h"
#include "mapping.h"
#include "sluice/stage.h"

/* Packets whose look-ups overlap. */
#define BATCH 32

enum nat_drop { NAT_NO_MAPPING, NAT_OUT_OF_PORTS };

static const char *const nat_drops[] = { "no_mapping", "out_of_ports", NULL };

enum nat_action { NAT_PASS = 0, NAT_OUT, NAT_IN };

/* From prepare to commit: the inside endpoint (out) or the external port (in).
 * From commit to finish: what to write into the packet. */
struct nat_note {
	int64_t time_ns;
	uint32_t address;
	uint32_t hash;
	uint16_t port;
	uint8_t transport;
	uint8_t action; /* enum nat_action */
};

struct inside_range {
	uint32_t network, mask;
};

struct nat {
	/* options */
	uint16_t external_nic;
	struct sl_ip external_address;
	const char *ports;
	struct sl_list inside;
	int64_t timeout; /* ns */
	struct sl_list forwards;

	/* derived; commit writes *mappings, all else stays as open left it */
	struct mapping_rules rules;
	struct inside_range *ranges; /* owned; inside.count of them */
	struct mapping_table *mappings; /* owned */
};

static void check_forwards(const struct nat *nat, struct sl_host *host)
{
	struct forward forward, earlier;

	for (size_t at = 0; at < nat->forwards.count; at++) {
		const struct sl_value *value = &nat->forwards.values[at];
		const char *why = forward_parse(value->text, &forward);

		if (why) {
			sl_problem(host, "forwards", value, "\"%s\": %s",
				   value->text, why);
			continue;
		}
		for (size_t before = 0; before < at; before++) {
			if (forward_parse(nat->forwards.values[before].text,
					  &earlier) ||
			    earlier.transport != forward.transport ||
			    earlier.port != forward.port)
				continue;
			sl_problem(host, "forwards", value,
				   "\"%s\": %s port %u is forwarded already",
				   value->text,
				   forward_transport_text(&forward),
				   (unsigned)forward.port);
			break;
		}
	}
}

static void nat_check(void *state, struct sl_host *host)
{
	struct nat *nat = state;
	const char *why = port_range_parse(nat->ports, &nat->rules.first_port,
					   &nat->rules.last_port);

	if (why)
		sl_problem(host, "ports", NULL, "\"%s\": %s", nat->ports, why);
	if (nat->external_address.version == 6)
		sl_problem(host, "external_address", NULL,
			   "an IPv4 address is wanted: IPv6 is not translated");
	for (size_t at = 0; at < nat->inside.count; at++) {
		if (nat->inside.values[at].prefix.version == 6)
			sl_problem(host, "inside", &nat->inside.values[at],
				   "an IPv4 prefix is wanted: IPv6 is not "
				   "translated");
	}
	check_forwards(nat, host);
}

static enum sl_code build_ranges(struct nat *nat, struct sl_error *error)
{
	nat->ranges = calloc(nat->inside.count + 1, sizeof(*nat->ranges));
	if (!nat->ranges)
		return SL_FAIL(error, SL_ENOMEM, "out of memory");
	for (size_t at = 0; at < nat->inside.count; at++) {
		const struct sl_prefix *prefix = &nat->inside.values[at].prefix;

		nat->ranges[at].network = prefix->address.v4;
		nat->ranges[at].mask =
			(uint32_t)(~UINT64_C(0) << (32 - prefix->length));
	}
	return SL_OK;
}

static enum sl_code fix_forwards(struct nat *nat, struct sl_error *error)
{
	for (size_t at = 0; at < nat->forwards.count; at++) {
		const char *text = nat->forwards.values[at].text;
		struct forward forward;
		const char *why = forward_parse(text, &forward);
		enum sl_code code;

		if (why)
			return SL_FAIL(error, SL_EINVAL, "\"%s\": %s", text,
				       why);
		code = mapping_fix(nat->mappings, forward.transport,
				   forward.port,
				   mapping_endpoint_of(forward.address,
						       forward.inside_port));
		if (code != SL_OK)
			return SL_FAIL(error, code, "cannot add forward \"%s\"",
				       text);
	}
	return SL_OK;
}

static enum sl_code nat_open(void *state, struct sl_host *host,
			     struct sl_error *error)
{
	struct nat *nat = state;
	enum sl_code code;

	(void)host;
	nat->rules.timeout_ns = nat->timeout;
	if (getrandom(&nat->rules.seed, sizeof(nat->rules.seed), 0) !=
	    (ssize_t)sizeof(nat->rules.seed))
		return SL_FAIL(error, SL_EIO, "no random seed: %s",
			       strerror(errno));
	nat->mappings = mapping_table_create(&nat->rules);
	if (!nat->mappings)
		return SL_FAIL(error, SL_ENOMEM, "out of memory");
	code = build_ranges(nat, error);
	if (code != SL_OK)
		return code;
	return fix_forwards(nat, error);
}

static void nat_close(void *state)
{
	struct nat *nat = state;

	free(nat->ranges);
	mapping_table_destroy(nat->mappings);
}

static bool is_inside(const struct nat *nat, uint32_t address)
{
	for (size_t at = 0; at < nat->inside.count; at++) {
		if ((address & nat->ranges[at].mask) == nat->ranges[at].network)
			return true;
	}
	return false;
}

/* Which way a packet goes, and what commit must know about it. */
static void classify(const struct nat *nat, const struct sl_packet *packet,
		     struct nat_note *note)
{
	if (packet->ip_version != 4)
		return;
	note->transport = packet->transport;
	if (packet->nic_in == nat->external_nic) {
		if (packet->dst.v4 != nat->external_address.address.v4)
			return;
		note->action = NAT_IN;
		note->port = packet->dport;
	} else if (!is_inside(nat, packet->dst.v4)) {
		note->action = NAT_OUT;
		note->address = packet->src.v4;
		note->port = packet->sport;
		note->hash = mapping_hash(
			&nat->rules,
			mapping_endpoint_of(note->address, note->port));
	}
}

static struct nat_note *note_at(const struct sl_chunk *chunk, uint32_t at)
{
	return sl_chunk_scratch(chunk, at, sizeof(struct nat_note));
}

static enum sl_code nat_prepare(void *state, struct sl_chunk *chunk,
				struct sl_error *error)
{
	const struct nat *nat = state;

	(void)error;
	for (uint32_t at = 0; at < chunk->count; at++) {
		struct nat_note *note = note_at(chunk, at);

		note->time_ns = sl_chunk_info(chunk, at)->time_ns;
		classify(nat, sl_chunk_packet(chunk, at), note);
	}
	return SL_OK;
}

/* Where the batch that starts at @p start ends. */
static uint32_t batch_end(const struct sl_chunk *chunk, uint32_t start)
{
	return chunk->count - start < BATCH ? chunk->count : start + BATCH;
}

/* Ask for what the look-ups of a batch read first ... */
static void fetch_slots(const struct nat *nat, const struct sl_chunk *chunk,
			uint32_t start)
{
	if (start >= chunk->count)
		return;
	for (uint32_t at = start; at < batch_end(chunk, start); at++) {
		const struct nat_note *note = note_at(chunk, at);

		mapping_prefetch(nat->mappings, note->transport, note->hash,
				 note->port);
	}
}

/* ... and, a batch later, for what that leads to. */
static void fetch_found(const struct nat *nat, const struct sl_chunk *chunk,
			uint32_t start)
{
	for (uint32_t at = start; at < batch_end(chunk, start); at++) {
		const struct nat_note *note = note_at(chunk, at);

		mapping_prefetch_found(nat->mappings, note->transport,
				       note->hash);
	}
}

/* Return traffic to a port that nobody has opened is not for us. */
static void commit_in(struct nat *nat, struct sl_chunk *chunk, uint32_t at,
		      struct nat_note *note)
{
	mapping_endpoint inside;

	if (!mapping_inbound(nat->mappings, note->transport, note->port,
			     &inside)) {
		sl_drop(chunk, at, NAT_NO_MAPPING);
		return;
	}
	note->address = (uint32_t)(inside >> 16);
	note->port = (uint16_t)inside;
}

static enum sl_code commit_out(struct nat *nat, struct sl_chunk *chunk,
			       uint32_t at, struct nat_note *note)
{
	enum sl_code code =
		mapping_outbound(nat->mappings, note->transport,
				 mapping_endpoint_of(note->address, note->port),
				 note->hash, &note->port);

	if (code == SL_ENOSPC) {
		sl_drop(chunk, at, NAT_OUT_OF_PORTS);
		return SL_OK;
	}
	return code;
}

static enum sl_code commit_packet(struct nat *nat, struct sl_chunk *chunk,
				  uint32_t at)
{
	struct nat_note *note = note_at(chunk, at);

	mapping_table_advance(nat->mappings, note->time_ns);
	if (note->action == NAT_IN)
		commit_in(nat, chunk, at, note);
	else if (note->action == NAT_OUT)
		return commit_out(nat, chunk, at, note);
	return SL_OK;
}

static enum sl_code nat_commit(void *state, struct sl_chunk *chunk,
			       struct sl_error *error)
{
	struct nat *nat = state;

	fetch_slots(nat, chunk, 0);
	for (uint32_t at = 0; at < chunk->count; at++) {
		enum sl_code code;

		if (at % BATCH == 0) {
			fetch_slots(nat, chunk, at + BATCH);
			fetch_found(nat, chunk, at);
		}
		code = commit_packet(nat, chunk, at);
		if (SL_UNLIKELY(code != SL_OK))
			return SL_FAIL(error, code, "no memory for mappings");
	}
	return SL_OK;
}

static enum sl_code nat_finish(void *state, struct sl_chunk *chunk,
			       struct sl_error *error)
{
	const struct nat *nat = state;

	(void)error;
	for (uint32_t at = 0; at < chunk->count; at++) {
		const struct nat_note *note = note_at(chunk, at);

		if (note->action == NAT_OUT)
			sl_set_source(chunk, at, nat->external_address.address,
				      note->port);
		else if (note->action == NAT_IN)
			sl_set_destination(chunk, at,
					   sl_address_from_v4(note->address),
					   note->port);
	}
	return SL_OK;
}

static const struct sl_option nat_options[] = {
	{ .name = "external_nic",
	  .type = SL_INTERFACE,
	  .offset = offsetof(struct nat, external_nic),
	  .required = true,
	  .help = "The interface that leads outside." },
	{ .name = "external_address",
	  .type = SL_ADDRESS,
	  .offset = offsetof(struct nat, external_address),
	  .required = true,
	  .help = "The IPv4 address that the outside sees." },
	{ .name = "ports",
	  .type = SL_STRING,
	  .offset = offsetof(struct nat, ports),
	  .default_text = "1024-65535",
	  .help = "The ports of the external address to hand out, FIRST-LAST, "
		  "for each transport." },
	{ .name = "inside",
	  .type = SL_LIST,
	  .element = SL_PREFIX,
	  .offset = offsetof(struct nat, inside),
	  .default_text = "( \"10.0.0.0/8\", \"172.16.0.0/12\", "
			  "\"192.168.0.0/16\" )",
	  .help = "Prefixes that are inside: what goes there from inside is "
		  "not translated." },
	{ .name = "timeout",
	  .type = SL_DURATION,
	  .offset = offsetof(struct nat, timeout),
	  .default_text = "300 s",
	  .min = INT64_C(1000000),
	  .max = INT64_C(31536000000000000),
	  .help = "A mapping that no packet has used for so long is gone." },
	{ .name = "forwards",
	  .type = SL_LIST,
	  .element = SL_STRING,
	  .offset = offsetof(struct nat, forwards),
	  .help = "Static forwards, \"TRANSPORT PORT ADDRESS:PORT\": what "
		  "arrives for that port of the external address goes to that "
		  "inside endpoint." },
};

static const struct sl_stage nat_stage = {
	.size = sizeof(struct sl_stage),
	.state_size = sizeof(struct nat),
	.scratch_size = sizeof(struct nat_note),
	.reads = SL_FIELD_ADDRESSES | SL_FIELD_PORTS | SL_FIELD_NIC_IN,
	.writes = SL_FIELD_ADDRESSES | SL_FIELD_PORTS,
	.drops = nat_drops,
	.check = nat_check,
	.open = nat_open,
	.close = nat_close,
	.prepare = nat_prepare,
	.commit = nat_commit,
	.finish = nat_finish,
};

const struct sl_plugin sluice_plugin = {
	.size = sizeof(struct sl_plugin),
	.abi = SL_PLUGIN_ABI,
	.kind = SL_STAGE,
	.name = "nat",
	.summary = "many inside endpoints behind one external address",
	SL_OPTION_TABLE(nat_options),
	.stage = &nat_stage,
};
