/* SPDX-License-Identifier: MIT */
/** @file
 * Which bytes are UTF-8.
 */
#ifndef SL_BASE_UTF8_H
#define SL_BASE_UTF8_H

#include <stddef.h>

/** @return the length of the UTF-8 sequence of several bytes at @p at, of the
 * shortest form and no surrogate (RFC 3629, section 4); 0: there is none, or
 * the @p left bytes, one at least, do not hold all of it. */
static inline size_t sl_utf8_sequence(const unsigned char *at, size_t left)
{
	unsigned first = at[0], low = 0x80, high = 0xbf;
	size_t length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;

	if (first < 0xc2 || first > 0xf4 || left < length)
		return 0;
	if (first == 0xe0)
		low = 0xa0;
	else if (first == 0xed)
		high = 0x9f;
	else if (first == 0xf0)
		low = 0x90;
	else if (first == 0xf4)
		high = 0x8f;
	if (at[1] < low || at[1] > high)
		return 0;
	for (size_t next = 2; next < length; next++)
		if ((at[next] & 0xc0) != 0x80)
			return 0;
	return length;
}

#endif
