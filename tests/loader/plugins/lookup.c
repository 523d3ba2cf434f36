/* SPDX-License-Identifier: MIT */
/* One of several plugins that each export a function lookup(), with another
 * ANSWER each, as plugins not compiled with -fvisibility=hidden do. Its step
 * writes the answer to its state. */
#include "sluice/stage.h"

SL_BEGIN_DECLS
int lookup(void);
SL_END_DECLS

int lookup(void)
{
	return ANSWER;
}

static enum sl_code lookup_process(void *state, struct sl_chunk *chunk,
				   struct sl_error *error)
{
	(void)chunk;
	(void)error;
	*(int *)state = lookup();
	return SL_OK;
}

static const struct sl_stage lookup_stage = {
	.size = sizeof(struct sl_stage),
	.state_size = sizeof(int),
	.process = lookup_process,
};

const struct sl_plugin sluice_plugin = {
	.size = sizeof(struct sl_plugin),
	.abi = SL_PLUGIN_ABI,
	.kind = SL_STAGE,
	.name = "lookup",
	.summary = "a test",
	.stage = &lookup_stage,
};
