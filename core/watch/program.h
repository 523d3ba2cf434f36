/* SPDX-License-Identifier: MIT */
/** @file
 * What `runpipe top` knows of one program: its counters as they were last read,
 * how fast they rise, and how that went of late.
 *
 * Figures come from a file that anybody's program writes, so nothing about them
 * is believed: a value may be NaN, fall, or be beyond all measure. What cannot
 * be said is NaN, never 0. Not thread-safe.
 */
#ifndef SL_WATCH_PROGRAM_H
#define SL_WATCH_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sluice/counter.h"
#include "sluice/defs.h"
#include "sluice/error.h"

/** Readings that are remembered. */
#define SL_WATCH_HISTORY 240

enum sl_watch_state {
	SL_WATCH_LIVE,
	SL_WATCH_ENDED, /**< it ended its counters: the figures are its last */
	SL_WATCH_DEAD, /**< it died */
	SL_WATCH_LOST, /**< its file cannot be read: `why` says the reason */
};

struct sl_watch_counter {
	struct sl_counter_value value; /**< as it was read last */
	double rate; /**< units a second: of a count, between the last two
			  readings; of a gauge, between its changes of the
			  last few seconds. NaN: not known */
	bool fell; /**< a count that was less than before: begun anew, or
			wrapped; its rate is not known then */
	int64_t changed_ns; /**< when a gauge took its value; 0: as long as we
				 know it */
	struct sl_watch_change {
		double number;
		int64_t at_ns;
	} from, next; /**< where a gauge's rate starts, and will start */
	int64_t period_ns; /**< between its last two changes; 0: not known. A
				gauge that is silent for three such has no rate
				any more */
	float history[SL_WATCH_HISTORY]; /**< a ring: the rate of a count, the
					      value of a gauge */
};

/** Zeroed, then sl_watch_init(). */
struct sl_watch_program {
	struct sl_counter_program about;
	enum sl_watch_state state;
	char why[512];
	double age_s; /**< since its counters were made, at the last reading;
			   set by who takes them */
	struct sl_watch_counter *counters; /**< owned; about.count */
	size_t samples; /**< readings taken so far, of which the history keeps
			     the last */
	int64_t times_ns[SL_WATCH_HISTORY]; /**< when, CLOCK_MONOTONIC: a ring
						 as the histories are */
};

/** SL_ENOMEM. */
enum sl_code sl_watch_init(struct sl_watch_program *program,
			   const struct sl_counter_program *about,
			   struct sl_error *error) SL_MUST_CHECK;
void sl_watch_finish(struct sl_watch_program *program);

/** Take in a reading of all about.count values, made at @p now_ns. A counter
 * that is not the one that stood in its place before starts afresh. */
void sl_watch_take(struct sl_watch_program *program, int64_t now_ns,
		   const struct sl_counter_value *values,
		   enum sl_counter_state state);

/** There was no reading, because of @p why: the figures stay, their rates are
 * not known any more. */
void sl_watch_lose(struct sl_watch_program *program, const char *why);

/** When the last reading was; 0: there was none. */
int64_t sl_watch_now(const struct sl_watch_program *program);

/** Seconds between the last reading and the one @p back readings before it; the
 * oldest that is remembered, if that is too far. */
double sl_watch_span_s(const struct sl_watch_program *program, size_t back);

/** The history @p back readings ago, 0 the last. NaN: not known, or forgotten.
 * NULL has none. */
double sl_watch_past(const struct sl_watch_program *program,
		     const struct sl_watch_counter *counter, size_t back);

/** The counter called @p name, or NULL. */
const struct sl_watch_counter *
sl_watch_find(const struct sl_watch_program *program, const char *name);

#endif
