/* SPDX-License-Identifier: MIT */
/** @file
 * Energy, for any C program: open meters, read joules.
 *
 *     struct sl_energy *energy;
 *     struct sl_energy_mark before, after;
 *     struct sl_energy_span span;
 *
 *     sl_energy_create(&energy, NULL, &error);
 *     sl_energy_open(energy, "rapl", &error);
 *     sl_energy_start(energy, 0, &error);
 *     sl_energy_mark(energy, &before, &error);
 *     work();
 *     sl_energy_mark(energy, &after, &error);
 *     sl_energy_sum(energy, &before, &after, &span, &error);
 *     printf("%g J +- %g J\n", span.energy_j, span.half_j);
 *
 * (These calls can fail and must be checked.) The core unwraps counters,
 * integrates powers, notices resets and suspends, and adds only domains that do
 * not overlap. Nothing is reported as 0 because it could not be read: what has
 * no figure has a reason.
 *
 * Marks may be taken by any thread. The other calls that change something come
 * from one, and sl_energy_open() before the first mark and start.
 */
#ifndef SLUICE_ENERGY_H
#define SLUICE_ENERGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sluice/defs.h"
#include "sluice/error.h"
#include "sluice/meter.h"

struct sl_energy;

/** Longest reason, with its NUL. */
#define SL_REASON_BYTES 256

/** A domain of an open meter. All texts are borrowed until destroy. */
struct sl_energy_domain {
	size_t size; /**< sizeof(struct sl_energy_domain) of the library */
	const char *meter; /**< the plugin, "rapl" */
	const char *id, *label; /**< see struct sl_domain */
	const char *parent, *overlap; /**< NULL: none */
	enum sl_quality quality;
	enum sl_scope scope;
	double resolution_j; /**< 0: of a power */
	double update_s; /**< 0: unknown */
	double relative; /**< half of the 95 % interval, a part of the figure */
	double wrap_j; /**< joules until the counter starts again; 0: never */
	bool usable;
	const char *unusable; /**< why it is not; NULL */
	bool in_sum; /**< one of those that sl_energy_sum() adds */
	const char *aside; /**< why not: "inside intel-rapl:0"; NULL. Both
				may change with the next sl_energy_open() */
};

/** One domain's energy at one moment. Frozen. */
struct sl_energy_reading {
	double energy_j; /**< since the first reading; never falls */
	double raw; /**< what the source itself says: joules on its counter or
			 left in its store, or watts */
	double watts; /**< mean since the reading before, or the power read;
			   negative: unknown */
	int64_t before_ns, after_ns; /**< CLOCK_MONOTONIC around the reading */
	uint32_t epoch; /**< changes at every discontinuity: a difference
			     between two epochs means nothing */
	bool valid; /**< false: there is no figure, `reason` says why */
	double local_w; /**< mean over the last few updates; negative: unknown
			 */
	double variance_j2; /**< of the integration of a power so far */
	char reason[SL_REASON_BYTES]; /**< why not valid, or of the last change
				       of epoch; "" */
};

/** All domains at one moment. Zeroed, it is empty; it may be used again.
 * Frozen. */
struct sl_energy_mark {
	struct sl_energy_reading *readings; /**< owned; one a domain */
	size_t count, capacity;
};

/** What flowed between two marks. Intervals are 95 %. Frozen. */
struct sl_energy_span {
	bool valid; /**< false: no figure, `reason` says why */
	bool estimate; /**< a model had its hand in it: print "estimate" */
	double energy_j, seconds, watts;
	double u_j; /**< standard uncertainty of energy_j: resolution, update
			 period, clock; not the calibration */
	double random_j; /**< half of the interval by u_j */
	double systematic_j; /**< half of the interval by the calibration,
				  which no repeat makes smaller */
	double half_j; /**< both together */
	double update_s; /**< the slowest update period in it; 0: unknown */
	uint32_t domains; /**< how many were added */
	char reason[SL_REASON_BYTES]; /**< why not valid; or what is missing
					   from the sum; "" */
};

SL_BEGIN_DECLS

/** @p plugin_path: folders of plugins, ':' between them, looked into before
 * the installation's; NULL: none. $SLUICE_PLUGIN_PATH comes first, as for
 * runpipe. SL_ENOMEM. */
enum sl_code sl_energy_create(struct sl_energy **energy,
			      const char *plugin_path,
			      struct sl_error *error) SL_MUST_CHECK;

/** Stop, close the meters, free everything. NULL is fine. */
void sl_energy_destroy(struct sl_energy *energy);

/** Open a meter: "NAME" or "NAME:OPTION=VALUE,OPTION=VALUE", e.g.
 * "rapl:root=/tmp/tree". A value in double quotes may hold commas, a list
 * stands in parentheses; a relative path starts at the working directory. On
 * failure the error says why this meter cannot be used, and the others are as
 * before: SL_EPLUGIN (no such plugin, no meter), SL_EINVAL (options), SL_EIO
 * (nothing to measure). A meter whose domains are all unusable opens: they are
 * listed with their reasons. */
enum sl_code sl_energy_open(struct sl_energy *energy, const char *meter,
			    struct sl_error *error) SL_MUST_CHECK;

size_t sl_energy_domain_count(const struct sl_energy *energy);

/** @return domain @p at, borrowed until destroy, its fields constant from the
 * first mark on; NULL: there are not so many. */
const struct sl_energy_domain *sl_energy_domain(const struct sl_energy *energy,
						size_t at);

/** Sample all domains in a thread that sleeps in the kernel, every
 * @p period_s seconds, or more often where a counter would wrap within four
 * periods; 0: as slowly as the meters allow (powers: once a second). Without it
 * marks alone sample, and must come often enough. SL_EINVAL: not between 1 ms
 * and 1 h; SL_EIO; SL_ENOMEM. Fails if it was started already. */
enum sl_code sl_energy_start(struct sl_energy *energy, double period_s,
			     struct sl_error *error) SL_MUST_CHECK;
/** End the thread, if there is one, and wait for it. */
void sl_energy_stop(struct sl_energy *energy);

/** The period that the thread keeps, in s; 0: there is none. */
double sl_energy_period(const struct sl_energy *energy);

/** Read every domain now. One that has nothing new yet is in the mark as it was
 * read last, with the time of that. Fails for want of memory alone: a domain
 * that cannot be read is in the mark, invalid and with its reason. */
enum sl_code sl_energy_mark(struct sl_energy *energy,
			    struct sl_energy_mark *mark,
			    struct sl_error *error) SL_MUST_CHECK;
void sl_energy_mark_finish(struct sl_energy_mark *mark);

/** What domain @p at used between two marks. It always sets *span; a span
 * without a figure is no failure. Fails with SL_EINVAL if the marks are not of
 * this energy, or in the wrong order. */
enum sl_code sl_energy_between(const struct sl_energy *energy, size_t at,
			       const struct sl_energy_mark *from,
			       const struct sl_energy_mark *to,
			       struct sl_energy_span *span,
			       struct sl_error *error) SL_MUST_CHECK;

/** The same, added up over the domains that are `in_sum`. The sum is valid only
 * if each of its parts is; with no domain in it there is none, and the reason
 * is why. Calibrations of domains of one meter err together. */
enum sl_code sl_energy_sum(const struct sl_energy *energy,
			   const struct sl_energy_mark *from,
			   const struct sl_energy_mark *to,
			   struct sl_energy_span *span,
			   struct sl_error *error) SL_MUST_CHECK;

SL_END_DECLS

#endif
