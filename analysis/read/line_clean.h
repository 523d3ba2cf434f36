/* SPDX-License-Identifier: MIT */
/** @file
 * Which bytes of a line are clean, as read/lines.h promises them: UTF-8, and no
 * control characters but the tab. A CR is none.
 */
#ifndef SG_READ_LINE_CLEAN_H
#define SG_READ_LINE_CLEAN_H

#include <stddef.h>

/** @return how many bytes from the start are clean as they are. */
size_t sg_line_clean_part(const char *text, size_t length);

/** Make a line's bytes clean: terminal colours and hyperlinks are removed, and
 * each other byte that is not clean becomes U+FFFD. @return the bytes written
 * to @p out, at most @p room. */
size_t sg_line_clean(const char *text, size_t length, char *out, size_t room);

#endif
