/* SPDX-License-Identifier: MIT */
/** @file
 * The counters that a pipeline publishes while it runs. Their order and names
 * are a promise: docs/runpipe.md.
 */
#ifndef SL_PIPELINE_PUBLISHED_H
#define SL_PIPELINE_PUBLISHED_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "sluice/counter.h"
#include "sluice/defs.h"
#include "sluice/error.h"

struct sl_pipeline;

struct sl_published {
	struct sl_counters *counters; /**< owned; NULL: none */
	uint64_t **busy_words; /**< owned; by instance */
	size_t *domains; /**< owned; by domain: its counter; 0: none */
	size_t energy; /**< where energy, power, estimate stand; 0: nowhere */
	pthread_mutex_t lock; /**< held while energies are set: a round that
				   began before the end is not the last word */
	bool locked; /**< there is a lock */
};

/** Publish, if the settings say so; the meters are open. A failure is told to
 * settings.notice, and is none. */
void sl_published_init(struct sl_pipeline *pipeline);
void sl_published_finish(struct sl_published *published);

/** Packets, so far; from one thread at a time. */
void sl_published_packets(struct sl_pipeline *pipeline);

/** Energy and power; from the meters' thread, after a round. */
void sl_published_energy(struct sl_pipeline *pipeline);

/** The energy when the measured region has ended. */
void sl_published_end(struct sl_pipeline *pipeline);

#endif
