/* SPDX-License-Identifier: MIT */
/** @file
 * The curve of the meter cpu_model, W = idle + (busy - idle) * u^exponent, from
 * what another meter says while more and more CPUs are kept busy.
 */
#ifndef SL_POWER_CALIBRATE_H
#define SL_POWER_CALIBRATE_H

#include <stddef.h>

#include "sluice/buffer.h"
#include "sluice/energy.h"
#include "sluice/error.h"

/** A load and its power. */
struct sl_load_point {
	double busy; /**< share of all CPUs, 0 to 1 */
	double watts;
};

struct sl_curve {
	double idle_w, busy_w, exponent;
	double relative; /**< half of the 95 % interval, as a part */
};

/** Fit the curve to @p count points by least squares; with fewer than three
 * loads the exponent is 1. @p meter: relative uncertainty of the meter. Pure.
 * SL_EINVAL: power does not rise with load, or all loads are alike. */
enum sl_code sl_curve_fit(const struct sl_load_point *points, size_t count,
			  double meter, struct sl_curve *curve,
			  struct sl_error *error) SL_MUST_CHECK;

/** The calibration file's text. SL_ENOMEM. */
enum sl_code sl_curve_text(const struct sl_curve *curve,
			   const struct sl_load_point *points, size_t count,
			   struct sl_buffer *text,
			   struct sl_error *error) SL_MUST_CHECK;

enum { SL_LOADS_MAX = 6 };

/** Hears of each point. */
typedef void sl_load_seen(void *context, unsigned threads,
			  const struct sl_load_point *point);

/** Measure @p points: none, one, a quarter, half, three quarters and all of the
 * CPUs busy, for @p seconds each after @p settle_s. @p energy is started and
 * measures something that is no model. @p relative is the meter's.
 * SL_ESTOPPED: @p cancel_fd became readable; SL_EIO: a span has no figure. */
enum sl_code sl_loads_measure(struct sl_energy *energy, const char *root,
			      double settle_s, double seconds, int cancel_fd,
			      sl_load_seen *seen, void *context,
			      struct sl_load_point points[SL_LOADS_MAX],
			      size_t *count, double *relative,
			      struct sl_error *error) SL_MUST_CHECK;

#endif
