/* SPDX-License-Identifier: MIT */
/** @file
 * The thread that reads all meters now and then: asleep in the kernel until a
 * timer rings or it is told to end.
 */
#ifndef SL_ENERGY_SAMPLER_H
#define SL_ENERGY_SAMPLER_H

#include <pthread.h>
#include <stdbool.h>

#include "sluice/defs.h"
#include "sluice/error.h"

struct sl_sampler {
	bool running;
	double period_s;
	int timer, bell; /**< timerfd, eventfd */
	pthread_t thread;
	void (*round)(void *context);
	void *context;
};

/** Start a thread that calls @p round(@p context) every @p period_s seconds.
 * Signals are blocked in it. SL_EIO: the system refused. */
enum sl_code sl_sampler_start(struct sl_sampler *sampler, double period_s,
			      void (*round)(void *context), void *context,
			      struct sl_error *error) SL_MUST_CHECK;

/** End it and wait for it; fine if there is none. */
void sl_sampler_stop(struct sl_sampler *sampler);

#endif
