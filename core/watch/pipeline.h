/* SPDX-License-Identifier: MIT */
/** @file
 * A pipeline among the programs that are watched, told by its counters:
 *
 *     packets_in packets_out packets_dropped workers
 *     packets.NAME dropped.NAME busy.NAME     of each instance, in order
 *     energy power estimate                   where there are meters
 *     energy.METER.ID                         of each of their domains
 *
 * Only the first three must be there.
 */
#ifndef SL_WATCH_PIPELINE_H
#define SL_WATCH_PIPELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "watch/program.h"

/** An instance; what it does not publish is NULL. Names that are too long for a
 * counter are cut, those of `busy` the least: that one is shown. */
struct sl_watch_stage {
	const char *name;
	const struct sl_watch_counter *packets, *dropped, *busy;
};

struct sl_watch_domain {
	const char *name; /**< METER.ID */
	const struct sl_watch_counter *energy;
};

/** All of it is borrowed from the program, but the two arrays. */
struct sl_watch_pipeline {
	const struct sl_watch_program *program;
	const struct sl_watch_counter *in, *out, *dropped;
	const struct sl_watch_counter *workers; /**< NULL, as those below */
	const struct sl_watch_counter *energy, *power, *estimate;
	struct sl_watch_stage *stages; /**< owned */
	struct sl_watch_domain *domains; /**< owned */
	size_t stage_count, domain_count;
};

/** Whether the program is a pipeline: it begins with the three counters. */
bool sl_watch_is_pipeline(const struct sl_watch_program *program);

/** Sort out a pipeline's counters. SL_ENOMEM. */
enum sl_code sl_watch_pipeline_init(struct sl_watch_pipeline *pipeline,
				    const struct sl_watch_program *program,
				    struct sl_error *error) SL_MUST_CHECK;
void sl_watch_pipeline_finish(struct sl_watch_pipeline *pipeline);

/** The number of a counter, as it was read last; NaN for NULL and for what is
 * no number. */
double sl_watch_number(const struct sl_watch_counter *counter);
/** The same of its rate. */
double sl_watch_rate(const struct sl_watch_counter *counter);

/** A stage's share of the time of all workers, 0 to 1 and a little more where
 * the readings are not of one moment. NaN: not known. */
double sl_watch_load(const struct sl_watch_pipeline *pipeline,
		     const struct sl_watch_stage *stage);
/** The same @p back readings ago. */
double sl_watch_past_load(const struct sl_watch_pipeline *pipeline,
			  const struct sl_watch_stage *stage, size_t back);

/** Nanoseconds that a stage spent on a packet: between the last two readings,
 * and over the whole run. NaN: no packet came. */
double sl_watch_packet_ns(const struct sl_watch_stage *stage);
double sl_watch_packet_ns_total(const struct sl_watch_stage *stage);

/** Packets that the sink took for a joule: by the power @p back readings ago,
 * and over the whole run. NaN: no figure; no packets have none, whatever they
 * cost. */
double sl_watch_packets_per_j(const struct sl_watch_pipeline *pipeline,
			      size_t back);
double sl_watch_packets_per_j_total(const struct sl_watch_pipeline *pipeline);

/** Whether a model had its hand in the energy. What does not say so is taken to
 * be one. */
bool sl_watch_estimate(const struct sl_watch_pipeline *pipeline);

#endif
