/* SPDX-License-Identifier: MIT */
/* delay: make chunks overtake each other, so that tests can prove that order
 * survives it. */
#include <time.h>

#include "sluice/random.h"
#include "sluice/stage.h"

struct delay {
	int64_t max; /* ns */
	int64_t seed;
};

static enum sl_code delay_process(void *state, struct sl_chunk *chunk,
				  struct sl_error *error)
{
	const struct delay *delay = state;
	uint64_t chance = sl_random_at((uint64_t)delay->seed, chunk->sequence);
	uint64_t wait_ns = chance % ((uint64_t)delay->max + 1);
	struct timespec wait = { .tv_sec = (time_t)(wait_ns / 1000000000),
				 .tv_nsec = (long)(wait_ns % 1000000000) };

	(void)error;
	/* A signal may end it early: packets do not depend on the wait. */
	(void)clock_nanosleep(CLOCK_MONOTONIC, 0, &wait, NULL);
	return SL_OK;
}

static const struct sl_option delay_options[] = {
	{ .name = "max",
	  .type = SL_DURATION,
	  .offset = offsetof(struct delay, max),
	  .default_text = "1 ms",
	  .min = 0,
	  .max = INT64_C(10000000000),
	  .help = "The longest wait for a chunk; each is uniform between 0 and "
		  "this." },
	{ .name = "seed",
	  .type = SL_INT,
	  .offset = offsetof(struct delay, seed),
	  .default_text = "1",
	  .help = "Where chance starts: chunk N of a run waits equally long in "
		  "every run with the same seed." },
};

static const struct sl_stage delay_stage = {
	.size = sizeof(struct sl_stage),
	.state_size = sizeof(struct delay),
	.flags = SL_WHOLE_CHUNK,
	.process = delay_process,
};

const struct sl_plugin sluice_plugin = {
	.size = sizeof(struct sl_plugin),
	.abi = SL_PLUGIN_ABI,
	.kind = SL_STAGE,
	.name = "delay",
	.summary = "a random wait for each chunk, for tests of order",
	SL_OPTION_TABLE(delay_options),
	.stage = &delay_stage,
};
