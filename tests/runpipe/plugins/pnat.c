/* SPDX-License-Identifier: MIT */
/* pnat: a stateless NAT of prefixes for tests. An address in `from` becomes the
 * one at the same place of `to`, in either direction; ports stay. */
#include "sluice/stage.h"

struct pnat {
	struct sl_prefix from, to;
};

static void pnat_check(void *state, struct sl_host *host)
{
	const struct pnat *pnat = state;

	if (pnat->from.version != 4 || pnat->to.version != 4 ||
	    pnat->from.length != pnat->to.length)
		sl_problem(host, "to", NULL,
			   "two IPv4 prefixes of one length are wanted");
}

static bool translate(const struct pnat *pnat, struct sl_address *address)
{
	if (!sl_prefix_contains(&pnat->from, address, 4))
		return false;
	address->v4 ^= pnat->from.address.v4 ^ pnat->to.address.v4;
	return true;
}

static enum sl_code pnat_process(void *state, struct sl_chunk *chunk,
				 struct sl_error *error)
{
	const struct pnat *pnat = state;

	(void)error;
	for (uint32_t at = 0; at < chunk->count; at++) {
		const struct sl_packet *packet = sl_chunk_packet(chunk, at);
		struct sl_address address = packet->src;

		if (packet->ip_version != 4)
			continue;
		if (translate(pnat, &address))
			sl_set_source(chunk, at, address, packet->sport);
		address = packet->dst;
		if (translate(pnat, &address))
			sl_set_destination(chunk, at, address, packet->dport);
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
};

static const struct sl_stage stage = {
	.size = sizeof(struct sl_stage),
	.state_size = sizeof(struct pnat),
	.reads = SL_FIELD_ADDRESSES | SL_FIELD_PORTS | SL_FIELD_FRAME,
	.writes = SL_FIELD_ADDRESSES,
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
