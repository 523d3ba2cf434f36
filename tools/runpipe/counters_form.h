/* SPDX-License-Identifier: MIT */
/** @file
 * The forms in which runpipe counters shows the counters of programs.
 */
#ifndef COUNTERS_FORM_H
#define COUNTERS_FORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sluice/counter.h"

/** One program's counters as they were read. All of it is borrowed. */
struct counters_shown {
	const char *path; /**< of the file */
	const struct sl_counter_program *program;
	const struct sl_counter_value *values; /**< program->count */
	enum sl_counter_state state;
	int64_t now_ns; /**< since 1970 */
};

/** "live", "ended", "dead". */
const char *counters_state_word(enum sl_counter_state state);

/** A row for each counter, to standard output: for people, JSON, CSV. */
void counters_put_text(const struct counters_shown *shown);
void counters_put_json(const struct counters_shown *shown);
void counters_put_csv(const struct counters_shown *shown);

/** What stands above the rows. */
void counters_head_text(void);
void counters_head_csv(void);

/** Prometheus' text format wants the samples of a metric together, so they are
 * kept until all programs are there. */
struct counters_metrics {
	char *up, *counters, *gauges; /**< owned; text that grows */
	size_t up_size, counters_size, gauges_size;
	FILE *streams[3]; /**< into those */
};

/** @return false: there is no memory. */
bool counters_metrics_begin(struct counters_metrics *metrics) SL_MUST_CHECK;
void counters_metrics_add(struct counters_metrics *metrics,
			  const struct counters_shown *shown);
/** Print them, if @p print, and free everything.
 * @return false: there was no memory for all. */
bool counters_metrics_end(struct counters_metrics *metrics,
			  bool print) SL_MUST_CHECK;

#endif
