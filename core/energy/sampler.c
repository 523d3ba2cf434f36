/* SPDX-License-Identifier: MIT */
#include "energy/sampler.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

/* Periods that were missed, because a meter was slow, are not made up for: the
 * timer's count is read and dropped. */
static void *sample(void *argument)
{
	const struct sl_sampler *sampler = argument;
	struct pollfd waits[] = {
		{ .fd = sampler->timer, .events = POLLIN },
		{ .fd = sampler->bell, .events = POLLIN },
	};
	uint64_t rings;

	for (;;) {
		int ready = poll(waits, 2, -1);

		if (ready < 0 && errno != EINTR)
			return NULL;
		if (ready < 0)
			continue;
		if (waits[1].revents)
			return NULL;
		if (waits[0].revents & POLLIN &&
		    read(sampler->timer, &rings, sizeof(rings)) ==
			    sizeof(rings))
			sampler->round(sampler->context);
	}
}

static bool set_timer(int timer, double period_s)
{
	struct timespec period = { .tv_sec = (time_t)period_s };
	struct itimerspec setting;

	period.tv_nsec = (long)((period_s - (double)period.tv_sec) * 1e9);
	setting = (struct itimerspec){ period, period };
	return timerfd_settime(timer, 0, &setting, NULL) == 0;
}

/* The thread must not take signals that the program waits for. */
static int start_thread(struct sl_sampler *sampler)
{
	sigset_t all, old;
	int reason;

	sigfillset(&all);
	reason = pthread_sigmask(SIG_SETMASK, &all, &old);
	if (reason)
		return reason;
	reason = pthread_create(&sampler->thread, NULL, sample, sampler);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return reason;
}

enum sl_code sl_sampler_start(struct sl_sampler *sampler, double period_s,
			      void (*round)(void *context), void *context,
			      struct sl_error *error)
{
	int reason = 0;

	sampler->period_s = period_s;
	sampler->round = round;
	sampler->context = context;
	sampler->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	sampler->bell = eventfd(0, EFD_CLOEXEC);
	if (sampler->timer < 0 || sampler->bell < 0 ||
	    !set_timer(sampler->timer, period_s))
		reason = errno;
	if (!reason)
		reason = start_thread(sampler);
	sampler->running = !reason;
	if (sampler->running)
		return SL_OK;
	if (sampler->timer >= 0)
		close(sampler->timer);
	if (sampler->bell >= 0)
		close(sampler->bell);
	return SL_FAIL(error, SL_EIO, "cannot start sampling: %s",
		       strerror(reason));
}

void sl_sampler_stop(struct sl_sampler *sampler)
{
	const uint64_t one = 1;

	if (!sampler->running)
		return;
	/* An eventfd that was never rung takes a 1. */
	if (write(sampler->bell, &one, sizeof(one)) != sizeof(one))
		pthread_cancel(sampler->thread);
	pthread_join(sampler->thread, NULL);
	close(sampler->timer);
	close(sampler->bell);
	sampler->running = false;
	sampler->period_s = 0;
}
