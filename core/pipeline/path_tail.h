/* SPDX-License-Identifier: MIT */
/** @file
 * How the loader's messages show a path: one that would fill a message alone
 * keeps its tail, where the file's name is.
 */
#ifndef SL_PIPELINE_PATH_TAIL_H
#define SL_PIPELINE_PATH_TAIL_H

#include <string.h>

/** The longest path that a message shows whole, in bytes. */
#define SL_PATH_SHOWN 256

/** @return @p path or its last SL_PATH_SHOWN bytes; borrowed from it. */
static inline const char *sl_path_tail(const char *path)
{
	size_t length = strlen(path);

	return length > SL_PATH_SHOWN ? path + (length - SL_PATH_SHOWN) : path;
}

#endif
