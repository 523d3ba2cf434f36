/* SPDX-License-Identifier: MIT */
/** @file
 * Bytes that grow.
 */
#ifndef SLUICE_BUFFER_H
#define SLUICE_BUFFER_H

#include <stddef.h>

#include "sluice/defs.h"
#include "sluice/error.h"

/** A zeroed one is empty. `data` is owned, by whoever the struct belongs to:
 * free() it. The layout is frozen. */
struct sl_buffer {
	char *data; /**< `capacity` bytes, of which `used` count */
	size_t used, capacity;
};

SL_BEGIN_DECLS

/** Make room for @p bytes more behind what is used. SL_ENOMEM leaves the buffer
 * as it was. */
enum sl_code sl_buffer_reserve(struct sl_buffer *buffer, size_t bytes,
			       struct sl_error *error) SL_MUST_CHECK;

SL_END_DECLS

#endif
