/* SPDX-License-Identifier: MIT */
/* nat: many inside endpoints behind the ports of a few external addresses
 * (RFC 3022's NAPT, mapping independent of the other end). What it can be told,
 * and what stands before the first packet comes. */
#include "nat.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>

#include "forward.h"

static const char *const nat_drops[] = {
	[NAT_NO_MAPPING] = "no_mapping",
	[NAT_OUT_OF_PORTS] = "out_of_ports",
	[NAT_NON_IP] = "non_ip",
	[NAT_OTHER_PROTOCOL] = "other_protocol",
	[NAT_NO_PORTS] = "no_ports",
	[NAT_MALFORMED] = "malformed",
	[NAT_BAD_CHECKSUM] = "bad_checksum",
	[NAT_NO_FIRST_FRAGMENT] = "no_first_fragment",
	[NAT_FRAGMENT_OVERFLOW] = "fragment_overflow",
	NULL,
};

static bool same_external(const struct nat *nat, const struct forward *a,
			  const struct forward *b)
{
	uint32_t first = nat->pool.addresses[0];

	return a->transport == b->transport && a->port == b->port &&
	       (a->external ? a->external : first) ==
		       (b->external ? b->external : first);
}

static void check_forward(const struct nat *nat, struct sl_host *host,
			  size_t at)
{
	const struct sl_value *value = &nat->forwards.values[at];
	struct forward forward, earlier;
	const char *why = forward_parse(value->text, &forward);

	if (!why && forward.external &&
	    pool_find(&nat->pool, forward.external) < 0)
		why = "that is no external address of this stage";
	if (why) {
		sl_problem(host, "forwards", value, "\"%s\": %s", value->text,
			   why);
		return;
	}
	for (size_t before = 0; before < at; before++) {
		if (forward_parse(nat->forwards.values[before].text,
				  &earlier) ||
		    !same_external(nat, &forward, &earlier))
			continue;
		sl_problem(host, "forwards", value,
			   "\"%s\": %s port %u is forwarded already",
			   value->text, forward_transport_text(&forward),
			   (unsigned)forward.port);
		return;
	}
}

/* The addresses of a prefix are all of them: what is routed to a NAT has no
 * network and no broadcast address. */
static void add_prefix(struct nat *nat, struct sl_host *host,
		       const struct sl_value *value)
{
	uint32_t first = value->prefix.address.v4;
	unsigned length = value->prefix.length;

	if (value->prefix.version == 6)
		sl_problem(host, "external_addresses", value,
			   "an IPv4 prefix is wanted: IPv6 is not translated");
	else if (!pool_add(&nat->pool, first,
			   first | (uint32_t)(UINT64_C(0xffffffff) >> length)))
		sl_problem(host, "external_addresses", value,
			   "these are more than %d addresses",
			   MAPPING_ADDRESSES);
}

static void check_pool(struct nat *nat, struct sl_host *host)
{
	const struct sl_ip *one = &nat->external_address;

	if (one->version == 6)
		sl_problem(host, "external_address", NULL,
			   "an IPv4 address is wanted: IPv6 is not translated");
	(void)!pool_add(&nat->pool, one->address.v4, one->address.v4);
	for (size_t at = 0; at < nat->external_addresses.count; at++)
		add_prefix(nat, host, &nat->external_addresses.values[at]);
}

