/* SPDX-License-Identifier: MIT */
/** @file
 * Small helpers for text that goes into messages.
 */
#ifndef SL_BASE_TEXT_H
#define SL_BASE_TEXT_H

#include <stddef.h>

/** Make @p text one line: what users put into files and names must neither
 * break a message nor steer the terminal. */
static inline void sl_text_flatten(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < 0x20 || *text == 0x7f)
			*text = '?';
}

#endif
