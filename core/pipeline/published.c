/* SPDX-License-Identifier: MIT */
#include "pipeline/published.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "energy/counter_file.h"
#include "energy/energy_private.h"
#include "pipeline/pipeline_private.h"

/* The first four, and those of each instance. */
enum { IN, OUT, DROPPED, WORKERS, FIRST_INSTANCE };
enum { INSTANCE_IN, INSTANCE_DROPPED, INSTANCE_BUSY, PER_INSTANCE };
enum { ENERGY, POWER, ESTIMATE, ENERGIES };

/** The list on its way. */
struct list {
	struct sl_counter_def *defs;
	bool *unknown; /* what is not known yet is no 0 */
	char (*names)[SL_COUNTER_NAME];
	size_t count;
};

static bool is_taken(const struct list *list, const char *name)
{
	for (size_t at = 0; at < list->count; at++)
		if (strcmp(list->names[at], name) == 0)
			return true;
	return false;
}

/* What a name cannot hold becomes '_', what does not fit is cut, and what is
 * there already gets a number. */
static void add(struct list *list, const char *unit, double scale,
		const char *prefix, const char *name, const char *more)
{
	char wish[1024], *unique = list->names[list->count];

	snprintf(wish, sizeof(wish), "%s%s%s%s", prefix, name, *more ? "." : "",
		 more);
	for (char *at = wish; *at; at++)
		if (*at <= ' ' || *at > '~' || strchr("/\",:", *at))
			*at = '_';
	snprintf(unique, SL_COUNTER_NAME, "%.31s", wish);
	for (unsigned number = 2; is_taken(list, unique); number++) {
		char tail[16];
		int length = snprintf(tail, sizeof(tail), "~%u", number);

		snprintf(unique, SL_COUNTER_NAME, "%.*s%s",
			 SL_COUNTER_NAME - 1 - length, wish, tail);
	}
	list->defs[list->count] = (struct sl_counter_def){
		.name = unique,
		.unit = unit,
		.scale = scale,
	};
	list->count++;
}

static void add_instances(struct list *list, const struct sl_pipeline *pipeline)
{
	for (size_t at = 0; at < pipeline->host_count; at++) {
		const char *name = pipeline->hosts[at].name;

		add(list, "packet", 1, "packets.", name, "");
		add(list, "packet", 1, "dropped.", name, "");
		add(list, "s", 1e-9, "busy.", name, "");
	}
}

static void add_energy(struct list *list, struct sl_pipeline *pipeline)
{
	const struct sl_energy *energy = pipeline->meters.energy;
	struct sl_published *published = &pipeline->published;

	if (!energy)
		return;
	published->energy = list->count;
	list->unknown[list->count] = true;
	add(list, "J", 1, "energy", "", "");
	list->unknown[list->count] = true;
	add(list, "W", 1, "power", "", "");
	add(list, "", 1, "estimate", "", "");
	for (size_t at = 0; at < sl_energy_domain_count(energy); at++) {
		const struct sl_energy_domain *domain =
			sl_energy_domain(energy, at);

		if (!domain->usable)
			continue;
		published->domains[at] = list->count;
		list->unknown[list->count] = true;
		add(list, "J", 1, "energy.", energy->places[at]->meter->name,
		    domain->id);
	}
}

static void add_all(struct list *list, struct sl_pipeline *pipeline)
{
	add(list, "packet", 1, "packets_in", "", "");
	add(list, "packet", 1, "packets_out", "", "");
	add(list, "packet", 1, "packets_dropped", "", "");
	add(list, "", 1, "workers", "", "");
	add_instances(list, pipeline);
	add_energy(list, pipeline);
}

/* ---- beginning and end ------------------------------------------------ */

static bool is_estimate(const struct sl_energy *energy)
{
	for (size_t at = 0; at < sl_energy_domain_count(energy); at++) {
		const struct sl_energy_domain *domain =
			sl_energy_domain(energy, at);

		if (domain->in_sum && domain->quality == SL_QUALITY_MODEL)
			return true;
	}
	return false;
}

static void set_first(struct sl_pipeline *pipeline)
{
	struct sl_published *published = &pipeline->published;
	struct sl_counters *counters = published->counters;
	const struct sl_energy *energy = pipeline->meters.energy;

	/* A gauge: nobody should make a rate of it. */
	sl_counter_set_double(counters, WORKERS, (double)pipeline->workers);
	for (size_t at = 0; at < pipeline->host_count; at++)
		published->busy_words[at] = sl_counter_word(
			counters,
			FIRST_INSTANCE + PER_INSTANCE * at + INSTANCE_BUSY);
	if (energy)
		sl_counter_set_double(counters, published->energy + ESTIMATE,
				      is_estimate(energy));
}

static void tell(const struct sl_pipeline *pipeline, const char *reason)
{
	char line[640];

	snprintf(line, sizeof(line), "no counters: %s", reason);
	sl_pipeline_notice(pipeline, line);
}

