/* SPDX-License-Identifier: MIT */
/* Steps: the order of calls, and the book-keeping around each. */
#include "pipeline/steps.h"

#include <stdlib.h>
#include <string.h>

static struct sl_plan_step *add(struct sl_plan *plan, struct sl_host *host,
				sl_step *run)
{
	struct sl_plan_step *step = &plan->steps[plan->count++];

	step->host = host;
	step->run = run;
	return step;
}

static void add_serial(struct sl_plan *plan, struct sl_host *host, sl_step *run,
		       bool flush)
{
	struct sl_plan_step *step = add(plan, host, run);

	step->serial = true;
	step->flush = flush;
	step->gate = plan->gates++;
}

static void add_source(struct sl_plan *plan, struct sl_host *host)
{
	add(plan, host, host->source->parse)->parse = true;
	if (host->source->commit)
		add_serial(plan, host, host->source->commit, false);
}

static void add_stage(struct sl_plan *plan, struct sl_host *host)
{
	const struct sl_stage *stage = host->stage;
	bool divisible = !(stage->flags & SL_WHOLE_CHUNK);

	if (stage->process)
		add(plan, host, stage->process)->divisible = divisible;
	if (stage->prepare)
		add(plan, host, stage->prepare)->divisible = divisible;
	if (stage->commit || stage->flush)
		add_serial(plan, host, stage->commit, stage->flush);
	if (stage->finish)
		add(plan, host, stage->finish)->divisible = divisible;
}

static void add_sink(struct sl_plan *plan, struct sl_host *host)
{
	if (host->sink->prepare)
		add(plan, host, host->sink->prepare);
	add_serial(plan, host, host->sink->write, false);
}

enum sl_code sl_plan_init(struct sl_plan *plan, struct sl_host *const *hosts,
			  size_t count, struct sl_error *error)
{
	memset(plan, 0, sizeof(*plan));
	plan->steps = calloc(count * 3, sizeof(*plan->steps));
	if (!plan->steps)
		return SL_FAIL(error, SL_ENOMEM, "no memory for %zu stages",
			       count);

	for (size_t at = 0; at < count; at++) {
		unsigned first = plan->count;

		if (hosts[at]->source)
			add_source(plan, hosts[at]);
		else if (hosts[at]->stage)
			add_stage(plan, hosts[at]);
		else
			add_sink(plan, hosts[at]);
		if (plan->count > first) {
			plan->steps[first].first = true;
			plan->steps[plan->count - 1].last = true;
		}
	}
	return SL_OK;
}

void sl_plan_finish(struct sl_plan *plan)
{
	free(plan->steps);
	memset(plan, 0, sizeof(*plan));
}

void sl_chunk_bind(struct sl_chunk *chunk, const struct sl_plan_step *step,
		   unsigned worker)
{
	struct sl_host *host = step->host;

	chunk->host->running = host;
	chunk->worker = host->worker_size ? (char *)host->worker_states +
						    host->worker_stride * worker
					  : NULL;
}

void sl_step_begin(const struct sl_plan_step *step, struct sl_chunk *chunk,
		   unsigned worker)
{
	struct sl_host *host = step->host;
	uint64_t *tally = chunk->host->tally + host->tally;

	sl_chunk_bind(chunk, step, worker);
	chunk->drops = tally + SL_TALLY_DROPS;
	chunk->drop_count = (uint32_t)host->drop_count;
	chunk->host->ordered = step->serial;
	if (!step->first)
		return;
	tally[SL_TALLY_IN] += chunk->count;
	if (host->scratch_size)
		memset(chunk->scratch, 0, host->scratch_size * chunk->used);
}

void sl_step_call(const struct sl_plan_step *step, struct sl_chunk *chunk)
{
	struct sl_error error = { .code = SL_OK };
	enum sl_code code;

	if (!step->run)
		return;
	code = step->run(step->host->state, chunk, &error);
	if (code == SL_OK)
		return;
	sl_error_complete(&error, code);
	if (step->parse)
		sl_chunk_note_failure(chunk, SL_BEHIND_PARSED, 0, step->host,
				      &error);
	else
		sl_chunk_note_whole_failure(chunk, &error);
}

static void flush(const struct sl_plan_step *step, struct sl_parcel *parcel)
{
	struct sl_error error = { .code = SL_OK };
	struct sl_chunk *chunk = &parcel->chunk;
	size_t emitted = chunk->host->emission_count;
	bool more = false;
	enum sl_code code;

	/* A stage's input ends when all before it have given what they held. */
	if (!parcel->flush || parcel->flush_more || step->host->flushed)
		return;
	chunk->host->flushing = true;
	code = step->host->stage->flush(step->host->state, chunk, &more,
					&error);
	chunk->host->flushing = false;
	if (code == SL_OK && more && emitted == chunk->host->emission_count &&
	    chunk->used + emitted < SL_CHUNK_PACKETS_MAX)
		code = SL_FAIL(&error, SL_EINVAL,
			       "flush has more, but emits nothing");
	if (code != SL_OK) {
		sl_error_complete(&error, code);
		sl_chunk_note_failure(chunk, SL_BEHIND_ALL, 0, step->host,
				      &error);
	}
	parcel->flush_more = more;
	step->host->flushed = !more;
}

void sl_step_end(const struct sl_plan_step *step, struct sl_parcel *parcel)
{
	struct sl_chunk *chunk = &parcel->chunk;
	uint64_t *tally = chunk->host->tally + step->host->tally;
	struct sl_error error = { .code = SL_OK };

	if (step->flush)
		flush(step, parcel);
	sl_chunk_compact(chunk);
	if (step->parse)
		tally[SL_TALLY_IN] += chunk->count;
	if (step->last && sl_chunk_join_emissions(chunk, &error) != SL_OK)
		sl_chunk_note_whole_failure(chunk, &error);
	if (chunk->host->failed_at < SL_BEHIND_PARSED)
		sl_chunk_truncate(chunk, chunk->host->failed_at);
	/* How far a step came before it gave up is chance, where it was shared;
	 * so none of its drops counts. */
	if (chunk->host->whole_failed)
		memset(&tally[SL_TALLY_DROPS], 0,
		       step->host->drop_count * sizeof(*tally));
	chunk->host->whole_failed = false;
	if (step->last)
		tally[SL_TALLY_OUT] += chunk->count;
}
