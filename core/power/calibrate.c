/* SPDX-License-Identifier: MIT */
/* Keeping CPUs busy, and what another meter says to it. */
#include "power/calibrate.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "power/look.h"
#include "power/sleep.h"

enum { THREADS_MAX = 1024 };

/** Threads that do nothing as fast as they can. */
struct spinners {
	pthread_t threads[THREADS_MAX];
	unsigned count;
	atomic_bool stop;
};

static void *spin(void *context)
{
	struct spinners *spinners = context;

	while (!atomic_load_explicit(&spinners->stop, memory_order_relaxed))
		;
	return NULL;
}

static void stop(struct spinners *spinners)
{
	atomic_store(&spinners->stop, true);
	while (spinners->count)
		pthread_join(spinners->threads[--spinners->count], NULL);
}

static enum sl_code start(struct spinners *spinners, unsigned count,
			  struct sl_error *error)
{
	spinners->count = 0;
	atomic_store(&spinners->stop, false);
	while (spinners->count < count && spinners->count < THREADS_MAX) {
		int reason = pthread_create(&spinners->threads[spinners->count],
					    NULL, spin, spinners);

		if (reason)
			return SL_FAIL(error, SL_EIO, "a thread: %s",
				       strerror(reason));
		spinners->count++;
	}
	return SL_OK;
}

/** The two ends of a measurement. */
struct ends {
	struct sl_energy_mark first, last;
	struct sl_look before, after;
};

static enum sl_code measure(struct sl_energy *energy, const char *root,
			    double settle_s, double seconds, int cancel_fd,
			    struct ends *ends, struct sl_error *error)
{
	enum sl_code code = sl_sleep(settle_s, cancel_fd, error);

	if (code == SL_OK)
		code = sl_look_take(&ends->before, root, error);
	if (code == SL_OK)
		code = sl_energy_mark(energy, &ends->first, error);
	if (code == SL_OK)
		code = sl_sleep(seconds, cancel_fd, error);
	if (code == SL_OK)
		code = sl_energy_mark(energy, &ends->last, error);
	if (code == SL_OK)
		code = sl_look_take(&ends->after, root, error);
	return code;
}

static enum sl_code take_point(const struct sl_energy *energy,
			       const struct ends *ends,
			       struct sl_load_point *point, double *relative,
			       struct sl_error *error)
{
	struct sl_energy_span span;
	struct sl_idle idle;
	enum sl_code code =
		sl_energy_sum(energy, &ends->first, &ends->last, &span, error);

	if (code != SL_OK)
		return code;
	sl_look_between(&ends->before, &ends->after, &idle);
	if (!span.valid)
		return SL_FAIL(error, SL_EIO, "%s", span.reason);
	if (span.estimate)
		return SL_FAIL(error, SL_EINVAL,
			       "a model cannot be calibrated by a model");
	if (isnan(idle.busy))
		return SL_FAIL(error, SL_EIO, "%s", idle.why_cpu);
	*point = (struct sl_load_point){ idle.busy, span.watts };
	*relative = span.energy_j > 0 ? span.systematic_j / span.energy_j : 0;
	return SL_OK;
}

static void finish(struct ends *ends)
{
	sl_energy_mark_finish(&ends->first);
	sl_energy_mark_finish(&ends->last);
	sl_look_finish(&ends->before);
	sl_look_finish(&ends->after);
}

enum sl_code sl_loads_measure(struct sl_energy *energy, const char *root,
			      double settle_s, double seconds, int cancel_fd,
			      sl_load_seen *seen, void *context,
			      struct sl_load_point points[SL_LOADS_MAX],
			      size_t *count, double *relative,
			      struct sl_error *error)
{
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	unsigned cpus = online > 0 ? (unsigned)online : 1;
	const unsigned loads[SL_LOADS_MAX] = {
		0, 1, cpus / 4, cpus / 2, cpus * 3 / 4, cpus
	};
	struct spinners spinners = { .count = 0 };
	unsigned last = 0;
	enum sl_code code = SL_OK;

	*count = 0;
	for (size_t at = 0; code == SL_OK && at < SL_LOADS_MAX; at++) {
		struct ends ends = { 0 };

		if (at && loads[at] <= last)
			continue;
		last = loads[at];
		code = start(&spinners, last, error);
		if (code == SL_OK)
			code = measure(energy, root, settle_s, seconds,
				       cancel_fd, &ends, error);
		stop(&spinners);
		if (code == SL_OK)
			code = take_point(energy, &ends, &points[*count],
					  relative, error);
		if (code == SL_OK)
			seen(context, last, &points[(*count)++]);
		finish(&ends);
	}
	return code;
}
