/* SPDX-License-Identifier: MIT */
#include "energy/clock.h"

#include "base/clock.h"

void sl_stamp_read(void *context, struct sl_stamp *stamp)
{
	(void)context;
	stamp->before_ns = sl_clock_ns();
	stamp->boot_ns = sl_clock_read_ns(CLOCK_BOOTTIME);
	stamp->after_ns = sl_clock_ns();
}

/* The offset between the clocks lies between boot - after and boot - before;
 * only what the two ranges do not share is sleep. */
int64_t sl_stamp_suspended_ns(const struct sl_stamp *from,
			      const struct sl_stamp *to)
{
	int64_t most_before = from->boot_ns - from->before_ns;
	int64_t least_now = to->boot_ns - to->after_ns;
	int64_t slept = least_now - most_before;

	return slept > SL_SUSPEND_MIN_NS ? slept : 0;
}

static int64_t system_ns(void *context)
{
	(void)context;
	return sl_clock_ns();
}

struct sl_clock sl_clock_system(void)
{
	return (struct sl_clock){
		.stamp = sl_stamp_read,
		.monotonic_ns = system_ns,
	};
}
