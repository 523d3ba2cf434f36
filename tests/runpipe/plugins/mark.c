/* SPDX-License-Identifier: MIT */
/* One of several stages that each export a function lookup(), with another
 * ANSWER each, and write its answer behind the digits of every destination
 * port: what they leave shows whose function each of them called. */
#include "sluice/stage.h"

SL_BEGIN_DECLS
unsigned lookup(void);
SL_END_DECLS

unsigned lookup(void)
{
	return ANSWER;
}

static enum sl_code mark_process(void *state, struct sl_chunk *chunk,
				 struct sl_error *error)
{
	(void)state;
	(void)error;
	for (uint32_t at = 0; at < chunk->count; at++) {
		const struct sl_packet *packet = sl_chunk_packet(chunk, at);
		unsigned port = packet->dport * 10u + lookup();

		sl_set_destination(chunk, at, packet->dst, (uint16_t)port);
	}
	return SL_OK;
}

static const struct sl_stage mark_stage = {
	.size = sizeof(struct sl_stage),
	.reads = SL_FIELD_ADDRESSES | SL_FIELD_PORTS,
	.writes = SL_FIELD_PORTS,
	.process = mark_process,
};

const struct sl_plugin sluice_plugin = {
	.size = sizeof(struct sl_plugin),
	.abi = SL_PLUGIN_ABI,
	.kind = SL_STAGE,
	.name = "mark",
	.summary = "a test",
	.stage = &mark_stage,
};
