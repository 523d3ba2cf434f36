/* SPDX-License-Identifier: MIT */
/** @file
 * A run's figures for other programs while it lasts: a file for Prometheus that
 * is replaced whole, and a table that grows by a row. The thread that waits for
 * the run writes them, between its sleeps.
 *
 * A file that cannot be written keeps a run from starting; one that fails later
 * costs the exit code, and no packets.
 */
#ifndef EXPORT_H
#define EXPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "sluice/error.h"
#include "sluice/pipeline.h"

/** Zeroed but for what the user gave, it is ready. */
struct exports {
	const char *metrics; /**< Prometheus' text format; NULL: none */
	const char *series; /**< CSV, "-": standard output; NULL: none */
	int64_t interval_ns;

	int64_t next_ns; /**< when it is due, CLOCK_MONOTONIC */
	int series_fd;
	bool metrics_created, series_created, series_opened;
	bool metrics_failed, series_failed;
};

/** Parse "10s", "500ms", "2min", "1h"; a number alone is of seconds.
 * @return false: it is none, or not between 100 ms and a day. */
bool export_interval(const char *text, int64_t *ns) SL_MUST_CHECK;

/** Make sure that the files can be written and are nobody else's, before the
 * pipeline opens: what is in them is still there. SL_EIO, SL_EINVAL. */
enum sl_code export_open(struct exports *exports, struct sl_pipeline *pipeline,
			 struct sl_error *error) SL_MUST_CHECK;

/** Nothing ran: leave no empty files behind. */
void export_withdraw(struct exports *exports);

/** Hears of each file that fails, once. */
typedef void export_complain(const struct sl_error *error);

/** The run has started: write first metrics, empty the table, and write its
 * header. */
void export_begin(struct exports *exports, struct sl_pipeline *pipeline,
		  export_complain *complain);

/** How long to wait until it is due, -1: for ever. */
int export_timeout_ms(const struct exports *exports);

/** Write if it is due. Intervals that were missed are not made up for. */
void export_when_due(struct exports *exports, struct sl_pipeline *pipeline,
		     export_complain *complain);

/** Write the last figures, after the run.
 * @return false: some were not written, now or before. */
bool export_end(struct exports *exports, const struct sl_stats *stats,
		export_complain *complain);

#endif
