/* SPDX-License-Identifier: MIT */
/** @file
 * The terminal of runpipe top: the only part that knows ncurses.
 */
#ifndef TOP_TERMINAL_H
#define TOP_TERMINAL_H

#include <stdbool.h>

#include "watch/screen.h"

/** What a key means. */
enum key {
	KEY_OTHER, /**< nothing */
	KEY_LEAVE,
	KEY_PAGE_HELP,
	KEY_PAUSE,
	KEY_SLOWER,
	KEY_FASTER,
	KEY_FOLLOWING,
	KEY_BEFORE,
	KEY_TABLE,
	KEY_SCROLL_UP,
	KEY_SCROLL_DOWN,
	KEY_NO_MORE, /**< no more have been pressed */
};

/** Whether there is a description of its kind, $TERM. */
bool terminal_is_known(void);

/** Take the terminal over: standard input and output.
 * @return false: its kind is not known, and it is as it was. */
bool terminal_open(void) SL_MUST_CHECK;

/** Give it back as it was. Only after terminal_open(), once. */
void terminal_close(void);

/** Whether it can show no more than ASCII, by the locale. */
bool terminal_is_ascii(void);

/** How large it is now; also tells ncurses. */
void terminal_size(int *rows, int *columns);

void terminal_show(const struct sl_screen *screen);

/** The next key that was pressed; never waits. */
enum key terminal_key(void);

#endif
