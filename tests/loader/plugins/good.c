/* SPDX-License-Identifier: MIT */
/* A plugin as it should be, to hold the others against. */
#include "sluice/stage.h"

struct good {
	int64_t size;
	int mode;
	struct sl_list rules;
};

static enum sl_code good_process(void *state, struct sl_chunk *chunk,
				 struct sl_error *error)
{
	struct good *good = state;

	(void)chunk;
	(void)error;
	good->size++;
	return SL_OK;
}

static const char *const modes[] = { "fast", "careful", NULL };

static const struct sl_option good_options[] = {
	{ .name = "size",
	  .type = SL_INT,
	  .offset = offsetof(struct good, size),
	  .default_text = "8",
	  .help = "How large." },
	{ .name = "mode",
	  .type = SL_ENUM,
	  .offset = offsetof(struct good, mode),
	  .choices = modes,
	  .help = "How." },
	{ .name = "rules",
	  .type = SL_LIST,
	  .element = SL_LIST,
	  .inner = SL_PREFIX,
	  .offset = offsetof(struct good, rules),
	  .help = "Pairs of prefixes." },
};

static const struct sl_stage good_stage = {
	.size = sizeof(struct sl_stage),
	.state_size = sizeof(struct good),
	.process = good_process,
};

const struct sl_plugin sluice_plugin = {
	.size = sizeof(struct sl_plugin),
	.abi = SL_PLUGIN_ABI,
	.kind = SL_STAGE,
	.name = "good",
	.summary = "count its own calls",
	SL_OPTION_TABLE(good_options),
	.stage = &good_stage,
};
