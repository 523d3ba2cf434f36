/* SPDX-License-Identifier: MIT */
#include "power/sleep.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <string.h>

#include "base/clock.h"

/* Rounded up: a wait that is short by a millisecond would measure less. */
static int left_ms(int64_t until_ns)
{
	double left = ceil((double)(until_ns - sl_clock_ns()) / 1e6);

	return (int)fmin(fmax(left, 0), INT_MAX);
}

enum sl_code sl_sleep(double seconds, int cancel_fd, struct sl_error *error)
{
	struct pollfd cancel = { .fd = cancel_fd, .events = POLLIN };
	int64_t until_ns = sl_clock_ns() + (int64_t)(seconds * 1e9);
	int left = left_ms(until_ns);

	do {
		int ready = poll(&cancel, 1, left);

		if (ready > 0)
			return SL_FAIL(error, SL_ESTOPPED, "cancelled");
		if (ready < 0 && errno != EINTR)
			return SL_FAIL(error, SL_EIO, "poll: %s",
				       strerror(errno));
		left = left_ms(until_ns);
	} while (left > 0);
	return SL_OK;
}
