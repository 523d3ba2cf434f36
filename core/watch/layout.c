/* SPDX-License-Identifier: MIT */
/* The frame: title, the programs there are, the keys; and what stands in its
 * middle. */
#include "watch/layout.h"

#include <stdio.h>
#include <string.h>

#include "watch/layout_private.h"

static const char *const state_words[] = { [SL_WATCH_LIVE] = "running",
					   [SL_WATCH_ENDED] = "ended",
					   [SL_WATCH_DEAD] = "died",
					   [SL_WATCH_LOST] = "unreadable" };

static void draw_title(struct sl_screen *screen, struct sl_watch_list *list,
		       const struct sl_look *look)
{
	const struct sl_watch_program *program = sl_watch_chosen(list);
	char time[2 * SL_DRAW_NUMBER];
	int column;

	if (program) {
		const struct sl_watch_counter *workers =
			sl_watch_find(program, "workers");

		column = sl_screen_print(screen, 0, 0, SL_STYLE_TITLE,
					 "%.40s %lld", program->about.program,
					 (long long)program->about.process);
		column = sl_screen_print(screen, 0, column + 2,
					 program->state == SL_WATCH_LIVE
						 ? SL_STYLE_GOOD
						 : SL_STYLE_WARNING,
					 "%s", state_words[program->state]);
		sl_draw_time(program->age_s, time);
		column = sl_screen_print(screen, 0, column + 2, SL_STYLE_PLAIN,
					 "%s", time);
		if (sl_watch_is_pipeline(program) && workers) {
			sl_draw_count(sl_watch_number(workers), time);
			(void)sl_screen_print(screen, 0, column + 2,
					      SL_STYLE_PLAIN, "%s worker%s",
					      time,
					      strcmp(time, "1") ? "s" : "");
		}
	} else {
		(void)sl_screen_print(screen, 0, 0, SL_STYLE_TITLE,
				      "runpipe top");
	}
	if (look->paused)
		sl_screen_right(screen, 0, screen->columns, SL_STYLE_WARNING,
				" PAUSED");
	else
		sl_screen_right(screen, 0, screen->columns, SL_STYLE_FAINT,
				" every %g s", look->interval_s);
}

/* The style alone would not tell where there are no colours. */
static const char *listed_state(const struct sl_watch_program *program)
{
	return program->state == SL_WATCH_DEAD    ? " died"
	       : program->state == SL_WATCH_ENDED ? " ended"
						  : "";
}

/* At most, with a number of up to eight digits. */
static int listed_width(const struct sl_watch_program *program)
{
	return (int)(strlen(program->about.program) +
		     strlen(listed_state(program))) +
	       12;
}

/* The chosen one must be among those that fit. */
static void draw_programs(struct sl_screen *screen,
			  const struct sl_watch_list *list)
{
	size_t first = list->chosen;
	int column = 0, room = screen->columns - 16;

	if (list->count < 2)
		return;
	while (first > 0 && room > 0) {
		room -= listed_width(&list->items[first]->program);
		if (room > 0)
			first--;
	}
	if (first > 0)
		column = sl_screen_print(screen, 1, 0, SL_STYLE_FAINT, "< ");
	for (size_t at = first; at < list->count; at++) {
		const struct sl_watch_program *program =
			&list->items[at]->program;

		column = sl_screen_print(screen, 1, column,
					 at == list->chosen ? SL_STYLE_CHOSEN
					 : program->state == SL_WATCH_LIVE
						 ? SL_STYLE_PLAIN
						 : SL_STYLE_FAINT,
					 at == list->chosen ? "[%s %lld%s]"
							    : " %s %lld%s ",
					 program->about.program,
					 (long long)program->about.process,
					 listed_state(program)) +
			 1;
	}
	if (column > screen->columns)
		sl_screen_right(screen, 1, screen->columns, SL_STYLE_FAINT,
				" >");
}

static void draw_foot(struct sl_screen *screen, struct sl_watch_list *list,
		      const struct sl_look *look)
{
	const struct sl_watch_program *program = sl_watch_chosen(list);
	int row = screen->rows - 1;

	if (program && program->state == SL_WATCH_LOST)
		(void)sl_screen_print(screen, row, 0, SL_STYLE_WARNING,
				      "its counters cannot be read: %s; these "
				      "are the last",
				      program->why);
	else if (program && program->state == SL_WATCH_ENDED)
		(void)sl_screen_print(screen, row, 0, SL_STYLE_WARNING,
				      "it has ended; these are its last "
				      "figures");
	else if (program && program->state == SL_WATCH_DEAD)
		(void)sl_screen_print(screen, row, 0, SL_STYLE_WARNING,
				      "it died; these are its last figures");
	else if (list->unreadable)
		(void)sl_screen_print(screen, row, 0, SL_STYLE_WARNING,
				      "not readable: %s", list->why);
	else if (list->left_out)
		(void)sl_screen_print(screen, row, 0, SL_STYLE_WARNING,
				      "%zu programs more than fit",
				      list->left_out);
	else
		(void)sl_screen_print(screen, row, 0, SL_STYLE_FAINT,
				      "p %s  + - interval%s  t %s",
				      look->paused ? "go on" : "pause",
				      list->count > 1 ? "  tab next program"
						      : "",
				      look->table ? "pipeline" : "table");
	sl_screen_right(screen, row, screen->columns, SL_STYLE_FAINT,
			"  ? help  q quit");
}

