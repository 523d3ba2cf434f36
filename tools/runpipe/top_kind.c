/* SPDX-License-Identifier: MIT */
/* Whether a kind of terminal is known. newterm() says so, too, but leaves
 * memory behind; and <term.h> has macros called `lines` and `columns`. */
#include "top_terminal.h"

#include <unistd.h>

#include <ncurses.h>
#include <term.h>

bool terminal_is_known(void)
{
	int status;

	if (setupterm(NULL, STDOUT_FILENO, &status) == ERR)
		return false;
	del_curterm(cur_term);
	return true;
}
