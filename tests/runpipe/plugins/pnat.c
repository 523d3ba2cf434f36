/* SPDX-License-Identifier: MIT */
/* pnat: a stateless NAT of prefixes and ports for tests. An address in `from`
 * becomes the one at the same place of `to`, a port `from_port` becomes
 * `to_port`, in either direction. */
#include "sluice/stage.h"

struct pnat {
	struct sl_prefix from, to;
	int64_t from_port, to_port;
};

static void pnat_check(void *state, struct sl_host *host)
{
	const struct pnat *pnat = state;

	if (pnat->from.version != 4 || pnat->to.version != 4 ||
	    pnat->from.length != pnat->to.length)
		sl_problem(host, "to", NULL,
			   "two IPv4 prefixes of one length are wanted");
}

/* @return whether something changes. */
static bool translate(const struct pnat *pnat, struct sl_address *address,
		      uint8_t transport, uint16_t *port)
{
	bool other_port = *port && *port == pnat->from_port &&
			  (transport == SL_TRANSPORT_TCP ||
			   transport == SL_TRANSPORT_UDP);
	bool other_address = sl_prefix_contains(&pnat->from, address, 4);

	if (other_port)
		*port = (uint16_t)pnat->to_port;
	if (other_address)
		address->v4 ^= pnat->from.address.v4 ^ pnat->to.address.v4;
	return other_port || other_address;
}

static enum sl_code pnat_process(void *state, struct sl_chunk *chunk,
				 struct sl_error *error)
{
	const struct pnat *pnat = state;

	(void)error;
	for (uint32_t at = 0; at < chunk->count; at++) {
		const struct sl_packet *packet = sl_chunk_packet(chunk, at);
		struct sl_address address = packet->src;
		uint16_t port = packet->sport;

		if (packet->ip_version != 4)
			continue;
		if (translate(pnat, &address, packet->transport, &port))
			sl_set_source(chunk, at, address, port);
		address = packet->dst;
		port = packet->dport;
		if (translate(pnat, &address, packet->transport, &port))
			sl_set_destination(chunk, at, address, port);
	}
	return SL_OK;
}

static const struct sl_option options[] = {
	{ .name = "from",
	  .type = SL_PREFIX,
	  .required = true,
	  .offset = offsetof(struct pnat, from),
	  .help = "The prefix to replace." },
	{ .name = "to",
	  .type = SL_PREFIX,
	  .required = true,
	  .offset = offsetof(struct pnat, to),
	  .help = "What it becomes." },
	{ .name = "from_port",
	  .type = SL_INT,
	  .default_text = "0",
	  .min = 0,
	  .max = 65535,
	  .offset = offsetof(struct pnat, from_port),
	  .help = "The port to replace." },
	{ .name = "to_port",
	  .type = SL_INT,
	  .default_text = "0",
	  .min = 0,
	  .max = 65535,
	  .offset = offsetof(struct pnat, to_port),
	  .help = "What it becomes." },
};

static const struct sl_stage stage = {
	.size = sizeof(struct sl_stage),
	.state_size = sizeof(struct pnat),
	.reads = SL_FIELD_ADDRESSES | SL_FIELD_PORTS | SL_FIELD_FRAME,
	.writes = SL_FIELD_ADDRESSES | SL_FIELD_PORTS,
	.check = pnat_check,
	.process = pnat_process,
};

const struct sl_plugin sluice_plugin = {
	.size = sizeof(struct sl_plugin),
	.abi = SL_PLUGIN_ABI,
	.kind = SL_STAGE,
	.name = "pnat",
	.summary = "replace a prefix by another one, without state",
	SL_OPTION_TABLE(options),
	.stage = &stage,
};
