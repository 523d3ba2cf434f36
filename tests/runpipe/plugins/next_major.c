/* SPDX-License-Identifier: MIT */
/* A stage made for the next major version of the ABI. */
#include "sluice/stage.h"

static const struct sl_stage next_stage = { .size = sizeof(struct sl_stage) };

const struct sl_plugin sluice_plugin = {
	.size = sizeof(struct sl_plugin),
	.abi = SL_PLUGIN_ABI + (1u << 16),
	.kind = SL_STAGE,
	.name = "next_major",
	.summary = "a test",
	.stage = &next_stage,
};
