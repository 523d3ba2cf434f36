/* SPDX-License-Identifier: MIT */
/* sample: keep the first of every `every` packets of the input.
 *
 * Which packet is kept depends on its place in the input alone, so the sample
 * is the same for every number of workers. */
#include "sluice/plugin.h"
#include "sluice/stage.h"

struct sample {
	int64_t every;
};

enum { DROP_NOT_SAMPLED };

static const char *const sample_drops[] = { "not_sampled", NULL };

static const struct sl_option sample_options[] = {
	{ .name = "every",
	  .type = SL_INT,
	  .offset = offsetof(struct sample, every),
	  .default_text = "100",
	  .min = 1,
	  .max = INT64_MAX,
	  .unit = "packets",
	  .help = "Of so many packets, the first is kept." },
};

static enum sl_code sample_process(void *state, struct sl_chunk *chunk,
				   struct sl_error *error)
{
	const struct sample *sample = state;
	uint64_t every = (uint64_t)sample->every;

	(void)error;
	for (uint32_t at = 0; at < chunk->count; at++) {
		if (sl_chunk_info(chunk, at)->index % every)
			sl_drop(chunk, at, DROP_NOT_SAMPLED);
	}
	return SL_OK;
}

static const struct sl_stage sample_stage = {
	.size = sizeof(struct sl_stage),
	.state_size = sizeof(struct sample),
	.drops = sample_drops,
	.process = sample_process,
};

const struct sl_plugin sluice_plugin = {
	.size = sizeof(struct sl_plugin),
	.abi = SL_PLUGIN_ABI,
	.kind = SL_STAGE,
	.name = "sample",
	.summary = "keep one of every N packets",
	SL_OPTION_TABLE(sample_options),
	.stage = &sample_stage,
};
