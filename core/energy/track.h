/* SPDX-License-Identifier: MIT */
/** @file
 * One domain's way from raw samples to readings: monotonic joules, an epoch,
 * and a reason wherever there is no figure.
 *
 * It calls nothing and reads no clock, so that a test can feed it any history.
 * Not thread-safe.
 */
#ifndef SL_ENERGY_TRACK_H
#define SL_ENERGY_TRACK_H

#include "energy/integrate.h"
#include "energy/unwrap.h"
#include "sluice/energy.h"
#include "sluice/meter.h"

/** An energy at a time. */
struct sl_track_point {
	double energy_j, at_s;
};

struct sl_track {
	enum sl_form form;
	struct sl_unwrap unwrap; /**< counters and stores */
	struct sl_integrate integrate; /**< powers */
	double last_unit_j; /**< of a store's last sample */
	/* The power of a few updates is taken from one of two points on: a
	 * shorter time would show the updates' steps. */
	struct sl_track_point older, newer;
	unsigned points; /**< how many of the two there are */
	struct sl_energy_reading reading; /**< the latest */
	char epoch_reason[SL_REASON_BYTES]; /**< of its epoch; "" */
};

/** Begin. */
void sl_track_init(struct sl_track *track, const struct sl_domain *domain);

/** It will be read every @p period_s seconds, or now and then (0): a power that
 * was not read for longer than ten of these, ten of its own update periods and
 * 2 s leaves a gap. */
void sl_track_set_period(struct sl_track *track, double period_s);

/** Take a sample that was read between @p before_ns and @p after_ns. The result
 * is track->reading. */
void sl_track_sample(struct sl_track *track, const struct sl_sample *sample,
		     int64_t before_ns, int64_t after_ns);

/** The domain could not be read, for @p reason. A counter goes on when it can
 * be read again, if it cannot have wrapped; all else begins a new epoch. */
void sl_track_failure(struct sl_track *track, const char *reason,
		      int64_t before_ns, int64_t after_ns);

/** Whatever comes next belongs to a new epoch, for @p reason. */
void sl_track_break(struct sl_track *track, const char *reason);

#endif
