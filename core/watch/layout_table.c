/* SPDX-License-Identifier: MIT */
/* Any program's counters: name, value, unit, rate, and how that went. */
#include <math.h>

#include "watch/layout_private.h"

enum { NAME = 0, VALUE_END = 54, UNIT = 56, RATE_END = 80, CHART = 82 };

static void draw_row(struct sl_screen *screen,
		     const struct sl_watch_program *program,
		     const struct sl_watch_counter *counter, int row)
{
	const struct sl_counter_value *value = &counter->value;
	struct sl_layout_history history = { program, counter };
	struct sl_series series = { sl_layout_past, &history };
	char text[2 * SL_DRAW_NUMBER];

	(void)sl_screen_print(screen, row, NAME, SL_STYLE_PLAIN, "%s",
			      value->name);
	if (value->is_double)
		sl_draw_unit(value->number, "", false, text);
	else if (value->scale < 1 || value->scale > 1)
		sl_draw_number(value->number, text);
	else
		sl_draw_count(value->number, text);
	sl_screen_right(screen, row, VALUE_END, SL_STYLE_PLAIN, "%s", text);
	(void)sl_screen_print(screen, row, UNIT, SL_STYLE_FAINT, "%s",
			      value->unit);
	sl_draw_number(value->is_double ? NAN : sl_watch_rate(counter), text);
	sl_screen_right(screen, row, RATE_END, SL_STYLE_PLAIN, "%s",
			counter->fell ? "fell" : text);
	if (screen->columns > CHART + 8)
		sl_layout_spark(screen, row, CHART, screen->columns - CHART,
				SL_STYLE_GOOD, &series);
}

void sl_layout_table(struct sl_screen *screen,
		     const struct sl_watch_program *program,
		     struct sl_look *look, int row, int end)
{
	size_t count = program->about.count;
	size_t shown = (size_t)(end - row - 1);
	size_t first = sl_layout_scroll(look, count, shown);

	(void)sl_screen_print(screen, row, 0, SL_STYLE_HEAD, "%-*s",
			      screen->columns, "counter");
	sl_screen_right(screen, row, VALUE_END, SL_STYLE_HEAD, "value");
	(void)sl_screen_print(screen, row, UNIT, SL_STYLE_HEAD, "unit");
	sl_screen_right(screen, row, RATE_END, SL_STYLE_HEAD, "now/s");
	if (screen->columns > CHART + 8)
		sl_layout_span(screen, row, CHART, program,
			       screen->columns - CHART);
	if (first + shown < count)
		sl_screen_right(screen, row, VALUE_END - 8, SL_STYLE_HEAD,
				"%zu more below", count - first - shown);
	for (size_t at = first; at < count && at < first + shown; at++)
		draw_row(screen, program, &program->counters[at], ++row);
}
