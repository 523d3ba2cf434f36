/* SPDX-License-Identifier: MIT */
/** @file
 * Errors: a code to branch on, a message to read, a place to look at.
 *
 * Library and plugin code never prints and never exits. A function that can
 * fail returns an enum sl_code, which must be checked, and fills the
 * struct sl_error that its caller hands it as the last argument (NULL: the
 * caller wants the code alone).
 *
 *     if (size > limit)
 *             return SL_FAIL(error, SL_EINVAL, "%zu bytes, %zu allowed",
 *                            size, limit);
 *
 * A message is one line without a full stop; it says what is wrong and, where
 * one is known, what would be right. It does not repeat the place: whoever
 * prints the error puts "file:line: stage "nat": " before it.
 */
#ifndef SLUICE_ERROR_H
#define SLUICE_ERROR_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "sluice/defs.h"

enum sl_code {
	SL_OK = 0,
	SL_END, /**< no failure: there is nothing more to come */
	SL_ENOMEM, /**< memory is short */
	SL_EINVAL, /**< a value that cannot be: an option, a line, a frame */
	SL_ENOSPC, /**< a bound of ours is reached */
	SL_EIO, /**< the system refused: open, read, write */
	SL_EPLUGIN, /**< a plugin's file that cannot be used */
	SL_ESTOPPED, /**< the run was told to stop */
};

/** Frozen layout: plugins fill these, hosts of other versions read them.
 * Everything is copied, so an error outlives the plugin that raised it. */
struct sl_error {
	enum sl_code code;
	int line; /**< of our source */
	int64_t input_line; /**< of the input, from 1; 0: none */
	char file[64]; /**< our source, e.g. "plugins/nat/nat.c" */
	char input[256]; /**< the input's path, as its user wrote it; may be ""
			  */
	char message[512];
};

SL_BEGIN_DECLS

/** Record a failure and return @p code, so that callers can `return` it.
 * Messages that do not fit are cut. @p error may be NULL. Thread-safe. */
enum sl_code sl_error_set(struct sl_error *error, enum sl_code code,
			  const char *file, int line, const char *fmt, ...)
	SL_PRINTF(5, 6);

/** The input's place of an error already recorded; a @p path too long for it
 * keeps its tail. @p error may be NULL. */
void sl_error_at(struct sl_error *error, const char *path, int64_t line);

SL_END_DECLS

/** The longest path that a message shows whole, in bytes. */
#define SL_PATH_SHOWN 256

/** A path for a message: one that would fill it alone keeps its tail, where the
 * file's name is. @return @p path or its last bytes; borrowed from it. */
static inline const char *sl_path_tail(const char *path)
{
	size_t length = strlen(path);

	return length > SL_PATH_SHOWN ? path + (length - SL_PATH_SHOWN) : path;
}

/** An expression, not a jump: write `return SL_FAIL(...)`. Its value is @p
 * code, taken twice, so that an analyzer sees which it is. */
#define SL_FAIL(error, code, ...) \
	((void)sl_error_set((error), (code), __FILE__, __LINE__, __VA_ARGS__), \
	 (enum sl_code)(code))

#endif
