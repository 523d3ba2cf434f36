/* SPDX-License-Identifier: MIT */
/** @file
 * A store in a folder of its own, and looks into it past the library.
 */
#ifndef TESTS_STORE_SUPPORT_H
#define TESTS_STORE_SUPPORT_H

#include <stdint.h>

#include "store/store.h"

struct folder {
	char path[64];
	char db[96]; /**< a file in it, that is not there yet */
};

/** cmocka's setup and teardown; *state is a struct folder. */
int make_folder(void **state);
int remove_folder(void **state);

/** The number that a query gives. The file is opened for it. */
int64_t number_in(const char *db, const char *query);

/** Run SQL on a file. */
void change(const char *db, const char *text);

/** A finding of "cppcheck", rule "rule", at a.c:@p line. */
struct sg_finding finding_at(const char *message, int64_t line);

/** Import @p count findings as a run. */
struct sg_run import(struct sg_store *store, const struct sg_run_start *start,
		     enum sg_run_state state, const struct sg_finding *findings,
		     size_t count);

#endif
