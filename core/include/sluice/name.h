/* SPDX-License-Identifier: MIT */
/** @file
 * Names: interfaces and applications, interned to 16-bit ids.
 *
 * A packet carries ids; the text is looked up when it is written out. Ids are
 * handed out in no promised order: compare them, never sort by them.
 *
 * Looking up is lock-free and safe from any thread at any time. Interning
 * takes a lock. What a *source* meets in its input must be interned in
 * commit(), in input order, so that a full table fails at the same packet for
 * every number of workers; options are interned before the run starts.
 */
#ifndef SLUICE_NAME_H
#define SLUICE_NAME_H

#include <stddef.h>
#include <stdint.h>

#include "sluice/defs.h"
#include "sluice/error.h"

/** The id of no name. */
#define SL_NO_NAME 0
/** Ids are 1 ... SL_NAMES_MAX. */
#define SL_NAMES_MAX 65534
/** Longest name, in bytes: Linux's interface names have at most 15. */
#define SL_NAME_LENGTH 15

struct sl_names;

SL_BEGIN_DECLS

/** @return the id of @p text (@p length bytes, no NUL needed), or SL_NO_NAME
 * if nobody has interned it yet. */
uint16_t sl_names_find(const struct sl_names *names, const char *text,
		       size_t length);

/** Find or add a name. Fails with SL_EINVAL (empty, longer than
 * SL_NAME_LENGTH), SL_ENOSPC (SL_NAMES_MAX are there) or SL_ENOMEM. */
enum sl_code sl_names_intern(struct sl_names *names, const char *text,
			     size_t length, uint16_t *id,
			     struct sl_error *error) SL_MUST_CHECK;

/** @return the text of an id, NUL-terminated, borrowed for as long as the
 * table lives; "-" for SL_NO_NAME. @p length may be NULL. */
const char *sl_names_text(const struct sl_names *names, uint16_t id,
			  size_t *length);

SL_END_DECLS

#endif
