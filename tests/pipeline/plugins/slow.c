/* SPDX-License-Identifier: MIT */
/* slow: spend processor time on each packet, so that idle workers are asked
 * to help; drop every seventh. It can fail at packets, alone or with the chunk,
 * hold where it must not, and insist on being helped. */
#include <stdatomic.h>

#include "sluice/plugin.h"
#include "sluice/stage.h"

enum { DROP_SEVENTH };
static const char *const drop_names[] = { "seventh", NULL };

enum fault { NONE, PACKETS, WHOLE, HOLD };
static const char *const fault_words[] = { "none", "packets", "whole", "hold",
					   NULL };

struct slow {
	int64_t rounds, fail_from;
	int fault;
	bool shared; /* the run fails unless a second worker sees packets */
	atomic_uint workers;
};

struct worker {
	unsigned number; /* from 1 */
};

static enum sl_code misbehave(const struct slow *slow, struct sl_chunk *chunk,
			      uint32_t at, struct sl_error *error)
{
	unsigned long long index = sl_chunk_info(chunk, at)->index;

	if (slow->fault == PACKETS)
		SL_FAIL_PACKET(chunk, at, "packet %llu is bad", index);
	else if (slow->fault == WHOLE)
		return SL_FAIL(error, SL_EINVAL, "gives up at packet %llu",
			       index);
	else if (slow->fault == HOLD)
		sl_hold(chunk, at);
	return SL_OK;
}

static enum sl_code process(void *state, struct sl_chunk *chunk,
			    struct sl_error *error)
{
	struct slow *slow = state;
	struct worker *worker = chunk->worker;

	if (!worker->number)
		worker->number = atomic_fetch_add(&slow->workers, 1) + 1;
	for (uint32_t at = 0; at < chunk->count; at++) {
		struct sl_packet *packet = sl_chunk_packet(chunk, at);
		uint64_t spin = packet->dport;

		for (int64_t round = 0; round < slow->rounds; round++) {
			SL_OPAQUE(spin);
			spin = spin * 6364136223846793005u + 1;
		}
		if (sl_chunk_info(chunk, at)->index >=
		    (uint64_t)slow->fail_from) {
			enum sl_code code = misbehave(slow, chunk, at, error);

			if (code != SL_OK)
				return code;
		}
		packet->dport = (uint16_t)(packet->dport + (spin == 0));
		if (!sl_is_gone(chunk, at) &&
		    sl_chunk_info(chunk, at)->index % 7 == 6)
			sl_drop(chunk, at, DROP_SEVENTH);
	}
	return SL_OK;
}

/* After the run, on one thread. */
static enum sl_code slow_flush(void *state, struct sl_chunk *chunk, bool *more,
			       struct sl_error *error)
{
	struct slow *slow = state;

	(void)chunk;
	(void)more;
	if (slow->shared && atomic_load(&slow->workers) < 2)
		return SL_FAIL(error, SL_EINVAL, "nobody helped");
	return SL_OK;
}

static const struct sl_option options[] = {
	{ .name = "rounds",
	  .type = SL_INT,
	  .offset = offsetof(struct slow, rounds),
	  .default_text = "1000",
	  .min = 0,
	  .max = 1000000000 },
	{ .name = "fault",
	  .type = SL_ENUM,
	  .offset = offsetof(struct slow, fault),
	  .default_text = "none",
	  .choices = fault_words },
	{ .name = "fail_from",
	  .type = SL_INT,
	  .offset = offsetof(struct slow, fail_from),
	  .default_text = "0" },
	{ .name = "shared",
	  .type = SL_BOOL,
	  .offset = offsetof(struct slow, shared),
	  .default_text = "false" },
};

static const struct sl_stage stage = {
	.size = sizeof(struct sl_stage),
	.state_size = sizeof(struct slow),
	.worker_size = sizeof(struct worker),
	.drops = drop_names,
	.process = process,
	.flush = slow_flush,
};

const struct sl_plugin sluice_plugin = {
	.size = sizeof(struct sl_plugin),
	.abi = SL_PLUGIN_ABI,
	.kind = SL_STAGE,
	.name = "slow",
	.summary = "spend time on each packet",
	SL_OPTION_TABLE(options),
	.stage = &stage,
};
