/* SPDX-License-Identifier: MIT */
/* A source of an older minor version, which had no commit and no place. */
#include "sluice/source.h"

static enum sl_code older_step(void *state, struct sl_chunk *chunk,
			       struct sl_error *error)
{
	(void)state;
	(void)chunk;
	(void)error;
	return SL_END;
}

static const struct {
	struct older_part {
		size_t size, state_size, worker_size, cut_size;
		uint32_t provides;
		const char *const *drops;
		void (*check)(void *state, struct sl_host *host);
		enum sl_code (*open)(void *state, struct sl_host *host,
				     struct sl_error *error);
		void (*close)(void *state);
		sl_step *cut, *parse;
	} source;
	char behind[64];
} older = {
	.source = { .size = sizeof(struct older_part),
		    .state_size = 8,
		    .cut = older_step,
		    .parse = older_step },
	.behind = "behind the structure, not a pointer to a function",
};

SL_STATIC_ASSERT(sizeof(struct older_part) ==
			 offsetof(struct sl_source, commit),
		 "the beginning of today's structure");

const struct sl_plugin sluice_plugin = {
	.size = sizeof(struct sl_plugin),
	.abi = SL_PLUGIN_ABI,
	.kind = SL_SOURCE,
	.name = "older_source",
	.summary = "a test",
	.source = (const struct sl_source *)(const void *)&older.source,
};
