/* SPDX-License-Identifier: MIT */
/* Numbers, bars and charts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <float.h>
#include <math.h>

#include <cmocka.h>

#include "watch/draw.h"

static void numbers_have_four_digits_and_a_prefix(void **state)
{
	static const struct {
		double number;
		const char *text;
	} rows[] = {
		{ 0, "0" },
		{ -0.0, "0" },
		{ 1, "1.000" },
		{ 9.99949, "9.999" },
		{ 9.9996, "10.00" },
		{ 99.996, "100.0" },
		{ 999.94, "999.9" },
		{ 999.96, "1.000 k" },
		{ 1234567, "1.235 M" },
		{ -45.6e-3, "-45.60 m" },
		{ 1e-9, "1.000 n" },
		{ 1e-12, "0" },
		{ 5e20, "500.0 E" },
		{ 1e24, "1e+24" },
		{ -DBL_MAX, "-2e+308" },
		{ NAN, "-" },
		{ INFINITY, "-" },
	};

	(void)state;
	for (size_t at = 0; at < sizeof(rows) / sizeof(rows[0]); at++) {
		char text[SL_DRAW_NUMBER];

		sl_draw_number(rows[at].number, text);
		assert_string_equal(text, rows[at].text);
	}
}

static void a_unit_stands_behind_its_prefix(void **state)
{
	char text[2 * SL_DRAW_NUMBER];

	(void)state;
	sl_draw_unit(31500, "W", false, text);
	assert_string_equal(text, "31.50 kW");
	sl_draw_unit(31.5, "W", true, text);
	assert_string_equal(text, "~31.50 W");
	sl_draw_unit(31.5, "", false, text);
	assert_string_equal(text, "31.50");
	sl_draw_unit(NAN, "W", true, text);
	assert_string_equal(text, "no figure");
}

static void counts_are_whole_and_times_short(void **state)
{
	char text[2 * SL_DRAW_NUMBER];

	(void)state;
	sl_draw_count(1234567, text);
	assert_string_equal(text, "1,234,567");
	sl_draw_count(999999999999999.0, text);
	assert_string_equal(text, "999,999,999,999,999");
	sl_draw_count(18446744073709551615.0, text);
	assert_string_equal(text, "18.45 E");
	sl_draw_time(62, text);
	assert_string_equal(text, "1:02");
	sl_draw_time(3723, text);
	assert_string_equal(text, "1:02:03");
	sl_draw_time(273900, text);
	assert_string_equal(text, "3 d 4:05");
	sl_draw_time(-1, text);
	assert_string_equal(text, "0:00");
	sl_draw_time(NAN, text);
	assert_string_equal(text, "0:00");
	sl_draw_time(1e300, text);
	assert_string_equal(text, "0:00");
}

/* ---- pictures ---- */

static void begin_screen(struct sl_screen *screen, int rows, int columns,
			 bool ascii)
{
	struct sl_error error;

	memset(screen, 0, sizeof(*screen));
	screen->ascii = ascii;
	assert_int_equal(sl_screen_resize(screen, rows, columns, &error),
			 SL_OK);
}

static void assert_row(const struct sl_screen *screen, int row,
		       const char *wanted)
{
	char text[4 * 80 + 1];

	sl_screen_line(screen, row, text);
	assert_string_equal(text, wanted);
}

static double ramp(const void *context, size_t back)
{
	static const double figures[] = { 8, 7, 6, NAN, 4, 3, 2, 1, 0 };

	(void)context;
	return back < 9 ? figures[back] : NAN;
}

static void a_bar_has_eighths(void **state)
{
	struct sl_screen screen;

	(void)state;
	begin_screen(&screen, 1, 20, false);
	sl_draw_bar(&screen, 0, 0, 4, 0.59375);
	assert_row(&screen, 0, "██▍");
	sl_screen_clear(&screen);
	sl_draw_bar(&screen, 0, 0, 4, 0.001);
	assert_row(&screen, 0, "▏");
	sl_screen_clear(&screen);
	sl_draw_bar(&screen, 0, 0, 4, 1e308);
	assert_row(&screen, 0, "████");
	sl_screen_clear(&screen);
	sl_draw_bar(&screen, 0, 0, 4, NAN);
	assert_row(&screen, 0, "....");
	sl_screen_finish(&screen);
}

static void a_chart_tells_a_gap_from_nothing(void **state)
{
	struct sl_series series = { ramp, NULL };
	struct sl_screen screen;

	(void)state;
	begin_screen(&screen, 2, 20, false);
	sl_draw_chart(&screen, 0, 0, 1, 10, SL_STYLE_GOOD, &series,
		      sl_series_max(&series, 10));
	assert_row(&screen, 0, " ▁▁▂▃▄ ▆▇█");
	sl_screen_clear(&screen);
	sl_draw_chart(&screen, 0, 0, 2, 10, SL_STYLE_GOOD, &series, 8);
	assert_row(&screen, 0, "       ▄▆█");
	assert_row(&screen, 1, " ▁▂▄▆█ ███");
	sl_screen_finish(&screen);
}

static void where_there_is_only_ascii_all_of_it_is(void **state)
{
	struct sl_series series = { ramp, NULL };
	struct sl_screen screen;

	(void)state;
	begin_screen(&screen, 3, 20, true);
	sl_draw_bar(&screen, 0, 0, 4, 0.6);
	assert_row(&screen, 0, "##");
	sl_draw_chart(&screen, 1, 0, 1, 10, SL_STYLE_GOOD, &series, 8);
	assert_row(&screen, 1, " _.:-= *%#");
	sl_draw_chart(&screen, 1, 0, 2, 10, SL_STYLE_GOOD, &series, 8);
	assert_row(&screen, 2, " _.::# ###");
	sl_screen_finish(&screen);
}

static void what_does_not_fit_is_cut(void **state)
{
	struct sl_screen screen;

	(void)state;
	begin_screen(&screen, 1, 5, false);
	(void)sl_screen_print(&screen, 0, 2, SL_STYLE_PLAIN, "%s", "long");
	assert_row(&screen, 0, "  lon");
	(void)sl_screen_print(&screen, 7, 0, SL_STYLE_PLAIN, "below");
	(void)sl_screen_print(&screen, -1, 0, SL_STYLE_PLAIN, "above");
	sl_screen_right(&screen, 0, 3, SL_STYLE_PLAIN, "%s", "12345");
	assert_row(&screen, 0, "345on");
	(void)sl_screen_print(&screen, 0, 0, SL_STYLE_PLAIN, "%s",
			      "\033[2J\xff");
	assert_row(&screen, 0, "?[2J?");
	sl_screen_finish(&screen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_have_four_digits_and_a_prefix),
		cmocka_unit_test(a_unit_stands_behind_its_prefix),
		cmocka_unit_test(counts_are_whole_and_times_short),
		cmocka_unit_test(a_bar_has_eighths),
		cmocka_unit_test(a_chart_tells_a_gap_from_nothing),
		cmocka_unit_test(where_there_is_only_ascii_all_of_it_is),
		cmocka_unit_test(what_does_not_fit_is_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