static void nat_check(void *state, struct sl_host *host)
{
	struct nat *nat = state;
	const char *why = port_range_parse(nat->ports, &nat->rules.first_port,
					   &nat->rules.last_port);

	if (why)
		sl_problem(host, "ports", NULL, "\"%s\": %s", nat->ports, why);
	check_pool(nat, host);
	for (size_t at = 0; at < nat->inside.count; at++) {
		if (nat->inside.values[at].prefix.version == 6)
			sl_problem(host, "inside", &nat->inside.values[at],
				   "an IPv4 prefix is wanted: IPv6 is not "
				   "translated");
	}
	for (size_t at = 0; at < nat->forwards.count; at++)
		check_forward(nat, host, at);
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

static enum sl_code nat_open(void *state, struct sl_host *host,
			     struct sl_error *error)
{
	struct nat *nat = state;

	(void)host;
	nat->rules.addresses = (uint16_t)nat->pool.count;
	nat->memory.ready_last = &nat->memory.ready;
	if (getrandom(&nat->rules.seed, sizeof(nat->rules.seed), 0) !=
	    (ssize_t)sizeof(nat->rules.seed))
		return SL_FAIL(error, SL_EIO, "no random seed: %s",
			       strerror(errno));
	return build_ranges(nat, error);
}

static enum sl_code fix_forward(struct nat *nat, const char *text,
				struct sl_error *error)
{
	struct forward forward;
	const char *why = forward_parse(text, &forward);
	struct mapping_place place;
	int address = 0;
	enum sl_code code;

	if (why)
		return SL_FAIL(error, SL_EINVAL, "\"%s\": %s", text, why);
	if (forward.external)
		address = pool_find(&nat->pool, forward.external);
	if (address < 0)
		return SL_FAIL(error, SL_EINVAL, "\"%s\": not in the pool",
			       text);
	place.space = (uint16_t)mapping_space_of(
		(unsigned)address, mapping_protocol_of(forward.transport));
	place.port = forward.port;
	code = mapping_fix(
		nat->memory.mappings, place,
		mapping_endpoint_of(forward.address, forward.inside_port));
	if (code != SL_OK)
		return SL_FAIL(error, code, "cannot add forward \"%s\"", text);
	return SL_OK;
}

static void set_timeouts(const struct nat *nat, bool frames,
			 struct mapping_rules *rules)
{
	for (unsigned at = 0; at < MAPPING_PROTOCOLS; at++)
		rules->timeouts_ns[at][0] = rules->timeouts_ns[at][1] =
			nat->timeout;
	if (!frames)
		return;
	rules->timeouts_ns[MAPPING_ICMP][0] = nat->icmp_timeout;
	rules->timeouts_ns[MAPPING_ICMP][1] = nat->icmp_timeout;
	rules->timeouts_ns[MAPPING_TCP][0] = nat->tcp_transitory_timeout;
	rules->timeouts_ns[MAPPING_TCP][1] = nat->tcp_timeout;
}

enum sl_code nat_begin(struct nat *nat, bool frames, struct sl_error *error)
{
	struct mapping_rules rules = nat->rules;

	set_timeouts(nat, frames, &rules);
	rules.parity = frames;
	nat->memory.mappings = mapping_table_create(&rules);
	nat->memory.fragments = fragments_create(
		frames ? nat->fragment_memory : 0,
		(uint64_t)nat->fragment_timeout, nat->rules.seed);
	if (!nat->memory.mappings || !nat->memory.fragments)
		return SL_FAIL(error, SL_ENOMEM, "no memory for mappings");
	for (size_t at = 0; at < nat->forwards.count; at++) {
		enum sl_code code =
			fix_forward(nat, nat->forwards.values[at].text, error);

		if (code != SL_OK)
			return code;
	}
	return SL_OK;
}

static void nat_close(void *state)
{
	struct nat *nat = state;

	nat_destroy_ready(nat);
	free(nat->ranges);
	mapping_table_destroy(nat->memory.mappings);
	fragments_destroy(nat->memory.fragments);
}

#define TIMEOUT_BOUNDS \
	.min = INT64_C(1000000), .max = INT64_C(31536000000000000)

static const char *const other_choices[] = { "drop", "pass", NULL };

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
	{ .name = "external_addresses",
	  .type = SL_LIST,
	  .element = SL_PREFIX,
	  .offset = offsetof(struct nat, external_addresses),
	  .help = "Further such addresses, a pool: prefixes of which all "
		  "addresses are taken, 256 at most. external_address may be "
		  "among them; it is the first." },
	{ .name = "ports",
	  .type = SL_STRING,
	  .offset = offsetof(struct nat, ports),
	  .default_text = "1024-65535",
	  .help = "The ports of each external address to hand out, FIRST-LAST, "
		  "for each transport; for ICMP the identifiers." },
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
	  TIMEOUT_BOUNDS,
	  .help = "A mapping that no packet has used for so long is gone: of "
		  "UDP, and in a trace without frames of everything." },
	{ .name = "tcp_timeout",
	  .type = SL_DURATION,
	  .offset = offsetof(struct nat, tcp_timeout),
	  .default_text = "7440 s",
	  TIMEOUT_BOUNDS,
	  .help = "The same for an established TCP connection." },
	{ .name = "tcp_transitory_timeout",
	  .type = SL_DURATION,
	  .offset = offsetof(struct nat, tcp_transitory_timeout),
	  .default_text = "240 s",
	  TIMEOUT_BOUNDS,
	  .help = "The same for a TCP connection that is being opened or "
		  "closed, or was reset." },
	{ .name = "icmp_timeout",
	  .type = SL_DURATION,
	  .offset = offsetof(struct nat, icmp_timeout),
	  .default_text = "60 s",
	  TIMEOUT_BOUNDS,
	  .help = "The same for ICMP queries." },
	{ .name = "fragment_timeout",
	  .type = SL_DURATION,
	  .offset = offsetof(struct nat, fragment_timeout),
	  .default_text = "30 s",
	  TIMEOUT_BOUNDS,
	  .help = "For so long fragments wait for the first of their "
		  "datagram, and what was decided for it is remembered." },
	{ .name = "fragment_memory",
	  .type = SL_SIZE,
	  .offset = offsetof(struct nat, fragment_memory),
	  .default_text = "4 MiB",
	  .help = "For all datagrams in fragments together; if it is used up "
		  "the oldest is given up." },
	{ .name = "forwards",
	  .type = SL_LIST,
	  .element = SL_STRING,
	  .offset = offsetof(struct nat, forwards),
	  .help = "Static forwards, \"TRANSPORT PORT ADDRESS:PORT\": what "
		  "arrives for that port of the (first) external address goes "
		  "to that inside endpoint. With several, EXTERNAL:PORT for "
		  "PORT names another." },
	{ .name = "other",
	  .type = SL_ENUM,
	  .offset = offsetof(struct nat, other),
	  .choices = other_choices,
	  .default_text = "drop",
	  .help = "What becomes of frames that are not IP, and of protocols "
		  "and ICMP messages that cannot be translated." },
	{ .name = "verify_checksums",
	  .type = SL_BOOL,
	  .offset = offsetof(struct nat, verify_checksums),
	  .default_text = "false",
	  .help = "Drop packets with a wrong checksum. Otherwise it stays "
		  "wrong by the same amount." },
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
	.flush = nat_flush,
};

const struct sl_plugin sluice_plugin = {
	.size = sizeof(struct sl_plugin),
	.abi = SL_PLUGIN_ABI,
	.kind = SL_STAGE,
	.name = "nat",
	.summary = "many inside endpoints behind a few external addresses",
	SL_OPTION_TABLE(nat_options),
	.stage = &nat_stage,
};
