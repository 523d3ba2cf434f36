/* SPDX-License-Identifier: MIT */
/* fail: fail at the packet of one input index, in the step that is asked for,
 * alone or with its whole chunk. */
#include <string.h>

#include "sluice/plugin.h"
#include "sluice/stage.h"

enum step { PREPARE, COMMIT, FINISH, OPEN, FLUSH, MORE };
static const char *const step_words[] = { "prepare", "commit", "finish", "open",
					  "flush",   "more",   NULL };

struct fail {
	int64_t at;
	int step;
	bool whole;
	bool silent; /* fail without a word */
};

static enum sl_code look(const struct fail *fail, enum step step,
			 struct sl_chunk *chunk, struct sl_error *error)
{
	if (fail->step != (int)step)
		return SL_OK;
	for (uint32_t at = 0; at < chunk->count; at++) {
		uint64_t index = sl_chunk_info(chunk, at)->index;

		if (index < (uint64_t)fail->at)
			continue;
		if (fail->whole && index == (uint64_t)fail->at)
			return fail->silent ? SL_EINVAL
					    : SL_FAIL(error, SL_EINVAL,
						      "the chunk is bad");
		if (!fail->whole)
			SL_FAIL_PACKET(chunk, at, "packet %llu is bad",
				       (unsigned long long)index);
	}
	return SL_OK;
}

static enum sl_code prepare(void *state, struct sl_chunk *chunk,
			    struct sl_error *error)
{
	return look(state, PREPARE, chunk, error);
}

static enum sl_code commit(void *state, struct sl_chunk *chunk,
			   struct sl_error *error)
{
	return look(state, COMMIT, chunk, error);
}

static enum sl_code finish(void *state, struct sl_chunk *chunk,
			   struct sl_error *error)
{
	return look(state, FINISH, chunk, error);
}

static enum sl_code fail_open(void *state, struct sl_host *host,
			      struct sl_error *error)
{
	const struct fail *fail = state;

	(void)host;
	if (fail->step != OPEN)
		return SL_OK;
	return fail->silent ? SL_EIO
			    : SL_FAIL(error, SL_EIO, "it does not open");
}

static enum sl_code fail_flush(void *state, struct sl_chunk *chunk, bool *more,
			       struct sl_error *error)
{
	const struct fail *fail = state;

	(void)chunk;
	*more = fail->step == MORE;
	if (fail->step != FLUSH)
		return SL_OK;
	return fail->silent ? SL_EIO
			    : SL_FAIL(error, SL_EIO, "it does not flush");
}

static const struct sl_option options[] = {
	{ .name = "at",
	  .type = SL_INT,
	  .offset = offsetof(struct fail, at),
	  .default_text = "0" },
	{ .name = "step",
	  .type = SL_ENUM,
	  .offset = offsetof(struct fail, step),
	  .default_text = "commit",
	  .choices = step_words },
	{ .name = "whole",
	  .type = SL_BOOL,
	  .offset = offsetof(struct fail, whole),
	  .default_text = "false" },
	{ .name = "silent",
	  .type = SL_BOOL,
	  .offset = offsetof(struct fail, silent),
	  .default_text = "false" },
};

static const struct sl_stage stage = {
	.size = sizeof(struct sl_stage),
	.state_size = sizeof(struct fail),
	.open = fail_open,
	.prepare = prepare,
	.commit = commit,
	.finish = finish,
	.flush = fail_flush,
};

const struct sl_plugin sluice_plugin = {
	.size = sizeof(struct sl_plugin),
	.abi = SL_PLUGIN_ABI,
	.kind = SL_STAGE,
	.name = "fail",
	.summary = "fail where it is told to",
	SL_OPTION_TABLE(options),
	.stage = &stage,
};
