/* SPDX-License-Identifier: MIT */
/* A stage that needs a packet's bytes. */
#include "sluice/stage.h"

static enum sl_code pass(void *state, struct sl_chunk *chunk,
			 struct sl_error *error)
{
	(void)state;
	(void)chunk;
	(void)error;
	return SL_OK;
}

static const struct sl_stage frames_stage = {
	.size = sizeof(struct sl_stage),
	.process = pass,
	.reads = SL_FIELD_ADDRESSES | SL_FIELD_FRAME,
};

const struct sl_plugin sluice_plugin = {
	.size = sizeof(struct sl_plugin),
	.abi = SL_PLUGIN_ABI,
	.kind = SL_STAGE,
	.name = "frames",
	.summary = "a test",
	.stage = &frames_stage,
};
