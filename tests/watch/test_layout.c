/* SPDX-License-Identifier: MIT */
/* Whole screens of programs that are made up here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <float.h>
#include <math.h>
#include <stdio.h>

#include <cmocka.h>

#include "programs.h"
#include "watch/layout.h"

struct view {
	struct values values;
	struct sl_watch_item item;
	struct sl_watch_list list;
	struct sl_look look;
	struct sl_screen screen;
};

/* The list borrows its one item: it must not be finished. */
static void begin_view(struct view *view, int rows, int columns)
{
	struct sl_error error;

	view->screen.ascii = true;
	view->look.interval_s = 1;
	view->list.items[0] = &view->item;
	view->list.count = 1;
	begin_program(&view->item.program, &view->values);
	assert_int_equal(sl_screen_resize(&view->screen, rows, columns, &error),
			 SL_OK);
}

static void read_at(struct view *view, double seconds)
{
	take(&view->item.program, seconds, &view->values, SL_COUNTERS_LIVE);
}

static void draw(struct view *view)
{
	struct sl_error error;

	assert_int_equal(
		sl_layout(&view->screen, &view->list, &view->look, &error),
		SL_OK);
}

static void end_view(struct view *view)
{
	sl_watch_finish(&view->item.program);
	sl_screen_finish(&view->screen);
}

static void assert_row(const struct view *view, int row, const char *wanted)
{
	char text[4 * SL_SCREEN_MAX + 1];

	sl_screen_line(&view->screen, row, text);
	assert_string_equal(text, wanted);
}

static bool has(const struct view *view, const char *part)
{
	char text[4 * SL_SCREEN_MAX + 1];

	for (int row = 0; row < view->screen.rows; row++) {
		sl_screen_line(&view->screen, row, text);
		if (strstr(text, part))
			return true;
	}
	return false;
}

static void begin_pipeline(struct view *view, int rows, int columns)
{
	memset(view, 0, sizeof(*view));
	add_pipeline(&view->values);
	add_energy(&view->values);
	begin_view(view, rows, columns);
	for (int at = 1; at <= 4; at++) {
		set_pipeline(&view->values, at);
		read_at(view, at);
	}
}

static void a_pipeline_fills_80x24(void **state)
{
	static const char *const rows[] = {
		"runpipe 4711  running  0:04  2 workers"
		"                                 every 1 s",
		"",
		"packets                    now/s               all  last 0:03",
		"in                       1.000 k             4,000"
		"                           ###",
		"out                        900.0             3,600"
		"                           ###",
		"dropped                    100.0               400"
		"                           ###",
		"",
		"energy                       now               all",
		"sum                      20.00 W           80.00 J"
		"                          ####",
		"packets/J                  45.00             45.00"
		"                           ###",
		"rapl.package-0           15.00 W           60.00 J",
		"",
		"stage                                load packets/s ns/packet "
		"dropped/s  dropped",
		"trace                               0.0 %   1.000 k         0"
		"         0        0",
		"nat              ####              25.0 %   1.000 k   500.0 k"
		"     100.0    400.0",
		"discard                             0.0 %         0         -"
		"         0        0",
		"",
		"packets/s out, 0 to 900.0, last 0:03"
		"                                         now",
		"                                                              "
		"               ###",
		"                                                              "
		"               ###",
		"                                                              "
		"               ###",
		"                                                              "
		"               ###",
		"",
		"p pause  + - interval  t table"
		"                                    ? help  q quit",
	};
	struct view view;

	(void)state;
	begin_pipeline(&view, 24, 80);
	draw(&view);
	for (int row = 0; row < 24; row++)
		assert_row(&view, row, rows[row]);
	end_view(&view);
}

static void more_room_has_more_charts(void **state)
{
	struct view view;

	(void)state;
	begin_pipeline(&view, 50, 200);
	draw(&view);
	assert_true(has(&view, "packets/s out, 0 to 900.0"));
	assert_true(has(&view, "power, 0 to 20.00 W"));
	assert_true(has(&view, "packets/s dropped, 0 to 100.0"));
	assert_true(has(&view, "packets/J, 0 to 45.00"));
	assert_true(has(&view, "load, 0 to 100 %"));
	end_view(&view);
}

