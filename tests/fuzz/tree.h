/* SPDX-License-Identifier: MIT */
/** @file
 * A tree of files that stands in for /proc and /sys, made of an input: a line
 * "@a" begins the text of the first of the target's files, "@b" of the second,
 * and so on; what stands before the first such line is nobody's. "@A" is the
 * same file as "@a", written when the target says that time has passed.
 */
#ifndef TESTS_FUZZ_TREE_H
#define TESTS_FUZZ_TREE_H

#include <stddef.h>
#include <stdint.h>

/** The folder is removed by fuzz_tree_finish(). */
struct fuzz_tree {
	char root[64];
	const char *const *paths; /* borrowed: below the root, "a" first */
	size_t count;
	const uint8_t *data; /* borrowed */
	size_t size;
};

/** Make the folder and its files. Aborts if that cannot be done. */
void fuzz_tree_make(struct fuzz_tree *tree, const char *const *paths,
		    size_t count, const uint8_t *data, size_t size);
/** Write those of capital letters. */
void fuzz_tree_go_on(const struct fuzz_tree *tree);
void fuzz_tree_finish(struct fuzz_tree *tree);

/** Abort if @p text could steer a terminal. */
void fuzz_require_flat(const char *text);

#endif
