/* SPDX-License-Identifier: MIT */
/* discard: count every packet and let it go. */
#include "sluice/plugin.h"
#include "sluice/sink.h"

static const struct sl_sink discard_sink = {
	.size = sizeof(struct sl_sink),
};

const struct sl_plugin sluice_plugin = {
	.size = sizeof(struct sl_plugin),
	.abi = SL_PLUGIN_ABI,
	.kind = SL_SINK,
	.name = "discard",
	.summary = "count every packet and let it go",
	.sink = &discard_sink,
};