static void a_model_s_figures_are_estimates(void **state)
{
	struct view view;

	(void)state;
	begin_pipeline(&view, 24, 80);
	set_gauge(&view.values, "estimate", 1);
	read_at(&view, 5);
	draw(&view);
	assert_true(has(&view, "energy (~ estimate)"));
	assert_true(has(&view, "~20.00 W          ~80.00 J"));
	assert_true(has(&view, "rapl.package-0          ~15.00 W"));
	end_view(&view);
}

static void what_a_meter_cannot_say_is_no_figure(void **state)
{
	struct view view;

	(void)state;
	begin_pipeline(&view, 24, 80);
	set_gauge(&view.values, "energy", NAN);
	set_gauge(&view.values, "power", NAN);
	read_at(&view, 5);
	draw(&view);
	assert_row(&view, 8,
		   "sum                    no figure         no figure"
		   "                         ####");
	assert_true(has(&view, "packets/J              no figure"));
	end_view(&view);
}

static void a_pipeline_without_meters_says_so(void **state)
{
	struct view view;

	(void)state;
	memset(&view, 0, sizeof(view));
	add_pipeline(&view.values);
	begin_view(&view, 24, 80);
	read_at(&view, 1);
	draw(&view);
	assert_true(has(&view, "energy: no meters"));
	/* One reading has no rates. */
	assert_row(&view, 3,
		   "in                             -                 0");
	assert_true(has(&view, "nat              ................       -"));
	end_view(&view);
}

static void what_ended_is_said_and_its_figures_stay(void **state)
{
	struct view view;

	(void)state;
	begin_pipeline(&view, 24, 80);
	take(&view.item.program, 5, &view.values, SL_COUNTERS_ENDED);
	draw(&view);
	assert_true(has(&view, "runpipe 4711  ended"));
	assert_row(&view, 23,
		   "it has ended; these are its last figures"
		   "                          ? help  q quit");
	assert_true(has(&view, "in                             -             "
			       "4,000"));
	/* Of the whole run, as nothing is now. */
	assert_true(has(&view, "500.0 k"));
	end_view(&view);
}

static void what_died_or_was_lost_is_said_as_well(void **state)
{
	struct view view;

	(void)state;
	begin_pipeline(&view, 24, 80);
	sl_watch_lose(&view.item.program, "byte 0: not a counter file");
	draw(&view);
	assert_true(has(&view, "runpipe 4711  unreadable"));
	assert_true(has(&view, "cannot be read: byte 0: not a counter file"));
	take(&view.item.program, 5, &view.values, SL_COUNTERS_DEAD);
	draw(&view);
	assert_true(has(&view, "runpipe 4711  died"));
	assert_true(has(&view, "it died; these are its last figures"));
	end_view(&view);
}

static void other_programs_are_tables(void **state)
{
	struct view view;

	(void)state;
	memset(&view, 0, sizeof(view));
	add_count(&view.values, "frames");
	add_scaled(&view.values, "sent", "B", 1024);
	add_gauge(&view.values, "quality", "");
	begin_view(&view, 24, 80);
	read_at(&view, 1);
	set_count(&view.values, "frames", 1234567);
	set_count(&view.values, "sent", 10);
	set_gauge(&view.values, "quality", NAN);
	read_at(&view, 2);
	set_count(&view.values, "frames", 1234);
	set_count(&view.values, "sent", 20);
	read_at(&view, 3);
	draw(&view);
	assert_row(&view, 2,
		   "counter                                          value  "
		   "unit               now/s");
	assert_row(&view, 3,
		   "frames                                           1,234  "
		   "packet              fell");
	assert_row(&view, 4,
		   "sent                                           20.48 k  "
		   "B                10.24 k");
	assert_row(&view, 5,
		   "quality                                      no figure"
		   "                         -");
	end_view(&view);
}

static void a_long_table_scrolls(void **state)
{
	struct view view;

	(void)state;
	memset(&view, 0, sizeof(view));
	for (int at = 0; at < 40; at++) {
		char name[SL_COUNTER_NAME];

		(void)snprintf(name, sizeof(name), "counter%d", at);
		add_count(&view.values, name);
	}
	begin_view(&view, 24, 80);
	read_at(&view, 1);
	view.look.scroll = 3;
	draw(&view);
	assert_false(has(&view, "counter2 "));
	assert_true(has(&view, "counter3 "));
	assert_true(has(&view, "counter22 "));
	assert_true(has(&view, "17 more below"));
	view.look.scroll = 1000;
	draw(&view);
	assert_int_equal(view.look.scroll, 20);
	assert_true(has(&view, "counter39 "));
	end_view(&view);
}

