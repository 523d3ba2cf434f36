/* SPDX-License-Identifier: MIT */
/* slow: spend processor time on each packet, so that idle workers are asked
 * to help; drop every seventh, and count in the worker's state. */
#include "sluice/plugin.h"
#include "sluice/stage.h"

enum { DROP_SEVENTH };
static const char *const drop_names[] = { "seventh", NULL };

struct slow {
	int64_t rounds;
};

struct worker {
	uint64_t packets;
};

static enum sl_code process(void *state, struct sl_chunk *chunk,
			    struct sl_error *error)
{
	const struct slow *slow = state;
	struct worker *worker = chunk->worker;

	(void)error;
	for (uint32_t at = 0; at < chunk->count; at++) {
		struct sl_packet *packet = sl_chunk_packet(chunk, at);
		uint64_t spin = packet->dport;

		for (int64_t round = 0; round < slow->rounds; round++) {
			SL_OPAQUE(spin);
			spin = spin * 6364136223846793005u + 1;
		}
		worker->packets++;
		packet->dport = (uint16_t)(packet->dport + (spin == 0));
		if (sl_chunk_info(chunk, at)->index % 7 == 6)
			sl_drop(chunk, at, DROP_SEVENTH);
	}
	return SL_OK;
}

static const struct sl_option options[] = {
	{ .name = "rounds",
	  .type = SL_INT,
	  .offset = offsetof(struct slow, rounds),
	  .default_text = "1000",
	  .min = 0,
	  .max = 1000000000 },
};

static const struct sl_stage stage = {
	.size = sizeof(struct sl_stage),
	.state_size = sizeof(struct slow),
	.worker_size = sizeof(struct worker),
	.drops = drop_names,
	.process = process,
};

const struct sl_plugin sluice_plugin = {
	.size = sizeof(struct sl_plugin),
	.abi = SL_PLUGIN_ABI,
	.kind = SL_STAGE,
	.name = "slow",
	.summary = "spend time on each packet",
	SL_OPTION_TABLE(options),
	.stage = &stage,
};