static void draw_help(struct sl_screen *screen)
{
	static const char *const lines[] = {
		"q              quit",
		"? or h         this page, and back",
		"+ -            a longer or a shorter interval, 0.1 to 60 s",
		"p or blank     pause: nothing is read; again: go on",
		"tab, right     the next program; left: the one before",
		"t              a pipeline's counters as a table, and back",
		"up, down       scroll a list that is longer than the screen",
		"",
		"now            between the last two readings",
		"all            since the counters were published",
		"load           a stage's share of the time of all workers",
		"ns/packet      a stage's time by the packets that reached it",
		"packets/J      packets that the sink took by the energy",
		"~              an estimate: a model had its hand in it",
		"no figure      the meter has none; it is not 0",
		"-              not known (yet); fell: less than before",
		"",
		"Charts start at 0; their top is the largest figure shown.",
	};

	for (size_t at = 0; at < sizeof(lines) / sizeof(lines[0]); at++)
		(void)sl_screen_print(screen, 2 + (int)at, 2, SL_STYLE_PLAIN,
				      "%s", lines[at]);
}

static void draw_nothing(struct sl_screen *screen,
			 const struct sl_watch_list *list)
{
	(void)sl_screen_print(screen, 3, 2, SL_STYLE_PLAIN,
			      "No program publishes counters%s%s. Waiting for "
			      "one.",
			      list->name ? " as " : "",
			      list->name ? list->name : "");
	(void)sl_screen_print(screen, 5, 2, SL_STYLE_FAINT,
			      "A running pipeline does: runpipe CONFIG");
}

static enum sl_code draw_program(struct sl_screen *screen,
				 const struct sl_watch_program *program,
				 struct sl_look *look, struct sl_error *error)
{
	struct sl_watch_pipeline pipeline;
	enum sl_code code;

	if (look->table || !sl_watch_is_pipeline(program)) {
		sl_layout_table(screen, program, look, 2, screen->rows - 1);
		return SL_OK;
	}
	code = sl_watch_pipeline_init(&pipeline, program, error);
	if (code != SL_OK)
		return code;
	sl_layout_pipeline(screen, &pipeline, look, 2, screen->rows - 1);
	sl_watch_pipeline_finish(&pipeline);
	return SL_OK;
}

enum sl_code sl_layout(struct sl_screen *screen, struct sl_watch_list *list,
		       struct sl_look *look, struct sl_error *error)
{
	const struct sl_watch_program *program = sl_watch_chosen(list);
	enum sl_code code = SL_OK;

	sl_screen_clear(screen);
	if (screen->rows < SL_LAYOUT_ROWS ||
	    screen->columns < SL_LAYOUT_COLUMNS) {
		(void)sl_screen_print(screen, 0, 0, SL_STYLE_WARNING,
				      "too small: %dx%d", screen->columns,
				      screen->rows);
		(void)sl_screen_print(screen, 1, 0, SL_STYLE_PLAIN,
				      "80x24 wanted");
		(void)sl_screen_print(screen, 2, 0, SL_STYLE_FAINT, "q quit");
		return SL_OK;
	}
	draw_title(screen, list, look);
	draw_programs(screen, list);
	if (look->help)
		draw_help(screen);
	else if (program)
		code = draw_program(screen, program, look, error);
	else
		draw_nothing(screen, list);
	draw_foot(screen, list, look);
	return code;
}

size_t sl_layout_scroll(struct sl_look *look, size_t count, size_t shown)
{
	size_t most = count > shown ? count - shown : 0;

	if (look->scroll > most)
		look->scroll = most;
	return look->scroll;
}

void sl_layout_span(struct sl_screen *screen, int row, int column,
		    const struct sl_watch_program *program, int width)
{
	char time[2 * SL_DRAW_NUMBER];

	sl_draw_time(sl_watch_span_s(program, (size_t)width - 1), time);
	(void)sl_screen_print(screen, row, column, SL_STYLE_HEAD, "%-*.*s",
			      width, width, "");
	(void)sl_screen_print(screen, row, column, SL_STYLE_HEAD, "last %s",
			      time);
}

double sl_layout_past(const void *history, size_t back)
{
	const struct sl_layout_history *of = history;

	return sl_watch_past(of->program, of->counter, back);
}

double sl_layout_past_packets_per_j(const void *pipeline, size_t back)
{
	return sl_watch_packets_per_j(pipeline, back);
}

void sl_layout_spark(struct sl_screen *screen, int row, int column, int width,
		     enum sl_style style, const struct sl_series *series)
{
	sl_draw_chart(screen, row, column, 1, width, style, series,
		      sl_series_max(series, (size_t)width));
}
