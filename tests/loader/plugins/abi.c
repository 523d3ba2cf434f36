/* SPDX-License-Identifier: MIT */
/* A plugin made for another ABI: MAJOR.MINOR, as the build defines them. */
#include "sluice/stage.h"

static const struct sl_stage abi_stage = { .size = sizeof(struct sl_stage) };

const struct sl_plugin sluice_plugin = {
	.size = sizeof(struct sl_plugin),
	.abi = (uint32_t)(MAJOR) << 16 | (MINOR),
	.kind = SL_STAGE,
	.name = "abi",
	.summary = "a test",
	.stage = &abi_stage,
};
