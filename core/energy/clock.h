/* SPDX-License-Identifier: MIT */
/** @file
 * Telling a suspend: CLOCK_BOOTTIME goes on while the machine sleeps,
 * CLOCK_MONOTONIC stands. Neither follows the wall clock, so setting that
 * changes nothing here.
 */
#ifndef SL_ENERGY_CLOCK_H
#define SL_ENERGY_CLOCK_H

#include <stdint.h>

/** Both clocks at one moment: CLOCK_BOOTTIME between two readings of
 * CLOCK_MONOTONIC, in ns. */
struct sl_stamp {
	int64_t before_ns, boot_ns, after_ns;
};

/** Shorter differences are how clocks are read, not sleep. */
#define SL_SUSPEND_MIN_NS INT64_C(10000000)

/** Read both clocks. @p context is unused; see struct sl_clock. */
void sl_stamp_read(void *context, struct sl_stamp *stamp);

/** @return how long at least the machine slept between the two, in ns; 0: it
 * did not. Pure. */
int64_t sl_stamp_suspended_ns(const struct sl_stamp *from,
			      const struct sl_stamp *to);

/** Where time comes from: a test brings its own. */
struct sl_clock {
	void (*stamp)(void *context, struct sl_stamp *stamp);
	int64_t (*monotonic_ns)(void *context);
	void *context;
};

/** The system's clocks. */
struct sl_clock sl_clock_system(void);

#endif
