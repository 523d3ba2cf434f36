/* SPDX-License-Identifier: MIT */
/* marker: pass everything, and emit one packet of source port 20000 when the
 * input ends. */
#include "sluice/plugin.h"
#include "sluice/stage.h"

static enum sl_code flush(void *state, struct sl_chunk *chunk, bool *more,
			  struct sl_error *error)
{
	const struct sl_packet packet = { .sport = 20000,
					  .dport = 1,
					  .ip_version = 4 };
	const struct sl_packet_info info = { .index = UINT64_C(1) << 40 };

	(void)state;
	(void)more;
	return sl_emit(chunk, 0, &packet, &info, error);
}

static const struct sl_stage stage = {
	.size = sizeof(struct sl_stage),
	.flush = flush,
};

const struct sl_plugin sluice_plugin = {
	.size = sizeof(struct sl_plugin),
	.abi = SL_PLUGIN_ABI,
	.kind = SL_STAGE,
	.name = "marker",
	.summary = "emit one packet at the end",
	.stage = &stage,
};
