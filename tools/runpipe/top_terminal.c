/* SPDX-License-Identifier: MIT */
#include "top_terminal.h"

#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* What of ncurses is named as ours is not used. */
#define NCURSES_NOMACROS 1
#include <ncurses.h>

/* Between ESC and what follows it in an arrow key's sequence. */
enum { ESCAPE_MS = 25 };

static const struct {
	short colour; /* -1: the terminal's own */
	attr_t coloured, plain;
} styles[SL_STYLES] = {
	[SL_STYLE_PLAIN] = { -1, A_NORMAL, A_NORMAL },
	[SL_STYLE_TITLE] = { -1, A_BOLD, A_BOLD },
	[SL_STYLE_HEAD] = { -1, A_REVERSE, A_REVERSE },
	[SL_STYLE_FAINT] = { -1, A_DIM, A_NORMAL },
	[SL_STYLE_CHOSEN] = { -1, A_BOLD, A_BOLD },
	[SL_STYLE_GOOD] = { COLOR_GREEN, A_NORMAL, A_NORMAL },
	[SL_STYLE_HIGH] = { COLOR_YELLOW, A_NORMAL, A_NORMAL },
	[SL_STYLE_FULL] = { COLOR_RED, A_NORMAL, A_BOLD },
	[SL_STYLE_ENERGY] = { COLOR_CYAN, A_NORMAL, A_NORMAL },
	[SL_STYLE_WARNING] = { COLOR_RED, A_BOLD, A_BOLD },
};

/* no-color.org: set, and not empty. */
static bool wants_colours(void)
{
	const char *no = getenv("NO_COLOR");

	return !(no && *no) && has_colors();
}

static void prepare_colours(void)
{
	if (!wants_colours() || start_color() == ERR)
		return;
	use_default_colors();
	for (int style = 0; style < SL_STYLES; style++)
		init_pair((short)(style + 1), styles[style].colour, -1);
}

bool terminal_open(void)
{
	setlocale(LC_CTYPE, "");
	/* initscr() would end the program. */
	if (!terminal_is_known() || !newterm(NULL, stdout, stdin))
		return false;
	cbreak();
	noecho();
	nonl();
	curs_set(0);
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	set_escdelay(ESCAPE_MS);
	prepare_colours();
	return true;
}

void terminal_close(void)
{
	SCREEN *screen = set_term(NULL);

	set_term(screen);
	endwin();
	delscreen(screen);
}

bool terminal_is_ascii(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
}

void terminal_size(int *rows, int *columns)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 &&
	    size.ws_col > 0)
		resizeterm(size.ws_row, size.ws_col);
	getmaxyx(stdscr, *rows, *columns);
}

static void set_style(enum sl_style style)
{
	bool coloured = wants_colours();

	attr_set(coloured ? styles[style].coloured : styles[style].plain,
		 coloured ? (short)(style + 1) : 0, NULL);
}

/* Cells of one style go out together. @return the column behind them. */
static int show_cells(const struct sl_screen *screen, int row, int column)
{
	const struct sl_cell *cells =
		screen->cells + (size_t)row * (size_t)screen->columns;
	enum sl_style style = cells[column].style;
	char text[4 * SL_SCREEN_MAX + 1];
	size_t used = 0;
	int at = column;

	while (at < screen->columns && cells[at].style == style)
		used += sl_utf8(cells[at++].glyph, text + used);
	text[used] = '\0';
	set_style(style);
	mvaddstr(row, column, text);
	return at;
}

void terminal_show(const struct sl_screen *screen)
{
	erase();
	for (int row = 0; row < screen->rows; row++)
		for (int column = 0; column < screen->columns;)
			column = show_cells(screen, row, column);
	refresh();
}

enum key terminal_key(void)
{
	static const struct {
		int code;
		enum key key;
	} keys[] = {
		{ ERR, KEY_NO_MORE },
		{ 'q', KEY_LEAVE },
		{ 'Q', KEY_LEAVE },
		{ '?', KEY_PAGE_HELP },
		{ 'h', KEY_PAGE_HELP },
		{ 'p', KEY_PAUSE },
		{ ' ', KEY_PAUSE },
		{ '+', KEY_SLOWER },
		{ '=', KEY_SLOWER },
		{ '-', KEY_FASTER },
		{ '\t', KEY_FOLLOWING },
		{ KEY_RIGHT, KEY_FOLLOWING },
		{ KEY_LEFT, KEY_BEFORE },
		{ KEY_BTAB, KEY_BEFORE },
		{ 't', KEY_TABLE },
		{ KEY_UP, KEY_SCROLL_UP },
		{ KEY_DOWN, KEY_SCROLL_DOWN },
	};
	int code = getch();

	for (size_t at = 0; at < sizeof(keys) / sizeof(keys[0]); at++)
		if (keys[at].code == code)
			return keys[at].key;
	return KEY_OTHER;
}
