/* SPDX-License-Identifier: MIT */
/** @file
 * From a counter's raw values to joules that never fall.
 *
 * A counter of modulus M goes from M - 1 to 0. RAPL says its range R =
 * (2^32 - 1) units in microjoules, and M is R plus one unit. A fall is a wrap
 * only if the power that it would take is possible; otherwise it is a tremble
 * (a little) or a reset (all else), and a reset gives no energy at all: never a
 * huge one, never a negative one.
 *
 * Pure functions on a struct; not thread-safe.
 */
#ifndef SL_ENERGY_UNWRAP_H
#define SL_ENERGY_UNWRAP_H

#include <stdbool.h>
#include <stdint.h>

/** What one more value means. */
enum sl_step {
	SL_STEP_FIRST, /**< there was none to compare with: no energy yet */
	SL_STEP_OK,
	SL_STEP_TREMBLE, /**< it fell a little: no energy since the last one */
	SL_STEP_RESET, /**< it fell, and no wrap explains that */
	SL_STEP_JUMP, /**< it rose by more than can flow */
	SL_STEP_AMBIGUOUS, /**< so much time passed that it may have wrapped
				more than once */
	SL_STEP_RANGE, /**< a value beyond the counter's range */
	SL_STEP_GAP, /**< a power that was not read for too long */
};

/** @return whether the energy goes on over this step. */
static inline bool sl_step_goes_on(enum sl_step step)
{
	return step == SL_STEP_OK || step == SL_STEP_TREMBLE;
}

struct sl_unwrap {
	/* What is known of the counter; constant. */
	double unit_j; /**< joules a count */
	uint64_t modulus; /**< counts; 0: it never wraps */
	double noise_j; /**< it may fall by this much */
	double slack_j; /**< and rise by this much at once: resolution */
	double power_max_w; /**< 0: unknown */
	double update_s; /**< the value may be this old */
	/* Where it is. */
	bool started;
	uint64_t last; /**< the value that energy was counted up to */
	int64_t last_ns; /**< before it was read */
};

/** The modulus of a RAPL counter: @p range + @p range / (2^32 - 1), rounded.
 * Any range may be given, in any unit. */
uint64_t sl_unwrap_modulus(uint64_t range);

/** How often a counter must be read so that no wrap is missed: a quarter of
 * the time in which it wraps at full power. @return s; 0: no need. */
double sl_unwrap_period_s(const struct sl_unwrap *unwrap);

/** Take the value @p count, read between @p before_ns and @p after_ns.
 * *energy_j is what flowed since the last value, 0 unless SL_STEP_OK. After a
 * step that does not go on, the value is a new beginning; one beyond the range
 * is none. */
enum sl_step sl_unwrap_step(struct sl_unwrap *unwrap, uint64_t count,
			    int64_t before_ns, int64_t after_ns,
			    double *energy_j);

/** Forget where it was: the next value is the first. */
void sl_unwrap_forget(struct sl_unwrap *unwrap);

#endif
