/* SPDX-License-Identifier: MIT */
/** @file
 * Patterns of paths, as in .gitignore: `*`, `?` and `[a-z]` stay in one part of
 * a path, `**` does not; without a '/' but at the end it fits a name at any
 * depth, else it starts at the root; one that fits a folder fits all in it.
 */
#ifndef SG_GATE_PATTERN_H
#define SG_GATE_PATTERN_H

#include <stdbool.h>

/** @return whether @p pattern fits @p path, which is relative to the root.
 * Takes time linear in the product of their lengths at worst. Thread-safe. */
bool sg_pattern_fits(const char *pattern, const char *path);

#endif
