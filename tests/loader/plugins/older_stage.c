/* SPDX-License-Identifier: MIT */
/* A stage of an older minor version: its structures are shorter than ours, and
 * what lies behind them is none of the host's business. */
#include "sluice/stage.h"

static enum sl_code older_commit(void *state, struct sl_chunk *chunk,
				 struct sl_error *error)
{
	(void)chunk;
	(void)error;
	*(int64_t *)state += 1;
	return SL_OK;
}

static const struct {
	struct older_option {
		const char *name;
		enum sl_option_type type, element, inner;
		bool required;
		size_t offset;
		const char *default_text;
	} rows[2];
	struct older_part {
		size_t size, state_size, worker_size, scratch_size;
		uint32_t reads, writes, flags;
		const char *const *drops;
		void (*check)(void *state, struct sl_host *host);
		enum sl_code (*open)(void *state, struct sl_host *host,
				     struct sl_error *error);
		void (*close)(void *state);
		sl_step *process, *prepare, *commit, *finish;
	} stage;
	char behind[64];
} older = {
	.rows = { { .name = "first",
		    .type = SL_INT,
		    .offset = 0,
		    .default_text = "1" },
		  { .name = "second", .type = SL_DURATION, .offset = 8 } },
	.stage = { .size = sizeof(struct older_part),
		   .state_size = 16,
		   .commit = older_commit },
	.behind = "behind the structure, not a pointer to a function",
};

SL_STATIC_ASSERT(sizeof(struct older_part) == offsetof(struct sl_stage, flush),
		 "the beginning of today's structure");

const struct sl_plugin sluice_plugin = {
	.size = offsetof(struct sl_plugin, sink),
	.abi = SL_PLUGIN_ABI,
	.kind = SL_STAGE,
	.name = "older_stage",
	.summary = "a test",
	.options = (const struct sl_option *)(const void *)older.rows,
	.option_count = 2,
	.option_size = sizeof(older.rows[0]),
	.stage = (const struct sl_stage *)(const void *)&older.stage,
	.sink = (const struct sl_sink *)(const void *)older.behind,
};
