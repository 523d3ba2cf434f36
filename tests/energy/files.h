/* SPDX-License-Identifier: MIT */
/** @file
 * A tree of files for a test, which it changes as it goes. A failure ends the
 * test.
 */
#ifndef TESTS_ENERGY_FILES_H
#define TESTS_ENERGY_FILES_H

#include <stddef.h>

/** Setup and teardown of a test: *state is its tree's root, without a '/' at
 * the end; it is removed with all that is in it. */
int make_tree(void **state);
int remove_tree(void **state);

/** @return ROOT/PATH; borrowed until the next eight calls. */
const char *path_of(const char *root, const char *path);

/** Write a file, and the folders on its way. */
void put(const char *root, const char *path, const char *text);
void put_bytes(const char *root, const char *path, const void *bytes,
	       size_t size);

/** Remove a file. */
void take_away(const char *root, const char *path);

/** Make ROOT/PATH a link to the absolute @p target, with the folders on its
 * way. */
void put_link(const char *root, const char *path, const char *target);

#endif
