/* SPDX-License-Identifier: MIT */
/* null: pass every packet on. The smallest stage, to copy from and to measure
 * what a stage costs by being there. */
#include "sluice/stage.h"

static enum sl_code null_process(void *state, struct sl_chunk *chunk,
				 struct sl_error *error)
{
	(void)state, (void)chunk, (void)error;
	return SL_OK;
}

static const struct sl_stage null_stage = {
	.size = sizeof(struct sl_stage),
	.process = null_process,
};

const struct sl_plugin sluice_plugin = {
	.size = sizeof(struct sl_plugin),
	.abi = SL_PLUGIN_ABI,
	.kind = SL_STAGE,
	.name = "null",
	.summary = "pass every packet on",
	.stage = &null_stage,
};
