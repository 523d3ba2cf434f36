/* SPDX-License-Identifier: MIT */
#include "energy/unwrap.h"

uint64_t sl_unwrap_modulus(uint64_t range)
{
	const uint64_t steps = UINT32_MAX;
	uint64_t unit = range / steps + (range % steps >= steps / 2 + 1);

	return range > UINT64_MAX - unit ? 0 : range + unit;
}

double sl_unwrap_period_s(const struct sl_unwrap *unwrap)
{
	if (!unwrap->modulus || unwrap->power_max_w <= 0)
		return 0;
	return (double)unwrap->modulus * unwrap->unit_j / unwrap->power_max_w /
	       4;
}

void sl_unwrap_forget(struct sl_unwrap *unwrap)
{
	unwrap->started = false;
}

/* The most that can have flowed. A value may be one update old, so it may show
 * what flowed before the time that we know. */
static double most_j(const struct sl_unwrap *unwrap, int64_t after_ns)
{
	double seconds = (double)(after_ns - unwrap->last_ns) * 1e-9;

	if (seconds < 0)
		seconds = 0;
	return unwrap->power_max_w * (seconds + unwrap->update_s) +
	       unwrap->slack_j;
}

static enum sl_step judge_rise(const struct sl_unwrap *unwrap, double rise_j,
			       int64_t after_ns)
{
	double most = most_j(unwrap, after_ns);
	double wrap_j = (double)unwrap->modulus * unwrap->unit_j;

	if (unwrap->power_max_w <= 0)
		return SL_STEP_OK;
	if (rise_j > most)
		return SL_STEP_JUMP;
	if (unwrap->modulus && most >= rise_j + wrap_j)
		return SL_STEP_AMBIGUOUS;
	return SL_STEP_OK;
}

/* @p fell: the raw value is lower than the last one. */
static enum sl_step judge(const struct sl_unwrap *unwrap, bool fell,
			  double rise_j, double fall_j, int64_t after_ns)
{
	enum sl_step step;

	if (fell && (unwrap->modulus == 0 || unwrap->power_max_w <= 0))
		return fall_j <= unwrap->noise_j ? SL_STEP_TREMBLE
						 : SL_STEP_RESET;
	step = judge_rise(unwrap, rise_j, after_ns);
	if (step == SL_STEP_OK && fell && fall_j <= unwrap->noise_j &&
	    rise_j > unwrap->noise_j)
		return SL_STEP_AMBIGUOUS; /* a tremble, or nearly a round */
	if (step != SL_STEP_JUMP)
		return step;
	/* Backwards by a little, perhaps over the seam. */
	if (fall_j <= unwrap->noise_j && (fell || unwrap->modulus))
		return SL_STEP_TREMBLE;
	return fell ? SL_STEP_RESET : SL_STEP_JUMP;
}

static void begin_at(struct sl_unwrap *unwrap, uint64_t count,
		     int64_t before_ns)
{
	unwrap->started = true;
	unwrap->last = count;
	unwrap->last_ns = before_ns;
}

enum sl_step sl_unwrap_step(struct sl_unwrap *unwrap, uint64_t count,
			    int64_t before_ns, int64_t after_ns,
			    double *energy_j)
{
	const uint64_t modulus = unwrap->modulus;
	bool fell = count < unwrap->last;
	uint64_t rise, fall;
	enum sl_step step;

	*energy_j = 0;
	if (modulus && count >= modulus) {
		sl_unwrap_forget(unwrap);
		return SL_STEP_RANGE;
	}
	if (!unwrap->started) {
		begin_at(unwrap, count, before_ns);
		return SL_STEP_FIRST;
	}
	/* Without a modulus these wrap at 2^64, which judge() never asks. */
	rise = count - unwrap->last;
	fall = unwrap->last - count;
	if (fell)
		rise += modulus;
	else
		fall += modulus;
	step = judge(unwrap, fell, (double)rise * unwrap->unit_j,
		     (double)fall * unwrap->unit_j, after_ns);
	if (step == SL_STEP_OK)
		*energy_j = (double)rise * unwrap->unit_j;
	/* A tremble leaves the mark where it was: the counter must first rise
	 * beyond it. */
	if (step != SL_STEP_TREMBLE)
		begin_at(unwrap, count, before_ns);
	return step;
}
