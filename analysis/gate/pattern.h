/* SPDX-License-Identifier: MIT */
/** @file
 * Patterns of paths, as in .gitignore.
 *
 *     *  ?  [a-z]  [!a-z]   stay in one part of a path; '?' is a character of
 *                           UTF-8; \ takes the meaning off the next one
 *     **                    as a part of its own: any number of parts
 *     generated.c           without a '/' but at the end: at any depth
 *     src/gen, ./main.c     else from the root
 *     src/                  a folder and all in it; so does src, if it is one
 *
 * A '!' in front, which in .gitignore takes paths out again, there is not.
 */
#ifndef SG_GATE_PATTERN_H
#define SG_GATE_PATTERN_H

#include <stdbool.h>

/** @return whether @p pattern fits @p path, which is relative to the root. Of a
 * pattern without a fault it takes time linear in the product of their lengths
 * at worst. Thread-safe. */
bool sg_pattern_fits(const char *pattern, const char *path);

/** @return NULL, or why @p pattern can fit nothing, or not what its author
 * thinks: words to put behind it in a message. */
const char *sg_pattern_fault(const char *pattern);

#endif
