/* SPDX-License-Identifier: MIT */
/* A stage that fails at packets whose index is in the list `at`, in the step
 * that `step` says. */
#include "sluice/stage.h"

enum step { PREPARE, COMMIT, FINISH };

struct stumble {
	struct sl_list at; /* of int64_t */
	int step;
};

static void fail_where_told(const struct stumble *stumble,
			    struct sl_chunk *chunk, enum step step)
{
	if (stumble->step != (int)step)
		return;
	for (uint32_t at = 0; at < chunk->count; at++) {
		int64_t index = (int64_t)sl_chunk_info(chunk, at)->index;

		for (size_t bad = 0; bad < stumble->at.count; bad++)
			if (stumble->at.values[bad].integer == index)
				SL_FAIL_PACKET(chunk, at, "it stumbles");
	}
}

static enum sl_code prepare(void *state, struct sl_chunk *chunk,
			    struct sl_error *error)
{
	(void)error;
	fail_where_told(state, chunk, PREPARE);
	return SL_OK;
}

static enum sl_code commit(void *state, struct sl_chunk *chunk,
			   struct sl_error *error)
{
	(void)error;
	fail_where_told(state, chunk, COMMIT);
	return SL_OK;
}

static enum sl_code finish(void *state, struct sl_chunk *chunk,
			   struct sl_error *error)
{
	(void)error;
	fail_where_told(state, chunk, FINISH);
	return SL_OK;
}

static const char *const steps[] = { "prepare", "commit", "finish", NULL };

static const struct sl_option stumble_options[] = {
	{ .name = "at",
	  .type = SL_LIST,
	  .element = SL_INT,
	  .offset = offsetof(struct stumble, at),
	  .help = "Packets, by their index in the input." },
	{ .name = "step",
	  .type = SL_ENUM,
	  .offset = offsetof(struct stumble, step),
	  .default_text = "prepare",
	  .choices = steps,
	  .help = "Where." },
};

static const struct sl_stage stumble_stage = {
	.size = sizeof(struct sl_stage),
	.state_size = sizeof(struct stumble),
	.prepare = prepare,
	.commit = commit,
	.finish = finish,
};

const struct sl_plugin sluice_plugin = {
	.size = sizeof(struct sl_plugin),
	.abi = SL_PLUGIN_ABI,
	.kind = SL_STAGE,
	.name = "stumble",
	.summary = "a test",
	SL_OPTION_TABLE(stumble_options),
	.stage = &stumble_stage,
};
