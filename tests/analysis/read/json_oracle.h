/* SPDX-License-Identifier: MIT */
/** @file
 * What the skimmer of read/json.h must come to: the same text, in the same
 * pieces, read by the filter and YAJL alone.
 */
#ifndef TESTS_JSON_ORACLE_H
#define TESTS_JSON_ORACLE_H

#include <stddef.h>

/** Read @p text both ways, in pieces of @p piece bytes, and write what was told
 * and how it ended into @p ours and @p oracle, which are owned by the caller
 * and ended by a NUL. Aborts without memory. */
void json_oracle_ask(const char *text, size_t length, size_t piece, char **ours,
		     char **oracle);

#endif
