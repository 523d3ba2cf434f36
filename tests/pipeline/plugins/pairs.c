/* SPDX-License-Identifier: MIT */
/* pairs: put a copy behind each packet, its source port raised by 10000. */
#include "sluice/plugin.h"
#include "sluice/stage.h"

static enum sl_code commit(void *state, struct sl_chunk *chunk,
			   struct sl_error *error)
{
	(void)state;
	for (uint32_t at = 0; at < chunk->count; at++) {
		struct sl_packet copy = *sl_chunk_packet(chunk, at);
		enum sl_code code;

		copy.sport = (uint16_t)(copy.sport + 10000);
		code = sl_emit(chunk, at, &copy, sl_chunk_info(chunk, at),
			       error);
		if (code != SL_OK)
			return code;
	}
	return SL_OK;
}

/* What was emitted must not come by here. */
static enum sl_code finish(void *state, struct sl_chunk *chunk,
			   struct sl_error *error)
{
	(void)state;
	for (uint32_t at = 0; at < chunk->count; at++)
		if (sl_chunk_packet(chunk, at)->sport >= 10000)
			return SL_FAIL(error, SL_EINVAL,
				       "finish sees an emitted packet");
	return SL_OK;
}

static const struct sl_stage stage = {
	.size = sizeof(struct sl_stage),
	.commit = commit,
	.finish = finish,
};

const struct sl_plugin sluice_plugin = {
	.size = sizeof(struct sl_plugin),
	.abi = SL_PLUGIN_ABI,
	.kind = SL_STAGE,
	.name = "pairs",
	.summary = "put a copy behind each packet",
	.stage = &stage,
};
