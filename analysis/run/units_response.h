/* SPDX-License-Identifier: MIT */
/** @file
 * Response files: flags of a unit that stand in files, named by @FILE.
 */
#ifndef SG_RUN_UNITS_RESPONSE_H
#define SG_RUN_UNITS_RESPONSE_H

#include <stddef.h>

#include "run/units.h"

/** Gives the text of the file at @p path (absolute, normalised), borrowed until
 * the next call; *text is NULL: there is none, or none that can be read. */
typedef enum sl_code sg_response_fn(void *context, const char *path,
				    const char **text, size_t *length,
				    struct sl_error *error);

/** @return whether a unit names a response file. */
bool sg_units_have_responses(const struct sg_units *units);

/** Put the words of response files in the places of those that name them, as
 * gcc and clang do: relative to the unit's directory, also in response files,
 * blanks part words, quotes of both kinds and backslashes hold them together. A
 * word that names no file stays, as it does for them; so does one behind as
 * many files as gcc reads. Units are in order behind it. SL_ENOMEM, or what @p
 * read returns. */
enum sl_code sg_units_expand(struct sg_units *units, sg_response_fn *read,
			     void *context,
			     struct sl_error *error) SL_MUST_CHECK;

#endif
