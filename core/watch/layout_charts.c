/* SPDX-License-Identifier: MIT */
/* Large charts: what there is room for, two beside each other if it is wide. */
#include <math.h>

#include "watch/layout_private.h"

enum { LEAST_HEIGHT = 4, MOST_HEIGHT = 12, WIDE = 120, CHARTS = 4 };

struct chart {
	const char *title, *unit;
	enum sl_style style;
	struct sl_series series;
};

static void draw_one(struct sl_screen *screen,
		     const struct sl_watch_program *program,
		     const struct chart *chart, int row, int column, int width,
		     int height)
{
	double max = sl_series_max(&chart->series, (size_t)width);
	char top[2 * SL_DRAW_NUMBER], time[2 * SL_DRAW_NUMBER];
	int title;

	sl_draw_unit(max, chart->unit, false, top);
	sl_draw_time(sl_watch_span_s(program, (size_t)width - 1), time);
	title = sl_screen_print(screen, row, column, SL_STYLE_HEAD,
				"%s, 0 to %s, last %s", chart->title, top,
				time);
	while (title < column + width)
		sl_screen_glyph(screen, row, title++, SL_STYLE_HEAD, ' ');
	sl_screen_right(screen, row, column + width, SL_STYLE_HEAD, "now");
	sl_draw_chart(screen, row + 1, column, height - 1, width, chart->style,
		      &chart->series, max);
}

void sl_layout_charts(struct sl_screen *screen,
		      const struct sl_watch_pipeline *pipeline, int row,
		      int end)
{
	const struct sl_watch_program *program = pipeline->program;
	struct sl_layout_history out = { program, pipeline->out };
	struct sl_layout_history power = { program, pipeline->power };
	struct sl_layout_history dropped = { program, pipeline->dropped };
	const struct chart charts[CHARTS] = {
		{ "packets/s out",
		  "",
		  SL_STYLE_GOOD,
		  { sl_layout_past, &out } },
		{ "power", "W", SL_STYLE_ENERGY, { sl_layout_past, &power } },
		{ "packets/s dropped",
		  "",
		  SL_STYLE_HIGH,
		  { sl_layout_past, &dropped } },
		{ "packets/J",
		  "",
		  SL_STYLE_ENERGY,
		  { sl_layout_past_packets_per_j, pipeline } },
	};
	int beside = screen->columns >= WIDE ? 2 : 1;
	int width = (screen->columns - 2 * (beside - 1)) / beside;
	int rows = (end - row) / LEAST_HEIGHT, drawn = 0, height;

	if (rows > CHARTS / beside)
		rows = CHARTS / beside;
	if (rows < 1)
		return;
	height = (end - row) / rows;
	height = height > MOST_HEIGHT ? MOST_HEIGHT : height;
	for (int at = 0; at < CHARTS && drawn < rows * beside; at++) {
		if (charts[at].style == SL_STYLE_ENERGY && !pipeline->energy)
			continue;
		draw_one(screen, program, &charts[at],
			 row + drawn / beside * height,
			 drawn % beside * (width + 2), width, height - 1);
		drawn++;
	}
}
