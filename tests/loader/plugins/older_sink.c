/* SPDX-License-Identifier: MIT */
/* A sink of an older minor version, which had no end. */
#include "sluice/sink.h"

static const struct {
	struct older_part {
		size_t size, state_size, worker_size;
		uint32_t reads;
		void (*check)(void *state, struct sl_host *host);
		enum sl_code (*open)(void *state, struct sl_host *host,
				     struct sl_error *error);
		void (*close)(void *state);
		sl_step *prepare, *write;
	} sink;
	char behind[64];
} older = {
	.sink = { .size = sizeof(struct older_part), .state_size = 8 },
	.behind = "behind the structure, not a pointer to a function",
};

SL_STATIC_ASSERT(sizeof(struct older_part) == offsetof(struct sl_sink, end),
		 "the beginning of today's structure");

const struct sl_plugin sluice_plugin = {
	.size = sizeof(struct sl_plugin),
	.abi = SL_PLUGIN_ABI,
	.kind = SL_SINK,
	.name = "older_sink",
	.summary = "a test",
	.sink = (const struct sl_sink *)(const void *)&older.sink,
};
