/* SPDX-License-Identifier: MIT */
/** @file
 * A folder for a test, in which shell scripts make a real repository.
 */
#ifndef TESTS_RUN_REPOSITORY_H
#define TESTS_RUN_REPOSITORY_H

/** Path of the folder of the test that runs, absolute. */
extern char test_folder[64];

/** For cmocka: before and after a test. */
int make_test_folder(void **state);
int remove_test_folder(void **state);

/** Run a script there, by sh -e; it must succeed. The function `init` makes a
 * repository in the current folder, whose commits need no settings of the
 * user's. */
void shell(const char *script);

/** Expect that a script prints @p expected. */
void expect_output(const char *script, const char *expected);

#endif