static void many_stages_scroll(void **state)
{
	struct view view;

	(void)state;
	memset(&view, 0, sizeof(view));
	add_count(&view.values, "packets_in");
	add_count(&view.values, "packets_out");
	add_count(&view.values, "packets_dropped");
	for (int at = 0; at < 30; at++) {
		char name[SL_COUNTER_NAME];

		(void)snprintf(name, sizeof(name), "packets.stage%d", at);
		add_count(&view.values, name);
	}
	begin_view(&view, 24, 80);
	read_at(&view, 1);
	draw(&view);
	assert_true(has(&view, "stage 1-13 of 30"));
	view.look.scroll = 99;
	draw(&view);
	assert_true(has(&view, "stage 18-30 of 30"));
	assert_true(has(&view, "stage29"));
	end_view(&view);
}

static void several_programs_are_listed_and_the_chosen_one_is_seen(void **state)
{
	struct sl_watch_item others[20];
	struct view view;

	(void)state;
	begin_pipeline(&view, 24, 80);
	memset(others, 0, sizeof(others));
	for (size_t at = 0; at < 20; at++) {
		(void)snprintf(others[at].program.about.program, 16, "encoder");
		others[at].program.about.process = 100 + (int64_t)at;
		view.list.items[1 + at] = &others[at];
	}
	view.list.count = 2;
	draw(&view);
	assert_row(&view, 1, "[runpipe 4711]  encoder 100");
	others[0].program.state = SL_WATCH_DEAD;
	others[1].program.state = SL_WATCH_ENDED;
	view.list.count = 3;
	draw(&view);
	assert_row(&view, 1,
		   "[runpipe 4711]  encoder 100 died   encoder 101 ended");
	view.list.count = 21;
	view.list.chosen = 15;
	draw(&view);
	assert_true(has(&view, "[encoder 114]"));
	end_view(&view);
}

static void a_small_terminal_says_so(void **state)
{
	struct view view;

	(void)state;
	begin_pipeline(&view, 23, 80);
	draw(&view);
	assert_row(&view, 0, "too small: 80x23");
	assert_row(&view, 1, "80x24 wanted");
	end_view(&view);
	begin_pipeline(&view, 1, 1);
	draw(&view);
	assert_row(&view, 0, "t");
	end_view(&view);
}

static void figures_beyond_all_measure_break_nothing(void **state)
{
	static const double numbers[] = { DBL_MAX,  -DBL_MAX,  1e-308,
					  INFINITY, -INFINITY, -1 };
	struct view view;

	(void)state;
	for (int columns = 80; columns <= 1000; columns += 71) {
		begin_pipeline(&view, columns / 3, columns);
		for (size_t at = 0; at < 6; at++) {
			for (size_t name = 0; name < view.values.count;
			     name++) {
				view.values.values[name].count =
					at % 2 ? 3 : UINT64_MAX - at;
				view.values.values[name].number = numbers[at];
				view.values.values[name].scale = DBL_MAX;
			}
			read_at(&view, 5 + (double)at * 1e-9);
			view.look.table = at % 2;
			draw(&view);
			assert_true(has(&view, "runpipe 4711"));
		}
		end_view(&view);
	}
}

static void there_is_a_page_of_help(void **state)
{
	struct view view;

	(void)state;
	begin_pipeline(&view, 24, 80);
	view.look.help = true;
	view.look.paused = true;
	draw(&view);
	assert_true(has(&view, "q              quit"));
	assert_true(has(&view, "PAUSED"));
	end_view(&view);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pipeline_fills_80x24),
		cmocka_unit_test(more_room_has_more_charts),
		cmocka_unit_test(a_model_s_figures_are_estimates),
		cmocka_unit_test(what_a_meter_cannot_say_is_no_figure),
		cmocka_unit_test(a_pipeline_without_meters_says_so),
		cmocka_unit_test(what_ended_is_said_and_its_figures_stay),
		cmocka_unit_test(what_died_or_was_lost_is_said_as_well),
		cmocka_unit_test(other_programs_are_tables),
		cmocka_unit_test(a_long_table_scrolls),
		cmocka_unit_test(many_stages_scroll),
		cmocka_unit_test(
			several_programs_are_listed_and_the_chosen_one_is_seen),
		cmocka_unit_test(a_small_terminal_says_so),
		cmocka_unit_test(figures_beyond_all_measure_break_nothing),
		cmocka_unit_test(there_is_a_page_of_help),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
