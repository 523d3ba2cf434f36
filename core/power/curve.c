/* SPDX-License-Identifier: MIT */
/* Fitting the model's curve. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "power/calibrate.h"

#define EXPONENT_MIN 0.2
#define EXPONENT_MAX 3.0
#define EXPONENT_STEP 0.01
/* What is not linear in time, temperature and kind of load is not in the
 * curve: no calibration makes the model better than this. */
#define RELATIVE_MIN 0.15

/** A straight line through (busy^exponent, watts). */
struct line {
	double base, slope, squares; /* of the residuals */
};

static bool fit_line(const struct sl_load_point *points, size_t count,
		     double exponent, struct line *line)
{
	double n = (double)count, x = 0, y = 0, xx = 0, xy = 0, spread;

	for (size_t at = 0; at < count; at++) {
		double load = pow(points[at].busy, exponent);

		x += load;
		y += points[at].watts;
		xx += load * load;
		xy += load * points[at].watts;
	}
	spread = n * xx - x * x;
	if (spread < 1e-6 * n * n)
		return false;
	line->slope = (n * xy - x * y) / spread;
	line->base = (y - line->slope * x) / n;
	line->squares = 0;
	for (size_t at = 0; at < count; at++)
		line->squares += pow(
			points[at].watts - line->base -
				line->slope * pow(points[at].busy, exponent),
			2);
	return true;
}

static size_t count_loads(const struct sl_load_point *points, size_t count)
{
	size_t loads = 0;

	for (size_t at = 0; at < count; at++)
		loads += at == 0 ||
			 fabs(points[at].busy - points[at - 1].busy) > 0.02;
	return loads;
}

enum sl_code sl_curve_fit(const struct sl_load_point *points, size_t count,
			  double meter, struct sl_curve *curve,
			  struct sl_error *error)
{
	bool bent = count_loads(points, count) >= 4;
	struct line best = { 0, 0, INFINITY }, line;
	double exponent = 1, mean = 0, scatter;
	int steps =
		bent ? (int)((EXPONENT_MAX - EXPONENT_MIN) / EXPONENT_STEP) : 0;

	if (count < 2 || count_loads(points, count) < 2)
		return SL_FAIL(error, SL_EINVAL,
			       "all loads were alike: others use the CPUs");
	for (int step = 0; step <= steps; step++) {
		double tried = bent ? EXPONENT_MIN + step * EXPONENT_STEP : 1;

		if (fit_line(points, count, tried, &line) &&
		    line.squares < best.squares) {
			best = line;
			exponent = tried;
		}
	}
	if (!isfinite(best.squares) || best.slope <= 0)
		return SL_FAIL(error, SL_EINVAL,
			       "the power does not rise with the load");
	for (size_t at = 0; at < count; at++)
		mean += points[at].watts / (double)count;
	scatter = 2 * sqrt(best.squares / (double)count) / mean;
	*curve = (struct sl_curve){
		.idle_w = fmax(best.base, 0),
		.busy_w = best.base + best.slope,
		.exponent = exponent,
		.relative = fmin(1, fmax(RELATIVE_MIN, hypot(meter, scatter))),
	};
	return SL_OK;
}

enum sl_code sl_curve_text(const struct sl_curve *curve,
			   const struct sl_load_point *points, size_t count,
			   struct sl_buffer *text, struct sl_error *error)
{
	enum { ROOM = 1024 };
	enum sl_code code = sl_buffer_reserve(text, ROOM, error);
	size_t end = text->used + ROOM;
	char *at;

	if (code != SL_OK)
		return code;
	text->used += (size_t)snprintf(
		text->data + text->used, end - text->used,
		"# W = idle + (busy - idle) * u^exponent, by powercheck "
		"calibrate\n");
	for (size_t point = 0; point < count; point++)
		text->used += (size_t)snprintf(
			text->data + text->used, end - text->used,
			"# %.1f %% busy: %.4g W\n", 100 * points[point].busy,
			points[point].watts);
	at = text->data + text->used;
	snprintf(at, end - text->used,
		 "idle = %.6g\nbusy = %.6g\nexponent = %.4g\nrelative = "
		 "%.4g\n",
		 curve->idle_w, curve->busy_w, curve->exponent,
		 curve->relative);
	text->used += strlen(at);
	return SL_OK;
}
