/* SPDX-License-Identifier: MIT */
/** @file
 * What the loader's tests do to files: a folder for each test, copies of
 * plugins in it, and what a refusal looks like. A failure ends the test.
 */
#ifndef TESTS_LOADER_FILES_H
#define TESTS_LOADER_FILES_H

/* cmocka.h wants these before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pipeline/loader.h"

/** The bytes of a file. */
struct bytes {
	unsigned char *data; /**< owned */
	size_t size;
};

/** Setup and teardown of a test: *state is its folder, without a '/' at the
 * end; it is removed with all that is in it, one level deep. */
int make_folder(void **state);
int remove_folder(void **state);

/** @return FOLDER/NAME; owned by the helpers until the next twenty. */
const char *path_in(const char *folder, const char *name);

/** @return the path of a plugin of the tests; as path_in(). */
const char *test_plugin(const char *name);

struct bytes read_file(const char *path);

/** Write a file of mode 0644; @return its path, as path_in(). */
const char *write_file(const char *folder, const char *name, const void *data,
		       size_t size);

/** Expect sl_plugin_check() to refuse @p path with the message
 * "PATH: FMT...". */
void assert_refused(const char *path, enum sl_code code, const char *fmt, ...)
	SL_PRINTF(3, 4);

/** Expect @p error to say @p code and "PATH: FMT...". */
void assert_error(const struct sl_error *error, const char *path,
		  enum sl_code code, const char *fmt, ...) SL_PRINTF(4, 5);

#endif
