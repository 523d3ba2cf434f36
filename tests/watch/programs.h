/* SPDX-License-Identifier: MIT */
/** @file
 * Programs that a test of core/watch makes up.
 */
#ifndef TESTS_WATCH_PROGRAMS_H
#define TESTS_WATCH_PROGRAMS_H

#include "watch/program.h"

#define SECOND INT64_C(1000000000)

/** Values of counters, as a reader would give them. */
struct values {
	size_t count;
	struct sl_counter_value values[64];
};

/** Add a counter of packets, or one with a unit and scale; a gauge. */
void add_count(struct values *values, const char *name);
void add_scaled(struct values *values, const char *name, const char *unit,
		double scale);
void add_gauge(struct values *values, const char *name, const char *unit);

/** Set a counter, which must be there; a gauge by a double. */
void set_count(struct values *values, const char *name, uint64_t count);
void set_gauge(struct values *values, const char *name, double number);

/** A program of these counters, called "runpipe", process 4711. */
void begin_program(struct sl_watch_program *program,
		   const struct values *values);

/** Take a reading at second @p at. */
void take(struct sl_watch_program *program, double at,
	  const struct values *values, enum sl_counter_state state);

/** A pipeline of the stages "trace", "nat" and "discard", on two workers; and
 * the same with a meter of one domain. */
void add_pipeline(struct values *values);
void add_energy(struct values *values);

/** Its figures after @p seconds of 1,000 packets in a second, of which nat
 * drops 100 and spends 500 us on each, at 20 W. */
void set_pipeline(struct values *values, double seconds);

#endif