static void publish(struct sl_pipeline *pipeline, struct list *list)
{
	struct sl_published *published = &pipeline->published;
	struct sl_error error;

	add_all(list, pipeline);
	if (counters_create_unknown(
		    &published->counters, pipeline->settings.publish,
		    list->defs, list->unknown, list->count, &error) == SL_OK)
		set_first(pipeline);
	else
		tell(pipeline, error.message);
}

void sl_published_init(struct sl_pipeline *pipeline)
{
	struct sl_published *published = &pipeline->published;
	const struct sl_energy *energy = pipeline->meters.energy;
	size_t domains = energy ? sl_energy_domain_count(energy) : 0;
	size_t most = FIRST_INSTANCE + PER_INSTANCE * pipeline->host_count +
		      ENERGIES + domains;
	struct list list = {
		.defs = calloc(most, sizeof(*list.defs)),
		.unknown = calloc(most, sizeof(*list.unknown)),
		.names = calloc(most, sizeof(*list.names)),
	};

	if (pipeline->settings.publish) {
		published->busy_words = calloc(pipeline->host_count,
					       sizeof(*published->busy_words));
		published->domains =
			calloc(domains + 1, sizeof(*published->domains));
		published->locked =
			pthread_mutex_init(&published->lock, NULL) == 0;
		if (list.defs && list.unknown && list.names &&
		    published->busy_words && published->domains &&
		    published->locked)
			publish(pipeline, &list);
		else
			tell(pipeline, "no memory");
	}
	free(list.defs);
	free(list.unknown);
	free(list.names);
}

void sl_published_finish(struct sl_published *published)
{
	sl_counters_destroy(published->counters);
	free(published->busy_words);
	free(published->domains);
	if (published->locked)
		pthread_mutex_destroy(&published->lock);
}

/* ---- on the way ------------------------------------------------------- */

static void set_instance(struct sl_pipeline *pipeline, size_t at)
{
	const struct sl_host *host = &pipeline->hosts[at];
	struct sl_counters *counters = pipeline->published.counters;
	size_t first = FIRST_INSTANCE + PER_INSTANCE * at;
	uint64_t dropped = 0;

	for (size_t reason = 0; reason < host->drop_count; reason++)
		dropped +=
			sl_engine_total(pipeline->engine,
					host->tally + SL_TALLY_DROPS + reason);
	sl_counter_set(
		counters, first + INSTANCE_IN,
		sl_engine_total(pipeline->engine, host->tally + SL_TALLY_IN));
	sl_counter_set(counters, first + INSTANCE_DROPPED, dropped);
}

void sl_published_packets(struct sl_pipeline *pipeline)
{
	struct sl_counters *counters = pipeline->published.counters;
	struct sl_progress progress = { .size = sizeof(progress) };

	sl_pipeline_count(pipeline, &progress);
	sl_counter_set(counters, IN, progress.packets_in);
	sl_counter_set(counters, OUT, progress.packets_out);
	sl_counter_set(counters, DROPPED, progress.packets_dropped);
	for (size_t at = 0; at < pipeline->host_count; at++)
		set_instance(pipeline, at);
}

static double figure(const struct sl_energy_span *span)
{
	return span->valid ? span->energy_j : NAN;
}

static void set_energy(struct sl_pipeline *pipeline,
		       const struct sl_energy_mark *to)
{
	struct sl_published *published = &pipeline->published;
	struct sl_meters *meters = &pipeline->meters;
	struct sl_energy_span span;

	pthread_mutex_lock(&published->lock);
	sl_meters_sum(meters, to, &span);
	sl_counter_set_double(published->counters, published->energy + ENERGY,
			      figure(&span));
	for (size_t at = 0; at < to->count; at++) {
		if (!published->domains[at])
			continue;
		sl_meters_between(meters, at, to, &span);
		sl_counter_set_double(published->counters,
				      published->domains[at], figure(&span));
	}
	pthread_mutex_unlock(&published->lock);
}

/* Over the time since the last round in which there was something new. */
static void set_power(struct sl_pipeline *pipeline)
{
	const struct sl_published *published = &pipeline->published;
	struct sl_meters *meters = &pipeline->meters;
	struct sl_energy_mark swapped;
	struct sl_energy_span span;

	if (sl_energy_sum(meters->energy, &meters->before, &meters->seen, &span,
			  NULL) != SL_OK ||
	    (!span.valid && span.seconds <= 0))
		return;
	sl_counter_set_double(published->counters, published->energy + POWER,
			      span.valid ? span.watts : NAN);
	swapped = meters->before;
	meters->before = meters->seen;
	meters->seen = swapped;
}

void sl_published_energy(struct sl_pipeline *pipeline)
{
	struct sl_meters *meters = &pipeline->meters;

	if (!pipeline->published.counters ||
	    sl_energy_peek(meters->energy, &meters->seen, NULL) != SL_OK)
		return;
	set_energy(pipeline, &meters->seen);
	set_power(pipeline);
}

void sl_published_end(struct sl_pipeline *pipeline)
{
	if (pipeline->published.counters)
		set_energy(pipeline, &pipeline->meters.end);
}
