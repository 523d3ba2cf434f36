/* SPDX-License-Identifier: MIT */
#include "watch/pipeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const first_names[] = { "packets_in", "packets_out",
					   "packets_dropped" };
#define FIRST (sizeof(first_names) / sizeof(first_names[0]))

/* What stands behind @p prefix in a counter's name; NULL: it has another. */
static const char *behind(const struct sl_watch_counter *counter,
			  const char *prefix)
{
	size_t length = strlen(prefix);

	return strncmp(counter->value.name, prefix, length) == 0
		       ? counter->value.name + length
		       : NULL;
}

bool sl_watch_is_pipeline(const struct sl_watch_program *program)
{
	if (program->about.count < FIRST)
		return false;
	for (size_t at = 0; at < FIRST; at++)
		if (strcmp(program->counters[at].value.name, first_names[at]) !=
		    0)
			return false;
	return true;
}

/* Cut names differ between the three counters of an instance, so it is their
 * order that tells which belong together. */
static size_t take_stage(struct sl_watch_pipeline *pipeline, size_t at)
{
	const struct sl_watch_program *program = pipeline->program;
	struct sl_watch_stage *stage =
		&pipeline->stages[pipeline->stage_count++];
	const char *name;

	stage->packets = &program->counters[at];
	stage->name = behind(stage->packets, "packets.");
	if (at + 1 < program->about.count &&
	    behind(&program->counters[at + 1], "dropped."))
		stage->dropped = &program->counters[++at];
	if (at + 1 < program->about.count) {
		name = behind(&program->counters[at + 1], "busy.");
		if (name) {
			stage->busy = &program->counters[++at];
			stage->name = name;
		}
	}
	return at;
}

static void take_domain(struct sl_watch_pipeline *pipeline,
			const struct sl_watch_counter *counter)
{
	const char *name = behind(counter, "energy.");

	if (name)
		pipeline->domains[pipeline->domain_count++] =
			(struct sl_watch_domain){ name, counter };
}

enum sl_code sl_watch_pipeline_init(struct sl_watch_pipeline *pipeline,
				    const struct sl_watch_program *program,
				    struct sl_error *error)
{
	size_t count = program->about.count;

	*pipeline = (struct sl_watch_pipeline){
		.program = program,
		.in = &program->counters[0],
		.out = &program->counters[1],
		.dropped = &program->counters[2],
		.workers = sl_watch_find(program, "workers"),
		.energy = sl_watch_find(program, "energy"),
		.power = sl_watch_find(program, "power"),
		.estimate = sl_watch_find(program, "estimate"),
		.stages = calloc(count, sizeof(*pipeline->stages)),
		.domains = calloc(count, sizeof(*pipeline->domains)),
	};
	if (!pipeline->stages || !pipeline->domains) {
		sl_watch_pipeline_finish(pipeline);
		return SL_FAIL(error, SL_ENOMEM, "no memory for a pipeline");
	}
	for (size_t at = FIRST; at < count; at++) {
		if (behind(&program->counters[at], "packets."))
			at = take_stage(pipeline, at);
		else
			take_domain(pipeline, &program->counters[at]);
	}
	return SL_OK;
}

void sl_watch_pipeline_finish(struct sl_watch_pipeline *pipeline)
{
	free(pipeline->stages);
	free(pipeline->domains);
	*pipeline = (struct sl_watch_pipeline){ .program = NULL };
}

static double sane(double number)
{
	return isfinite(number) ? number : NAN;
}

double sl_watch_number(const struct sl_watch_counter *counter)
{
	return counter ? sane(counter->value.number) : NAN;
}

double sl_watch_rate(const struct sl_watch_counter *counter)
{
	return counter ? sane(counter->rate) : NAN;
}

/* A quotient of what was counted: nothing by nothing has no figure. */
static double ratio(double of, double by)
{
	return by > 0 ? sane(of / by) : NAN;
}

/* Without work there is no efficiency. */
static double efficiency(double packets, double joules)
{
	return packets > 0 ? ratio(packets, joules) : NAN;
}

double sl_watch_load(const struct sl_watch_pipeline *pipeline,
		     const struct sl_watch_stage *stage)
{
	return ratio(sl_watch_rate(stage->busy),
		     sl_watch_number(pipeline->workers));
}

double sl_watch_past_load(const struct sl_watch_pipeline *pipeline,
			  const struct sl_watch_stage *stage, size_t back)
{
	return ratio(sl_watch_past(pipeline->program, stage->busy, back),
		     sl_watch_number(pipeline->workers));
}

double sl_watch_packet_ns(const struct sl_watch_stage *stage)
{
	return ratio(sl_watch_rate(stage->busy) * 1e9,
		     sl_watch_rate(stage->packets));
}

double sl_watch_packet_ns_total(const struct sl_watch_stage *stage)
{
	return ratio(sl_watch_number(stage->busy) * 1e9,
		     sl_watch_number(stage->packets));
}

double sl_watch_packets_per_j(const struct sl_watch_pipeline *pipeline,
			      size_t back)
{
	return efficiency(
		sl_watch_past(pipeline->program, pipeline->out, back),
		sl_watch_past(pipeline->program, pipeline->power, back));
}

double sl_watch_packets_per_j_total(const struct sl_watch_pipeline *pipeline)
{
	return efficiency(sl_watch_number(pipeline->out),
			  sl_watch_number(pipeline->energy));
}

bool sl_watch_estimate(const struct sl_watch_pipeline *pipeline)
{
	double estimate = sl_watch_number(pipeline->estimate);

	return !(estimate >= 0 && estimate < 0.5);
}
