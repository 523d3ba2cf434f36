/* SPDX-License-Identifier: MIT */
/* compute: a unit of work for each packet, whose result is known. It stands
 * for the real work of a stage in measurements. */
#include "queens.h"
#include "sluice/stage.h"

struct compute {
	int kernel; /* index into `kernels`; there is one */
	int64_t size; /* queens */
	int64_t repeat; /* runs a packet */
};

/* The size is made opaque for every run: what the compiler cannot know it can
 * neither compute once for all packets nor leave out. */
static unsigned run_kernel(unsigned size)
{
	unsigned count;

	SL_OPAQUE(size);
	count = queens_count(size);
	SL_OPAQUE(count);
	return count;
}

static enum sl_code compute_process(void *state, struct sl_chunk *chunk,
				    struct sl_error *error)
{
	const struct compute *compute = state;
	unsigned size = (unsigned)compute->size;
	unsigned known = queens_known(size);

	(void)error;
	for (uint32_t at = 0; at < chunk->count; at++) {
		for (int64_t run = 0; run < compute->repeat; run++) {
			unsigned count = run_kernel(size);

			if (SL_LIKELY(count == known))
				continue;
			SL_FAIL_PACKET(chunk, at,
				       "%u queens stand in %u ways, counted %u",
				       size, known, count);
			break;
		}
	}
	return SL_OK;
}

static const char *const kernels[] = { "nqueens", NULL };

static const struct sl_option compute_options[] = {
	{ .name = "kernel",
	  .type = SL_ENUM,
	  .offset = offsetof(struct compute, kernel),
	  .default_text = "nqueens",
	  .choices = kernels,
	  .help = "What to compute: the ways to put `size` queens on a board "
		  "so that none attacks another." },
	{ .name = "size",
	  .type = SL_INT,
	  .offset = offsetof(struct compute, size),
	  .default_text = "8",
	  .min = 1,
	  .max = QUEENS_MAX,
	  .unit = "queens",
	  .help = "Side of the board." },
	{ .name = "repeat",
	  .type = SL_INT,
	  .offset = offsetof(struct compute, repeat),
	  .default_text = "1",
	  .min = 1,
	  .max = 1000000,
	  .unit = "runs a packet",
	  .help = "How many times a packet runs the kernel." },
};

static const struct sl_stage compute_stage = {
	.size = sizeof(struct sl_stage),
	.state_size = sizeof(struct compute),
	.process = compute_process,
};

const struct sl_plugin sluice_plugin = {
	.size = sizeof(struct sl_plugin),
	.abi = SL_PLUGIN_ABI,
	.kind = SL_STAGE,
	.name = "compute",
	.summary = "work for each packet, with a known result",
	SL_OPTION_TABLE(compute_options),
	.stage = &compute_stage,
};
