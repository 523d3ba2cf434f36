/* SPDX-License-Identifier: MIT */
/** @file
 * The parts of a screen: each draws itself between two rows.
 */
#ifndef SL_WATCH_LAYOUT_PRIVATE_H
#define SL_WATCH_LAYOUT_PRIVATE_H

#include "watch/draw.h"
#include "watch/layout.h"
#include "watch/pipeline.h"

/** A pipeline, from @p row to before @p end. */
void sl_layout_pipeline(struct sl_screen *screen,
			const struct sl_watch_pipeline *pipeline,
			struct sl_look *look, int row, int end);

/** A program's counters as a table. */
void sl_layout_table(struct sl_screen *screen,
		     const struct sl_watch_program *program,
		     struct sl_look *look, int row, int end);

/** Large charts of a pipeline, as many as there is room for. */
void sl_layout_charts(struct sl_screen *screen,
		      const struct sl_watch_pipeline *pipeline, int row,
		      int end);

/** Let look->scroll be such that @p shown of @p count rows fill a window.
 * @return the first of them. */
size_t sl_layout_scroll(struct sl_look *look, size_t count, size_t shown);

/** "last 1:12", for charts of @p width columns. */
void sl_layout_span(struct sl_screen *screen, int row, int column,
		    const struct sl_watch_program *program, int width);

/** The history of one counter, for a chart. */
struct sl_layout_history {
	const struct sl_watch_program *program;
	const struct sl_watch_counter *counter;
};
double sl_layout_past(const void *history, size_t back);

/** That of packets by joule; @p pipeline is a struct sl_watch_pipeline. */
double sl_layout_past_packets_per_j(const void *pipeline, size_t back);

/** A chart of one row and its own height. */
void sl_layout_spark(struct sl_screen *screen, int row, int column, int width,
		     enum sl_style style, const struct sl_series *series);

#endif
