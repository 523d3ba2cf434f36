/* SPDX-License-Identifier: MIT */
/* A stage that calls a function which nobody has. */
#include "sluice/stage.h"

SL_BEGIN_DECLS
enum sl_code sl_nobody_has_this(void);
SL_END_DECLS

static enum sl_code undefined_process(void *state, struct sl_chunk *chunk,
				      struct sl_error *error)
{
	(void)state;
	(void)chunk;
	(void)error;
	return sl_nobody_has_this();
}

static const struct sl_stage undefined_stage = {
	.size = sizeof(struct sl_stage),
	.process = undefined_process,
};

const struct sl_plugin sluice_plugin = {
	.size = sizeof(struct sl_plugin),
	.abi = SL_PLUGIN_ABI,
	.kind = SL_STAGE,
	.name = "undefined",
	.summary = "a test",
	.stage = &undefined_stage,
};
